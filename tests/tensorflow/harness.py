"""Runs one op of TensorFlow on the OpenCL device and on the CPU and compares: what test_ops.py's rows are handed to.

A row says how an op is called (shapes, attributes by name); everything else is asked of TensorFlow: the op's arguments of
its definition, the types, also those of type attributes, of the kernels that the plug-in registered. Each registered combination of types runs eagerly twice (the bits must be equal)
and in a tf.function, pinned to the device with soft placement off, and must have launched a kernel there.
"""

import ctypes
import dataclasses
import functools
import inspect
import os
import zlib

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import kernels, op_def_registry

DEVICE = "OPENCL"
FULL = os.environ.get("OCLDNN_TEST_FULL") == "1"  # every case of every type


@functools.cache
def launches():
    """The plug-in's count of kernel launches, as a function."""
    with open("/proc/self/maps", encoding="ascii") as maps:
        path = next(line.split()[-1] for line in maps if "libocldnn_tensorflow.so" in line)
    function = ctypes.CDLL(path).ocldnn_launch_count
    function.restype = ctypes.c_uint64
    return function


@functools.cache
def registered():
    """Op -> the registrations of the plug-in: ({attribute: type}, host arguments)."""
    found = {}
    for kernel in kernels.get_all_registered_kernels().kernel:
        if kernel.device_type != DEVICE:
            continue
        types = {c.name: tf.dtypes.as_dtype(c.allowed_values.list.type[0]) for c in kernel.constraint}
        found.setdefault(kernel.op, []).append((types, set(kernel.host_memory_arg)))
    return found


def definition_of(name):
    definition = op_def_registry.get(name)
    assert definition is not None, f"TensorFlow {tf.__version__} has no op {name}"
    return definition


def is_main(types):
    """Whether every case runs for these types: kernels are compiled a type, which takes most of the time."""
    return all(t in (tf.float32, tf.int32, tf.bool) for t in types.values())


def type_name(types):
    return "-".join(t.name for t in types.values()) or "untyped"


class Values:
    """Numbers to be had in the argument's type, whichever it is: their magnitudes where that has no sign, and of whole numbers
    the ends of the range for infinities and what is beyond it, 0 for NaN."""

    def __init__(self, numbers):
        self.numbers = np.asarray(numbers)
        self.shape = self.numbers.shape

    def of(self, dtype):
        numbers = np.abs(self.numbers) if dtype.is_unsigned else self.numbers
        if not dtype.is_integer or numbers.dtype.kind != "f":
            return numbers.astype(dtype.as_numpy_dtype)
        found = np.where((numbers > dtype.min) & (numbers < dtype.max), numbers, 0).astype(dtype.as_numpy_dtype)
        found[numbers >= dtype.max], found[numbers <= dtype.min] = dtype.max, dtype.min
        return found


class Case:
    """One call: an input is a shape (drawn at random in the argument's type), a list of shapes for a list argument, Values, or
    a NumPy array (taken as it is, or in the argument's type where that is floating and the array is). Attributes by name."""

    def __init__(self, *inputs, **attributes):
        self.inputs, self.attributes = inputs, attributes


