"""Calls gone wrong at random: whatever shapes, numbers, types and attributes an op is given, it answers or raises.

Each example takes a good call from the sweep's rows, damages it, runs it on the device, and then the good call, whose
result must be what it was before. Whether a damaged call is refused is not asked: it may happen to be right.
"""

import os

import numpy as np
import tensorflow as tf
from harness import DEVICE, call, definition_of, inputs_of, is_main, registered
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_ops import ROWS

EXAMPLES = 2000 if os.environ.get("OCLDNN_TEST_FULL") == "1" else 150
SIZES = [0, 1, 2, 3, 5]
WORDS = ["SAME", "VALID", "EXPLICIT", "NHWC", "NCHW", "NDHWC", "", "nonsense"]
REFUSALS = (tf.errors.OpError, ValueError, TypeError, OverflowError, NotImplementedError)
TYPES = [tf.float32, tf.float16, tf.int32, tf.int64, tf.bool, tf.string, tf.complex64]


def good_calls():
    for row in ROWS:
        for types, _ in registered().get(row.name, []):
            if types and is_main(types) and (not row.only or row.only(types)):
                yield row, types
                break


CALLS = list(good_calls())


@st.composite
def damaged(draw):
    """(row, types, case, the damage): new inputs by position, new attributes by name."""
    row, types = draw(st.sampled_from(CALLS))
    case = draw(st.sampled_from(row.cases))
    arrays = inputs_of(row, definition_of(row.name), types, case)
    for _ in range(draw(st.integers(1, 2))):
        kind = draw(st.sampled_from(["shape", "numbers", "type", "attribute"]))
        if kind == "attribute" and case.attributes:
            name = draw(st.sampled_from(sorted(case.attributes)))
            old = case.attributes[name]
            new = (draw(st.lists(st.integers(-2, 4), max_size=6)) if isinstance(old, (list, tuple))
                   else draw(st.sampled_from(WORDS)) if isinstance(old, str)
                   else draw(st.integers(-3, 5)))
            case = type(case)(*case.inputs, **{**case.attributes, name: new})
        elif arrays:
            at = draw(st.integers(0, len(arrays) - 1))
            arrays[at] = damage(draw, kind, arrays[at])
    return row, types, case, arrays


def damage(draw, kind, x):
    if isinstance(x, list):
        if x and draw(st.booleans()):
            return [damage(draw, kind, x[0]), *x[1:]]
        return x[: draw(st.integers(0, len(x)))]
    if kind == "type":
        return np.array(tf.zeros(x.shape, draw(st.sampled_from(TYPES))).numpy())  # one string is no array by itself
    if kind == "numbers" and x.dtype.kind in "iu":
        low = 0 if x.dtype.kind == "u" else -3
        return np.array([draw(st.integers(low, 6)) for _ in range(x.size)], x.dtype).reshape(x.shape)
    shape = draw(st.lists(st.sampled_from(SIZES), max_size=5))
    return np.resize(x, shape) if x.size else np.zeros(shape, x.dtype)


def results(row, types, arrays, attributes):
    return [y.numpy() for y in call(row, definition_of(row.name), arrays, types, attributes)]


@given(damaged())
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_a_bad_call_is_an_exception_and_no_end(example):
    row, types, case, arrays = example
    good = row.cases[0]
    definition = definition_of(row.name)
    with tf.device(f"/{DEVICE}:0"):
        before = results(row, types, inputs_of(row, definition, types, good), good.attributes)
        try:
            results(row, types, arrays, case.attributes)
        except REFUSALS as refusal:
            assert str(refusal)
        after = results(row, types, inputs_of(row, definition, types, good), good.attributes)
    for x, y in zip(before, after, strict=True):
        assert x.tobytes() == y.tobytes(), f"{row.name} after a damaged call"
