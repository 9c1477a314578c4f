"""Rows of softmax, cross-entropies, pooling and batch normalisation."""

import itertools

import numpy as np
import tensorflow as tf
from harness import Case, Op

INF, NAN = np.inf, np.nan
EXTREMES = np.array([[-1e4, 1e4, 1e4, -1e4], [-INF, 0, 1, -INF], [NAN, 0, 1, 2], [88, 89, -88, -89]], "float32")
SHAPES = [(7, 33), (128, 10), (3, 1), (0, 5), (4, 0), (2, 3, 1025), (1, 1)]


def numpy_reference(function):
    """A reference of the harness from one over NumPy arrays."""
    return lambda tensors, attributes: [tf.constant(x) for x in function([t.numpy() for t in tensors], attributes)]


def classes(rows, count, dtype="int32"):
    return np.random.default_rng(5).integers(0, count, rows).astype(dtype)


def dense(*shapes):
    return [Case(x, y) for x, y in shapes]


SOFTMAX = [
    Op("Softmax", [Case(s) for s in SHAPES], relative=True, bench=(Case((8192, 1000)),)),
    # A row with a NaN is NaN, as in NumPy; the CPU's is in the NaN's place only.
    Op("Softmax", [Case(EXTREMES)], gradient=False,
       reference=lambda x, _: [tf.exp(tf.raw_ops.LogSoftmax(logits=x[0]))]),
    Op("LogSoftmax", [Case(s) for s in SHAPES] + [Case(EXTREMES)], tolerance=4, bench=(Case((8192, 1000)),)),
    Op("SoftmaxCrossEntropyWithLogits", dense(((5, 10), (5, 10)), ((128, 10), (128, 10)), ((2, 1031), (2, 1031))),
       low=0, high=1, tolerance=16),
    # TensorFlow's own gradient of it knows no broadcasting.
    Op("SoftmaxCrossEntropyWithLogits",
       dense(((3, 33), (1, 33)), ((1, 7), (4, 7)), ((4, 1), (4, 7)), ((2, 7), (7,)), ((0, 4), (0, 4)), ((2, 0), (2, 0))),
       low=0, high=1, tolerance=16, gradient=False),
    *[Op("SparseSoftmaxCrossEntropyWithLogits",
         [Case((5, 10), classes(5, 10, index)), Case((128, 10), classes(128, 10, index)), Case((3, 1), classes(3, 1, index)),
          Case((0, 4), classes(0, 4, index)), Case((2, 1031), classes(2, 1031, index))],
         tolerance=4, only=lambda types, index=index: types["Tlabels"].name == index) for index in ("int32", "int64")],
]

# Input, window, stride, padding; an explicit padding is (before, after) a spatial dimension.
PLANES = [
    ((2, 6, 8, 19), (2, 2), (2, 2), "VALID"),
    ((1, 7, 5, 3), (3, 3), (2, 2), "SAME"),
    ((2, 9, 9, 4), (2, 2), (3, 4), "SAME"),
    ((1, 8, 8, 33), (5, 4), (1, 1), "SAME"),
    ((3, 7, 7, 40), (7, 7), (7, 7), "VALID"),
    ((2, 5, 4, 1), (1, 3), (1, 2), "SAME"),
    ((0, 4, 4, 3), (2, 2), (2, 2), "VALID"),
]
VOLUMES = [
    ((1, 5, 6, 7, 16), (2, 3, 2), (2, 1, 3), "SAME"),
    ((2, 4, 4, 4, 3), (2, 2, 2), (2, 2, 2), "VALID"),
    ((1, 3, 5, 4, 2), (3, 1, 2), (1, 2, 1), "VALID"),
]


