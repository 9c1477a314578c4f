"""A convolutional autoencoder takes the noise out of photographs (those of the package scikit-image).

Plain Keras: where the plug-in is installed it trains on the OpenCL device, elsewhere on the CPU.

  python examples/denoise.py [--epochs 12] [--seed 1] [--output FOLDER]

It learns from patches of six photographs and is tried on a seventh. With --output the folder receives a picture.
"""

import argparse
import importlib.util
import os
import pathlib

import keras
import numpy as np

SIZE, NOISE = 32, 0.15
SEEN, UNSEEN = ["astronaut.png", "coffee.png", "rocket.jpg", "motorcycle_left.png", "ihc.png", "retina.jpg"], "chelsea.png"


def photograph(name):
    """[height, width, 3] in [0, 1], its sides cut to multiples of SIZE."""
    folder = importlib.util.find_spec("skimage").submodule_search_locations[0]
    image = keras.utils.img_to_array(keras.utils.load_img(pathlib.Path(folder) / "data" / name)) / 255
    height, width = (side // SIZE * SIZE for side in image.shape[:2])
    return image[:height, :width].astype("float32")


def patches(image, step=SIZE):
    """All squares of SIZE x SIZE that begin at multiples of `step`."""
    windows = np.lib.stride_tricks.sliding_window_view(image, (SIZE, SIZE), axis=(0, 1))[::step, ::step]
    return windows.transpose(0, 1, 3, 4, 2).reshape(-1, SIZE, SIZE, 3)


def build():
    """What the decoder adds to the noisy image: half and quarter resolution, and up again by transposed convolutions."""
    layers = keras.layers
    noisy = keras.Input((None, None, 3))
    full = layers.Conv2D(24, 3, padding="same", activation="relu")(noisy)
    half = layers.Conv2D(48, 3, strides=2, padding="same", activation="relu")(full)
    x = layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(half)
    x = layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    x = layers.Conv2DTranspose(48, 4, strides=2, padding="same", activation="relu")(x)
    x = layers.Conv2DTranspose(24, 4, strides=2, padding="same", activation="relu")(layers.Concatenate()([x, half]))
    x = layers.Conv2D(3, 3, padding="same", kernel_initializer="zeros")(layers.Concatenate()([x, full]))
    return keras.Model(noisy, layers.Add()([noisy, x]))


def decibels(image, exact):
    """Peak signal-to-noise ratio of images in [0, 1]."""
    return float(-10 * np.log10(np.mean((np.clip(image, 0, 1) - exact) ** 2)))


def draw(folder, noisy, cleaned, exact):
    import matplotlib.image

    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    side_by_side = np.clip(np.concatenate([noisy, cleaned, exact], axis=1), 0, 1)
    matplotlib.image.imsave(pathlib.Path(folder) / "denoised.png", side_by_side)


def main():
    short = bool(os.environ.get("EXAMPLES_SHORT"))  # the tests' form: seconds, not minutes
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--epochs", type=int, default=1 if short else 12)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--output", help="folder for the picture")
    options = arguments.parse_args()
    keras.utils.set_random_seed(options.seed)
    random = np.random.default_rng(options.seed)

    clean = np.concatenate([patches(photograph(name), 128 if short else 24) for name in SEEN])
    noisy = clean + random.normal(0, NOISE, clean.shape).astype("float32")
    model = build()
    model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="mse")
    model.fit(noisy, clean, batch_size=32, epochs=options.epochs)

    exact = photograph(UNSEEN)
    noisy = exact + random.normal(0, NOISE, exact.shape).astype("float32")
    cleaned = model.predict(noisy[None], verbose=0)[0]
    print(f"a photograph that it has not seen: {decibels(cleaned, exact):.2f} dB, noisy it was {decibels(noisy, exact):.2f} dB")
    if options.output:
        draw(options.output, noisy, cleaned, exact)


if __name__ == "__main__":
    main()
