"""A convolutional net on Fashion-MNIST (70,000 photographs of clothes, Debian's package dataset-fashion-mnist).

Plain Keras: where the plug-in is installed it trains on the OpenCL device, elsewhere on the CPU.

  python examples/fashion_mnist.py [--epochs 5] [--images 60000] [--seed 1] [--data FOLDER] [--output FOLDER]

With --output the folder receives the model, the figures of the run (run.json) and two pictures.
"""

import argparse
import gzip
import json
import os
import pathlib
import time

import keras
import numpy as np

NAMES = ["T-shirt", "trousers", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "boot"]


def load(part, count, folder="/usr/share/datasets/fashion-mnist"):
    """(images in [0, 1] as N x 28 x 28 x 1, labels), the first `count`."""
    images = gzip.decompress((pathlib.Path(folder) / f"{part}-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((pathlib.Path(folder) / f"{part}-labels-idx1-ubyte.gz").read_bytes())
    x = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 28, 28, 1)[:count]
    return x.astype("float32") / 255, np.frombuffer(labels, np.uint8, offset=8)[:count].astype("int32")


def build():
    layers = keras.layers
    return keras.Sequential([
        keras.Input((28, 28, 1)),
        layers.Conv2D(32, 3, padding="same", use_bias=False),
        layers.BatchNormalization(),
        layers.ReLU(),
        layers.MaxPooling2D(),
        layers.Dropout(0.1),
        layers.Conv2D(64, 3, padding="same", use_bias=False),
        layers.BatchNormalization(),
        layers.ReLU(),
        layers.MaxPooling2D(),
        layers.Dropout(0.2),
        layers.Flatten(),
        layers.Dense(128, activation="relu"),
        layers.Dropout(0.3),
        layers.Dense(10),
    ])


class StepTime(keras.callbacks.Callback):
    """Milliseconds of a training step, an average for each epoch. The first epoch also traces and builds kernels."""

    def __init__(self):
        super().__init__()
        self.epochs = []

    def on_epoch_begin(self, epoch, logs=None):
        self.start = time.perf_counter()

    def on_train_batch_end(self, batch, logs=None):
        self.milliseconds = 1e3 * (time.perf_counter() - self.start) / (batch + 1)

    def on_epoch_end(self, epoch, logs=None):
        self.epochs.append(self.milliseconds)

    def typical(self):
        return float(np.median(self.epochs[1:] or self.epochs))


def train(x, y, test, epochs):
    model = build()
    steps = epochs * -(-len(x) // 128)
    model.compile(optimizer=keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(2e-3, steps)),
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    step = StepTime()
    history = model.fit(x, y, batch_size=128, epochs=epochs, validation_data=test, callbacks=[step])
    return model, history.history, step.typical()


def draw(folder, model, history, x, y):
    try:
        from matplotlib import pyplot as plt
    except ImportError:
        return print("no pictures: matplotlib is not installed")
    plt.switch_backend("Agg")
    guesses = model.predict(x[:24], verbose=0).argmax(axis=1)
    figure, axes = plt.subplots(4, 6, figsize=(10, 7.5), layout="constrained")
    for axis, image, guess, truth in zip(axes.flat, x, guesses, y):
        axis.imshow(image[:, :, 0], cmap="gray_r")
        right = guess == truth
        axis.set_title(NAMES[guess] if right else f"{NAMES[guess]}, is {NAMES[truth]}", fontsize=9,
                       color="black" if right else "crimson")
        axis.axis("off")
    figure.savefig(folder / "predictions.png", dpi=110)
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    epochs = range(1, len(history["loss"]) + 1)
    axes.plot(epochs, history["loss"], "o-", label="training")
    axes.plot(epochs, history["val_loss"], "s-", label="test")
    axes.set(xlabel="epoch", ylabel="loss", xticks=list(epochs))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(folder / "loss.png", dpi=110)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    short = bool(os.environ.get("EXAMPLES_SHORT"))  # the tests' form: seconds, not minutes
    arguments.add_argument("--epochs", type=int, default=1 if short else 5)
    arguments.add_argument("--images", type=int, default=2560 if short else 60000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--data", help="folder of the four files, where they are not Debian's")
    arguments.add_argument("--output", type=pathlib.Path)
    options = arguments.parse_args()

    keras.utils.set_random_seed(options.seed)
    folder = [options.data] if options.data else []
    x, y = load("train", options.images, *folder)
    test = load("t10k", max(1000, options.images // 6), *folder)
    model, history, milliseconds = train(x, y, test, options.epochs)
    accuracy = history["val_accuracy"][-1]
    print(f"test accuracy {accuracy:.4f}, {milliseconds:.1f} ms a step")

    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
        model.save(options.output / "model.keras")
        run = {"accuracy": accuracy, "ms_a_step": milliseconds, "history": history}
        (options.output / "run.json").write_text(json.dumps(run))
        draw(options.output, model, history, *test)


if __name__ == "__main__":
    main()
