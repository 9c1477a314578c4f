"""Trains one net under a strategy of tf.distribute and writes down what happened: the child process of test_strategies.py.

  strategies.py FILE one|mirrored|workers fit,loop ...

Each training is done twice. FILE receives, as JSON, for each the losses, and hashes and values of the weights of every
replica that this process has, the kernels launched and the devices that convolutions were placed on. Under "workers" TF_CONFIG says who we are.
TF_USE_LEGACY_KERAS=1 makes it Keras 2.
"""

import hashlib
import json
import pathlib
import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context

import tensorflow_ocldnn

BATCH, EXAMPLES, EPOCHS = 16, 84, 3  # the last batch of an epoch has four


def strategy_of(kind):
    if kind == "workers":
        return tensorflow_ocldnn.multi_worker_mirrored_strategy()
    if kind == "mirrored":
        return tf.distribute.MirroredStrategy(devices=tensorflow_ocldnn.strategy_devices())
    return tf.distribute.get_strategy()


def data():
    draw = np.random.default_rng(3)
    x = draw.normal(size=(EXAMPLES, 12, 12, 1)).astype("float32")
    return x, (np.abs(x).sum((1, 2, 3)) % 10).astype("int32")


def model():
    keras = tf.keras
    keras.utils.set_random_seed(5)
    layers = keras.layers
    net = keras.Sequential([
        keras.Input((12, 12, 1)), layers.Conv2D(8, 3, activation="relu"), layers.MaxPooling2D(), layers.Conv2D(8, 3, padding="same"),
        layers.Activation("tanh"), layers.Flatten(), layers.Dense(10)])
    net.compile(keras.optimizers.SGD(0.05, momentum=0.9), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return net


def batches():
    """Every worker reads all of it and keeps its part of each batch."""
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    return tf.data.Dataset.from_tensor_slices(data()).batch(BATCH).with_options(options)


def fit(strategy):
    with strategy.scope():
        net = model()
    return net.fit(batches(), epochs=EPOCHS, shuffle=False, verbose=0).history["loss"], net


def loop(strategy):
    """A loop of the user's own: a step on each replica, its losses added up."""
    with strategy.scope():
        net = model()
        net.optimizer.build(net.trainable_variables)  # TensorFlow fails where the first step makes variables, on CPUs too

    def on_replica(x, y):
        with tf.GradientTape() as tape:
            each = tf.nn.sparse_softmax_cross_entropy_with_logits(y, net(x, training=True))
            loss = tf.nn.compute_average_loss(each, global_batch_size=BATCH)
        net.optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    @tf.function
    def step(*batch):
        return strategy.reduce("SUM", strategy.run(on_replica, args=batch), axis=None)

    parts = strategy.experimental_distribute_dataset(batches())
    return [float(step(*batch)) for _ in range(EPOCHS) for batch in parts], net


def replicas(strategy, net):
    """The weights of each replica of this process, one array each."""
    variables = [weight if isinstance(weight, tf.Variable) else weight.value for weight in net.trainable_variables]
    values = [strategy.experimental_local_results(variable) for variable in variables]
    return [np.concatenate([np.ravel(value[i].numpy()) for value in values]) for i in range(len(values[0]))]


def convolution_devices():
    """Where the convolutions of the functions that were made since the last call are."""
    nodes = [node for made in context.context().export_run_metadata().function_graphs for graph in made.partition_graphs
             for node in graph.node]
    return sorted({node.device.rsplit("device:", 1)[-1] for node in nodes if node.op.startswith("Conv2D")})


def main():
    file, kind, *ways = sys.argv[1:]
    strategy = strategy_of(kind)  # before anything else of TensorFlow: it sets up the collective ops
    context.context().ensure_initialized()
    context.context().enable_graph_collection()
    report = {"replicas": strategy.num_replicas_in_sync, "runs": []}
    for way in ways:
        for _ in range(2):
            before = tensorflow_ocldnn.launches()
            losses, net = {"fit": fit, "loop": loop}[way](strategy)
            weights = replicas(strategy, net)
            report["runs"].append({
                "way": way, "losses": losses, "weights": [w.tolist() for w in weights],
                "bits": [hashlib.sha256(w.tobytes()).hexdigest() for w in weights],
                "launches": tensorflow_ocldnn.launches() - before, "convolutions": convolution_devices()})
    report["devices"] = tensorflow_ocldnn.devices()
    pathlib.Path(file).write_text(json.dumps(report))


if __name__ == "__main__":
    main()