def out_size(size, window, stride, padding):
    return -(-size // stride) if padding == "SAME" else (size - window) // stride + 1


def pooled(x, window, stride, padding):
    return (x[0], *[out_size(*each, padding) for each in zip(x[1:-1], window, stride)], x[-1])


def attributes(window, stride, padding):
    return {"ksize": [1, *window, 1], "strides": [1, *stride, 1], "padding": padding}


def numbers(window, stride):
    return np.array([1, *window, 1], "int32"), np.array([1, *stride, 1], "int32")


def distinct(shape):
    """Whole numbers without ties in a sample's channel, of at most 255: a window has one maximum in every type."""
    rng = np.random.default_rng(0)
    pixels = int(np.prod(shape[1:-1]))
    planes = [rng.permutation(pixels) for _ in range(shape[0] * shape[-1])]
    return np.moveaxis(np.reshape(planes, (shape[0], shape[-1], *shape[1:-1])), 1, -1).astype("float32")


def forward(name, layers, **options):
    return Op(name, [Case(x, **attributes(w, s, p)) for x, w, s, p in layers], **options)


def by_input(name, layers, gradients=0, **options):
    cases = []
    for x, w, s, p in layers:
        y = pooled(x, w, s, p)
        shapes = [(x,), (x, y, y), (x, y, x)][gradients]
        cases.append(Case(*shapes, *numbers(w, s), padding=p))
    return Op(name, cases, gradient=False, **options)


def backward(name, layers, second=False, **options):
    cases = [Case(x, pooled(x, w, s, p), x if second else pooled(x, w, s, p), **attributes(w, s, p)) for x, w, s, p in layers]
    return Op(name, cases, gradient=False, **options)


def mean_backward(name, layers, **options):
    return Op(name, [Case(np.array(x, "int32"), pooled(x, w, s, p), **attributes(w, s, p)) for x, w, s, p in layers],
              gradient=False, **options)


def volume_backward():
    """With the true y: TensorFlow's CPU looks for it in x."""
    cases = []
    for shape, w, s, p in VOLUMES:
        x = distinct(shape)
        with tf.device("/CPU:0"):
            y = tf.nn.max_pool3d(x, w, s, p).numpy()
        cases.append(Case(x, y, y.shape, **attributes(w, s, p)))
    return Op("MaxPool3DGrad", cases, gradient=False, tolerance=4, only=lambda types: types["T"] == types["TInput"])


EXPLICIT = Case((1, 7, 5, 3), ksize=[1, 3, 3, 1], strides=[1, 2, 1, 1], padding="EXPLICIT",
                explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0])
DEPTH = Case((2, 3, 4, 6), ksize=[1, 1, 1, 3], strides=[1, 1, 1, 3], padding="SAME")


