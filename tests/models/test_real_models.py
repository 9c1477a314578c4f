"""Trained nets that others have published, on a photograph: their answers on the device are those of TensorFlow's CPU."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np

from compare import CPU, PLATFORM

HERE = pathlib.Path(__file__).parent
# Not strict: TensorFlow cuts and shrinks the photograph by these, which are the CPU's; all nets run on the device.
IMAGE_OPS = {"CropAndResize", "ResizeArea"}


def faces(folder, device, environment):
    file = folder / f"{device}.json"
    done = subprocess.run([sys.executable, HERE / "faces.py", file, device], text=True, capture_output=True, timeout=600,
                          env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", **environment})
    assert done.returncode == 0, f"faces.py ended with {done.returncode}:\n{done.stderr[-4000:]}"
    return json.loads(file.read_text())


def test_faces_and_their_expression(tmp_path):
    ours = faces(tmp_path, "OPENCL:0", {"OCLDNN_DEVICES": PLATFORM, "OCLDNN_STRICT": "0"})
    cpu = faces(tmp_path, "CPU:0", CPU)
    first, again = ours["runs"]
    assert first == again  # the same bits: JSON keeps all digits
    expected = cpu["runs"][0]

    # One face, where it has always been found, and its five points: mtcnn's rows are image, corners, probability, points.
    assert first["box"] == expected["box"] == [182, 64, 83, 107]
    a, b = np.array(first["rows"]), np.array(expected["rows"])
    assert a.shape == b.shape == (1, 16)
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-3)  # pixels
    np.testing.assert_allclose(a[:, 5], b[:, 5], rtol=0, atol=1e-5)
    assert a[0, 5] > 0.99

    # fer's labels: angry, disgust, fear, happy, sad, surprise, neutral.
    np.testing.assert_allclose(first["expression"], expected["expression"], rtol=0, atol=1e-5)
    assert np.argmax(first["expression"]) == 3 and np.isclose(sum(first["expression"]), 1)

    assert PLATFORM in ours["device"]["platform"] and ours["launches"] > 1000
    assert set(ours["variables"]) == {"OPENCL:0"}
    assert set(ours["fell_back"]) <= IMAGE_OPS, ours["fell_back"]
    assert {"Conv2D", "MaxPool", "MatMul", "Softmax"} <= ours["placed"].keys(), ours["placed"]
