"""tf.random.Generator keeps its state in a variable on the device and draws what TensorFlow's CPU draws."""

import numpy as np
import pytest
import tensorflow as tf


def draws(device, draw):
    with tf.device(device):
        generator = tf.random.Generator.from_seed(7, alg="philox")
        return [np.asarray(t) for t in draw(generator)] + [generator.state.numpy()]


def through_generator(g):
    return [
        g.uniform((5, 3)),
        g.uniform((), dtype=tf.float16),
        g.uniform((4,), minval=2, maxval=90, dtype=tf.int32),
        g.uniform((4,), minval=-2, maxval=90, dtype=tf.int64),
        g.uniform_full_int((6,), dtype=tf.uint64),
        g.uniform((0,)),
        *[g.uniform((9,), dtype=kind) for kind in ("bfloat16", "float64")],
        *[g.uniform_full_int((9,), dtype=kind) for kind in ("int32", "uint32", "int64")],
        *[g.uniform((9,), minval=3, maxval=2 ** 31, dtype=kind) for kind in ("uint32", "uint64")],
    ]


def after_skip(g):
    g.skip(5)
    return [g.uniform((3,))]


def in_a_function(g):
    return tf.function(lambda: [g.uniform((7,)), g.uniform((2, 2))])()


def by_the_stateful_ops(g):
    state = {"resource": g.state.handle, "algorithm": tf.constant(1, tf.int64)}
    numbers = [
        tf.raw_ops.StatefulUniform(**state, shape=[5], dtype=tf.float32),
        tf.raw_ops.StatefulUniformInt(**state, shape=[5], minval=tf.constant(3, tf.int64), maxval=tf.constant(50, tf.int64)),
        tf.raw_ops.StatefulUniformFullInt(**state, shape=[5], dtype=tf.uint64),
    ]
    tf.raw_ops.RngSkip(**state, delta=tf.constant(3, tf.int64))
    return numbers + [tf.raw_ops.RngReadAndSkip(resource=g.state.handle, alg=1, delta=tf.constant(2, tf.uint64))]


@pytest.mark.parametrize("draw", [through_generator, after_skip, in_a_function, by_the_stateful_ops])
def test_same_numbers_and_state_as_on_the_cpu(draw):
    for got, want in zip(draws("/OPENCL:0", draw), draws("/CPU:0", draw), strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", ["normal", "truncated_normal"])
@pytest.mark.parametrize("dtype, tolerance", [("float32", 1e-6), ("float64", 1e-14), ("float16", 2e-3), ("bfloat16", 2e-2)])
def test_normal_numbers(dtype, tolerance, name):
    got, want = (draws(d, lambda g: [getattr(g, name)((200,), dtype=dtype)]) for d in ("/OPENCL:0", "/CPU:0"))
    np.testing.assert_allclose(got[0].astype("f8"), want[0].astype("f8"), rtol=tolerance, atol=tolerance)
    np.testing.assert_array_equal(got[1], want[1])


def test_other_algorithms_are_refused():
    with tf.device("/OPENCL:0"):
        state = tf.Variable(tf.zeros(3, tf.int64))
        with pytest.raises(tf.errors.UnimplementedError, match="Philox"):
            tf.raw_ops.RngReadAndSkip(resource=state.handle, alg=2, delta=tf.constant(1, tf.uint64))
