"""What users of other plug-ins have reported, where no other file has a test for it: docs/reports.md lists all of it."""

import gc
import os
import time

import keras
import numpy as np
import pytest
import tensorflow as tf
from processes import run
from tensorflow.python.client import device_lib
from tensorflow.python.framework import kernels

DEVICE, HOST = "/OPENCL:0", "/CPU:0"
raw = tf.raw_ops


def on(device, build, *arguments):
    with tf.device(device):
        return [np.asarray(x) for x in tf.nest.flatten(build(*arguments))]


def assert_same(build, *arguments, rtol=0.0, atol=0.0):
    """build() gives on the device what it gives on TensorFlow's CPU."""
    ours, cpu = (on(device, build, *arguments) for device in (DEVICE, HOST))
    assert len(ours) == len(cpu) > 0
    for got, want in zip(ours, cpu, strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=rtol, atol=atol)


def numbers(kind, *shape):
    return np.random.default_rng(3).integers(0, 100, shape).astype(kind)


def assert_on_device(tensor):
    assert tensor.backing_device.endswith("OPENCL:0"), tensor.backing_device


# Types and kernels.


def test_kernels_are_for_a_device_type_of_our_own():
    """So that a TensorFlow built for CUDA, whose kernels are for GPU, has no second kernel for an op of ours."""
    for op in ("MatMul", "Conv2D", "Relu", "ResourceApplyAdam"):
        types = {kernel.device_type for kernel in kernels.get_registered_kernels_for_op(op).kernel}
        types = {name for name in types if not name.startswith("XLA_")}  # TensorFlow's own, once XLA has been asked for
        assert types == {"CPU", "OPENCL"} | ({"GPU"} if tf.test.is_built_with_cuda() else set())


# TensorFlow has these for int32 in host memory only where it is built for CUDA or for Macs.
HOST_INT32 = ["BroadcastTo", "ClipByValue", "Pack", "Pad", "PadV2", "ReverseV2", "SplitV", "StridedSlice", "StridedSliceGrad",
              "TensorStridedSliceUpdate", "Sum", "ScatterNd", "TensorScatterAdd", "TensorScatterUpdate", "Range", "Where"]


@pytest.mark.parametrize("op", HOST_INT32)
def test_shape_arithmetic_stays_on_the_device_type(op):
    """Else every graph that computes with shapes goes to the CPU device and back."""
    found = [k for k in kernels.get_registered_kernels_for_op(op).kernel if k.device_type in ("OPENCL", "DEFAULT")]
    types = {tf.dtypes.as_dtype(t).name: k for k in found for c in k.constraint if c.name in ("T", "Tidx", "dtype")
             for t in c.allowed_values.list.type}
    assert "int32" in types, sorted(types)


@pytest.mark.parametrize("kind", ["complex64", "complex128"])
def test_variables_of_complex_numbers(kind):
    """No kernel of ours computes with them, so they live on the CPU, and everything that a variable can do works."""
    numbers = lambda *values: tf.constant(np.array(values, kind))
    v = tf.Variable(numbers(1 + 1j, 2, 3))
    assert "CPU" in v.device
    v.assign_add(numbers(1j, 1, 1))
    v.assign_sub(numbers(1, 1, 1j))
    v[1].assign(numbers(7j)[0])
    v.scatter_add(tf.IndexedSlices(numbers(2), [0]))
    update = tf.function(lambda: v.assign_add(tf.math.conj(v)))
    np.testing.assert_allclose(update(), [4, 0, 8])
    np.testing.assert_allclose(tf.gather(v, [2, 0]), [8, 4])


