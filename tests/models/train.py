"""Trains nets for a few steps and writes down what happened: the child process of compare.py.

  train.py FOLDER JSON   with JSON = {"type": "float32", "jobs": [[net, how, dropout], ...], "steps": 20,
                                      "weights": FOLDER or null, "load": FOLDER or null,
                                      "save": "fit" or null}   (which way's models are saved; fit unless said)

`how` is fit, train_on_batch or eager. Whether it runs on a device or on the CPU is the environment's choice, made before
TensorFlow starts. Writes to FOLDER report.json, each net's weights before the first step and, of jobs trained the way
`save`, the model as .keras and as SavedModel, and its answers.
"""

import json
import pathlib
import sys
import time

import keras
import numpy as np
import tensorflow as tf

import layer_nets
import nets
import sequence_nets
import training_nets
from children import begin, bits, place

NETS = nets.NETS | layer_nets.NETS | sequence_nets.NETS | training_nets.NETS


def make(net, dropout, on_device):
    keras.utils.set_random_seed(7)
    keras.config.set_dtype_policy(net.policy if net.policy and keras.config.floatx() == "float32" else keras.config.floatx())
    model = net.build() if on_device or not net.reference else net.reference()
    for layer in model.layers:
        if isinstance(layer, keras.layers.Dropout) and not dropout:
            layer.rate = 0.0
    return model


def losses(model, how, x, y, batch, steps):
    """The loss of each step. One call an epoch: then fit tells each batch's loss and no running mean."""
    if how == "fit":
        data = tf.data.Dataset.from_tensor_slices((x, y)).batch(batch).repeat()
        together = model.steps_per_execution
        history = model.fit(data, epochs=steps, steps_per_epoch=together, shuffle=False, verbose=0)
        return [float(loss) for loss in history.history["loss"]]
    out = []
    for step in range(steps):
        model.reset_metrics()
        rows = slice(step * batch, (step + 1) * batch)
        out.append(float(model.train_on_batch(x[rows], y[rows])))
    return out


def job(name, how, dropout, request, folder):
    net = NETS[name]
    on_device = place()["kind"] != "CPU"
    model = make(net, dropout, on_device)
    x, y = net.data(net.batch * request["steps"])
    if keras.config.floatx() == "float64" and x.dtype == np.float32:
        x = x.astype("float64")
    begin(model, pathlib.Path(request["weights"] or folder) / f"{name}.npz", saved=request["weights"])
    settings = dict(net.compile)
    if not on_device:
        settings["jit_compile"] = False  # the reference need not wait for a compiler
    model.compile(optimizer=net.optimizer(), loss=net.loss(), run_eagerly=how == "eager", **settings)
    calls = request["steps"] // settings.get("steps_per_execution", 1)
    start = time.monotonic()
    result = {"net": name, "how": how, "dropout": dropout, "losses": losses(model, how, x, y, net.batch, calls)}
    result["seconds"] = time.monotonic() - start
    result["bits"] = bits(model)
    if how == request["save"] and not dropout and keras.config.floatx() == "float32":
        result["reload"] = save_and_load(model, name, x[:net.batch], folder)
    return result


def save_and_load(model, name, x, folder):
    """Largest difference between the model's answers and those of its .keras and SavedModel forms, loaded again."""
    answers = model.predict_on_batch(x)
    np.savez(folder / f"{name}-answers.npz", x=x, answers=answers)
    model.save(folder / f"{name}.keras")
    model.export(folder / f"{name}-saved", verbose=False)
    return compare(name, folder)


def compare(name, folder):
    with np.load(folder / f"{name}-answers.npz") as kept:
        x, answers = kept["x"], kept["answers"]
    keras_form = keras.models.load_model(folder / f"{name}.keras").predict_on_batch(x)
    saved = tf.saved_model.load(str(folder / f"{name}-saved"))
    saved_form = saved.serve(x).numpy()
    return [float(np.abs(form - answers).max()) for form in (keras_form, saved_form)]


def main():
    folder, request = pathlib.Path(sys.argv[1]), {"save": "fit", **json.loads(sys.argv[2])}
    folder.mkdir(parents=True, exist_ok=True)
    keras.config.set_floatx(request["type"])
    report = {"device": place(), "jobs": [job(*one, request, folder) for one in request["jobs"]]}
    if request["load"]:  # models saved by another process, perhaps on another device
        saved = pathlib.Path(request["load"])
        report["loaded"] = {file.stem: compare(file.stem, saved) for file in saved.glob("*.keras")}
    (folder / "report.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main()
