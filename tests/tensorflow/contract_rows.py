"""Rows of reductions, products and convolutions."""

import itertools

import numpy as np
import tensorflow as tf
from harness import Case, Op


def axes(*values, dtype="int32"):
    return np.array(values, dtype)


def reduction(name, **options):
    """All, inner, outer, middle and no axes; empty inputs; long rows and columns."""
    cases = [Case((3, 4, 5), axes(1)), Case((7,), axes(0)), Case((3, 4, 5), axes(0, 2), keep_dims=True),
             Case((3, 4, 5), axes(-1, dtype="int64")), Case((2, 3), axes()), Case((), axes()),
             Case((3, 0), axes(0)), Case((5, 1031), axes(1)), Case((1031, 5), axes(0)), Case((2, 3, 4, 5), axes(1, 2)),
             Case((2, 3, 4), axes(0, 1, 2))]
    return Op(name, cases, **{"bench": (Case((4096, 1024), axes(1)), Case((4096, 1024), axes(0))), **options})


def true_mean(tensors, attributes):
    """The CPU adds up small integers, and divides by the count, modulo their range."""
    x, axis = tensors
    if not x.dtype.is_integer:
        return [tf.raw_ops.Mean(input=x, axis=axis, **attributes)]
    mean = np.mean(x.numpy(), axis=tuple(axis.numpy()), keepdims=attributes.get("keep_dims", False), dtype="float64")
    return [tf.constant(np.trunc(mean).astype(x.numpy().dtype))]


REDUCTIONS = [
    reduction("Sum", tolerance=16, high=2.5),
    reduction("Mean", tolerance=4, low=0, high=4, reference=true_mean),
    Op("Prod", reduction("Prod").cases[:7], low=1, high=2, tolerance=8, gradient=False),
    *[reduction(name, gradient=False) for name in ("Max", "Min", "All", "Any")],
    reduction("EuclideanNorm", tolerance=8, gradient=False),
    Op("CheckNumerics", [Case((7,), message="m"), Case((3, 5), message="m"), Case((1031,), message="m")]),
    *[Op(name, [Case((3, 4, 5), np.array(axis, "int32")) for axis in (0, 1, -1)]
         + [Case((7,), np.array(0, "int64")), Case((2, 1031), np.array(1, "int32")), Case((0, 3), np.array(1, "int32"))])
      for name in ("ArgMax", "ArgMin")],
]

SIZES = [(2, 3, 4), (1, 1, 1), (5, 7, 9), (64, 64, 64), (33, 17, 65), (0, 3, 2), (2, 0, 3), (1, 128, 10), (130, 40, 1)]


def products():
    cases = []
    for i, (m, k, n) in enumerate(SIZES):
        for ta, tb in itertools.product((False, True), repeat=2) if i < 4 else [(False, False)]:
            cases.append(Case((k, m) if ta else (m, k), (n, k) if tb else (k, n), transpose_a=ta, transpose_b=tb))
    return cases


def batched(broadcasts):
    pairs = [((2, 3, 4), (2, 4, 5)), ((3, 2, 7, 9), (3, 2, 9, 5)), ((0, 2, 3), (0, 3, 4)), ((2, 2, 0), (2, 0, 3)),
             ((4, 33, 20), (4, 20, 17))]
    if broadcasts:
        pairs += [((3, 4), (2, 4, 5)), ((2, 1, 3, 4), (1, 5, 4, 2)), ((2, 3, 4), (1, 4, 5))]
    cases = [Case(a, b, adj_x=False, adj_y=False) for a, b in pairs]
    for ax, ay in ((True, False), (False, True), (True, True)):
        cases.append(Case((2, 4, 3) if ax else (2, 3, 4), (2, 5, 4) if ay else (2, 4, 5), adj_x=ax, adj_y=ay))
    return cases


def same(types):
    return len(set(types.values())) == 1


