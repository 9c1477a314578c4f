"""The nets that must train on a device as they do on the CPU: how each is built, its optimiser and its real data."""

import dataclasses
import importlib.util
import pathlib
from collections.abc import Callable

import keras
import numpy as np

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
layers = keras.layers


def example(name, **constants):
    """The module of an example, with some of its constants changed."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for key, value in constants.items():
        assert hasattr(module, key)
        setattr(module, key, value)
    return module


fashion = example("fashion_mnist")
text = example("char_transformer", CONTEXT=24, WIDTH=32, BATCH=8)
weather = example("series_lstm", DAYS=12)


def clothes(count):
    return fashion.load("train", count)


def days(count):
    series = weather.series()
    series = (series - series.mean(axis=0)) / series.std(axis=0)
    x = np.stack([series[i:i + weather.DAYS] for i in range(count)])
    return x, series[weather.DAYS:weather.DAYS + count, 1:2]


def letters(count):
    play = text.play("hamlet")[2000:12000]
    alphabet = sorted(set(play))
    numbers = np.array([alphabet.index(c) for c in play], "int32")
    return text.windows(numbers, count, np.random.default_rng(3))


def mlp():
    return keras.Sequential([keras.Input((28, 28, 1)), layers.Flatten(), layers.Dense(96, activation="relu"),
                             layers.Dropout(0.3), layers.Dense(48, activation="tanh"), layers.Dense(10)])


def residual():
    """Three residual blocks; the second and third halve the picture and widen it through a 1x1 shortcut.

    Smooth activations: with ReLU a value within rounding of zero now and then takes the other branch, and the error
    of any float32 run is then a matter of luck (measured on the CPU: 8e-3 in place of 1e-6).
    """
    pictures = keras.Input((28, 28, 1))
    x = layers.Conv2D(16, 3, padding="same", use_bias=False)(pictures)
    for width, stride in ((16, 1), (24, 2), (32, 2)):
        shortcut = x if stride == 1 else layers.Conv2D(width, 1, strides=stride, use_bias=False)(x)
        y = layers.Activation("silu")(layers.BatchNormalization()(x))
        y = layers.Conv2D(width, 3, strides=stride, padding="same", use_bias=False)(y)
        y = layers.Activation("silu")(layers.BatchNormalization()(y))
        y = layers.Conv2D(width, 3, padding="same", use_bias=False)(layers.Dropout(0.1)(y))
        x = layers.Add()([shortcut, y])
    x = layers.GlobalAveragePooling2D()(layers.Activation("silu")(layers.BatchNormalization()(x)))
    return keras.Model(pictures, layers.Dense(10)(x))


def recurrent(layer):
    return keras.Sequential([keras.Input((weather.DAYS, 4)), layer(24, return_sequences=True), layers.Dropout(0.2),
                             layer(16), layers.Dense(1)])


def classes():
    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def sgd():
    return keras.optimizers.SGD(0.01, momentum=0.9)


def adam():
    return keras.optimizers.Adam(1e-3)


def gentle_adam():
    """For the net with max pooling and ReLU: a value within rounding of the other choice makes another gradient, and a fast
    optimiser makes much of little. After 20 steps float32 on the CPU is 5e-4 off at Adam's 1e-3, 3e-2 with SGD at 0.01
    and momentum 0.9, and 4e-5 at this rate, where the device is 5e-6 off."""
    return keras.optimizers.Adam(1e-4)


@dataclasses.dataclass
class Net:
    build: Callable
    data: Callable  # of a count: x, y
    batch: int
    optimizer: Callable = sgd
    loss: Callable = classes
    how: str = "train_on_batch"  # or "fit", "eager": where nobody asks for another way
    compile: dict = dataclasses.field(default_factory=dict)  # further arguments of compile() on the device
    policy: str | None = None  # of mixed precision; float64 stays float64
    reference: Callable | None = None  # the net that stands for it on the CPU, where TensorFlow's lacks a kernel


NETS = {
    "mlp": Net(mlp, clothes, 32),
    "cnn": Net(fashion.build, clothes, 32, gentle_adam),
    "residual": Net(residual, clothes, 16),
    "lstm": Net(lambda: recurrent(layers.LSTM), days, 16, adam, keras.losses.MeanSquaredError),
    "gru": Net(lambda: recurrent(layers.GRU), days, 16, lambda: keras.optimizers.RMSprop(1e-3), keras.losses.MeanSquaredError),
    "transformer": Net(lambda: text.build(80), letters, 8, lambda: keras.optimizers.AdamW(1e-3, weight_decay=0.01)),
}
