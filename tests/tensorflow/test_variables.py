"""Variables on the device: every kind of update, eager and in functions, against TensorFlow's CPU."""

import numpy as np
import pytest
import tensorflow as tf

DEVICE, HOST = "/OPENCL:0", "/CPU:0"
FLOATS = [tf.float32, tf.float16, tf.bfloat16, tf.float64]
NUMBERS = FLOATS + [tf.int8, tf.int16, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64]
ALL = NUMBERS + [tf.bool]


def values(dtype, shape=(5, 3), seed=0):
    rng = np.random.default_rng(seed)
    if dtype.is_floating:
        return tf.cast(rng.uniform(-2, 2, shape), dtype).numpy()
    if dtype == tf.bool:
        return rng.integers(0, 2, shape).astype(bool)
    return rng.integers(1, 9, shape).astype(dtype.as_numpy_dtype)


def on(device, build):
    with tf.device(device):
        return build()


def both(build):
    """build() on the device and on the CPU, as NumPy arrays."""
    return [np.asarray(on(device, build)) for device in (DEVICE, HOST)]


def assert_same(build, rtol=0.0):
    got, want = both(build)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.astype("f8"), want.astype("f8"), rtol=rtol, atol=rtol)


def test_a_variable_lives_on_the_device_by_default():
    v = tf.Variable(values(tf.float32))
    assert "OPENCL" in v.device
    v.assign_add(values(tf.float32, seed=1))
    assert "OPENCL" in v.device


@pytest.mark.parametrize("dtype", ALL, ids=lambda d: d.name)
def test_assign_and_read(dtype):
    def build():
        v = tf.Variable(values(dtype))
        v.assign(values(dtype, seed=1))
        return v.numpy()

    assert_same(build)


@pytest.mark.parametrize("name", ["assign_add", "assign_sub"])
@pytest.mark.parametrize("traced", [False, True], ids=["eager", "function"])
@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda d: d.name)
def test_update(dtype, traced, name):
    def build():
        v = tf.Variable(values(dtype))
        update = tf.function(getattr(v, name)) if traced else getattr(v, name)
        for seed in (1, 2):
            update(tf.constant(values(dtype, seed=seed)))
        return v.numpy()

    assert_same(build, rtol={tf.float16: 2e-3, tf.bfloat16: 2e-2}.get(dtype, 1e-6 if dtype.is_floating else 0))


@pytest.mark.parametrize("dtype", [tf.complex64, tf.complex128, tf.int32], ids=lambda d: d.name)
def test_update_of_a_type_without_device_kernels_is_right_or_refused(dtype):
    def build():
        v = tf.Variable(tf.cast([1, 2, 3], dtype))
        v.assign_add(tf.cast([4, 5, 6], dtype))
        return v.numpy()

    try:
        got = build()
    except tf.errors.OpError as error:
        assert "no OpenCL kernel" in str(error)
    else:
        np.testing.assert_array_equal(got, [5, 7, 9])


def test_scalar_and_empty_variables():
    for shape in ((), (0,), (3, 0, 2)):
        v = tf.Variable(tf.ones(shape))
        v.assign_add(tf.ones(shape))
        v.assign_sub(3 * tf.ones(shape))
        np.testing.assert_array_equal(v.numpy(), -np.ones(shape, "f4"))


def test_updates_in_control_flow():
    def build():
        v, w = tf.Variable(values(tf.float32)), tf.Variable(tf.zeros(3))

        @tf.function
        def inner(x):
            v.assign_sub(x)
            return tf.reduce_sum(v)

        @tf.function
        def step(x, n):
            for i in tf.range(n):
                v.assign_add(x * 0.5)
                if i % 2 == 0:
                    w.assign_add(tf.reduce_mean(v, 0))
                else:
                    w.assign_sub([1.0, 2.0, 3.0])
            return inner(x)

        total = step(tf.constant(values(tf.float32, seed=3)), tf.constant(5))
        return np.concatenate([v.numpy().ravel(), w.numpy(), [total.numpy()]])

    assert_same(build, rtol=1e-5)


def test_a_function_of_one_update():
    v = tf.Variable(1.0)

    @tf.function
    def update():
        v.assign_add(2.0, read_value=False)

    update()
    assert v.numpy() == 3.0


