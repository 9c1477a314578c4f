"""A residual net in mixed precision on Fashion-MNIST: float16 arithmetic, float32 weights, a loss that is scaled.

Plain Keras: where the plug-in is installed it trains on the OpenCL device, elsewhere on the CPU.

  python examples/mixed_precision.py [--policy mixed_float16] [--epochs 3] [--images 20000] [--seed 1]

--policy takes float32, mixed_float16 and mixed_bfloat16.
"""

import argparse
import os

import keras
from fashion_mnist import load


def block(x, channels, stride):
    layers = keras.layers
    y = layers.Conv2D(channels, 3, strides=stride, padding="same", use_bias=False)(x)
    y = layers.ReLU()(layers.BatchNormalization()(y))
    y = layers.BatchNormalization()(layers.Conv2D(channels, 3, padding="same", use_bias=False)(y))
    if stride > 1:
        x = layers.Conv2D(channels, 1, strides=stride, use_bias=False)(x)
    return layers.ReLU()(layers.Add()([x, y]))


def build():
    layers = keras.layers
    image = keras.Input((28, 28, 1))
    x = layers.Conv2D(16, 3, padding="same")(image)
    for channels, stride in ((16, 1), (32, 2), (64, 2)):
        x = block(x, channels, stride)
    # The last layer in float32: a softmax of float16 logits has three digits.
    return keras.Model(image, layers.Dense(10, dtype="float32")(layers.GlobalAveragePooling2D()(x)))


def main():
    short = bool(os.environ.get("EXAMPLES_SHORT"))  # the tests' form: seconds, not minutes
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--policy", default="mixed_float16", choices=["float32", "mixed_float16", "mixed_bfloat16"])
    arguments.add_argument("--epochs", type=int, default=1 if short else 3)
    arguments.add_argument("--images", type=int, default=1280 if short else 20000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    keras.utils.set_random_seed(options.seed)
    keras.mixed_precision.set_global_policy(options.policy)

    x, y = load("train", options.images)
    test = load("t10k", 1000 if short else 10000)
    model = build()
    model.compile(optimizer=keras.optimizers.Adam(2e-3),  # compile() adds the scaling of the loss where float16 needs it
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(x, y, batch_size=128, epochs=options.epochs)
    loss, accuracy = model.evaluate(*test, batch_size=500, verbose=0)
    scale = getattr(model.optimizer, "dynamic_scale", None)
    print(f"{options.policy}: loss scale {float(scale):.0f}" if scale is not None else f"{options.policy}: loss not scaled")
    print(f"test loss {loss:.4f}, test accuracy {accuracy:.4f}")


if __name__ == "__main__":
    main()
