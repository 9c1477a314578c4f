"""Rows of gather, scatter, segments, one-hot, running totals and sorting."""

import numpy as np
import tensorflow as tf
from harness import Case, Op, Values
from layout_rows import i32, scalar, whole


def indexed(name, *cases, on_cpu=None, **options):
    return Op(name, list(cases), low=options.pop("low", -20), high=options.pop("high", 20), reference=whole(name, on_cpu=on_cpu), **options)


def by_width(op, index_attribute):
    """Rows for int32 and for int64 indices: a row runs only for the combination its arrays have."""
    rows = []
    for dtype in ("int32", "int64"):
        cases = [Case(*[x.astype(dtype) if isinstance(x, np.ndarray) and x.dtype.kind == "i" and x.ndim > 0 else x
                        for x in case.inputs], **case.attributes) for case in op.cases]
        rows.append(Op(op.name, cases, op.low, op.high, op.tolerance, op.gradient, op.launches,
                       lambda t, d=dtype: t[index_attribute] == tf.dtypes.as_dtype(d), op.attributes, op.widen, op.reference))
    return rows


AXIS = scalar(1)
ROWS_OF = i32((1,), (3,), (1,), (0,))
PAIRS = i32((1, 2), (3, 0), (0, 5))

GATHERS = [
    *by_width(indexed("Gather", Case((4, 5), i32(3, 0, 3)), Case((7,), i32((6, 0), (1, 1)))), "Tindices"),
    *by_width(indexed("GatherV2", Case((4, 5, 6), i32((3, 0), (1, 1)), AXIS, batch_dims=0), Case((7,), i32(6, 0), scalar(0), batch_dims=0),
                      Case((3, 5, 33), i32((3, 0), (1, 1), (4, 2)), AXIS, batch_dims=1),
                      Case((5, 4), np.zeros((0,), "int32"), scalar(0), batch_dims=0)), "Tindices"),
    *by_width(indexed("GatherNd", Case((4, 6), PAIRS), Case((4, 6, 3), ROWS_OF), Case((4, 6, 3), PAIRS)), "Tindices"),
]


def scattered(name, **options):
    return by_width(indexed(name, Case((5, 6), ROWS_OF, (4, 6)), Case((4, 6), PAIRS, (3,)), Case((9,), i32((0,), (8,)), (2,)),
                            tolerance=8, **options), "Tindices")


SCATTERS = [
    *by_width(indexed("ScatterNd", Case(ROWS_OF, (4, 6), i32(5, 6)), Case(PAIRS, (3,), i32(4, 6)), Case(PAIRS, (3, 33), i32(4, 6, 33)),
                      tolerance=8), "Tindices"),
    # Rows named once only: TensorFlow leaves open which of two updates counts.
    *by_width(indexed("TensorScatterUpdate", Case((5, 6), i32((1,), (3,), (0,)), (3, 6)), Case((4, 6), PAIRS, (3,))), "Tindices"),
    *scattered("TensorScatterAdd"),
    *scattered("TensorScatterSub"),
    *scattered("TensorScatterMin", gradient=False),
    *scattered("TensorScatterMax", gradient=False),
    *scattered("ScatterNdNonAliasingAdd"),
]


def segments(name, ids, **options):
    count = scalar(3)
    cases = [Case((5, 7), ids(0, 2, 1, 2, 0), count), Case((2, 3), ids((0, 1, 2), (2, 1, 0)), count), Case((4, 33), ids(2, 1, 0, 2), count)]
    return by_width(indexed(name, *cases, gradient=False, **options), "Tindices")


SEGMENTS = [
    *segments("UnsortedSegmentSum", i32, tolerance=8),
    *segments("UnsortedSegmentProd", i32, tolerance=16, low=1, high=3),
    *segments("UnsortedSegmentMax", i32),
    *segments("UnsortedSegmentMin", i32),
]


def grown(name, **options):
    """Segments whose ids grow; without their number, the last id tells it, and 1 is missing."""
    return by_width(indexed(name, Case((5, 7), i32(0, 0, 2, 3, 3)), Case((3, 33), i32(0, 1, 2)), Case((4,), i32(0, 0, 0, 0)),
                            gradient=False, **options), "Tindices")


def numbered(name, **options):
    """The CPU has kernels for the unsorted ops only."""
    return by_width(indexed(name, Case((5, 7), i32(0, 0, 1, 2, 2), scalar(3)), Case((3, 33), i32(0, 1, 2), scalar(3)),
                            gradient=False, on_cpu="Unsorted" + name.removesuffix("V2"), **options), "Tindices")


