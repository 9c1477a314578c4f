"""What the sweep takes for a right result."""

import numpy as np
import pytest
import tensorflow as tf
from harness import Values, difference

INF, NAN = np.inf, np.nan


@pytest.mark.parametrize("got, want, options, right", [
    (1e-7, 2e-7, {}, True), (1e-7, 2e-7, {"relative": True}, False), (1e-7, 1.0000001e-7, {"relative": True}, True),
    (0, 1e-45, {"relative": True}, True), (0, 1e-37, {"relative": True}, False), (100, 100.00001, {}, True), (100, 100.1, {}, False),
    (0.0, -0.0, {}, True), (0.0, -0.0, {"tolerance": 0}, False), (0, 1e-45, {"tolerance": 0}, False), (NAN, -NAN, {"tolerance": 0}, True),
    (NAN, 1, {}, False), (1, NAN, {}, False), (NAN, NAN, {}, True), (INF, INF, {}, True), (INF, -INF, {}, False), (0, INF, {}, False),
    (INF, 0, {}, False)])
def test_what_is_right(got, want, options, right):
    off = difference(np.array([1, got], "float32"), np.array([1, want], "float32"), **{"tolerance": 4e-6, **options})
    assert (off <= 1) == right


@pytest.mark.parametrize("got, want, right", [(6e-8, 0, True), (6.1e-5, 6.2e-5, False), (INF, 1e5, True), (65504, 1e5, False)])
def test_halves_are_rounded_and_their_subnormals_are_near(got, want, right):
    assert (difference(np.array([got], "float16"), np.array([want], "float32"), 2e-3, relative=True) <= 1) == right


def test_values_have_the_type_asked_for():
    values = Values([-1, -0.0, 3])
    assert values.of(tf.int8).tolist() == [-1, 0, 3] and values.of(tf.uint8).tolist() == [1, 0, 3]
    assert np.signbit(values.of(tf.bfloat16).astype("float32")).tolist() == [True, True, False]
