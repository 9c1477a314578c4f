"""A model goes on where it stopped, wherever that was: from the CPU to the OpenCL device and back, in one .keras file.

Plain Keras: where the plug-in is installed it trains on the OpenCL device, elsewhere on the CPU.

  OCLDNN_DISABLE=1 python examples/carry_over.py net.keras        # on the CPU
  python examples/carry_over.py net.keras                         # on the device, from there
  OCLDNN_DISABLE=1 python examples/carry_over.py net.keras        # and back

Each call loads the file (or begins, if there is none), tells what the net makes of the test images, trains it for an
epoch with the optimiser's state as it was left, and saves it.
"""

import argparse
import os
import pathlib

import keras
from fashion_mnist import load


def begin():
    layers = keras.layers
    model = keras.Sequential([keras.Input((28, 28, 1)), layers.Conv2D(16, 5, strides=2, activation="relu"),
                              layers.Conv2D(32, 3, strides=2), layers.BatchNormalization(), layers.ReLU(),
                              layers.Flatten(), layers.Dense(10)])
    model.compile(optimizer=keras.optimizers.AdamW(2e-3),
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    return model


def main():
    short = bool(os.environ.get("EXAMPLES_SHORT"))  # the tests' form: seconds, not minutes
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file", nargs="?", default="net.keras", type=pathlib.Path)
    arguments.add_argument("--images", type=int, default=1280 if short else 20000)
    options = arguments.parse_args()

    keras.utils.set_random_seed(1)
    model = keras.saving.load_model(options.file) if options.file.exists() else begin()
    x, y = load("train", options.images)
    test = load("t10k", 1000 if short else 10000)
    loss, accuracy = model.evaluate(*test, batch_size=500, verbose=0)
    print(f"after {int(model.optimizer.iterations)} steps: test loss {loss:.5f}, accuracy {accuracy:.4f}")
    model.fit(x, y, batch_size=128)
    loss, accuracy = model.evaluate(*test, batch_size=500, verbose=0)
    print(f"after {int(model.optimizer.iterations)} steps: test loss {loss:.5f}, test accuracy {accuracy:.4f}")
    model.save(options.file)


if __name__ == "__main__":
    main()
