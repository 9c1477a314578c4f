"""What TensorFlow's CPU cannot be asked: NCHW, dilated gradients, an empty batch, sizes of two numbers."""

import numpy as np
import pytest
import tensorflow as tf
from contract_rows import CONVOLUTIONS, DEPTHWISE, Geometry

KINDS = [("Conv2D", g, False) for g in CONVOLUTIONS] + [("DepthwiseConv2dNative", g, True) for g in DEPTHWISE]


def draw(*shapes):
    rng = np.random.default_rng(5)
    return [rng.uniform(-1, 1, shape).astype("float32") for shape in shapes]


def first(x):
    """NHWC to NCHW."""
    return np.ascontiguousarray(np.transpose(x, (0, 3, 1, 2)))


def attributes_in(layout, geometry):
    given = geometry.attributes()
    if layout == "NCHW":
        for name in ("strides", "dilations"):
            given[name] = [1, 1, *given[name][1:3]]
        if "explicit_paddings" in given:
            given["explicit_paddings"] = [0, 0, 0, 0, *given["explicit_paddings"][2:6]]
    return {**given, "data_format": layout}


@pytest.mark.parametrize("name,shapes,depthwise", KINDS, ids=[f"{n}-{i}" for i, (n, _, _) in enumerate(KINDS)])
def test_nchw_is_nhwc(name, shapes, depthwise):
    g = Geometry(*shapes, depthwise)
    x, w, dy = draw(g.x, g.w, g.y)
    last, ahead = attributes_in("NHWC", g), attributes_in("NCHW", g)
    forward = getattr(tf.raw_ops, name)
    data, taps = (getattr(tf.raw_ops, f"{name}Backprop{part}") for part in ("Input", "Filter"))
    with tf.device("/OPENCL:0"):
        close = lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5)
        close(forward(input=first(x), filter=w, **ahead), first(forward(input=x, filter=w, **last).numpy()))
        close(data(input_sizes=first(x).shape, filter=w, out_backprop=first(dy), **ahead),
              first(data(input_sizes=x.shape, filter=w, out_backprop=dy, **last).numpy()))
        close(taps(input=first(x), filter_sizes=w.shape, out_backprop=first(dy), **ahead),
              taps(input=x, filter_sizes=w.shape, out_backprop=dy, **last))


def spread(w, dilations):
    """The filter that does without dilations what w does with them: zeros between its taps."""
    sizes = [(k - 1) * d + 1 for k, d in zip(w.shape, dilations)]
    wide = np.zeros((*sizes, *w.shape[2:]), w.dtype)
    wide[::dilations[0], ::dilations[1]] = w
    return wide


def test_dilated_gradients_are_those_of_the_forward_op():
    """<dy, conv(x, w)> is linear in x and in w, so the gradients are right if the three inner products agree."""
    for name, shapes, depthwise in KINDS:
        g = Geometry(*shapes, depthwise)
        if g.dilations == (1, 1):
            continue
        x, w, dy = draw(g.x, g.w, g.y)
        given = g.attributes()
        data, taps = (getattr(tf.raw_ops, f"{name}Backprop{part}") for part in ("Input", "Filter"))
        with tf.device("/OPENCL:0"):
            y = getattr(tf.raw_ops, name)(input=x, filter=w, **given).numpy()
            dx = data(input_sizes=x.shape, filter=w, out_backprop=dy, **given).numpy()
            dw = taps(input=x, filter_sizes=w.shape, out_backprop=dy, **given).numpy()
        with tf.device("/CPU:0"):
            plain = getattr(tf.raw_ops, name)(input=x, filter=spread(w, g.dilations), **{**given, "dilations": [1, 1, 1, 1]})
            np.testing.assert_allclose(y, plain, rtol=2e-5, atol=2e-5)
        want = np.sum(dy.astype("float64") * y)
        np.testing.assert_allclose(np.sum(dx.astype("float64") * x), want, rtol=1e-4)
        np.testing.assert_allclose(np.sum(dw.astype("float64") * w), want, rtol=1e-4)


def test_an_empty_batch():
    with tf.device("/OPENCL:0"):
        x, w = tf.zeros((0, 7, 8, 3)), tf.ones((3, 3, 3, 4))
        given = {"strides": [1, 1, 1, 1], "padding": "SAME"}
        assert tf.raw_ops.Conv2D(input=x, filter=w, **given).shape == (0, 7, 8, 4)
        dy = tf.zeros((0, 7, 8, 4))
        assert tf.raw_ops.Conv2DBackpropInput(input_sizes=x.shape, filter=w, out_backprop=dy, **given).shape == x.shape
        dw = tf.raw_ops.Conv2DBackpropFilter(input=x, filter_sizes=w.shape, out_backprop=dy, **given)
        np.testing.assert_array_equal(dw, np.zeros(w.shape))


def test_height_and_width_are_sizes_enough():
    x, w, dy = draw((2, 7, 8, 3), (3, 3, 3, 4), (2, 7, 8, 4))
    given = {"filter": w, "out_backprop": dy, "strides": [1, 1, 1, 1], "padding": "SAME"}
    with tf.device("/OPENCL:0"):
        whole = tf.raw_ops.Conv2DBackpropInput(input_sizes=x.shape, **given)
        part = tf.raw_ops.Conv2DBackpropInput(input_sizes=[7, 8], **given)
        np.testing.assert_array_equal(whole, part)