def test_a_reader_keeps_the_old_value():
    v = tf.Variable(values(tf.float32))
    before = v.read_value()
    old = before.numpy().copy()
    v.assign_add(tf.ones((5, 3)))
    np.testing.assert_array_equal(before.numpy(), old)
    np.testing.assert_array_equal(v.numpy(), old + 1)
    v.scatter_add(tf.IndexedSlices(tf.ones((1, 3)), [2]))
    np.testing.assert_array_equal(before.numpy(), old)


def test_an_assigned_tensor_does_not_change_with_the_variable():
    value = tf.constant(values(tf.float32))
    old = value.numpy().copy()
    v = tf.Variable(tf.zeros((5, 3)))
    v.assign(value)
    v.assign_add(tf.ones((5, 3)))
    v.scatter_update(tf.IndexedSlices(tf.zeros((1, 3)), [0]))
    np.testing.assert_array_equal(value.numpy(), old)
    v.assign(value)  # and after a sparse update
    v.scatter_update(tf.IndexedSlices(tf.zeros((1, 3)), [0]))
    np.testing.assert_array_equal(value.numpy(), old)


def test_missing_variable_is_an_error():
    with tf.device(DEVICE):
        handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[2], shared_name="never_made")
        one = tf.ones(2)
        calls = [
            lambda: tf.raw_ops.AssignAddVariableOp(resource=handle, value=one),
            lambda: tf.raw_ops.AssignSubVariableOp(resource=handle, value=one),
            lambda: tf.raw_ops.ResourceGather(resource=handle, indices=[0], dtype=tf.float32),
            lambda: tf.raw_ops.ResourceScatterAdd(resource=handle, indices=[0], updates=[1.0]),
            lambda: tf.raw_ops.ResourceApplyGradientDescent(var=handle, alpha=1.0, delta=one),
        ]
        for call in calls:
            # TensorFlow's own functions, where it has them, call it an internal error.
            with pytest.raises(tf.errors.OpError, match="Could not find variable|Invalid variable reference"):
                call()
    assert tf.add(1.0, 1.0).numpy() == 2.0


def test_wrong_shapes_and_types():
    with tf.device(DEVICE):
        v = tf.Variable(tf.ones((2, 3)))
        with pytest.raises(tf.errors.InvalidArgumentError, match="shape"):
            tf.raw_ops.AssignAddVariableOp(resource=v.handle, value=tf.ones((3, 2)))
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.raw_ops.AssignSubVariableOp(resource=v.handle, value=tf.ones((2, 3), tf.float64))
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.raw_ops.ResourceScatterAdd(resource=v.handle, indices=[0, 1], updates=tf.ones((2, 2)))
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.raw_ops.ResourceApplyAdam(
                var=v.handle, m=v.handle, v=v.handle, beta1_power=0.9, beta2_power=0.9, lr=0.1, beta1=0.9, beta2=0.9,
                epsilon=1e-7, grad=tf.ones((3, 2)))  # fmt: skip
        np.testing.assert_array_equal(v.numpy(), np.ones((2, 3), "f4"))


HALVES = {tf.float16: 5e-3, tf.bfloat16: 4e-2}  # of a sum or product of a few
SCATTERS = ["scatter_update", "scatter_add", "scatter_sub", "scatter_mul", "scatter_div", "scatter_min", "scatter_max"]


@pytest.mark.parametrize("indices", [[3, 0], [1, 1, 4, 1], []], ids=["distinct", "repeated", "none"])
@pytest.mark.parametrize("name", SCATTERS)
@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda d: d.name)
@pytest.mark.parametrize("itype", [tf.int32, tf.int64], ids=lambda d: d.name)
def test_scatter(itype, dtype, name, indices):
    def build():
        v = tf.Variable(values(dtype))
        update = tf.constant(values(dtype, (len(indices), 3), seed=1) + np.asarray(2, dtype.as_numpy_dtype))
        getattr(v, name)(tf.IndexedSlices(update, tf.constant(indices, itype)))
        return v.numpy()

    assert_same(build, rtol=HALVES.get(dtype, 1e-5 if dtype.is_floating else 0))


