"""Rows of the random ops. Integers and uniform numbers are TensorFlow's CPU's bit for bit, normal ones within 2 ulp."""

import numpy as np
import tensorflow as tf
from harness import Case, Op

SHAPES = [np.array(s, "int32") for s in ([7], [3, 1001], [], [0])]
KEY, COUNTER, PHILOX = np.array([0x123456789ABCDEF], "uint64"), np.array([2**64 - 3, 5], "uint64"), np.array(1, "int32")


def exact(name, cases, **options):
    return Op(name, cases, gradient=False, widen=False, tolerance=0.01, **options)


def near(name, cases, **options):
    return Op(name, cases, gradient=False, widen=False, tolerance=options.pop("tolerance", 0.25), **options)


def seeded(seed_type):
    return [Case(s, np.array([3, -9], seed_type)) for s in SHAPES]


def has(attribute, dtype):
    return lambda types: types[attribute] == tf.dtypes.as_dtype(dtype)


SECOND = [Case(s, KEY, COUNTER, PHILOX) for s in SHAPES]

REALS = [
    exact("StatelessRandomUniform", seeded("int32")),
    near("StatelessRandomNormal", seeded("int32")),
    near("StatelessTruncatedNormal", seeded("int64")),
    exact("StatelessRandomUniformFullInt", seeded("int64")),
    exact("StatelessRandomUniformV2", SECOND),
    near("StatelessRandomNormalV2", SECOND),
    near("StatelessTruncatedNormalV2", SECOND),
    exact("StatelessRandomUniformFullIntV2", SECOND),
]


def bounded(name, dtype, *state):
    low, high = np.array(3 if dtype[0] == "u" else -3, dtype), np.array(2_000_000_011, dtype)
    return exact(name, [Case(s, *state, low, high) for s in SHAPES], only=has("dtype", dtype),
                 reference=remainders if dtype[0] == "u" else None)


def remainders(tensors, attributes):
    """The CPU has no kernel for unsigned numbers in a range, but one for all their bits."""
    shape, key, counter, alg, low, high = tensors
    bits = tf.raw_ops.StatelessRandomUniformFullIntV2(shape=shape, key=key, counter=counter, alg=alg, dtype=low.dtype).numpy()
    return [tf.constant(low.numpy() + bits % (high.numpy() - low.numpy()))]


INTEGERS = [
    *[bounded("StatelessRandomUniformInt", d, np.array([3, -9], "int64")) for d in ("int32", "int64")],
    *[bounded("StatelessRandomUniformIntV2", d, KEY, COUNTER, PHILOX) for d in ("int32", "int64", "uint32", "uint64")],
]

SEEDS = [
    *[exact(name, [Case(np.array([3, -9], d))], only=has("Tseed", d))
      for name in ("StatelessRandomGetKeyCounter", "StatelessRandomGetKeyCounterAlg") for d in ("int32", "int64")],
    exact("StatelessRandomGetAlg", [Case()]),
]

ROWS = [*REALS, *INTEGERS, *SEEDS]

# They change from call to call, as they should.
ELSEWHERE = {name: "test_random.py" for name in
             ("RandomUniform", "RandomStandardNormal", "TruncatedNormal", "RandomUniformInt", "RandomShuffle")}