WITHOUT_DOUBLES = """
    import keras, numpy as np, tensorflow as tf, tensorflow_ocldnn
    from tensorflow.python.framework import dtypes, kernels
    for kernel in kernels.get_all_registered_kernels().kernel:
        if kernel.device_type == "OPENCL" and kernel.priority >= 0 and not kernel.op.startswith("Assign"):
            assert not any(dtypes.double.as_datatype_enum in c.allowed_values.list.type for c in kernel.constraint), kernel
    with tensorflow_ocldnn.placement_report() as placed:
        y = tf.nn.relu(tf.constant([-1.0, 2.0], tf.float64)) * 3
    assert "CPU" in y.device and y.numpy().tolist() == [0, 6]
    assert {"Relu", "Mul"} <= {row["op"] for row in placed.fell_back() if row["why"] == "no kernel for T=float64"}, placed
    assert "OPENCL" in tf.nn.relu(tf.constant([-1.0, 2.0])).device

    def train(kind, first=None):
        keras.config.set_floatx(kind)
        keras.config.set_dtype_policy(kind)
        keras.utils.set_random_seed(1)
        net = keras.Sequential([keras.Input((6, 6, 1)), keras.layers.Conv2D(3, 3, activation="relu"), keras.layers.BatchNormalization(),
                                keras.layers.Flatten(), keras.layers.Dense(2)])
        net.compile(keras.optimizers.Adam(0.01, epsilon=0.01), "mse", metrics=["mae"])
        first = first or net.get_weights()
        net.set_weights(first)
        x = np.random.default_rng(0).normal(size=(32, 6, 6, 1)).astype(kind)
        net.fit(x, x[:, 0, :2, 0], epochs=2, batch_size=8, shuffle=False, verbose=0)
        return first, net.get_weights(), net.variables[0].value.device

    first, single, there = train("float32")
    _, double, here = train("float64", first)
    assert "OPENCL" in there and "CPU" in here and double[0].dtype == np.float64
    for a, b in zip(single, double, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4)
    with tf.device("/OPENCL:0"):
        try:
            tf.Variable(tf.ones(3, tf.float64))
        except tf.errors.UnimplementedError as error:
            assert "no OpenCL kernel with dtype=float64" in str(error)
            print("refused where the device is asked for")
"""


def test_a_device_without_doubles():
    """Kernels in double are registered for a device that has it alone; elsewhere float64 is the CPU's, a whole model of it,
    and the placement report says so."""
    assert run(WITHOUT_DOUBLES, OCLDNN_WITHOUT="fp64")[0] == "refused where the device is asked for"


VARIABLES_OUT_OF_REACH = """
    import keras, numpy as np, tensorflow as tf

    def train(device):
        with tf.device(device):
            keras.utils.set_random_seed(1)
            net = keras.Sequential([keras.Input((8, 8, 1)), keras.layers.Conv2D(4, 3, activation="tanh"),
                                    keras.layers.BatchNormalization(), keras.layers.Flatten(), keras.layers.Dense(3)])
            net.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"], jit_compile=False)
            x = np.random.default_rng(0).normal(size=(32, 8, 8, 1)).astype("float32")
            net.fit(x, x[:, 0, :3, 0], epochs=3, batch_size=8, shuffle=False, verbose=0)
            return net.get_weights()

    ours, again, cpu = train("/OPENCL:0"), train("/OPENCL:0"), train("/CPU:0")
    for a, b, c in zip(ours, again, cpu, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, rtol=1e-3, atol=1e-4)
    print("trained")
"""


def test_training_where_tensorflow_keeps_variables_to_itself():
    """The CPU wheels of 2.19 to 2.21 lack the functions for variables, and a build that our bridges do not fit is no worse
    off than slower."""
    assert run(VARIABLES_OUT_OF_REACH, OCLDNN_VARIABLES="rewrite", OCLDNN_STRICT="1")[0] == "trained"


def test_the_algorithm_chosen_by_tensorflow():
    """Keras 2 makes the generators of its augmentation layers so."""
    draw = lambda: [tf.random.Generator.from_seed(5, alg="auto_select").uniform((7,)) for _ in range(2)]
    assert_same(draw)


# Addresses.


