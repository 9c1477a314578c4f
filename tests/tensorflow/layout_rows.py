"""Rows of the ops that move elements: slices, concatenations, paddings, transposes, blocks, diagonals."""

import numpy as np
import tensorflow as tf
from harness import Case, Op, definition_of, python_names


def whole(name, keep=(), on_cpu=None):
    """The op (or `on_cpu`, another that does the same) in 64-bit integers, for the types the CPU has no kernel for. Inputs
    `keep` stay as they are."""
    def reference(tensors, attributes):
        def widen(t):
            return tf.cast(t, tf.int64) if t.dtype == tf.bool or t.dtype.is_integer and t.dtype != tf.int32 else t
        wide = [t if i in keep else tf.nest.map_structure(widen, t) for i, t in enumerate(tensors)]
        op = on_cpu or name
        result = getattr(tf.raw_ops, op)(**dict(zip(raw_arguments(op), wide)), **attributes)
        return list(result) if isinstance(result, (list, tuple)) else [result]
    return reference


def raw_arguments(name):
    return [python_names(name)[a.name] for a in definition_of(name).input_arg]


def i32(*values):
    return np.array(values, "int32")


def scalar(value):
    return np.array(value, "int32")


def moves(name, *cases, keep=(), **options):
    """Copies of whole runs are no kernel launches."""
    return Op(name, list(cases), low=-50, high=50, launches=False, reference=whole(name, keep), **options)


def sliced(begin, end, strides, **masks):
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    return [i32(*begin), i32(*end), i32(*strides)], {n: masks.get(n, 0) for n in names}


SPECS = [  # an input's shape, and a slice of it
    ((4, 5, 6), sliced((1, 4, 0), (3, 0, 6), (1, -2, 3))),
    ((4, 5, 6), sliced((0, 0), (0, 0), (1, -1), begin_mask=3, end_mask=3)),
    ((4, 5, 6), sliced((0, 0, 2), (0, 0, 3), (1, 1, 1), ellipsis_mask=1, new_axis_mask=2, shrink_axis_mask=4)),
    ((7,), sliced((-3,), (9,), (1,))),
    ((3, 4), sliced((2, 2), (2, 2), (1, 1))),
    ((33, 65), sliced((1, 0), (33, 65), (2, 4))),
]


def with_spec(build):
    cases = []
    for shape, (lists, masks) in SPECS:
        cases.append(build(shape, lists, masks))
    return cases


def chosen_shape(shape, lists, masks):
    x = tf.zeros(shape)
    with tf.device("/CPU:0"):
        return tuple(tf.raw_ops.StridedSlice(input=x, begin=lists[0], end=lists[1], strides=lists[2], **masks).shape)


SLICES = [
    moves("StridedSlice", *with_spec(lambda s, l, m: Case(s, *l, **m))),
    moves("StridedSliceGrad", *with_spec(lambda s, l, m: Case(i32(*s), *l, chosen_shape(s, l, m), **m)), gradient=False),
    moves("TensorStridedSliceUpdate", *with_spec(lambda s, l, m: Case(s, *l, chosen_shape(s, l, m), **m)), gradient=False),
    moves("Slice", Case((4, 5, 6), i32(1, 0, 2), i32(2, -1, 3)), Case((7,), i32(2), i32(0)), Case((3, 9), i32(0, 1), i32(3, 8))),
    moves("Concat", Case(scalar(1), [(2, 3), (2, 1), (2, 0)]), Case(scalar(-2), [(2, 3), (5, 3)])),
    moves("ConcatV2", Case([(2, 3), (2, 1), (2, 0)], scalar(1)), Case([(2, 3), (5, 3)], scalar(0)), Case([(2, 33, 7), (2, 33, 9)], scalar(-1))),
    moves("Split", Case(scalar(1), (2, 6, 3), num_split=3), Case(scalar(0), (4,), num_split=1), Case(scalar(-1), (3, 64), num_split=2)),
    moves("SplitV", Case((2, 6, 3), i32(1, -1, 2), scalar(1), num_split=3), Case((5, 2), i32(5), scalar(0), num_split=1)),
    moves("Pack", Case([(2, 3)] * 3, axis=0), Case([(2, 3)] * 2, axis=-1), Case([()] * 4, axis=0), Case([(0, 2)] * 2, axis=1)),
    moves("Unpack", Case((3, 4), num=3, axis=0), Case((3, 4), num=4, axis=-1), Case((2, 0), num=2, axis=0)),
]