def maxima(x, attributes):
    """The shape of the pooled x, and for each of its elements where in x the first maximum of the window is."""
    window, stride = attributes["ksize"][1:-1], attributes["strides"][1:-1]
    y = pooled(x.shape, window, stride, attributes["padding"])
    starts = [max((y[i + 1] - 1) * stride[i] + window[i] - x.shape[i + 1], 0) // 2 for i in range(len(window))]
    found = {}
    for n, *at, c in np.ndindex(*y):
        ranges = [range(max(o * s - before, 0), min(o * s - before + w, size))
                  for o, s, before, w, size in zip(at, stride, starts, window, x.shape[1:-1])]
        found[n, *at, c] = max(((n, *place, c) for place in itertools.product(*ranges)), key=lambda place: x[place])
    return y, found


def second_gradient(arrays, attributes):
    """In NumPy: TensorFlow's CPU kernel wants x, y and the gradient to fit each other."""
    x, _, ddx = arrays
    shape, found = maxima(x, attributes)
    result = np.zeros(shape, np.float64)
    for at, place in found.items():
        result[at] = ddx[place]
    return [result]


def argmax(arrays, attributes):
    x, = arrays
    shape, found = maxima(x, attributes)
    y, numbered = np.zeros(shape, x.dtype), np.zeros(shape, np.int64)
    for at, place in found.items():
        y[at] = x[place]
        numbered[at] = np.ravel_multi_index(place if attributes["include_batch_in_index"] else (0, *place[1:]), x.shape)
    return [y, numbered]


def argmax_gradient(arrays, attributes):
    x, dy, places = arrays
    dx = np.zeros(x.size, np.float64)
    sample = 0 if attributes["include_batch_in_index"] else x[0].size
    for n in range(x.shape[0]):
        np.add.at(dx, places[n].ravel() + n * sample, dy[n].ravel().astype(np.float64))
    return [dx.reshape(x.shape)]


def with_argmax():
    """In NumPy: of all these types TensorFlow's CPU has few."""
    forward_cases, gradient_cases = [], {"int32": [], "int64": []}
    for i, (x, w, s, p) in enumerate(PLANES[:5]):
        flags = {"include_batch_in_index": i % 2 == 0, **attributes(w, s, p)}
        forward_cases.append(Case(x, **flags))
        for dtype, cases in gradient_cases.items():
            cases.append(Case(x, pooled(x, w, s, p), argmax([distinct(x)], flags)[1].astype(dtype), **flags))
    return [Op("MaxPoolWithArgmax", forward_cases, gradient=False, low=-100, high=100, reference=numpy_reference(argmax)),
            *[Op("MaxPoolGradWithArgmax", cases, gradient=False, reference=numpy_reference(argmax_gradient),
                 only=lambda types, dtype=dtype: types["Targmax"].name == dtype) for dtype, cases in gradient_cases.items()]]


def is_float64(types):
    return types["T"].name == "float64"


def not_float64(types):
    return not is_float64(types)  # TensorFlow's CPU has no kernel to compare with


def in_two_steps(x, attributes):
    """The mean over a volume as the mean over planes and then along what is left: how many elements of a window are inside
    is a product, too."""
    (_, depth, *window, _), (_, step, *stride, _), padding = (attributes[key] for key in ("ksize", "strides", "padding"))
    n, d, h, w, c = x.shape
    y = tf.nn.avg_pool2d(tf.reshape(x, (n * d, h, w, c)), window, stride, padding)
    h, w = y.shape[1:3]
    y = tf.nn.avg_pool2d(tf.reshape(y, (n, d, h * w, c)), (depth, 1), (step, 1), padding)
    return tf.reshape(y, (n, -1, h, w, c))


def in_two_steps_backward(tensors, attributes):
    shape, dy = tensors
    x = tf.zeros(shape, dy.dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = in_two_steps(x, attributes)
    return [tape.gradient(y, x, dy)]


POOLING = [
    Op("MaxPool", [*forward("", PLANES).cases, EXPLICIT, DEPTH], gradient=False),
    by_input("MaxPoolV2", PLANES),
    backward("MaxPoolGrad", PLANES, low=-100, high=100, tolerance=4),
    by_input("MaxPoolGradV2", PLANES[:4], 1, low=-100, high=100, tolerance=4),
    backward("MaxPoolGradGrad", PLANES[:6], True, reference=numpy_reference(second_gradient), low=-20, high=20),
    by_input("MaxPoolGradGradV2", PLANES[:2], 2, low=-20, high=20,
             reference=numpy_reference(lambda arrays, a: second_gradient(arrays[:3], {"ksize": arrays[3], "strides": arrays[4], **a}))),
    *with_argmax(),
    forward("AvgPool", PLANES),
    mean_backward("AvgPoolGrad", PLANES[:6]),
    forward("MaxPool3D", VOLUMES),
    backward("MaxPool3DGradGrad", VOLUMES, True, reference=numpy_reference(second_gradient), low=-20, high=20),
    volume_backward(),
    forward("AvgPool3D", VOLUMES, only=not_float64),
    forward("AvgPool3D", VOLUMES, only=is_float64, reference=lambda tensors, attributes: [in_two_steps(*tensors, attributes)]),
    mean_backward("AvgPool3DGrad", VOLUMES, only=not_float64),
    mean_backward("AvgPool3DGrad", VOLUMES, only=is_float64, reference=in_two_steps_backward),
]


def positive(count, seed=3):
    return np.random.default_rng(seed).uniform(0.5, 2, count).astype("float32")


def normalisations(gradient):
    cases = []
    for x, options in [((2, 5, 4, 19), {}), ((1, 1, 1, 3), {}), ((16, 7, 7, 64), {"epsilon": 1e-5}), ((3, 2, 2, 1), {})]:
        c = x[-1]
        for training in (True, False):
            flags = {"is_training": training, **options}
            if gradient:
                cases.append(Case(x, x, (c,), (c,), positive(c), **flags))
            else:
                factor = {"exponential_avg_factor": 0.25} if training and c != 64 else {}
                cases.append(Case(x, (c,), (c,), (c,), positive(c), **flags, **factor))
    return cases


def in_numpy(arrays, attributes):
    """The forward pass in float64, for all outputs but the reserve spaces' third, whose contents nobody reads."""
    x, scale, offset, mean, variance = [a.astype(np.float64) for a in arrays]
    epsilon, factor = attributes.get("epsilon", 1e-4), attributes.get("exponential_avg_factor", 1.0)
    axes = tuple(range(x.ndim - 1))
    count = x.size // x.shape[-1]
    if attributes["is_training"]:
        saved_mean, saved_variance = x.mean(axes), x.var(axes)
        correction = count / max(count - 1, 1)
        new = [(1 - factor) * mean + factor * saved_mean, (1 - factor) * variance + factor * correction * saved_variance]
    else:
        saved_mean, saved_variance = mean, variance
        new = [mean, variance]
    y = (x - saved_mean) / np.sqrt(saved_variance + epsilon) * scale + offset
    return [y, *new, saved_mean, saved_variance]


def gradient_in_numpy(arrays, attributes):
    dy, x, scale, mean, variance = [a.astype(np.float64) for a in arrays[:5]]
    axes = tuple(range(x.ndim - 1))
    r = 1 / np.sqrt(variance + attributes.get("epsilon", 1e-4))
    z = (x - mean) * r
    dscale, doffset = (dy * z).sum(axes), dy.sum(axes)
    g = dy * scale
    dx = r * (g - g.mean(axes) - z * (g * z).mean(axes)) if attributes["is_training"] else g * r
    return [dx, dscale, doffset]


def normalisation(version):
    empty = [np.zeros(0)] if version == "V3" else []
    spaces = [np.zeros(0)] * 2
    gradients = normalisations(True)
    if version == "V3":
        gradients = [Case(*c.inputs, (0,), **c.attributes) for c in gradients]
    return [Op(f"FusedBatchNorm{version}", normalisations(False), gradient=False, tolerance=4,
               reference=numpy_reference(lambda arrays, a: in_numpy(arrays, a) + empty)),
            Op(f"FusedBatchNormGrad{version}", gradients, gradient=False, tolerance=64,
               reference=numpy_reference(lambda arrays, a: gradient_in_numpy(arrays, a) + spaces))]


def sizes(*values):
    return np.array(values, "int32")


def resizes(name, backward=False, attributes=None, **options):
    """Up, down, to one, and both flags. The nearest gradient is told the image's size, the bilinear one has the image."""
    cases = []
    for x, size in [((2, 4, 5, 19), (8, 10)), ((1, 9, 7, 3), (4, 16)), ((1, 1, 3, 1), (5, 1)), ((1, 10, 6, 2), (3, 3))]:
        for flags in ({}, {"align_corners": True}, {"half_pixel_centers": True}):
            y = (x[0], *size, x[3])
            if not backward:
                cases.append(Case(x, sizes(*size), **flags))
            elif name == "ResizeBilinearGrad":
                cases.append(Case(y, x, **flags))
            else:
                cases.append(Case(y, sizes(*x[1:3]), **flags))
    return Op(name, cases, gradient=False, **options)


def nearest_gradient(arrays, attributes):
    """In NumPy, for the types that TensorFlow's CPU has; the order of its float sums is its own."""
    dy, size = arrays
    dx = np.zeros((dy.shape[0], *size, dy.shape[3]), np.float64)
    align, half = attributes.get("align_corners"), attributes.get("half_pixel_centers")

    def source(out, inner):
        scale = np.float32(inner - 1) / np.float32(out - 1) if align and out > 1 else np.float32(inner) / np.float32(out)
        at = (np.arange(out, dtype="float32") + np.float32(0.5 if half else 0)) * scale
        return np.clip(np.floor(at + np.float32(0.5)) if align else np.floor(at), 0, inner - 1).astype(int)

    rows, columns = source(dy.shape[1], size[0]), source(dy.shape[2], size[1])
    for i, j in np.ndindex(len(rows), len(columns)):
        dx[:, rows[i], columns[j]] += dy[:, i, j].astype(np.float64)
    return [dx]


RESIZING = [
    resizes("ResizeNearestNeighbor"),
    resizes("ResizeNearestNeighborGrad", True, reference=numpy_reference(nearest_gradient)),
    resizes("ResizeBilinear", tolerance=2),
    resizes("ResizeBilinearGrad", True, tolerance=4, only=not_float64),
    # Weights are float32 for every type, here as there.
    resizes("ResizeBilinearGrad", True, tolerance=1e6, only=is_float64),
]


def projects(name, *fills):
    """A shift, a turn and a perspective whose k is 0 in places; a row for all images; one far beside them; empty images.
    TensorFlow's gradient of it begins with MatrixInverse, which the device has not."""
    turns = np.array([[1, 0, -2.5, 0, 1, 3.75, 0, 0], [0.5, -1.25, 4, 1.5, 0.75, -9.25, 0, 0],
                      [1, 0.25, -1.5, 0, 1, -3.25, -1, 0.5]], "float32")
    shapes = [((3, 7, 9, 3), (8, 11), turns), ((2, 5, 4, 19), (5, 4), turns[1:2]), ((1, 6, 8, 1), (6, 8), turns[:1] * 9),
              ((2, 1, 1, 2), (3, 2), turns[:2]), ((2, 0, 3, 2), (2, 2), turns[:2]), ((0, 4, 5, 3), (2, 2), turns[:0])]
    ways = list(itertools.product(("CONSTANT", "REFLECT", "WRAP", "NEAREST"), ("NEAREST", "BILINEAR")))
    cases = [Case(x, transforms, sizes(*size), *fill, interpolation=interpolation, fill_mode=mode)
             for mode, interpolation in ways for (x, size, transforms), fill in zip(shapes, itertools.cycle(fills))]
    broken = np.array([[1, 0, at, 0, 1, 1, 0, 0] for at in (INF, -INF, 1e30, -1e30, NAN)], "float32")
    cases += [Case((5, 3, 4, 2), broken, sizes(3, 4), *fills[0], interpolation=interpolation, fill_mode=mode)
              for mode, interpolation in ways]
    large = Case((32, 224, 224, 3), np.array([[0.98, -0.17, 20, 0.17, 0.98, -18, 0, 0]], "float32"), sizes(224, 224), *fills[0],
                 interpolation="BILINEAR", fill_mode="REFLECT")
    return Op(name, cases, low=-20, high=20, widen=False, gradient=False, bench=(large,))


PROJECTING = [projects("ImageProjectiveTransformV2", ()),
              projects("ImageProjectiveTransformV3", *[(np.array(fill, "float32"),) for fill in (2.7, -1, 300)])]


def top(version):
    cases = []
    for shape, k, targets in [((64, 10), 3, classes(64, 10)), ((9, 1031), 500, classes(9, 1031)), ((4, 3), 2, np.array([0, 5, -1, 2])),
                              ((0, 4), 1, classes(0, 4))]:
        for index in ("int32", "int64"):
            inputs = (shape, targets.astype(index)) + ((np.array(k, index),) if version else ())
            cases.append((index, Case(*inputs, **({} if version else {"k": k}))))
    return [Op(f"InTopK{version}", [c for i, c in cases if i == index], gradient=False,
               only=lambda types, index=index: types["T"].name == index) for index in ("int32", "int64")]


ROWS = [*RESIZING, *PROJECTING, *top(""), *top("V2"), *SOFTMAX, *POOLING, *normalisation(""), *normalisation("V2"), *normalisation("V3")]