@dataclasses.dataclass
class Op:
    name: str
    cases: list
    low: float = -2.0  # random numbers: uniform between these, whole for integers
    high: float = 2.0
    tolerance: float = 1.0  # times the default of the type; 0 for the same bits
    gradient: bool = True  # compare gradients too, where TensorFlow has one
    launches: bool = True  # moves bytes only, or nothing, where false
    only: object = None  # a predicate of {attribute: type}: combinations that TensorFlow can be asked for
    attributes: dict = dataclasses.field(default_factory=dict)
    widen: bool = True  # compare half types with results computed in float32
    reference: object = None  # in place of the op on TensorFlow's CPU: f(tensors, attributes) -> tensors
    relative: bool = False  # compare below 1 relatively, too, down to the type's smallest normal number
    bench: tuple = ()  # cases that bench/ops.py measures, in float32 where the op has it

    def chosen(self, types):
        """The cases that run for a combination of types: all, or for most types a few of different kind."""
        return self.cases if FULL or is_main(types) else self.cases[:: max(1, len(self.cases) // 2)]


def draw(row, dtype, shape, rng):
    if dtype == tf.bool:
        return rng.integers(0, 2, shape).astype(bool)
    low, high = row.low, row.high
    if dtype.is_integer:
        low = max(low, dtype.min)
        return rng.integers(int(np.ceil(low)), int(high), shape, endpoint=True).astype(dtype.as_numpy_dtype)
    return rng.uniform(low, high, shape).astype(np.float32).astype(dtype.as_numpy_dtype)


def argument_type(argument, types):
    return types.get(argument.type_attr) or (tf.dtypes.as_dtype(argument.type) if argument.type else None)


def inputs_of(row, definition, types, case):
    """NumPy arrays (or lists of them) for the arguments of the op, the same at every call."""
    rng = np.random.default_rng(zlib.crc32(row.name.encode()))
    arrays = []
    for argument, given in zip(definition.input_arg, case.inputs, strict=True):
        dtype = argument_type(argument, types)
        if isinstance(given, np.ndarray):
            floating = dtype is not None and dtype.is_floating and given.dtype.kind == "f"
            arrays.append(given.astype(dtype.as_numpy_dtype) if floating else given)
        elif isinstance(given, Values):
            arrays.append(given.of(dtype))
        elif isinstance(given, list):
            arrays.append([draw(row, dtype, shape, rng) for shape in given])
        else:
            arrays.append(draw(row, dtype, given, rng))
    return arrays


@functools.cache
def python_names(name):
    """Argument or attribute of the op -> its name in tf.raw_ops, which renames some (reduction_indices: axis)."""
    definition = definition_of(name)
    known = [a.name for a in definition.input_arg] + [a.name for a in definition.attr]
    parameters = [p for p in inspect.signature(getattr(tf.raw_ops, name)).parameters if p != "name"]
    renamed = iter([p for p in parameters if p not in known])
    return {a.name: a.name if a.name in parameters else next(renamed) for a in definition.input_arg}


def call(row, definition, arrays, types, attributes):
    """The op on tensors of the current device; a list of its outputs."""
    inferred = {a.type_attr for a in definition.input_arg} | {a.type_list_attr for a in definition.input_arg}
    named = {k: v for k, v in types.items() if k not in inferred}
    names = python_names(row.name)
    tensors = {names[a.name]: tensor for a, tensor in zip(definition.input_arg, arrays)}
    result = getattr(tf.raw_ops, row.name)(**tensors, **named, **row.attributes, **attributes)
    return list(result) if isinstance(result, (list, tuple)) else [result]


def to_tensors(arrays):
    return [[tf.constant(x) for x in a] if isinstance(a, list) else tf.constant(a) for a in arrays]


def widened(types):
    """float32 for the half types: what their results are compared with is computed in float32."""
    return {k: tf.float32 if t in (tf.float16, tf.bfloat16) else t for k, t in types.items()}


def on_cpu(row, definition, arrays, types, attributes):
    if row.widen:
        half = {np.dtype(t.as_numpy_dtype) for t in (tf.float16, tf.bfloat16)}
        arrays = tf.nest.map_structure(lambda x: x.astype(np.float32) if x.dtype in half else x, arrays)
        types = widened(types)
    with tf.device("/CPU:0"):
        tensors = to_tensors(arrays)
        found = row.reference(tensors, attributes) if row.reference else call(row, definition, tensors, types, attributes)
        return [x.numpy() for x in found]


TOLERANCE = {"float64": 1e-12, "float32": 4e-6, "float16": 2e-3, "bfloat16": 1.6e-2}
SMALLEST = {"float64": 2.0**-1022, "float32": 2.0**-126, "float16": 2.0**-14, "bfloat16": 2.0**-126}  # normal numbers


def same_bits(got, want):
    """Whether all elements are; a NaN is as good as another."""
    bits = f"u{got.dtype.itemsize}"
    return bool(np.all((got.view(bits) == want.view(bits)) | np.isnan(got) & np.isnan(want)))


def difference(got, want, tolerance, relative=False):
    """How far `got` is from `want` in units of the tolerance: at most 1 is right. A tolerance of 0: the bits are compared.
    The tolerance is relative to `want`, absolute where that is below 1, or with `relative` below the smallest normal number."""
    assert got.shape == want.shape, f"shape {got.shape}, expected {want.shape}"
    if got.dtype.kind in "biu":
        return 0.0 if np.array_equal(got, want.astype(got.dtype)) else np.inf
    least = SMALLEST[got.dtype.name] if relative else 1
    if got.dtype.itemsize == 2:
        with np.errstate(over="ignore"):
            want = want.astype(got.dtype)  # beyond the type's range it is infinite
    if not tolerance:
        return 0.0 if same_bits(got, want) else np.inf
    got, want = got.astype(np.float64), want.astype(np.float64)
    if not np.array_equal(np.isnan(got), np.isnan(want)):
        return np.inf
    with np.errstate(invalid="ignore"):
        off = np.where(np.isfinite(want), np.abs(got - want) / np.maximum(least, np.abs(want)), np.inf)
    off = np.where((got == want) | np.isnan(want), 0, off)
    return float(np.max(off, initial=0)) / tolerance


class Report:
    """Worst difference and launches of every op, for the summary at the end."""

    def __init__(self):
        self.rows = {}

    def note(self, op, types, worst, launched):
        row = self.rows.setdefault(op, {"types": set(), "worst": 0.0, "launches": 0})
        row["types"].add(type_name(types))
        row["worst"] = max(row["worst"], worst)
        row["launches"] += launched


REPORT = Report()


def tolerance_of(row, array):
    """Types of two bytes are computed in float32 and rounded once: what a long sum adds to that is small beside it."""
    factor = min(row.tolerance, 2) if array.dtype.itemsize == 2 else row.tolerance
    return factor * TOLERANCE.get(str(array.dtype), 1e-6)


def check(row, types, host):
    """Asserts that every case of a row is right for one registered combination of types."""
    definition = definition_of(row.name)
    worst, launched = 0.0, 0
    for case in row.chosen(types):
        arrays = inputs_of(row, definition, types, case)
        want = on_cpu(row, definition, arrays, types, case.attributes)
        with tf.device(f"/{DEVICE}:0"):
            tensors = to_tensors(arrays)
            before = launches()()
            first = call(row, definition, tensors, types, case.attributes)
            got = [x.numpy() for x in first]
            new = launches()() - before
            again = [x.numpy() for x in call(row, definition, tensors, types, case.attributes)]
            flat = tf.nest.flatten(tensors)

            @tf.function
            def function(*flat):
                return call(row, definition, tf.nest.pack_sequence_as(tensors, flat), types, case.attributes)

            graph = [x.numpy() for x in function(*flat)]
        label = f"{row.name} {type_name(types)} {[getattr(i, 'shape', i) for i in case.inputs]} {case.attributes}"
        for argument, x in zip(definition.output_arg, first):
            if argument.name not in host and argument.type_attr and x.dtype != tf.int32:
                assert x.backing_device.endswith(f"{DEVICE}:0"), f"{label}: ran on {x.backing_device}"
        on_device = {a.name for a in definition.output_arg} - host
        if row.launches and on_device and sum(x.size for x in got):
            assert new > 0, f"{label}: no kernel was launched"
        launched += new
        for i, (x, y, z, w) in enumerate(zip(got, again, graph, want, strict=True)):
            tolerance = tolerance_of(row, x)
            if x.dtype.kind not in "biu" and np.any(w != 0):
                assert difference(np.zeros_like(x), w, tolerance, row.relative) > 1, f"{label}: output {i} could as well be zeros"
            off = difference(x, w, tolerance, row.relative)
            assert off <= 1, f"{label}: output {i} is {off:.3g} tolerances off\ngot  {x.ravel()[:8]}\nwant {w.ravel()[:8]}"
            assert x.tobytes() == y.tobytes(), f"{label}: output {i} differs from run to run"
            assert x.tobytes() == z.tobytes(), f"{label}: output {i} differs between eager and function"
            worst = max(worst, off)
    REPORT.note(row.name, types, worst, launched)


def gradients(row, definition, arrays, types, attributes, device):
    """dy-weighted gradients of the floating inputs; none where TensorFlow has no gradient for the op."""
    with tf.device(device):
        tensors = to_tensors(arrays)
        watched = [t for t in tf.nest.flatten(tensors) if t.dtype.is_floating]
        with tf.GradientTape() as tape:
            tape.watch(watched)
            outputs = [y for y in call(row, definition, tensors, types, attributes) if y.dtype.is_floating]
        if not watched or not outputs:
            return []
        rng = np.random.default_rng(1)
        dys = [tf.constant(rng.uniform(-1, 1, y.shape).astype(y.dtype.as_numpy_dtype)) for y in outputs]
        try:
            found = tape.gradient(outputs, watched, output_gradients=dys)
        except LookupError:  # no gradient is registered
            return []
        return [None if g is None else tf.convert_to_tensor(g).numpy() for g in found]


def check_gradients(row, types):
    """Asserts that the gradients through a row's op are those of the CPU."""
    definition = definition_of(row.name)
    for case in row.chosen(types):
        arrays = inputs_of(row, definition, types, case)
        if any(isinstance(a, np.ndarray) and a.dtype.kind == "f" and not np.all(np.isfinite(a)) for a in arrays):
            continue
        want = gradients(row, definition, arrays, types, case.attributes, "/CPU:0")
        got = gradients(row, definition, arrays, types, case.attributes, f"/{DEVICE}:0")
        for i, (g, w) in enumerate(zip(got, want, strict=True)):
            assert (g is None) == (w is None)
            if g is None:
                continue
            off = difference(g, w, 10 * tolerance_of(row, g) or TOLERANCE[g.dtype.name])
            assert off <= 1, (f"{row.name} {[getattr(x, 'shape', x) for x in case.inputs]} {case.attributes}: gradient {i} "
                              f"is {off:.3g} tolerances off\ngot  {g.ravel()[:8]}\nwant {w.ravel()[:8]}")