@pytest.mark.parametrize("kind", ["float32", "float16", "int64"])
def test_lists_of_tensors_that_begin_anywhere(kind):
    """TensorFlow adds to a tensor's address to reach the rows of it."""
    x = numbers(kind, 7, 3)  # rows of 6 bytes for float16
    row = tf.constant([3])

    def build():
        rows = raw.TensorListFromTensor(tensor=tf.constant(x), element_shape=row)
        item = lambda i: raw.TensorListGetItem(input_handle=rows, index=i, element_shape=row, element_dtype=x.dtype)
        items = [item(i) for i in range(7)]
        shorter, last = raw.TensorListPopBack(input_handle=rows, element_shape=row, element_dtype=x.dtype)
        chosen = raw.TensorListGather(input_handle=rows, indices=[5, 1, 1], element_shape=row, element_dtype=x.dtype)
        whole = raw.TensorListStack(input_handle=shorter, element_shape=row, element_dtype=x.dtype)
        parts = raw.TensorListSplit(tensor=tf.constant(x), element_shape=tf.constant([-1, 3]), lengths=tf.constant([1, 4, 2], tf.int64))
        middle = raw.TensorListGetItem(input_handle=parts, index=1, element_shape=tf.constant([4, 3]), element_dtype=x.dtype)
        joined = raw.TensorListConcatV2(input_handle=parts, element_shape=tf.constant([-1, 3]), leading_dims=tf.constant([], tf.int64),
                                        element_dtype=x.dtype)[0]
        placed = raw.TensorListScatterV2(tensor=tf.constant(x[1:4]), indices=[2, 0, 1], element_shape=row, num_elements=3)
        turned = raw.TensorListStack(input_handle=placed, element_shape=row, element_dtype=x.dtype)
        if tf.executing_eagerly() and "OPENCL" in last.device:
            for tensor in (*items, last, chosen, whole, middle, joined, turned):
                assert_on_device(tensor)
        return [t * 2 for t in (*items, last, chosen, whole, middle, joined, turned)]

    assert_same(build)
    np.testing.assert_array_equal(on(DEVICE, build)[3], 2 * x[3])
    assert_same(tf.function(build))


@pytest.mark.parametrize("kind", ["float32", "float16", "int64", "int8", "int32"])
def test_parts_of_a_tensor_that_begin_anywhere(kind):
    """Unstacked and split along the first axis, a part shares the memory of the whole, at an address of any alignment."""
    x = numbers(kind, 7, 3)

    def build():
        whole = tf.constant(x)
        parts = [*tf.unstack(whole), *tf.split(whole, [1, 4, 2]), *tf.unstack(tf.identity(whole[1:6]))]
        found = []
        for part in parts:
            rows = tf.reshape(part, (-1, 3))
            found += [part * 2 + part, tf.reduce_max(part), tf.reverse(rows, [0]), tf.transpose(rows), tf.concat([rows, rows], 0),
                      tf.pad(rows, [[1, 0], [0, 2]]), tf.where(rows > 50, rows, tf.zeros_like(rows)), tf.gather(rows, [0]),
                      tf.cast(rows, tf.float32), tf.stack([part, part])]
        return found

    assert_same(build)
    assert_same(tf.function(build))


# int32: kept in host memory by convention, but not all of it.


def test_integers_from_device_memory_where_the_host_needs_them():
    """argmax leaves int32 in device memory; as a function's argument it is then asked for on the host, and the reverse."""
    x = tf.constant(np.random.default_rng(1).normal(size=(6, 5)).astype("float32"))
    table = tf.constant(np.arange(20, dtype="float32").reshape(5, 4))

    @tf.function
    def use(best, table):
        def step(i, total):
            return i + 1, total + tf.gather(table, best)[i]

        _, total = tf.while_loop(lambda i, _: i < best[0] + 2, step, (0, tf.zeros(table.shape[1])))
        size = tf.reduce_max(best) + 1
        chosen = tf.cond(best[0] > 2, lambda: best + 1, lambda: best - 1)
        with tf.device(HOST):
            moved = tf.identity(best) * 2
        return [best, best + 1, tf.one_hot(best, 5), tf.gather(table, best), total, tf.range(size), tf.fill([size, 2], 1.0),
                chosen, moved, moved + best, tf.reshape(tf.cast(best, tf.float32), [best[0] - best[0] + 3, -1])]

    def build():
        best = tf.argmax(x, 1, output_type=tf.int32)
        results = use(best, table)
        again = use(results[0], results[2])  # what a function has returned, into the next
        return [best, results, again, use(tf.constant(best.numpy()), table)]

    assert_same(build)


