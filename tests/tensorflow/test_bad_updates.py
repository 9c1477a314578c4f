"""Updates of variables gone wrong at random, as test_bad_calls.py does it with ops that have no state: whatever shapes,
numbers and types variables and arguments have, an update is done or raises. Then the good update gives what it gave
before, and another variable on the device is what it was.
"""

import numpy as np
import tensorflow as tf
from harness import DEVICE
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from test_bad_calls import EXAMPLES, REFUSALS, damage
from test_optimizer_ops import DENSE, SCALARS, SPARSE
from variables_rows import ELSEWHERE, SCATTERS

ROWS, COLUMNS = 6, 5
INDICES = np.array([4, 1, 0])


def real(*shape, seed=0):
    return np.random.default_rng(seed).uniform(0.5, 1, shape).astype("float32")


def rule(states, inputs, sparse):
    """(variables, arguments) of an optimiser's op."""
    shape = (len(INDICES), COLUMNS) if sparse else (ROWS, COLUMNS)
    arguments = {name: real(*shape, seed=1) if name in ("grad", "delta")
                 else np.array(2) if name == "global_step" else np.float32(SCALARS[name]).reshape(()) for name in inputs.split()}
    return ({name: real(ROWS, COLUMNS, seed=i) for i, name in enumerate(states.split())},
            {**arguments, **({"indices": INDICES} if sparse else {})}, {})


def updates():
    """Op -> its variables, its other arguments, its attributes; all that are good together."""
    table = {"x": real(ROWS, COLUMNS)}
    for name, (states, inputs, _) in DENSE.items():
        yield f"ResourceApply{name}", *rule(states, inputs, False)
    for name, (states, inputs, _) in SPARSE.items():
        yield f"ResourceSparseApply{name}", *rule(states, inputs, True)
    for name in ("", "Add", "Sub"):
        yield f"Assign{name}VariableOp", {"resource": table["x"]}, {"value": real(ROWS, COLUMNS, seed=1)}, {}
    for name in SCATTERS:
        yield (f"ResourceScatter{name}", {"resource": table["x"]},
               {"indices": INDICES, "updates": real(len(INDICES), COLUMNS, seed=1)}, {})
    for name in ("Update", "Add", "Sub", "Min", "Max"):
        yield (f"ResourceScatterNd{name}", {"ref": table["x"]},
               {"indices": INDICES[:, None], "updates": real(len(INDICES), COLUMNS, seed=1)}, {})
    yield "ResourceGather", {"resource": table["x"]}, {"indices": INDICES}, {"dtype": tf.float32}
    yield "ResourceGatherNd", {"resource": table["x"]}, {"indices": INDICES[:, None]}, {"dtype": tf.float32}
    yield ("ResourceStridedSliceAssign", {"ref": table["x"]},
           {"begin": np.array([1, 0]), "end": np.array([5, 4]), "strides": np.array([2, 1]), "value": real(2, 4, seed=1)}, {})
    state, philox = {"resource": np.array([1, 2, 3])}, np.array(1)
    yield "RngSkip", state, {"algorithm": philox, "delta": np.array(3)}, {}
    yield "RngReadAndSkip", state, {"alg": np.array(1, "int32"), "delta": np.array(3, "uint64")}, {}
    for name in ("StatefulUniform", "StatefulStandardNormalV2", "StatefulTruncatedNormal"):
        yield name, state, {"algorithm": philox, "shape": np.array([3, 2])}, {"dtype": tf.float32}
    yield "StatefulUniformFullInt", state, {"algorithm": philox, "shape": np.array([3, 2])}, {"dtype": tf.uint32}
    yield ("StatefulUniformInt", state,
           {"algorithm": philox, "shape": np.array([3, 2]), "minval": np.array(-5), "maxval": np.array(9)}, {})


UPDATES = list(updates())


def test_every_op_on_variables_is_here():
    assert {op for op, *_ in UPDATES} == set(ELSEWHERE) - {"VarHandleOp"}  # which makes a variable


@st.composite
def damaged(draw):
    op, variables, arguments, attributes = draw(st.sampled_from(UPDATES))
    variables, arguments = dict(variables), dict(arguments)
    for _ in range(draw(st.integers(1, 2))):
        of = draw(st.sampled_from([variables, arguments, arguments]))
        name = draw(st.sampled_from(sorted(of)))
        of[name] = damage(draw, draw(st.sampled_from(["shape", "numbers", "type"])), of[name])
    # Those are TensorFlow's CPU's, which ends the process where a float is to be gathered from them.
    assume(not any(value.dtype in (np.int32, object) for value in variables.values()))
    return op, variables, arguments


def results(op, variables, arguments, attributes):
    """What the op returns, and what its variables hold then."""
    made = {name: tf.Variable(value) for name, value in variables.items()}
    returned = getattr(tf.raw_ops, op)(**{name: v.handle for name, v in made.items()}, **arguments, **attributes)
    return [y.numpy() for y in ([] if returned is None else [returned]) + list(made.values())]


@given(damaged())
@settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_a_bad_update_is_an_exception_and_no_end(example):
    op, variables, arguments = example
    _, *good = next(update for update in UPDATES if update[0] == op)
    with tf.device(f"/{DEVICE}:0"):
        bystander = tf.Variable(real(8, 8))
        before = results(op, *good)
        try:
            results(op, variables, arguments, good[2])
        except REFUSALS as refusal:
            assert str(refusal)
        after = results(op, *good)
        np.testing.assert_array_equal(bystander, real(8, 8))
    for x, y in zip(before, after, strict=True):
        assert x.tobytes() == y.tobytes(), f"{op} after a damaged update"
