"""Sums and zeros of lists of tensors, which the gradients of loops are made of."""

import numpy as np
import pytest
import tensorflow as tf

DEVICE = "/OPENCL:0"


def list_of(array):
    return tf.raw_ops.TensorListFromTensor(tensor=tf.constant(array), element_shape=tf.constant(array.shape[1:], tf.int32))


def array_of(handle, like):
    return tf.raw_ops.TensorListStack(input_handle=handle, element_shape=tf.constant(like.shape[1:], tf.int32),
                                      element_dtype=like.dtype).numpy()


@pytest.mark.parametrize("kind", ["float32", "float16", "int64"])
def test_sum_and_zeros(kind):
    a, b = (np.random.default_rng(i).normal(size=(3, 5, 7)).astype(kind) for i in (1, 2))
    with tf.device(DEVICE):
        np.testing.assert_allclose(array_of(tf.raw_ops.AddN(inputs=[list_of(a), list_of(b), list_of(a)]), a), a + b + a)
        np.testing.assert_array_equal(array_of(tf.raw_ops.ZerosLike(x=list_of(a)), a), np.zeros_like(a))


def test_elements_never_written():
    """A list is made empty and written in part: what is absent counts as zero."""
    with tf.device(DEVICE):
        for _ in range(100):
            tf.fill([6], 9.0)  # so that memory which nobody writes is not zero by luck
        empty = tf.raw_ops.TensorListReserve(element_shape=tf.constant([2]), num_elements=3, element_dtype=tf.float32)
        first = tf.raw_ops.TensorListSetItem(input_handle=empty, index=0, item=tf.constant([1.0, 2.0]))
        second = tf.raw_ops.TensorListSetItem(input_handle=empty, index=2, item=tf.constant([4.0, 8.0]))
        total = array_of(tf.raw_ops.AddN(inputs=[first, second]), np.zeros((3, 2), "float32"))
        np.testing.assert_array_equal(total, [[1, 2], [0, 0], [4, 8]])
        assert not array_of(tf.raw_ops.ZerosLike(x=first), np.zeros((3, 2), "float32")).any()


def test_memory_is_given_back():
    """Tensors pass between TensorFlow and the kernels: one deleted by nobody is memory lost, one deleted twice a crash."""
    array = np.ones((4, 1 << 16), "float32")

    def in_use():
        with tf.device(DEVICE):
            for _ in range(10):
                tf.raw_ops.ZerosLike(x=tf.raw_ops.AddN(inputs=[list_of(array), list_of(array)]))
        tf.constant(0).numpy()
        return tf.config.experimental.get_memory_info(DEVICE.strip("/"))["current"]

    before = in_use()
    assert in_use() <= before + array.nbytes  # a tenth of a leak of one tensor


def test_gradient_through_a_loop_that_uses_its_state_twice():
    def gradient(device):
        with tf.device(device):
            x = tf.constant(np.linspace(-1, 1, 6).reshape(2, 3).astype("float32"))

            @tf.function
            def run(x):
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = x
                    array = tf.TensorArray(tf.float32, size=4, clear_after_read=False)
                    for i in tf.range(4):
                        y = tf.tanh(y * x + y)
                        array = array.write(i, y)
                    loss = tf.reduce_sum(array.stack()) + tf.reduce_sum(array.read(2) * array.read(1))
                return tape.gradient(loss, x)

            return run(x).numpy()

    np.testing.assert_allclose(gradient("/OPENCL:0"), gradient("/CPU:0"), rtol=2e-6, atol=1e-6)
