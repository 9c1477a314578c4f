"""Which ops ran where, and why some ran on the CPU.

    with tensorflow_ocldnn.placement_report() as placed:
        model.fit(...)
    print(placed)

TensorFlow hands over each graph after it has been optimised and placed, once a function (and once an eager op of each
shape), so watching costs nothing at run time. Counts are of ops in those graphs, not of runs.
"""

import atexit
import collections
import json

from ._library import cpu_only_reason, report

DEVICE_TYPE = "OPENCL"
# How TensorFlow moves and names tensors between devices; neither work nor a choice.
_PLUMBING = {
    "_Arg", "_Retval", "_DeviceArg", "_DeviceRetval", "_Send", "_Recv", "_HostSend", "_HostRecv", "NoOp", "Const",
    "_EagerConst", "HostConst", "Identity", "IdentityN", "Placeholder", "VarHandleOp", "Enter", "Exit", "Switch", "Merge",
    "NextIteration", "LoopCond", "ReadVariableOp", "DestroyResourceOp",
}  # fmt: skip


def _base_op(op):
    """The op that TensorFlow rewrote for oneDNN on the CPU: "_MklNativeFusedMatMul" was a "FusedMatMul"."""
    for prefix in ("_MklNative", "_Mkl"):
        if op.startswith(prefix):
            return op[len(prefix) :]
    return op


def _types(node):
    from tensorflow.python.framework import dtypes

    return {name: dtypes.as_dtype(value.type).name for name, value in node.attr.items() if value.type and name[0] != "_"}


def _matches(kernel, types):
    for constraint in kernel.constraint:
        from tensorflow.python.framework import dtypes

        allowed = {dtypes.as_dtype(t).name for t in constraint.allowed_values.list.type}
        if allowed and types.get(constraint.name) not in allowed:
            return False
    return True


class PlacementReport:
    """Ops by device, with the reason for each that TensorFlow put on a CPU."""

    def __init__(self):
        self._rows = collections.Counter()  # (op, device, why) -> count
        self._reasons = {}

    def start(self):
        from tensorflow.python.eager import context

        context.context().ensure_initialized()
        context.context().clear_kernel_cache()  # eager kernels made before would not be seen again
        context.context().enable_graph_collection()
        return self

    def stop(self):
        from tensorflow.python.eager import context

        self.collect()
        context.context().disable_graph_collection()
        return self

    __enter__ = start

    def __exit__(self, *exception):
        self.stop()

    def collect(self):
        """Takes over what TensorFlow has gathered so far."""
        from tensorflow.python.eager import context

        metadata = context.context().export_run_metadata()
        for graphs in metadata.function_graphs if metadata else ():
            for graph in graphs.partition_graphs:
                for node in graph.node:
                    self._count(node)
                for function in graph.library.function:
                    for node in function.node_def:
                        if node.device:
                            self._count(node)

    def _count(self, node):
        if node.op in _PLUMBING or not node.device:
            return
        device = node.device.rsplit("device:", 1)[-1].split(":")[0]
        types = _types(node)
        key = (node.op, device, tuple(sorted(types.items())))
        if key not in self._reasons:
            self._reasons[key] = self._why(node.op, types) if device == "CPU" else ""
        self._rows[node.op, device, self._reasons[key]] += 1

    @staticmethod
    def _why(op, types):
        from tensorflow.python.framework import kernels

        op = _base_op(op)
        reason = cpu_only_reason(op)
        if reason:
            return reason
        ours = [k for k in kernels.get_registered_kernels_for_op(op).kernel if k.device_type == DEVICE_TYPE]
        if any(_matches(kernel, types) for kernel in ours):
            return "asked for: tf.device, or inputs that stay on the CPU"
        if "int32" in types.values():
            return "int32, which TensorFlow keeps in host memory"
        if not ours:
            return "no kernel"
        return "no kernel for " + ", ".join(f"{name}={value}" for name, value in sorted(types.items()))

    def ops(self):
        """[{"op", "device", "count", "why"}], the most frequent first."""
        return [
            {"op": op, "device": device, "count": count, "why": why}
            for (op, device, why), count in self._rows.most_common()
        ]

    def fell_back(self):
        """The rows that a kernel of ours should have taken: on the CPU for want of one."""
        return [row for row in self.ops() if row["why"].startswith("no kernel")]

    def as_dict(self):
        return {**report(), "ops": self.ops()}

    def __str__(self):
        by_device = collections.defaultdict(list)
        for row in self.ops():
            by_device[row["device"], row["why"]].append(f"{row['op']} {row['count']}")
        lines = []
        for (device, why), ops in sorted(by_device.items(), key=lambda item: (item[0][0] == "CPU", item[0])):
            lines.append(f"{device}{' (' + why + ')' if why else ''}: {', '.join(ops)}")
        return "\n".join(lines)


def placement_report():
    """A context manager that records where ops are placed while it is open; print it afterwards."""
    return PlacementReport()


def write_at_exit(path):
    """Records from now on and writes JSON to `path` when the process ends. OCLDNN_PLACEMENT=<path> asks for this."""
    recording = []

    def write():
        if recording:
            recording[0].collect()
        with open(path, "w", encoding="utf-8") as file:
            json.dump(recording[0].as_dict() if recording else {**report(), "ops": []}, file, indent=1)

    # The plug-in is still being loaded: TensorFlow's context is there, but must not be initialised yet.
    from tensorflow.python.eager import context

    initialise = context.Context.ensure_initialized

    def ensure_initialized(self):
        initialise(self)
        if not recording:
            recording.append(PlacementReport())
            recording[0].start()

    context.Context.ensure_initialized = ensure_initialized
    atexit.register(write)
