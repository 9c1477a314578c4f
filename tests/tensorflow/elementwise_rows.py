"""Rows of ops that work element by element."""

import math

import numpy as np
import tensorflow as tf
from harness import Case, Op, Values

EXTREMES = (0, -0.0, 1, -1, 0.5, -0.5, 1e-30, -1e-30, 3e4, -3e4, np.inf, -np.inf, np.nan)  # infinities: the ends of integers

# About zero, where sums with 1 lose what a relative comparison sees.
SMALL = np.array([s * x for x in (0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-12, 1e-30) for s in (1, -1)], "float32")

# Zeros, ends of binades and of the range, and the numbers beside them.
STEPS = np.array([0, -0.0, 1, -1, np.nextafter(1, 2, dtype="f4"), 2, -2, 1e-30, 1e30, -1e30, np.inf, -np.inf, np.nan])

SIGNED = (1, -1, 2, -2, 3, -3, 7, -7)
ROUND = (0, -0.0, 1, -1, 2.5, -2.5, 1e-3, -1e-3)

ONE = [(7,), (), (0,), (3, 5), (2, 0, 3), (2, 3, 4, 5), (4099,)]
TWO = [((7,), (7,)), ((), (3, 5)), ((3, 5), (5,)), ((3, 1), (1, 5)), ((0, 4), (1,)), ((2, 1, 4, 1, 3), (5, 1, 2, 1)),
       ((4099,), (4099,)), ((33, 129), (129,)), ((), ())]
LARGE = (1 << 22,)


def unary(name, extremes=True, **options):
    cases = [Case(shape) for shape in ONE]
    return Op(name, cases + [Case(Values(EXTREMES))] if extremes else cases, **{"bench": (Case(LARGE),), **options})


def pairs_of(x, y):
    """A case of each number of x with each of y, in every type."""
    grid = np.broadcast_arrays(np.array(x)[:, None], np.array(y)[None, :])
    return Case(*[Values(np.ascontiguousarray(each)) for each in grid])


def binary(name, extremes=True, shapes=TWO, **options):
    cases = [Case(*pair) for pair in shapes]
    return Op(name, cases + [pairs_of(EXTREMES, EXTREMES)] if extremes else cases, **{"bench": (Case(LARGE, LARGE),), **options})


def near_zero(name, *more, **options):
    """Compared relatively, also near zero and at the numbers `more`."""
    row = unary(name, relative=True, **options)
    row.cases += [Case(SMALL), *[Case(np.array(numbers, "float32")) for numbers in more]]
    return row


def with_pairs(name, x, y, **options):
    row = binary(name, **options)
    row.cases.append(pairs_of(x, y))
    return row


def gradient_of(name, **options):
    return binary(name, extremes=False, shapes=[((7,), (7,)), ((), ()), ((3, 5), (3, 5)), ((0, 2), (0, 2)),
                                                ((4099,), (4099,))], **options)


def slope(name, **options):
    """The gradient of an activation: on each side of its bends, and at them."""
    row = gradient_of(name, **options)
    features = np.array([-100, -9, -3, -1, -0.25, -0.0, 0, 0.25, 1, 3, 5.75, 6, 7, 9, 100])
    row.cases.append(Case(Values(np.linspace(3, 10, features.size)), Values(features)))
    return row


def erfinv(tensors, _):
    """TensorFlow's CPU adds 1 first, and so loses what is small: two steps of Newton's from there."""
    x = tensors[0].numpy().astype("float64")
    y = tf.math.erfinv(x).numpy()
    for _ in range(2):
        inner = np.where(np.isfinite(y), y, 0)
        step = (np.vectorize(math.erf, otypes=["f8"])(inner) - x) * np.exp(inner**2) * math.sqrt(math.pi) / 2
        y = np.where(np.isfinite(y), y - step, y)
    return [tf.constant(y)]


ACTIVATIONS = [
    unary("Relu6", low=-9, high=9),
    *[unary(name) for name in ("Relu", "Elu", "Selu", "Softsign")],
    *[near_zero(name, [-5, -9, -15, -30]) for name in ("Sigmoid", "Softplus", "Tanh")],
    unary("LeakyRelu", attributes={"alpha": 0.3}),
    slope("Relu6Grad", low=-9, high=9),
    *[slope(name) for name in ("ReluGrad", "EluGrad", "SeluGrad", "SoftplusGrad", "SoftsignGrad")],
    slope("LeakyReluGrad", attributes={"alpha": 0.3}),
    *[gradient_of(name, low=-1, high=1) for name in ("SigmoidGrad", "TanhGrad")],
]

