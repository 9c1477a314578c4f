"""Lists of tensors (variants) whose elements lie on the device: what gradients through loops are made of."""

import numpy as np
import tensorflow as tf


def list_of(x):
    return tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=np.array(x.shape[1:], "int32"))


def stacked(handle, like):
    return tf.raw_ops.TensorListStack(input_handle=handle, element_shape=np.array(like.shape[1:], "int32"),
                                      element_dtype=like.dtype).numpy()


def test_lists_are_added_element_by_element():
    with tf.device("/OPENCL:0"):
        for dtype in (tf.float32, tf.float16, tf.int64):
            x, y = (tf.cast(tf.constant(np.arange(12).reshape(3, 4) * k), dtype) for k in (1, 5))
            got = stacked(tf.raw_ops.AddN(inputs=[list_of(x), list_of(y), list_of(x)]), x)
            np.testing.assert_array_equal(got, 7 * x.numpy())


def test_zeros_like_a_list():
    with tf.device("/OPENCL:0"):
        x = tf.constant(np.random.default_rng(1).random((5, 3), np.float32))
        np.testing.assert_array_equal(stacked(tf.raw_ops.ZerosLike(x=list_of(x)), x), np.zeros((5, 3), np.float32))


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
