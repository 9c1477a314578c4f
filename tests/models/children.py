"""What train.py and legacy_train.py share. It imports no Keras: each of them has its own."""

import hashlib

import numpy as np
import tensorflow as tf


def place():
    """The device that a variable lands on, and the platform it belongs to."""
    kind = tf.Variable(tf.zeros(3)).device.split(":")[-2].split("/")[-1]
    if kind == "CPU":
        return {"kind": kind, "name": "TensorFlow"}
    import tensorflow_ocldnn

    return {"kind": kind, "name": tensorflow_ocldnn.devices()[0]["platform"]}


def begin(model, file, saved):
    """The model takes the weights that are saved in the file, or else saves its own there."""
    if saved:
        with np.load(file) as weights:
            model.set_weights([weights[key] for key in weights.files])
    else:
        np.savez(file, *model.get_weights())


def bits(model):
    """A digest of the weights."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(w).tobytes() for w in model.get_weights())).hexdigest()
