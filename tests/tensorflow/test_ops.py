"""Every op the plug-in registers, in every registered type, against TensorFlow's CPU.

To add an op: a row in one of the *_rows.py files (elementwise_rows.py for the shortest ones). See harness.py for what a row
can say.
"""

import glob
import importlib
import os

import pytest
import tensorflow as tf
from harness import check, check_gradients, registered, type_name

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(HERE, "*_rows.py")))
ROWS = [row for module in MODULES for row in importlib.import_module(module).ROWS]

# Ops that need more than a row: their own tests stand in the files named.
ELSEWHERE = {}
for module in MODULES:
    ELSEWHERE.update(getattr(importlib.import_module(module), "ELSEWHERE", {}))

COMBINATIONS = [(row, types, host) for row in ROWS for types, host in registered().get(row.name, [])
                if not row.only or row.only(types)]


@pytest.mark.parametrize("row,types,host", COMBINATIONS, ids=[f"{r.name}-{type_name(t)}" for r, t, _ in COMBINATIONS])
def test_op(row, types, host):
    check(row, types, host)


DIFFERENTIABLE = [(r, t) for r, t, _ in COMBINATIONS if r.gradient and t and set(t.values()) == {tf.float32}]


@pytest.mark.parametrize("row,types", DIFFERENTIABLE, ids=[f"{r.name}-{type_name(t)}" for r, t in DIFFERENTIABLE])
def test_gradient(row, types):
    check_gradients(row, types)


def test_every_registered_op_has_a_row():
    rows = {row.name for row in ROWS} | set(ELSEWHERE)
    missing = sorted(set(registered()) - rows)
    assert not missing, f"registered, but not swept: {missing}"


def test_every_row_has_a_kernel():
    missing = sorted({row.name for row in ROWS} - set(registered()))
    assert not missing, f"swept, but not registered: {missing}"