def test_sources_of_copies_to_the_device_are_host_memory():
    """A session: feeds, loops with int32 counters and captured tensors of both memories, crossing between the devices."""
    def build(device):
        graph = tf.Graph()
        with graph.as_default(), tf.compat.v1.device(device):
            x = tf.compat.v1.placeholder(tf.float32, [None, 3])
            n = tf.compat.v1.placeholder(tf.int32, [])
            v = tf.compat.v1.get_variable("v", initializer=tf.ones([3]), use_resource=True)
            best = tf.argmax(x, 1, output_type=tf.int32)
            with tf.device(HOST):
                there = best + n
                double = x * 2.0
            array = tf.TensorArray(tf.float32, size=n)
            _, array, total = tf.while_loop(lambda i, *_: i < n, lambda i, a, t: (i + 1, a.write(i, t * v), t + double[i] + v),
                                            (0, array, tf.zeros([3])))
            stack = array.stack()
            with tf.compat.v1.control_dependencies([total, stack]):  # the loop reads v for either
                update = v.assign_add(total)
            fetches = [there, best, total, stack, update.read_value() if hasattr(update, "read_value") else update,
                       tf.gather(x, best), tf.one_hot(there, 4)]
            with tf.compat.v1.Session() as session:
                session.run(tf.compat.v1.global_variables_initializer())
                feed = {x: numbers("float32", 4, 3) % 7, n: 3}
                return [*session.run(fetches, feed), *session.run(fetches[2:4], feed)]

    for got, want in zip(build(DEVICE), build(HOST), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6)


def test_datasets_of_device_tensors():
    """The input pipeline runs on the CPU and is handed, or captures, tensors that are in device memory."""
    def build():
        x = tf.constant(numbers("float32", 8, 3)) * 2
        labels = tf.argmax(x, 1, output_type=tf.int32)
        data = tf.data.Dataset.from_tensor_slices((x, labels)).map(lambda a, b: (a + x[0], b + labels[1]))
        data = data.shuffle(8, seed=1).batch(3).prefetch(2)
        return [(a * 2, tf.one_hot(b, 5)) for a, b in data]

    assert_same(build)


@pytest.mark.parametrize("way", ["prefetch_to_device", "copy_to_device"])
def test_prefetching_to_the_device(way):
    """Iterators stay on the CPU (TensorFlow has the device's for type GPU alone): the data come, and a net trains on them."""
    x = numbers("float32", 12, 4) / 50
    data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(4)
    data = data.apply(getattr(tf.data.experimental, way)("/OPENCL:0"))
    np.testing.assert_array_equal(np.concatenate([a.numpy() for a, _ in data]), x)
    assert_on_device(next(iter(data))[0] + 1.0)
    net = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    net.compile("adam", "mse")
    losses = net.fit(data, epochs=3, verbose=0).history["loss"]
    assert losses[2] < losses[0]


# Numbers.


@pytest.mark.parametrize("shape", [(32, 16, 16, 5), (2, 3, 3, 8)])
def test_batch_norm_of_halves_beyond_their_range(shape):
    """Sums and squares of such values are infinite in float16, their mean and variance are not."""
    rng = np.random.default_rng(2)
    x = (rng.normal(size=shape) * 80 + 400).astype("float16")
    dy = rng.normal(size=shape).astype("float16")
    scale, offset = rng.uniform(0.5, 2, (2, shape[-1])).astype("float32")
    empty, epsilon = np.zeros(0, "float32"), 1e-3
    with tf.device(DEVICE):
        y, mean, variance, saved_mean, saved_variance, space = raw.FusedBatchNormV3(
            x=x, scale=scale, offset=offset, mean=empty, variance=empty, epsilon=epsilon, is_training=True)
        dx, dscale, doffset, _, _ = raw.FusedBatchNormGradV3(
            y_backprop=dy, x=x, scale=scale, reserve_space_1=saved_mean, reserve_space_2=saved_variance, reserve_space_3=space,
            epsilon=epsilon, is_training=True)
        assert_on_device(y)
        assert_on_device(dx)
    x, dy = x.astype("float64"), dy.astype("float64")
    axes, count = (0, 1, 2), x[..., 0].size
    m, var = x.mean(axes), x.var(axes)
    z = (x - m) / np.sqrt(var + epsilon)
    np.testing.assert_allclose(mean, m, rtol=1e-5)
    np.testing.assert_allclose(variance, var * count / (count - 1), rtol=1e-4)
    np.testing.assert_allclose(y, z * scale + offset, rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(doffset, dy.sum(axes), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(dscale, (dy * z).sum(axes), rtol=1e-4, atol=1e-3)
    g = dy * scale
    np.testing.assert_allclose(dx, (g - g.mean(axes) - z * (g * z).mean(axes)) / np.sqrt(var + epsilon), rtol=5e-3, atol=1e-4)


def test_a_seed_is_heeded_and_calls_differ():
    def draws():
        tf.random.set_seed(42)
        eager = [tf.random.uniform((9,)), tf.random.uniform((9,)), tf.random.normal((9,)), tf.random.normal((9,))]
        function = tf.function(lambda: tf.random.uniform((9,)))
        return [*eager, function(), function(), tf.random.shuffle(tf.range(50.0)), tf.random.uniform((9,), 0, 100, tf.int32)]

    first, again, cpu = on(DEVICE, draws), on(DEVICE, draws), on(HOST, draws)
    for a, b, c in zip(first, again, cpu, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, rtol=1e-6, atol=1e-6)
    for i in (0, 2, 4):
        assert not np.array_equal(first[i], first[i + 1])


def test_a_seed_makes_a_training_repeatable():
    x = np.arange(-7.0, 17.0, 3.0, "float32")[:, None]

    def weights(seed):
        keras.utils.set_random_seed(seed)
        net = keras.Sequential([keras.Input((1,)), keras.layers.Dense(8, "relu"), keras.layers.Dropout(0.5), keras.layers.Dense(1)])
        net.compile("sgd", "mae")
        net.fit(x, x + 10, epochs=2, batch_size=4, verbose=0)
        return net.get_weights()

    first, again, other = weights(42), weights(42), weights(43)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0], other[0])