UNARY = [
    *[unary(name) for name in ("Abs", "Neg", "Sign", "Square", "Floor", "Ceil", "Rint", "IsNan", "IsInf", "IsFinite")],
    near_zero("Exp", [-5, -15, -60, -80]),
    *[near_zero(name) for name in ("Expm1", "Atan", "Asinh")],
    near_zero("Log1p", low=-0.9, high=4),
    near_zero("Log", [0.9, 0.99, 0.999, 1.001, 1.01, 1.1], low=0.1, high=4),
    near_zero("Erfc", [2.5, 3, 3.9, 4.1, 5.5, 7, 9]),
    unary("Round", only=lambda types: types["T"].is_floating),
    # The CPU makes zeros of 64-bit integers, and NaN of Erf(infinity) in float64.
    unary("Round", extremes=False, only=lambda types: not types["T"].is_floating, reference=lambda x, _: [x[0]]),
    near_zero("Erf", only=lambda types: types["T"] != tf.float64),
    near_zero("Erf", only=lambda types: types["T"] == tf.float64,
          reference=lambda x, _: [tf.constant(np.vectorize(math.erf, otypes=["f8"])(x[0].numpy()))]),
    *[unary(name, low=0.1, high=4) for name in ("Sqrt", "Rsqrt", "Reciprocal", "Inv")],
    *[unary(name, extremes=False, tolerance=4) for name in ("Cos", "Cosh")],
    *[near_zero(name, extremes=False, tolerance=4) for name in ("Sin", "Sinh")],
    near_zero("Tan", extremes=False, low=-1.4, high=1.4, tolerance=4),
    *[near_zero(name, low=-0.9, high=0.9) for name in ("Asin", "Atanh")],
    near_zero("Erfinv", low=-0.9, high=0.9, reference=erfinv),
    unary("Acos", low=-0.9, high=0.9),
    unary("Ndtri", extremes=False, low=0.01, high=0.99),
    near_zero("Acosh", [1, 1.001, 1.01], low=1.01, high=5),
    unary("Lgamma", extremes=False, low=0.1, high=6, tolerance=4),
    unary("Digamma", extremes=False, low=0.1, high=6, tolerance=4, gradient=False),
    *[unary(name, extremes=False, low=-100, high=100) for name in ("Invert", "PopulationCount")],
    *[gradient_of(name, low=0.3, high=2) for name in ("ReciprocalGrad", "InvGrad", "SqrtGrad", "RsqrtGrad")],
    unary("LogicalNot", extremes=False),
    unary("ZerosLike", launches=False),
    unary("OnesLike"),
    unary("L2Loss", extremes=False, tolerance=4),
]

BINARY = [
    *[binary(name) for name in ("Add", "AddV2", "Sub", "Mul", "Maximum", "Minimum", "SquaredDifference", "Less",
                                "LessEqual", "Greater", "GreaterEqual")],
    *[binary(name, attributes={"incompatible_shape_error": True}) for name in ("Equal", "NotEqual")],
    *[with_pairs(name, SIGNED, SIGNED, extremes=False, low=1, high=9)
      for name in ("Div", "RealDiv", "FloorDiv", "FloorMod", "Mod", "TruncateDiv", "TruncateMod")],
    *[binary(name, low=0.1, high=3) for name in ("DivNoNan", "MulNoNan")],
    # 0 where x is 0, whatever y.
    with_pairs("Xdivy", (0, -0.0, 2), (0, -0.0, 1, 3), low=0.1, high=3),
    with_pairs("Xlogy", (0, -0.0, 2), (0, 1, 3), extremes=False, low=0.1, high=3),
    with_pairs("Xlog1py", (0, -0.0, 2), (-1, 0, 1, 3), extremes=False, low=0.1, high=3),
    with_pairs("Atan2", ROUND, ROUND, extremes=False),
    with_pairs("Pow", SIGNED, range(4), extremes=False, low=0.3, high=3, tolerance=4),
    Op("NextAfter", [*[Case(*pair) for pair in TWO], pairs_of(STEPS, STEPS)], tolerance=0,
       reference=lambda x, _: [tf.constant(np.nextafter(*[t.numpy() for t in x]))]),
    binary("ApproximateEqual", extremes=False, attributes={"tolerance": 0.5},
           shapes=[((7,), (7,)), ((), ()), ((3, 5), (3, 5)), ((0,), (0,))]),
    *[binary(name, extremes=False, low=-100, high=100) for name in ("BitwiseAnd", "BitwiseOr", "BitwiseXor")],
    *[with_pairs(name, (*SIGNED, 0, 100, -100), range(7), extremes=False, low=0, high=6) for name in ("LeftShift", "RightShift")],
    *[binary(name, extremes=False) for name in ("LogicalAnd", "LogicalOr")],
]

