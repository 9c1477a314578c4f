"""TensorFlow's graph passes leave the device's nodes ops that the device has: oneDNN's fusions would put others there."""

import textwrap

import pytest
from processes import run

START = """
    import numpy as np
    import tensorflow as tf

    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(4, 6, 6, 8)), tf.float32)
    scale, offset = (tf.constant(rng.normal(size=8), tf.float32) for _ in range(2))

    def on(device, f, *arguments):
        with tf.device(device):
            return [part.numpy() for part in tf.function(f)(*arguments)]

    def compare(f, *arguments):
        for ours, cpu in zip(on("/OPENCL:0", f, *arguments), on("/CPU:0", f, *arguments), strict=True):
            np.testing.assert_allclose(ours, cpu, rtol=1e-4, atol=1e-5)
"""

CASES = {
    "batch norm and relu, training": """
        def f(x, scale, offset):
            with tf.GradientTape() as tape:
                tape.watch([x, scale, offset])
                y, mean, variance = tf.compat.v1.nn.fused_batch_norm(x, scale, offset, is_training=True)
                y = tf.nn.relu(y)
            return [y, mean, variance, *tape.gradient(y, [x, scale, offset])]
        compare(f, x, scale, offset)
    """,
    "batch norm and relu, inference": """
        def f(x, scale, offset):
            return [tf.nn.relu(tf.compat.v1.nn.fused_batch_norm(x, scale, offset, offset, tf.abs(scale), is_training=False)[0])]
        compare(f, x, scale, offset)
    """,
    "hard swish": """
        compare(lambda x: [x * (tf.nn.relu6(x + 3.0) * 0.16666)], x)
    """,
    "convolution, bias and hard swish": """
        w = tf.constant(rng.normal(size=(3, 3, 8, 8)), tf.float32)
        def f(x, w, offset):
            y = tf.nn.bias_add(tf.nn.conv2d(x, w, 1, "SAME"), offset)
            return [y * (tf.nn.relu6(y + 3.0) * 0.16666)]
        compare(f, x, w, offset)
    """,
    "swish, mish, leaky relu, gelu": """
        def f(x):
            gelu = 0.5 * x * (1.0 + tf.math.erf(x * 0.70710678))
            return [x * tf.sigmoid(x), x * tf.tanh(tf.math.softplus(x)), tf.maximum(x * 0.2, x), gelu]
        compare(f, x)
    """,
    "products with bias and activation": """
        w, b = tf.constant(rng.normal(size=(8, 12)), tf.float32), tf.constant(rng.normal(size=12), tf.float32)
        def f(x, w, b):
            rows = tf.reshape(x, (-1, 8))
            product = tf.nn.bias_add(tf.matmul(rows, w), b)
            batched = tf.matmul(tf.reshape(x, (4, 36, 8)), tf.reshape(x, (4, 36, 8)), transpose_b=True) * 0.3 + 1.0
            return [tf.nn.relu(product), tf.tanh(product), tf.nn.gelu(product), tf.nn.elu(product), batched, tf.nn.softmax(batched)]
        compare(f, x, w, b)
    """,
    "layer norm and instance norm": """
        def f(x, scale, offset):
            mean, variance = tf.nn.moments(x, (1, 2), keepdims=True)
            instance = tf.nn.relu((x - mean) * tf.math.rsqrt(variance + 1e-3) * scale + offset)
            flat = tf.reshape(x, (1, 144, 8, 1))
            layer, _, _ = tf.compat.v1.nn.fused_batch_norm(flat, tf.ones(144), tf.zeros(144), is_training=True, data_format="NCHW")
            return [instance, tf.reshape(layer, (144, 8)) * scale + offset]
        compare(f, x, scale, offset)
    """,
}


@pytest.mark.parametrize("name", CASES)
def test_fusions_for_onednn(name):
    run(textwrap.dedent(START) + textwrap.dedent(CASES[name]), TF_ENABLE_ONEDNN_OPTS="1", OCLDNN_STRICT="1")
