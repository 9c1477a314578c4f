"""Ops on variables: state does not fit a row, so each has its own test, in the file named."""

from test_optimizer_ops import DENSE, SPARSE

ROWS = []

SCATTERS = ("Update", "Add", "Sub", "Mul", "Div", "Min", "Max")

ELSEWHERE = {
    **{f"ResourceApply{name}": "test_optimizer_ops.py" for name in DENSE},
    **{f"ResourceSparseApply{name}": "test_optimizer_ops.py" for name in SPARSE},
    **{f"Assign{name}VariableOp": "test_variables.py" for name in ("", "Add", "Sub")},
    **{f"ResourceScatter{name}": "test_variables.py" for name in SCATTERS},
    **{f"ResourceScatterNd{name}": "test_variables.py" for name in ("Update", "Add", "Sub")},
    **{f"ResourceScatterNd{name}": "test_scatter_nd_extremes.py" for name in ("Min", "Max")},
    **{name: "test_variables.py" for name in ("ResourceGather", "ResourceGatherNd", "ResourceStridedSliceAssign")},
    "VarHandleOp": "test_reports.py",  # refused, for types that no kernel takes
    **{name: "test_generator.py" for name in ("RngSkip", "RngReadAndSkip", "StatefulUniform", "StatefulUniformInt",
                                              "StatefulUniformFullInt", "StatefulStandardNormalV2",
                                              "StatefulTruncatedNormal")},
}