@pytest.mark.parametrize("name", ["scatter_nd_update", "scatter_nd_add", "scatter_nd_sub"])
@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda d: d.name)
@pytest.mark.parametrize("itype", [tf.int32, tf.int64], ids=lambda d: d.name)
def test_scatter_nd(itype, dtype, name):
    def build():
        v = tf.Variable(values(dtype, (4, 3, 2)))
        getattr(v, name)(tf.constant([[1, 2], [0, 0], [1, 2]], itype), values(dtype, (3, 2), seed=1))
        return v.numpy()

    assert_same(build, rtol=HALVES.get(dtype, 1e-6 if dtype.is_floating else 0))


@pytest.mark.parametrize("itype", [tf.int32, tf.int64], ids=lambda d: d.name)
def test_scatter_of_truth_values(itype):
    def build():
        v = tf.Variable(values(tf.bool))
        rows = values(tf.bool, (2, 3), seed=1)
        v.scatter_update(tf.IndexedSlices(rows, tf.constant([3, 0], itype)))
        v.scatter_nd_update(tf.constant([[1, 2], [4, 0]], itype), rows[:, 0])
        return v.numpy()

    assert_same(build)


def test_repeated_indices_give_the_same_bits_twice():
    rng = np.random.default_rng(0)
    indices = rng.integers(0, 50, 5000)
    updates = rng.standard_normal((5000, 7)).astype("f4")

    def run():
        v = tf.Variable(tf.zeros((50, 7)))
        v.scatter_add(tf.IndexedSlices(tf.constant(updates), tf.constant(indices)))
        return v.numpy()

    first = run()
    for _ in range(3):
        np.testing.assert_array_equal(first, run())
    want = np.zeros((50, 7))
    np.add.at(want, indices, updates.astype("f8"))
    np.testing.assert_allclose(first, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", ALL, ids=lambda d: d.name)
def test_gather(dtype):
    def build():
        v = tf.Variable(values(dtype, (5, 3, 2)))
        parts = [tf.gather(v, [[4, 0], [2, 2]]), tf.gather(v, tf.constant(3, tf.int64)), tf.gather_nd(v, [[1, 2], [4, 0]]),
                 tf.gather_nd(v, tf.constant([[3, 1, 0], [0, 2, 1]], tf.int64))]
        return np.concatenate([np.asarray(p).ravel() for p in parts])

    assert_same(build)


def test_gather_with_batch_dimensions():
    def build():
        v = tf.Variable(values(tf.float32, (2, 5, 3)))
        return tf.gather(v, [[4, 0, 1], [2, 2, 3]], batch_dims=1).numpy()

    assert_same(build)


SLICES = [
    ("0", lambda v, x: v[0].assign(x[0])),
    ("1:4", lambda v, x: v[1:4].assign(x[1:4])),
    ("::2, 1", lambda v, x: v[::2, 1].assign(x[::2, 1])),
    ("::-1", lambda v, x: v[::-1].assign(x)),
    ("1:4 by int64", lambda v, x: v[tf.constant(1, tf.int64):tf.constant(4, tf.int64)].assign(x[1:4])),
    ("..., 1:", lambda v, x: v[..., 1:].assign(x[..., 1:])),
    ("2, 1", lambda v, x: v[2, 1].assign(x[0, 0])),
]


@pytest.mark.parametrize("update", [s[1] for s in SLICES], ids=[s[0] for s in SLICES])
@pytest.mark.parametrize("dtype", ALL, ids=lambda d: d.name)
def test_strided_assign(dtype, update):
    def build():
        v = tf.Variable(values(dtype))
        update(v, values(dtype, seed=1))
        return v.numpy()

    assert_same(build)


def test_checkpoint_and_restore(tmp_path):
    v = tf.Variable(values(tf.float32))
    old = v.numpy().copy()
    path = tf.train.Checkpoint(v=v).save(str(tmp_path / "c"))
    v.assign_add(tf.ones((5, 3)))
    tf.train.Checkpoint(v=v).restore(path)
    np.testing.assert_array_equal(v.numpy(), old)


def test_two_threads_lose_no_update():
    import threading

    v, w = tf.Variable(tf.zeros(1000)), tf.Variable(tf.zeros(1000))
    one = tf.ones(1000)

    def work():
        for _ in range(50):
            v.assign_add(one)
            w.assign_sub(one)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    np.testing.assert_array_equal(v.numpy(), 200 * np.ones(1000, "f4"))
    np.testing.assert_array_equal(w.numpy(), -200 * np.ones(1000, "f4"))