LAYERS = keras.layers
AUGMENTATION = {
    "flip": lambda: LAYERS.RandomFlip(seed=1), "rotation": lambda: LAYERS.RandomRotation(0.2, seed=1),
    "zoom": lambda: LAYERS.RandomZoom(0.3, seed=1), "translation": lambda: LAYERS.RandomTranslation(0.2, 0.2, seed=1),
    "contrast": lambda: LAYERS.RandomContrast(0.4, seed=1), "brightness": lambda: LAYERS.RandomBrightness(0.3, (0, 1), seed=1),
    "crop": lambda: LAYERS.RandomCrop(9, 11, seed=1), "height and width": lambda: LAYERS.CenterCrop(7, 10),
}


@pytest.mark.parametrize("name", AUGMENTATION)
def test_augmentation(name):
    """As a layer that is called, and in a function: what TensorFlow's CPU makes of the same pictures."""
    pictures = np.random.default_rng(6).random((4, 14, 15, 3)).astype("float32")

    def build():
        layer = AUGMENTATION[name]()
        return [layer(pictures, training=True), tf.function(lambda x: layer(x, training=True))(pictures), layer(pictures)]

    assert_same(build, rtol=1e-4, atol=1e-5)


# Memory.


def in_use():
    """Bytes; the least of a few looks, since TensorFlow gives memory back a little after the work that used it."""
    gc.collect()
    looks = []
    for _ in range(5):
        time.sleep(0.02)
        looks.append(tf.config.experimental.get_memory_info("OPENCL:0")["current"])
    return min(looks)


def test_memory_figures_are_the_memory():
    import tensorflow_ocldnn

    limit = {d.name: d.memory_limit for d in device_lib.list_local_devices()}["/device:OPENCL:0"]
    info = tensorflow_ocldnn.devices()[0]
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < limit <= info["memory_bytes"]
    if info["kind"] == "cpu":
        assert limit < machine
    before = in_use()
    with tf.device(DEVICE):
        tensor = tf.zeros([1 << 20]) + 1
        tensor.numpy()
    assert abs(in_use() - before - (4 << 20)) < 64 << 10
    del tensor
    assert abs(in_use() - before) < 64 << 10


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Shuffle(keras.layers.Layer):
    def call(self, x):
        shape = tf.concat([tf.shape(x)[:-1], [1]], axis=0)
        return tf.gather_nd(x, tf.argsort(tf.random.uniform(shape), axis=1), batch_dims=1)


