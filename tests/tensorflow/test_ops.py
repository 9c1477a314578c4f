"""Every op the plug-in registers, in every registered type, against TensorFlow's CPU.

To add an op: a row in one of the *_rows.py files (elementwise_rows.py for the shortest ones). See harness.py for what a row
can say.
"""

import glob
import importlib
import os
import zlib

import pytest
import tensorflow as tf
from harness import FULL, check, check_gradients, definition_of, is_main, registered, type_name

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(HERE, "*_rows.py")))
ROWS = [row for module in MODULES for row in importlib.import_module(module).ROWS]

# Ops that need more than a row: their own tests stand in the files named.
ELSEWHERE = {}
for module in MODULES:
    ELSEWHERE.update(getattr(importlib.import_module(module), "ELSEWHERE", {}))


def combinations(row):
    """All registered combinations of types; without OCLDNN_TEST_FULL=1 (make test-all) those of float32, int32 and bool and
    two others, not the same two for every op."""
    found = [(row, types, host) for types, host in registered().get(row.name, [])
             if tf.variant not in types.values() and (not row.only or row.only(types))]  # lists: test_variants.py
    if FULL:
        return found
    others = [each for each in found if not is_main(each[1])]
    start = zlib.crc32(row.name.encode())
    sample = [others[(start + i * 5) % len(others)] for i in range(min(2, len(others)))]
    return [each for each in found if is_main(each[1]) or any(each is other for other in sample)]


COMBINATIONS = [each for row in ROWS for each in combinations(row)]


@pytest.mark.parametrize("row,types,host", COMBINATIONS, ids=[f"{r.name}-{type_name(t)}" for r, t, _ in COMBINATIONS])
def test_op(row, types, host):
    check(row, types, host)


DIFFERENTIABLE = [(r, t) for r, t, _ in COMBINATIONS if r.gradient and t and set(t.values()) == {tf.float32}]


@pytest.mark.parametrize("row,types", DIFFERENTIABLE, ids=[f"{r.name}-{type_name(t)}" for r, t in DIFFERENTIABLE])
def test_gradient(row, types):
    check_gradients(row, types)


def test_every_registered_op_has_a_row():
    rows = {row.name for row in ROWS} | set(ELSEWHERE)
    for file in set(ELSEWHERE.values()):
        assert os.path.exists(os.path.join(HERE, file)), file
    missing = sorted(set(registered()) - rows)
    assert not missing, f"registered, but not swept: {missing}"


def test_every_row_has_a_kernel():
    missing = sorted({row.name for row in ROWS} - set(registered()))
    for name in missing:
        definition_of(name)
    assert not missing, f"swept, but not registered: {missing}"


def test_every_registered_type_is_swept():
    rows = {}
    for row in ROWS:
        rows.setdefault(row.name, []).append(row)
    missing = [f"{op} {type_name(types)}" for op in rows for types, _ in registered().get(op, [])
               if tf.variant not in types.values() and not any(not row.only or row.only(types) for row in rows[op])]
    assert not missing, f"registered, but in no row: {missing}"


def test_two_hundred_ops_launch_kernels():
    """test_op sees a launch for every row of these, in all their types."""
    launching = {row.name for row, _, host in COMBINATIONS
                 if row.launches and {a.name for a in definition_of(row.name).output_arg} - host}
    assert len(launching) >= 200, sorted(launching)
