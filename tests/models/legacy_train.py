"""Trains nets of Keras 2 (package tf_keras, which TF_USE_LEGACY_KERAS=1 makes TensorFlow's Keras) as train.py does those of
Keras 3, with the same arguments: the child process of test_legacy_keras.py.

`how` is train_on_batch, fit, jit (fit with jit_compile=True, which Keras 2 does not ask for by itself) or fp64 (fit in
float64). All ways of a net begin with the weights of the first.
"""

import json
import pathlib
import sys

import tensorflow as tf

import nets
from children import begin, bits, place

keras = tf.keras
layers = keras.layers


def cnn():
    return keras.Sequential([layers.Input((28, 28, 1)), layers.Conv2D(16, 3, padding="same", use_bias=False),
                             layers.BatchNormalization(), layers.ReLU(), layers.MaxPooling2D(),
                             layers.Conv2D(24, 3, activation="relu"), layers.MaxPooling2D(), layers.Flatten(),
                             layers.Dense(10)])


def lstm():
    return keras.Sequential([layers.Input((nets.weather.DAYS, 4)), layers.LSTM(24, return_sequences=True), layers.LSTM(16),
                             layers.Dense(1)])


def compiled(net, how):
    """The model ready to train, its data and its batch. A gentle rate for max pooling and ReLU: nets.gentle_adam says why."""
    build, data, batch, rate, loss = {
        "cnn": (cnn, nets.clothes, 32, 1e-4, keras.losses.SparseCategoricalCrossentropy(from_logits=True)),
        "lstm": (lstm, nets.days, 16, 1e-3, keras.losses.MeanSquaredError()),
    }[net]
    keras.utils.set_random_seed(7)
    model = build()
    model.compile(keras.optimizers.Adam(rate), loss, **({"jit_compile": True} if how == "jit" else {}))
    return model, data, batch


def losses(model, how, x, y, batch, steps):
    if how == "train_on_batch":
        return [float(model.train_on_batch(x[i:i + batch], y[i:i + batch], reset_metrics=True))
                for i in range(0, steps * batch, batch)]
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(batch).repeat()  # an epoch is a step, whose loss fit tells
    return model.fit(data, epochs=steps, steps_per_epoch=1, shuffle=False, verbose=0).history["loss"]


def job(net, how, dropout, request, folder):
    keras.backend.set_floatx("float64" if how == "fp64" else "float32")
    model, data, batch = compiled(net, how)
    x, y = data(batch * request["steps"])
    start = pathlib.Path(request["weights"] or folder) / f"{net}.npz"
    begin(model, start, saved=start.exists())
    x = x.astype(keras.backend.floatx())
    told = losses(model, how, x, y, batch, request["steps"])
    return {"net": net, "how": how, "dropout": dropout, "losses": told, "bits": bits(model)}


def main():
    folder, request = pathlib.Path(sys.argv[1]), json.loads(sys.argv[2])
    assert keras.__name__.startswith("tf_keras"), f"{keras.__name__} is not Keras 2"
    folder.mkdir(parents=True, exist_ok=True)
    report = {"device": place(), "jobs": [job(*one, request, folder) for one in request["jobs"]]}
    (folder / "report.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main()