def test_training_keeps_no_memory():
    """Of a step, whose tensors have 256 KiB and more each, nothing; nor of variables of 4 MiB and their function that are no
    more. A trained model Keras itself keeps, on the CPU too."""
    x = np.random.default_rng(0).normal(size=(256, 16, 16)).astype("float32")
    layers = keras.layers

    def steps(net, count):
        for _ in range(count):
            net.train_on_batch(x, x[:, 0, :1])
            with tf.device(DEVICE):
                y = tf.constant(x)
                tf.reduce_sum(tf.nn.relu(y * 2) @ y).numpy()
        return in_use(), resident()

    def train(count):
        net = keras.Sequential([keras.Input((16, 16)), Shuffle(), layers.Flatten(), layers.Dense(1024, "relu"), layers.Dense(1)])
        net.compile("adam", "mse")
        memory, size = steps(net, 5)
        memory_after, size_after = steps(net, count)
        assert memory_after - memory < 8 << 10  # a number lost in a step would be 15 KiB
        assert size_after - size < 8 << 20, f"grew from {size} to {size_after} in {count} steps"

    def variables(count):
        for _ in range(count):
            v = tf.Variable(tf.ones([1 << 10, 1 << 10]))
            tf.function(lambda y: v.assign_add(y * 2.0))(tf.ones([1 << 10, 1 << 10]))
            del v
        gc.collect()  # a function and the variable in it are a cycle
        return in_use()

    train(60)
    before = variables(2)
    assert variables(4) - before < 256 << 10


# Several devices.

ROUND = """
    import numpy as np, tensorflow as tf
    devices = [f"/OPENCL:{i}" for i in range(len(tf.config.list_physical_devices("OPENCL")))]
    assert len(devices) >= 2, devices
    x = np.random.default_rng(0).normal(size=(37, 5)).astype("float32")
    for first in devices:
        for second in devices:
            with tf.device(first):
                a = tf.constant(x) * 2
                rows = tf.unstack(a)          # parts of one allocation
            with tf.device(second):
                b = a + 1
                c = tf.add_n(rows[3:6])
                v = tf.Variable(a)
            with tf.device(first):
                v2 = tf.Variable(v.read_value() + b)
            def turn(i, y):
                with tf.device(second):
                    y = y * 2 + y[::-1]
                with tf.device(first):
                    return i + 1, y - 1
            there_and_back = tf.function(lambda y: tf.while_loop(lambda i, _: i < 3, turn, (0, y))[1])
            assert a.backing_device.endswith(first[1:]) and b.backing_device.endswith(second[1:])
            np.testing.assert_array_equal(b, x * 2 + 1)
            np.testing.assert_allclose(c, (x[3] + x[4] + x[5]) * 2, rtol=1e-6)
            np.testing.assert_array_equal(v2, x * 2 + (x * 2 + 1))
            want = x * 2
            for _ in range(3):
                want = want * 2 + want[::-1] - 1
            np.testing.assert_allclose(there_and_back(a), want, rtol=1e-5, atol=1e-5)
    print(len(devices))
"""


def test_copies_between_devices():
    """Of one driver, and of two where two are there: PoCL's and Intel's devices in one process."""
    name = os.environ.get("OCLDNN_DEVICES", "cpu")
    assert int(run(ROUND, OCLDNN_DEVICES=f"{name}*2,portable,intel")[0]) >= 2


def test_visible_devices():
    """None, and one of two: what is hidden is not used, and the one left is number 0."""
    name = os.environ.get("OCLDNN_DEVICES", "cpu")
    assert run("""
        import tensorflow as tf
        tf.config.set_visible_devices([], "OPENCL")
        assert not tf.config.list_logical_devices("OPENCL")
        print(tf.add(tf.ones(3), 1).device.split(":")[-2:])
    """)[0] == "['CPU', '0']"
    assert run("""
        import tensorflow as tf, tensorflow_ocldnn
        devices = tf.config.list_physical_devices("OPENCL")
        tf.config.set_visible_devices(devices[1], "OPENCL")
        before = tensorflow_ocldnn.launches()
        y = tf.add(tf.ones(3), 1)
        assert len(devices) == 2 and y.numpy().tolist() == [2, 2, 2] and tensorflow_ocldnn.launches() > before
        print(len(tf.config.list_logical_devices("OPENCL")), y.device.split(":")[-2:])
    """, OCLDNN_DEVICES=f"{name}*2")[0] == "1 ['OPENCL', '0']"