OTHERS = [
    Op("Select", [Case(s, s, s) for s in ((7,), (3, 5), (), (0,))] + [Case((3,), (3, 5), (3, 5)), Case((), (4, 2), (4, 2))]),
    Op("SelectV2", [Case((7,), (7,), (7,)), Case((), (3, 5), (5,)), Case((3, 1), (1, 5), ()), Case((0,), (0,), (1,)),
                    Case((33, 1), (33, 65), (33, 65))]),
    Op("AddN", [Case([s] * n) for s, n in (((7,), 2), ((3, 5), 3), ((), 2), ((0, 2), 2), ((130,), 11), ((4,), 1))],
       launches=False, tolerance=4),
    Op("ClipByValue", [Case((7,), (), ()), Case((3, 5), (), ()),
                       Case((6,), (6,), (6,)), Case((0,), (), ())], gradient=False,
       reference=lambda x, _: [tf.maximum(tf.minimum(x[0], x[2]), x[1])]),
    Op("BroadcastTo", [Case(s, np.array(to, "int32")) for s, to in (((3,), [4, 3]), ((), [2, 3]), ((2, 1, 3), [2, 4, 3]),
                                                                     ((1,), [0]), ((5, 1), [2, 5, 130]))]),
    Op("Fill", [Case(np.array(d, "int32"), Values(2.5)) for d in ([7], [], [3, 5], [0], [2, 1, 4099])],
       launches=False),
    Op("Empty", [Case(np.array(d, "int32"), init=True) for d in ([7], [], [3, 5], [0])], launches=False),
    Op("BiasAdd", [Case((4, 7), (7,)), Case((2, 3, 4, 5), (5,)), Case((0, 3), (3,)), Case((33, 65), (65,)),
                   Case((2, 3, 4, 5), (3,), data_format="NCHW"), Case((2, 3, 9), (3,), data_format="NCHW")],
       bench=(Case((128, 28, 28, 32), (32,)),)),
    Op("BiasAddV1", [Case((4, 7), (7,)), Case((2, 3, 4, 5), (5,))]),
    Op("BiasAddGrad", [Case((4, 7)), Case((2, 3, 4, 5)), Case((33, 65)),
                       Case((2, 3, 4, 5), data_format="NCHW"), Case((0, 3))],
       tolerance=8, bench=(Case((128, 28, 28, 32)),)),
]

CONVERSIONS = [
    Op("Cast", [Case((7,)), Case(()), Case((0,)), Case((3, 5)), Case((1030,))], low=0, high=100, launches=False),
    Op("Cast", [Case(Values([0, -0.0, 0.5, 1, 1.75, 99.5]))], launches=False),
    # No unsigned number is what a negative real is cast to.
    Op("Cast", [Case(Values([-0.5, -1, -1.75, -99.5]))], launches=False,
       only=lambda types: not (types["SrcT"].is_floating and types["DstT"].is_unsigned)),
    Op("Cast", [Case(Values([0, 1 << 24, (1 << 24) + 1, (1 << 24) + 3, -(1 << 24) - 1, 0x7fffffff, 256, -257]))], launches=False,
       only=lambda types: types["SrcT"].is_integer and types["SrcT"].size > 2),
    Op("Bitcast", [Case((6, 8))], launches=False, gradient=False, widen=False, low=1, high=100, tolerance=0,
       only=lambda t: t["T"].size >= t["type"].size),
    *[Op("Bitcast", [Case((6, part)), Case((part,)), Case((0, part))], launches=False, gradient=False, widen=False, low=1, high=100,
         tolerance=0, only=lambda t, part=part: t["type"].size == part * t["T"].size) for part in (2, 4, 8)],
]

ROWS = [*ACTIVATIONS, *UNARY, *BINARY, *OTHERS, *CONVERSIONS]
