"""The first training of a program, for which every kernel has to be compiled, gives the bits of the second."""

import importlib.util

import pytest
from processes import run

# Keras 2: its fit() asks for no result before an epoch's end, so that the device falls behind while it compiles.
TRAIN = """
import numpy as np, tensorflow as tf, tf_keras as keras

assert "OPENCL" in tf.Variable([1.0]).device

rng = np.random.default_rng(0)
x = rng.standard_normal((32, 12, 4)).astype("float32")
y = x.sum((1, 2))[:, None]

def train():
    keras.utils.set_random_seed(3)
    net = keras.Sequential([keras.Input((12, 4)), keras.layers.LSTM(16, return_sequences=True), keras.layers.LSTM(8),
                            keras.layers.Dense(1)])
    net.compile(keras.optimizers.Adam(1e-3), "mse")
    losses = net.fit(x, y, batch_size=16, epochs=2, shuffle=False, verbose=0).history["loss"]
    return losses + net.get_weights()

for first, second in zip(train(), train()):
    np.testing.assert_array_equal(first, second)
"""


@pytest.mark.skipif(not importlib.util.find_spec("tf_keras"), reason="tf_keras is not installed")
def test_nothing_compiled_before(tmp_path):
    (tmp_path / "ours").mkdir(mode=0o700)
    ours = tmp_path / "ours"
    run(TRAIN, TF_USE_LEGACY_KERAS="1", OCLDNN_STRICT="1", OCLDNN_CACHE_DIR=str(ours), POCL_CACHE_DIR=str(tmp_path / "pocl"))
    assert any((ours / "programs").iterdir())
