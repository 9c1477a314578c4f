"""Bad input: TensorFlow's own exception, which names the op, what was expected and what came; the process goes on."""

import re

import numpy as np
import pytest
import tensorflow as tf

raw = tf.raw_ops
invalid, unimplemented = tf.errors.InvalidArgumentError, tf.errors.UnimplementedError
CONV = {"strides": [1, 1, 1, 1], "padding": "VALID"}


def ones(*shape):
    return tf.ones(shape)


CASES = {
    "shapes that do not broadcast": (lambda: ones(2, 3) + ones(4), invalid, r"AddV2.*Incompatible shapes: \[2,3\] vs. \[4\]"),
    "a gradient of another shape": (lambda: raw.ReluGrad(gradients=ones(2), features=ones(3)), invalid,
                                    r"ReluGrad must have the same size and shape.*\[2\] != .*\[3\]"),
    "product of unequal inner sizes": (lambda: tf.matmul(ones(2, 3), ones(4, 5)), invalid,
                                       r"Matrix size-incompatible: In\[0\]: \[2,3\], In\[1\]: \[4,5\]"),
    "batches that do not broadcast": (lambda: tf.matmul(ones(2, 3, 4), ones(3, 4, 5)), invalid, r"Incompatible shapes"),
    "an axis out of range": (lambda: raw.Sum(input=ones(2, 3), axis=[2]), invalid, r"Sum: Invalid reduction dimension \(2 "),
    "an axis twice": (lambda: raw.Max(input=ones(2, 3), axis=[1, -1]), invalid, r"duplicate dimension: 1"),
    "the extreme of nothing": (lambda: tf.argmax(ones(3, 0), 1), invalid, r"Reduction axis 1 is empty in shape \[3,0\]"),
    "channels that do not divide": (lambda: raw.Conv2D(input=ones(1, 4, 4, 5), filter=ones(3, 3, 2, 4), **CONV), invalid,
                                    r"Conv2D: input depth must be evenly divisible by filter depth: 5 vs 2"),
    "a filter larger than the input": (lambda: raw.Conv2D(input=ones(1, 2, 4, 3), filter=ones(4, 3, 3, 4), **CONV), invalid,
                                       r"Conv2D: Computed output size would be negative"),
    "strides in the batch": (lambda: raw.Conv2D(input=ones(1, 4, 4, 3), filter=ones(3, 3, 3, 4), strides=[2, 1, 1, 1],
                                                padding="SAME"), invalid, r"strides in the batch"),
    "dy of another size": (lambda: raw.Conv2DBackpropInput(input_sizes=[1, 4, 4, 3], filter=ones(3, 3, 3, 4),
                                                           out_backprop=ones(1, 4, 4, 4), **CONV), invalid,
                           r"out_backprop has shape \[1,4,4,4\], expected \[1,2,2,4\]"),
    "a bias for each of other channels": (lambda: tf.nn.bias_add(ones(2, 3), ones(4)), invalid, r"BiasAdd: .*\[4\] vs. \[2,3\]"),
    "a negative size": (lambda: tf.fill([2, -1], 1.0), invalid, r">= 0"),
    "broadcast to fewer": (lambda: tf.broadcast_to(ones(3), [2]), invalid, r"BroadcastTo: shape \[3\] does not broadcast to \[2\]"),
    "a NaN that is looked for": (lambda: tf.debugging.check_numerics(ones(3) / [1.0, 0.0, 0.0] - [1.0, 0.0, np.inf], "here"),
                                 invalid, r"here : Tensor had Inf and NaN values"),
    "bits that do not fit": (lambda: tf.bitcast(tf.ones((3, 3), tf.uint8), tf.float32), invalid, r"Cannot bitcast"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("mode", ["eager", "function"])
def test_refused_with_words(name, mode):
    call, error, words = CASES[name]
    with tf.device("/OPENCL:0"):
        try:
            result = (call if mode == "eager" else tf.function(call))()
        except ValueError as refusal:  # TensorFlow's own shape check, as the function was traced
            assert mode == "function", refusal
        except error as refusal:
            assert re.search(words, str(refusal)), refusal
        else:
            pytest.fail(f"not refused: {result}")
        np.testing.assert_array_equal(ones(2) + ones(2), [2, 2])  # the process goes on


def test_out_of_memory_is_an_error_and_no_end():
    with tf.device("/OPENCL:0"):
        with pytest.raises(tf.errors.ResourceExhaustedError):
            for _ in range(64):
                tf.fill([1 << 20, 1 << 20], 1.0)
        np.testing.assert_array_equal(ones(2) + ones(2), [2, 2])