PRODUCTS = [
    Op("MatMul", products(), tolerance=8),
    Op("BatchMatMul", batched(False), tolerance=8),
    Op("BatchMatMulV2", batched(True), tolerance=8),
    Op("BatchMatMulV3", batched(True), tolerance=8, only=same),
]


PRODUCTS.append(Op("Einsum", [Case([a, b], equation=equation) for equation, a, b in (
    ("ij,jk->ik", (3, 4), (4, 5)), ("bij,bkj->bik", (2, 3, 4), (2, 5, 4)), ("aecd,abcd->acbe", (2, 3, 4, 5), (2, 6, 4, 5)),
    ("abc,cde->abde", (2, 3, 4), (4, 2, 3)), ("...ij,jk->...ik", (2, 2, 3, 4), (4, 5)), ("i,j->ij", (3,), (4,)),
    ("ij,jk->ik", (0, 4), (4, 5)))] + [Case([(3, 4)], equation="ij->ji"), Case([(3, 4)], equation="ij->i")], tolerance=8))


# Input [N, H, W, C], filter [R, S, C / groups, OC], and what differs from stride 1, SAME, no dilation.
CONVOLUTIONS = [
    ((2, 7, 8, 3), (3, 3, 3, 4), {}),
    ((1, 5, 5, 2), (1, 1, 2, 7), {}),
    ((2, 9, 8, 3), (3, 2, 3, 5), {"strides": (2, 3), "padding": "VALID"}),
    ((1, 12, 11, 4), (5, 3, 4, 6), {"strides": (2, 2)}),
    ((1, 12, 11, 4), (3, 3, 4, 6), {"dilations": (2, 3)}),
    ((2, 8, 8, 6), (3, 3, 2, 9), {}),  # three groups
    ((1, 6, 7, 3), (3, 3, 3, 4), {"padding": "EXPLICIT", "pads": (2, 1, 0, 3)}),
    ((2, 16, 16, 16), (3, 3, 16, 32), {}),
]
DEPTHWISE = [
    ((2, 7, 8, 3), (3, 3, 3, 1), {}),
    ((1, 9, 9, 4), (3, 2, 4, 2), {"strides": (2, 2), "padding": "VALID"}),
    ((1, 10, 9, 5), (3, 3, 5, 3), {"dilations": (2, 2)}),
    ((2, 8, 8, 16), (5, 5, 16, 1), {}),
]