def by_widths(op):
    """Rows for each pair of widths of Tidx and Tsegmentids."""
    return [Op(row.name, [Case(case.inputs[0], case.inputs[1], case.inputs[2].astype(dtype), *case.inputs[3:]) for case in row.cases],
               row.low, row.high, row.tolerance, False, True,
               lambda t, f=row.only, d=dtype: f(t) and t["Tsegmentids"] == tf.dtypes.as_dtype(d), reference=row.reference)
            for row in by_width(op, "Tidx") for dtype in ("int32", "int64")]


SPARSE = [
    row for kind in ("Sum", "Mean", "SqrtN") for op in (
        indexed(f"SparseSegment{kind}", Case((6, 7), i32(5, 0, 0, 3), i32(0, 0, 2, 2)), Case((4, 33), i32(1, 2), i32(0, 1)), tolerance=8),
        indexed(f"SparseSegment{kind}WithNumSegments", Case((6, 7), i32(5, 0, 0, 3), i32(0, 0, 2, 2), scalar(4)), tolerance=8),
        indexed(f"SparseSegment{kind}Grad", Case((3, 7), i32(5, 0, 0, 3), i32(0, 0, 2, 2), scalar(6)), tolerance=8))
    for row in by_widths(op)]

GROWING = [
    *grown("SegmentSum", tolerance=8), *grown("SegmentProd", tolerance=16, low=1, high=3), *grown("SegmentMax"), *grown("SegmentMin"),
    *grown("SegmentMean", tolerance=8),
    *numbered("SegmentSumV2", tolerance=8), *numbered("SegmentProdV2", tolerance=16, low=1, high=3), *numbered("SegmentMaxV2"),
    *numbered("SegmentMinV2"),
]


def one_hot():
    rows = []
    for dtype in ("uint8", "int8", "int32", "int64"):
        cases = [Case(np.array([[1, 2], [3, 7]], dtype), scalar(4), (), (), axis=axis) for axis in (-1, 0, 1)]
        rows.append(Op("OneHot", cases, reference=whole_but_indices, gradient=False,
                       only=lambda t, d=dtype: t["TI"] == tf.dtypes.as_dtype(d)))
    return rows


def whole_but_indices(tensors, attributes):
    indices, depth, on, off = tensors
    if on.dtype == tf.bool:
        on, off = tf.cast(on, tf.int64), tf.cast(off, tf.int64)
    return [tf.raw_ops.OneHot(indices=indices, depth=depth, on_value=on, off_value=off, **attributes)]


FOUND = [
    Op("Where", [Case((7, 9)), Case((33,)), Case((0, 2)), Case((2, 3, 4)), Case(Values([[0, 1, -0.0, -1, 0], [2, 0, 0, -100, 64]]))],
       low=0, high=1, gradient=False, reference=whole("Where")),
    Op("Where", [Case(np.array([[0, np.nan, -0.0, 0.25], [-np.inf, 0, -0.0, np.inf], [-1e-3, -np.nan, 0, 0]], "float32"))],
       gradient=False, only=lambda types: types["T"].is_floating),
    Op("Where", [Case(Values([0, 256, 1 << 14, -256, 0, -(1 << 15), 512]))], gradient=False, reference=whole("Where"),
       only=lambda types: types["T"].is_integer and types["T"].size > 1),
    Op("InvertPermutation", [Case(np.array([3, 1, 0, 2], "int64"))], gradient=False, only=lambda t: t["T"] == tf.int64),
    Op("DynamicPartition", [Case((5, 3), i32(1, 0, 2, 1, 1), num_partitions=3), Case((2, 2), i32((0, 1), (1, 1)), num_partitions=2),
                            Case((4,), i32(0, 0, 0, 0), num_partitions=2)], gradient=False),
    *one_hot(),
]


def totals(name, **options):
    cases = [Case(shape, scalar(axis), exclusive=e, reverse=r)
             for shape, axis in (((3, 7, 5), 1), ((4, 37), -1)) for e in (False, True) for r in (False, True)]
    return indexed(name, *cases, Case((0, 3), scalar(0), exclusive=False, reverse=False), tolerance=options.pop("tolerance", 32), **options)


TOTALS = [
    totals("Cumsum", low=-2, high=2),
    totals("Cumprod", low=1, high=1.5, only=lambda types: not types["T"].is_integer),
    totals("Cumprod", low=1, high=3, only=lambda types: types["T"].is_integer),  # beyond the range, as products wrap
    totals("CumulativeLogsumexp", low=-2, high=2, gradient=False),
]

SORTED = [
    Op("TopKV2", [Case((3, 11), scalar(4)), Case((70,), scalar(70)), Case((2, 500), scalar(3))], low=0, high=6, gradient=False,
       reference=whole("TopKV2"), attributes={"sorted": True}),
]

ROWS = [*GATHERS, *SCATTERS, *SEGMENTS, *GROWING, *SPARSE, *FOUND, *TOTALS, *SORTED]

# A list of given index tensors is more than a row can say.
ELSEWHERE = {"DynamicStitch": "test_index.py"}