REPEATS = [
    moves("Transpose", Case((4, 5, 6), i32(2, 0, 1)), Case((67, 129), i32(1, 0)), Case((2, 3, 4, 5), i32(0, 2, 1, 3)),
          Case((2, 3), i32(0, 1)), Case((), np.zeros(0, "int32")), Case((0, 3), i32(1, 0))),
    moves("Tile", Case((2, 3), i32(2, 3)), Case((5,), i32(1)), Case((2, 3, 4), i32(1, 4, 1)), Case((3, 0), i32(2, 2))),
    moves("Reverse", Case((3, 4), np.array([True, False])), Case((2, 3, 4), np.array([True, True, True])), keep=(1,)),
    moves("ReverseV2", Case((3, 4), i32(0)), Case((2, 3, 4), i32(-1, 0)), Case((5,), np.zeros(0, "int32"))),
    moves("Roll", Case((3, 4), i32(1), i32(1)), Case((5, 4), i32(2, -9), i32(0, 1)), Case((7,), scalar(3), scalar(0))),
    moves("ReverseSequence", Case((4, 5, 3), i32(1, 5, 0, 3), seq_dim=1, batch_dim=0),
          Case((5, 4, 3), np.array([1, 5, 0, 3], "int64"), seq_dim=0, batch_dim=1)),
]

BORDERS = i32((1, 0), (2, 1), (0, 3))
PADS = [
    moves("Pad", Case((2, 3, 4), BORDERS), Case((5,), i32((0, 0))), Case((0, 2), i32((1, 1), (0, 0)))),
    moves("PadV2", Case((2, 3, 4), BORDERS, ()), Case((33, 65), i32((1, 2), (3, 4)), ())),
    moves("MirrorPad", Case((2, 3, 4), BORDERS, mode="REFLECT"), Case((2, 3, 4), i32((2, 1), (3, 0), (0, 4)), mode="SYMMETRIC")),
    Op("MirrorPadGrad", [Case((3, 6, 7), BORDERS, mode="REFLECT"), Case((5, 6, 8), i32((2, 1), (3, 0), (0, 4)), mode="SYMMETRIC")],
       gradient=False),
]


def blocks(name, *shapes, **attributes):
    return moves(name, *[Case(s, block_size=2, data_format="NHWC") for s in shapes])


SPACE = [
    blocks("SpaceToDepth", (2, 4, 6, 3), (1, 2, 2, 1)),
    blocks("DepthToSpace", (2, 2, 3, 12), (1, 1, 1, 4)),
    moves("SpaceToBatchND", Case((2, 5, 4, 3), i32(2, 3), i32((1, 0), (1, 1))), Case((2, 4, 3), i32(2), i32((0, 0)))),
    moves("BatchToSpaceND", Case((12, 3, 2, 3), i32(2, 3), i32((1, 0), (1, 1))), Case((4, 2, 3), i32(2), i32((0, 0)))),
    moves("SpaceToBatch", Case((2, 3, 4, 3), i32((1, 0), (0, 2)), block_size=2)),
    moves("BatchToSpace", Case((8, 2, 3, 3), i32((1, 0), (0, 2)), block_size=2)),
]

K = i32(-1, 1)
DIAGONALS = [
    moves("Diag", Case((4,)), Case((2, 3)), Case((1, 2, 3))),
    moves("DiagPart", Case((4, 4)), Case((2, 3, 2, 3))),
    moves("MatrixBandPart", Case((2, 5, 6), scalar(1), scalar(2)), Case((4, 3), scalar(-1), scalar(0))),
    moves("MatrixDiag", Case((2, 4)), Case((3,))),
    moves("MatrixDiagPart", Case((2, 4, 5)), Case((3, 3))),
    moves("MatrixSetDiag", Case((2, 4, 5), (2, 4)), Case((3, 3), (3,))),
    moves("MatrixDiagV2", Case((2, 4), i32(1), scalar(-1), scalar(-1), ()), Case((2, 3, 4), K, scalar(4), scalar(4), ())),
    moves("MatrixDiagV3", Case((2, 4), i32(-1), scalar(-1), scalar(-1), (), align="RIGHT_LEFT"),
          *[Case((2, 3, 4), K, scalar(4), scalar(4), (), align=a) for a in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")]),
    moves("MatrixDiagPartV2", Case((2, 4, 5), i32(1), ()), Case((2, 4, 5), K, ())),
    moves("MatrixDiagPartV3", Case((2, 4, 5), i32(-2), (), align="RIGHT_LEFT"),
          *[Case((2, 4, 5), K, (), align=a) for a in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")]),
    moves("MatrixSetDiagV2", Case((2, 4, 5), (2, 4), i32(1)), Case((2, 4, 4), (2, 3, 4), K)),
    moves("MatrixSetDiagV3", Case((2, 4, 5), (2, 4), i32(1), align="RIGHT_LEFT"),
          *[Case((2, 4, 4), (2, 3, 4), K, align=a) for a in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")]),
]

ROWS = [*SLICES, *REPEATS, *PADS, *SPACE, *DIAGONALS]