def output_size(size, taps, stride, dilation, padding, before, after):
    reach = (taps - 1) * dilation + 1
    return -(-size // stride) if padding == "SAME" else (size + before + after - reach) // stride + 1


class Geometry:
    def __init__(self, x, w, options, depthwise=False):
        self.x, self.w = x, w
        self.strides, self.dilations = options.get("strides", (1, 1)), options.get("dilations", (1, 1))
        self.padding, self.pads = options.get("padding", "SAME"), options.get("pads", (0, 0, 0, 0))
        sizes = [output_size(x[i + 1], w[i], self.strides[i], self.dilations[i], self.padding, *self.pads[2 * i:2 * i + 2])
                 for i in range(2)]
        self.y = (x[0], *sizes, w[2] * w[3] if depthwise else w[3])

    def attributes(self):
        found = {"strides": [1, *self.strides, 1], "dilations": [1, *self.dilations, 1], "padding": self.padding}
        if self.padding == "EXPLICIT":
            found["explicit_paddings"] = [0, 0, *self.pads, 0, 0]
        return found


def group_by_group(name):
    """The CPU's gradients, which know groups in float32 only: a call for each group."""

    def reference(tensors, attributes):
        to_input = name.endswith("Input")
        sizes = [int(n) for n in tensors[0 if to_input else 1].numpy()]
        other, dy = tensors[1 if to_input else 0], tensors[2]
        groups = sizes[3] // other.shape[2] if to_input else other.shape[3] // sizes[2]
        if to_input:
            calls = [tf.raw_ops.Conv2DBackpropInput(input_sizes=[*sizes[:3], sizes[3] // groups], filter=w, out_backprop=y, **attributes)
                     for w, y in zip(tf.split(other, groups, axis=3), tf.split(dy, groups, axis=3))]
        else:
            calls = [tf.raw_ops.Conv2DBackpropFilter(input=x, filter_sizes=[*sizes[:3], sizes[3] // groups], out_backprop=y, **attributes)
                     for x, y in zip(tf.split(other, groups, axis=3), tf.split(dy, groups, axis=3))]
        return [tf.concat(calls, axis=3)]

    return reference


def convolution(prefix, geometries, depthwise, **options):
    """The forward op and both gradients, in NHWC: the CPU has no kernels for NCHW (test_convolutions.py compares the two)."""
    shapes = [Geometry(x, w, o, depthwise) for x, w, o in geometries]
    # TensorFlow's CPU refuses dilated gradients, and any dilated depthwise op but float32's; test_convolutions.py covers it.
    plain = [g for g in shapes if g.dilations == (1, 1)]
    forward = [Case(g.x, g.w, **g.attributes()) for g in (plain if depthwise else shapes)]
    sizes = lambda shape: np.array(shape, "int32")
    data = [Case(sizes(g.x), g.w, g.y, **g.attributes()) for g in plain]
    taps = [Case(g.x, sizes(g.w), g.y, **g.attributes()) for g in plain]
    rows = [Op(prefix, forward, gradient=False, **options)]
    for name, cases in ((f"{prefix}BackpropInput", data), (f"{prefix}BackpropFilter", taps)):
        reference = None if depthwise else group_by_group(name)
        rows.append(Op(name, cases, gradient=False, reference=reference, **options))
    return rows


def by_tensor(name, position):
    """The second version of a gradient op, a tensor in place of its sizes; the CPU has kernels for the first only."""
    geometries = [Geometry(*each) for each in CONVOLUTIONS[:4]]

    def reference(tensors, attributes):
        first = {0: tf.raw_ops.Conv2DBackpropInput, 1: tf.raw_ops.Conv2DBackpropFilter}[position]
        sizes = tf.shape(tensors[position])
        if position == 0:
            return [first(input_sizes=sizes, filter=tensors[1], out_backprop=tensors[2], **attributes)]
        return [first(input=tensors[0], filter_sizes=sizes, out_backprop=tensors[2], **attributes)]

    return Op(name, [Case(g.x, g.w, g.y, **g.attributes()) for g in geometries], gradient=False, tolerance=16,
              reference=reference)


def volumes():
    forward = [Case((1, 4, 5, 6, 3), (2, 3, 3, 3, 4), strides=[1, 1, 1, 1, 1], padding="SAME"),
               Case((2, 5, 6, 4, 2), (3, 2, 2, 2, 3), strides=[1, 2, 1, 2, 1], padding="VALID")]
    ys = [(1, 4, 5, 6, 4), (2, 2, 5, 2, 3)]
    data, taps = [], []
    for case, y in zip(forward, ys):
        x, w = case.inputs
        data.append(Case(np.array(x, "int32"), w, y, **case.attributes))
        taps.append(Case(x, np.array(w, "int32"), y, **case.attributes))
    return [Op("Conv3D", forward, gradient=False, tolerance=16),
            Op("Conv3DBackpropInputV2", data, gradient=False, tolerance=16),
            Op("Conv3DBackpropFilterV2", taps, gradient=False, tolerance=32)]


ROWS = [
    *REDUCTIONS,
    *PRODUCTS,
    *convolution("Conv2D", CONVOLUTIONS, False, tolerance=16),
    *convolution("DepthwiseConv2dNative", DEPTHWISE, True, tolerance=16),
    by_tensor("Conv2DBackpropInputV2", 0),
    by_tensor("Conv2DBackpropFilterV2", 1),
    *volumes(),
]
