"""A training loop of one's own: sharpness-aware minimisation, which fit() does not have, on Fashion-MNIST.

TensorFlow and Keras only: where the plug-in is installed it trains on the OpenCL device, elsewhere on the CPU.

  python examples/own_loop.py [--epochs 3] [--images 20000] [--seed 1]

Each step looks at the gradient twice: at the weights, and where the loss near them is worst (Foret et al. 2020,
"Sharpness-Aware Minimization for Efficiently Improving Generalization"); the second one moves the weights.
"""

import argparse
import os

import keras
import tensorflow as tf
from fashion_mnist import load

RADIUS, BATCH = 0.05, 128


def build():
    layers = keras.layers
    return keras.Sequential([
        keras.Input((28, 28, 1)),
        layers.Conv2D(32, 3, strides=2, padding="same", activation="silu"),
        layers.Conv2D(64, 3, strides=2, padding="same", activation="silu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(128, activation="silu"),
        layers.Dense(10),
    ])


class SharpnessAware:
    """step(x, y) trains `model`; loss and accuracy since reset() are in the two metrics."""

    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.loss, self.accuracy = keras.metrics.Mean(), keras.metrics.SparseCategoricalAccuracy()
        optimizer.build(model.trainable_variables)

    def gradients(self, x, y):
        with tf.GradientTape() as tape:
            logits = self.model(x, training=True)
            loss = self.loss_of(y, logits)
        return tape.gradient(loss, self.model.trainable_variables), loss, logits

    @tf.function
    def step(self, x, y):
        weights = self.model.trainable_variables
        gradients, loss, logits = self.gradients(x, y)
        scale = RADIUS / (tf.linalg.global_norm(gradients) + 1e-12)
        for weight, gradient in zip(weights, gradients):
            weight.assign_add(scale * gradient)
        sharp, _, _ = self.gradients(x, y)
        for weight, gradient in zip(weights, gradients):
            weight.assign_sub(scale * gradient)
        self.optimizer.apply(sharp)
        self.loss.update_state(loss)
        self.accuracy.update_state(y, logits)

    def reset(self):
        self.loss.reset_state()
        self.accuracy.reset_state()


def main():
    short = bool(os.environ.get("EXAMPLES_SHORT"))  # the tests' form: seconds, not minutes
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--epochs", type=int, default=1 if short else 3)
    arguments.add_argument("--images", type=int, default=1280 if short else 20000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    keras.utils.set_random_seed(options.seed)

    images = tf.data.Dataset.from_tensor_slices(load("train", options.images))
    images = images.shuffle(options.images, seed=options.seed).batch(BATCH, drop_remainder=True).prefetch(2)
    x, y = load("t10k", 1000 if short else 10000)
    model = build()
    trainer = SharpnessAware(model, keras.optimizers.Adam(2e-3))
    for epoch in range(options.epochs):
        trainer.reset()
        for batch in images:
            trainer.step(*batch)
        print(f"epoch {epoch + 1}: loss {trainer.loss.result():.4f}, accuracy {trainer.accuracy.result():.4f}")
    accuracy = (model.predict(x, batch_size=500, verbose=0).argmax(axis=1) == y).mean()
    print(f"test accuracy {accuracy:.4f}")


if __name__ == "__main__":
    main()
