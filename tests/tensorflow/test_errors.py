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


def update(*sizes):
    """A step of Adam on new variables of these sizes."""
    with tf.init_scope():
        handles = [tf.Variable(ones(n)).handle for n in sizes]
    return raw.ResourceApplyAdam(var=handles[0], m=handles[1], v=handles[2], beta1_power=0.9, beta2_power=0.9, lr=0.1,
                                 beta1=0.9, beta2=0.9, epsilon=0.1, grad=ones(2))


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
    "transforms for other images": (lambda: raw.ImageProjectiveTransformV2(images=ones(2, 4, 4, 1), transforms=ones(3, 8), output_shape=[4, 4],
                                                                           interpolation="NEAREST"), invalid,
                                    r"Input transform should be num_images x 8 or 1 x 8, got \[3,8\]"),
    "an image of no height": (lambda: raw.ImageProjectiveTransformV3(images=ones(2, 4, 4, 1), transforms=ones(1, 8), output_shape=[0, 4],
                                                                     fill_value=0.0, interpolation="BILINEAR"), invalid,
                              r"output dimensions must be positive, got 0 and 4"),
    "a bias for each of other channels": (lambda: tf.nn.bias_add(ones(2, 3), ones(4)), invalid, r"BiasAdd: .*\[4\] vs. \[2,3\]"),
    "a negative size": (lambda: tf.fill([2, -1], 1.0), invalid, r">= 0"),
    "broadcast to fewer": (lambda: tf.broadcast_to(ones(3), [2]), invalid, r"BroadcastTo: shape \[3\] does not broadcast to \[2\]"),
    "a NaN that is looked for": (lambda: tf.debugging.check_numerics(ones(3) / [1.0, 0.0, 0.0] - [1.0, 0.0, np.inf], "here"),
                                 invalid, r"here : Tensor had Inf and NaN values"),
    "types of two kinds": (lambda: raw.AddV2(x=ones(2), y=tf.constant([1, 2])), (invalid, TypeError),
                           r"AddV2.*expected to be a float tensor but is a int32 tensor|y.* type int32 that does not match type float32"),
    "a type of no kernel": (lambda: raw.Conv2D(input=tf.ones((1, 4, 4, 3), tf.int64), filter=tf.ones((3, 3, 3, 4), tf.int64), **CONV),
                            (invalid, TypeError), r"attr 'T' of int64 is not in the list of allowed values|DataType int64.* not in list"),
    "a word that is no padding": (lambda: raw.Conv2D(input=ones(1, 4, 4, 3), filter=ones(3, 3, 3, 4), strides=[1, 1, 1, 1],
                                                     padding="nonsense"), invalid, r"'padding' of \"nonsense\" is not in the list"),
    "too few strides": (lambda: raw.Conv2D(input=ones(1, 4, 4, 3), filter=ones(3, 3, 3, 4), strides=[1, 1, 1], padding="SAME"),
                        invalid, r"Conv2D: Sliding window strides field must specify 4 dimensions"),
    "paddings for other dimensions": (lambda: raw.Conv2D(input=ones(1, 4, 4, 3), filter=ones(3, 3, 3, 4), strides=[1, 1, 1, 1],
                                                         padding="EXPLICIT", explicit_paddings=[0, 0, 1]), invalid,
                                      r"Conv2D: explicit_paddings must have 8 values, got 3"),
    "an image without a batch": (lambda: raw.Conv2D(input=ones(4, 4, 3), filter=ones(3, 3, 3, 4), **CONV), invalid,
                                 r"Conv2D: input must be 4-dimensional: \[4,4,3\]"),
    "a window of nothing": (lambda: raw.MaxPool(input=ones(1, 4, 4, 3), ksize=[1, 0, 2, 1], **CONV), invalid,
                            r"MaxPool: Sliding window ksize and strides must be > 0, got 0 and 1"),
    "parts that do not join": (lambda: raw.ConcatV2(values=[ones(2, 3), ones(3, 3)], axis=1), invalid,
                               r"Concat.*Dimension 0 in both shapes must be equal: shape\[0\] = \[2,3\] vs. shape\[1\] = \[3,3\]"),
    "parts that do not come out even": (lambda: raw.Split(axis=1, value=ones(2, 5), num_split=2), invalid,
                                        r"evenly divide the split dimension, but got split_dim 1 \(size = 5\) and num_split 2"),
    "a dimension named twice": (lambda: raw.Transpose(x=ones(2, 3), perm=[0, 0]), invalid, r"Transpose: perm \[0,0\] names dimension 0 twice"),
    "a shape of other size": (lambda: raw.Reshape(tensor=ones(2, 3), shape=[4]), invalid,
                              r"[Rr]eshape.* 6 values, but the requested shape has 4"),
    "a slice beyond the end": (lambda: raw.Slice(input=ones(2, 3), begin=[0, 2], size=[2, 2]), invalid, r"Expected size\[1\] in \[0, 1\], but got 2"),
    "more than there are": (lambda: raw.TopKV2(input=ones(2, 3), k=4), invalid, r"at least k columns. Had 3, needed 4"),
    "labels for other rows": (lambda: raw.SparseSoftmaxCrossEntropyWithLogits(features=ones(2, 3), labels=[0, 1, 2]), invalid,
                              r"SparseSoftmaxCrossEntropyWithLogits: .*logits shape \[2,3\] and labels shape \[3\]"),
    "a scale for other channels": (lambda: raw.FusedBatchNormV3(x=ones(2, 2, 2, 3), scale=ones(4), offset=ones(3), mean=ones(3), variance=ones(3)),
                                   invalid, r"FusedBatchNorm: scale must have the same number of elements as the channels of x, got 4 and 3"),
    "letters of two sizes": (lambda: tf.einsum("ij,jk->ik", ones(2, 3), ones(4, 5)), invalid, r"Einsum: 'ij,jk->ik' gives one label the sizes 3 and 4"),
    "a variable of another shape": (lambda: update(2, 2, 3), invalid,
                                    r"ResourceApplyAdam: var and v do not have the same shape: \[2\] and \[3\]"),
    "bits that do not fit": (lambda: tf.bitcast(tf.ones((3, 3), tf.uint8), tf.float32), invalid, r"Cannot bitcast"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("mode", ["eager", "function"])
def test_refused_with_words(name, mode):
    call, error, words = CASES[name]
    with tf.device("/OPENCL:0"):
        try:
            result = (call if mode == "eager" else tf.function(call))()
        except error as refusal:
            assert re.search(words, str(refusal), re.S), refusal
        except ValueError as refusal:  # TensorFlow's own check, as the function was traced
            assert mode == "function", refusal
        else:
            pytest.fail(f"not refused: {result}")
        np.testing.assert_array_equal(ones(2) + ones(2), [2, 2])  # the process goes on


def test_out_of_memory_is_an_error_and_no_end():
    with tf.device("/OPENCL:0"):
        with pytest.raises(tf.errors.ResourceExhaustedError):
            for _ in range(64):
                tf.fill([1 << 20, 1 << 20], 1.0)
        np.testing.assert_array_equal(ones(2) + ones(2), [2, 2])
