"""TensorFlow in one process, with the plug-in or without it, as a server of bench/steps.py and bench/ops.py.

    python bench/framework.py device|cpu

Lines: `step NAME` is one training step of a net as Keras's fit runs it, `chain eager|function COUNT ELEMENTS` is COUNT
small ops of which each needs the one before, `return ...` is the same until the call comes back rather than until the
result is there, `op NAME I T=float32 ...` is case I of that name in ops.py, eager. Answers "seconds cpu_seconds error"; a
step's error is 0, its losses are the tests' business, an op's is in its test's tolerances.
"""
import pathlib
import sys

import numpy as np
import tensorflow as tf

import ops
import peers
from ops import harness

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "examples"))
BATCH = 128


def fashion_step():
    """One step of examples/fashion_mnist.py: batch of 128 in host memory in, loss out."""
    import fashion_mnist
    import keras

    keras.utils.set_random_seed(1)
    model = fashion_mnist.build()
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    x = np.random.default_rng(1).random((BATCH, 28, 28, 1), np.float32)
    y = np.arange(BATCH, dtype=np.int32) % 10
    data = iter(tf.data.Dataset.from_tensors((x, y)).repeat().prefetch(2))
    model.fit(x, y, batch_size=BATCH, verbose=0)  # makes the train function
    return lambda: model.train_function(data)["loss"].numpy()


def chain(way, count, elements, wait):
    y, z = (tf.constant(np.random.default_rng(seed).random(elements, np.float32)) for seed in (1, 2))
    half = tf.constant(np.float32(0.5))

    def body(y, z):
        for _ in range(count // 2):
            z = tf.raw_ops.Mul(x=tf.raw_ops.Sub(x=y, y=z), y=half)
        return z

    call = tf.function(body) if way == "function" else body
    error = np.abs(call(y, z).numpy().astype(np.float64) - y.numpy().astype(np.float64) / 3).max()
    return (lambda: call(y, z).numpy()) if wait else (lambda: call(y, z)), error


def op(name, index, *types, on_device):
    """An op as the tests call it; how it is run, how the end is awaited, the error in the tests' tolerances."""
    row, case = ops.all_cases()[name][int(index)]
    types = {attribute: tf.dtypes.as_dtype(t) for attribute, t in (each.split("=") for each in types)}
    definition = harness.definition_of(name)
    arrays = harness.inputs_of(row, definition, types, case)
    tf.config.set_soft_device_placement(False)
    place = f"/{harness.DEVICE}:0" if on_device else "/CPU:0"
    with tf.device(place):
        tensors = harness.to_tensors(arrays)
    last = None

    def run():
        nonlocal last
        with tf.device(place):
            last = harness.call(row, definition, tensors, types, case.attributes)[0]

    def finish():
        with tf.device(place):
            tf.reshape(last, [-1])[:1].numpy()

    run()
    if not on_device:
        return run, finish, 0
    want = harness.on_cpu(row, definition, arrays, types, case.attributes)[0]
    return run, finish, harness.difference(last.numpy(), want, harness.tolerance_of(row, want))


def main():
    devices = tf.config.list_physical_devices("OPENCL")
    if sys.argv[1] == "device":
        if not devices:
            sys.exit("TensorFlow sees no OPENCL device: python -m tensorflow_ocldnn says why.")
        import tensorflow_ocldnn

        device = tensorflow_ocldnn.devices()[0]
        name = f"tensorflow {tf.__version__} on {device['name']} ({device['platform']}, driver {device['driver']})"
    else:
        name = f"tensorflow {tf.__version__} on the CPU"
    print(name, flush=True)
    for line in sys.stdin:
        what, *words = line.split()
        finish = lambda: None
        if what == "step":
            run, error = fashion_step(), 0
        elif what == "op":
            run, finish, error = op(*words, on_device=sys.argv[1] == "device")
        else:
            run, error = chain(words[0], int(words[1]), int(words[2]), wait=what == "chain")
        wall, cpu = peers.measure(run, finish)
        print(wall, cpu, error, flush=True)


if __name__ == "__main__":
    main()
