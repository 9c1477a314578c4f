"""Every optimiser of Keras on a net with an Embedding: losses beside TensorFlow's CPU, the same bits twice."""

import numpy as np
import pytest
import tensorflow as tf

import keras

OPTIMIZERS = {
    "sgd": lambda: keras.optimizers.SGD(0.1),
    "momentum": lambda: keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
    "adam": lambda: keras.optimizers.Adam(0.01),
    "amsgrad": lambda: keras.optimizers.Adam(0.01, amsgrad=True),
    "adamw": lambda: keras.optimizers.AdamW(0.01, weight_decay=0.01),
    "adamax": lambda: keras.optimizers.Adamax(0.01),
    "nadam": lambda: keras.optimizers.Nadam(0.01),
    "adagrad": lambda: keras.optimizers.Adagrad(0.1),
    "adadelta": lambda: keras.optimizers.Adadelta(1.0),
    "rmsprop": lambda: keras.optimizers.RMSprop(0.01, momentum=0.5),
    "ftrl": lambda: keras.optimizers.Ftrl(0.1, l1_regularization_strength=0.001),
    "lion": lambda: keras.optimizers.Lion(0.01),
    "lamb": lambda: keras.optimizers.Lamb(0.01),
    "adafactor": lambda: keras.optimizers.Adafactor(0.05),
    "muon": lambda: keras.optimizers.Muon(0.02),
    "schedule free": lambda: keras.optimizers.ScheduleFreeAdamW(0.01, warmup_steps=3),
    "clipped": lambda: keras.optimizers.Adam(0.01, global_clipnorm=0.5, use_ema=True, ema_momentum=0.9),
    "accumulated": lambda: keras.optimizers.SGD(0.1, gradient_accumulation_steps=2),
}


def losses(device, optimizer):
    with tf.device(device):
        keras.utils.set_random_seed(3)
        rng = np.random.default_rng(0)
        x, y = rng.integers(0, 30, (64, 6)), rng.integers(0, 4, 64)
        model = keras.Sequential(
            [keras.layers.Embedding(30, 8), keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(4)]
        )
        model.compile(
            OPTIMIZERS[optimizer](), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False
        )
        return np.array([model.train_on_batch(x, y) for _ in range(8)], "f8")


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_optimizer(optimizer):
    got = losses("/OPENCL:0", optimizer)
    np.testing.assert_allclose(got, losses("/CPU:0", optimizer), rtol=2e-5, atol=2e-6)
    assert got[-1] < got[0]
    np.testing.assert_array_equal(got, losses("/OPENCL:0", optimizer))
