"""Random ops with a state: the sequence of calls is TensorFlow's CPU's; and Keras's layers and initialisers on top."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from harness import DEVICE, registered

SEEDS = {"seed": 5, "seed2": 7}
REALS = ["float32", "float16", "bfloat16", "float64"]


def types_of(op, attribute):
    return [types[attribute].name for types, _ in registered().get(op, [])]


def three_calls(op, device, **arguments):
    """The results of three runs of one node: its state moves on between them."""
    with tf.device(device):
        function = tf.function(lambda: op(**arguments, **SEEDS))
        return [function().numpy() for _ in range(3)]


def same(got, want, ulps):
    assert got.shape == want.shape and got.dtype == want.dtype
    if not ulps:
        return got.tobytes() == want.tobytes()
    off = np.abs(got.astype(np.float64) - want.astype(np.float64))
    digits = {"float32": 23, "float16": 10, "bfloat16": 7, "float64": 52}[got.dtype.name]
    unit = np.exp2(np.floor(np.log2(np.maximum(np.abs(want.astype(np.float64)), 1e-30))) - digits)
    return np.all(off <= ulps * unit)


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("name, ulps", [("RandomUniform", 0), ("RandomStandardNormal", 2), ("TruncatedNormal", 2)])
def test_reals(name, ulps, dtype):
    if dtype not in types_of(name, "dtype"):
        pytest.skip("the device has no double")
    if dtype == "float64" and ulps:
        ulps = 8  # the driver's own logarithm, sine and cosine of doubles
    arguments = {"shape": [3, 341], "dtype": dtype}
    op = getattr(tf.raw_ops, name)
    got, want = three_calls(op, f"/{DEVICE}:0", **arguments), three_calls(op, "/CPU:0", **arguments)
    assert all(same(g, w, ulps) for g, w in zip(got, want))
    assert not np.array_equal(got[0], got[1])


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers(dtype):
    arguments = {"shape": [1001], "minval": tf.constant(-3, dtype), "maxval": tf.constant(1000, dtype)}
    op = tf.raw_ops.RandomUniformInt
    got, want = three_calls(op, f"/{DEVICE}:0", **arguments), three_calls(op, "/CPU:0", **arguments)
    assert all(same(g, w, 0) for g, w in zip(got, want))


@pytest.mark.parametrize("dtype", types_of("RandomShuffle", "T"))
@pytest.mark.parametrize("shape", [(33,), (20, 3), (1, 4)])
def test_shuffle(shape, dtype):
    value = tf.cast(np.arange(np.prod(shape)).reshape(shape), dtype).numpy()
    op = tf.raw_ops.RandomShuffle
    got, want = three_calls(op, f"/{DEVICE}:0", value=value), three_calls(op, "/CPU:0", value=value)
    assert all(np.array_equal(g, w) for g, w in zip(got, want))


def test_unseeded_nodes_differ():
    with tf.device(f"/{DEVICE}:0"):
        draws = [tf.raw_ops.RandomUniform(shape=[64], dtype=tf.float32, seed=0, seed2=0).numpy() for _ in range(2)]
        assert not np.array_equal(*draws)


def test_an_empty_range_is_refused():
    with tf.device(f"/{DEVICE}:0"), pytest.raises(tf.errors.InvalidArgumentError, match="Need minval < maxval"):
        tf.raw_ops.RandomUniformInt(shape=[2], minval=5, maxval=5, seed=1, seed2=2)


def on(device, make):
    with tf.device(device):
        return [np.asarray(x) for x in make()]


def test_dropout_drops_what_the_cpu_drops():
    def make():
        layer = keras.layers.Dropout(0.4, seed=3)
        x = tf.ones([50, 40])
        return [layer(x, training=True), layer(x, training=True)]

    got, want = on(f"/{DEVICE}:0", make), on("/CPU:0", make)
    assert all(np.array_equal(g, w) for g, w in zip(got, want))
    assert not np.array_equal(*got)


@pytest.mark.parametrize("name", ["GlorotUniform", "HeUniform", "HeNormal", "TruncatedNormal", "RandomNormal", "RandomUniform"])
def test_initialisers(name):
    make = lambda: [getattr(keras.initializers, name)(seed=4)((30, 20))]
    np.testing.assert_allclose(on(f"/{DEVICE}:0", make)[0], on("/CPU:0", make)[0], rtol=5e-7)
