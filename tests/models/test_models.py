"""Whole nets on an OpenCL device beside TensorFlow's CPU.

Each process trains many nets (train.py) and reports; the tests compare the reports. OCLDNN_DEVICES names the platform
(PoCL unless set). Everything on the device runs in strict mode: an op that would go to the CPU is an error.
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

HERE = pathlib.Path(__file__).parent
PLATFORM = os.environ.get("OCLDNN_DEVICES", "Portable Computing Language")
FULL = os.environ.get("OCLDNN_TEST_FULL", "0") == "1"
STEPS = 20
NETS = ["mlp", "cnn", "residual", "lstm", "gru", "transformer"]
HOWS = ["fit", "train_on_batch", "eager"]
# Every net by fit; the other two ways for all nets in the full run, in the short one for those that they cost little.
WAYS = [(net, how) for net, how in itertools.product(NETS, HOWS) if FULL or how == "fit" or net in ("mlp", "cnn", "gru")]
CPU = {"OCLDNN_DISABLE": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}
DEVICE = {"OCLDNN_DEVICES": PLATFORM, "OCLDNN_STRICT": "1"}


def train(folder, jobs, environment, kind="float32", weights=None, load=None):
    request = {"type": kind, "jobs": jobs, "steps": STEPS, "weights": weights and str(weights), "load": load and str(load)}
    done = subprocess.run([sys.executable, HERE / "train.py", folder, json.dumps(request)], text=True, capture_output=True,
                          env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", **environment}, timeout=3600)
    assert done.returncode == 0, f"train.py ended with {done.returncode}:\n{done.stderr[-4000:]}"
    report = json.loads((folder / "report.json").read_text())
    report["jobs"] = {(job["net"], job["how"], job["dropout"]): job for job in report["jobs"]}
    return report


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    references = [(net, "train_on_batch", False) for net in NETS]
    with_dropout = [(net, "train_on_batch", True) for net in NETS if net != "gru"]
    saving = [(net, "fit", False) for net in NETS]
    ours = [(net, how, False) for net, how in WAYS] + with_dropout
    cpu = train(folder / "cpu", references + with_dropout + saving, CPU)
    start = folder / "cpu"
    return {
        "cpu": cpu,
        "onednn": train(folder / "onednn", references, {**CPU, "TF_ENABLE_ONEDNN_OPTS": "1"}, weights=start),
        "fp64": train(folder / "fp64", references, CPU, "float64", start),
        "ours": train(folder / "ours", ours, DEVICE, weights=start, load=start),
        "again": train(folder / "again", ours, DEVICE, weights=start),
        "back": train(folder / "back", [], CPU, load=folder / "ours"),
    }


def test_device_is_the_one_asked_for(runs):
    print("device:", runs["ours"]["device"])
    assert runs["cpu"]["device"]["kind"] == runs["fp64"]["device"]["kind"] == "CPU"
    assert runs["ours"]["device"]["kind"] == "OPENCL"
    assert PLATFORM.lower() in runs["ours"]["device"]["name"].lower()


@pytest.mark.parametrize("net, how", WAYS)
def test_losses(runs, net, how):
    """Off the float64 losses by no more than four times what float32 on the CPU is.

    The CPU's error is the larger of its two sets of kernels', the largest so far: an error once made is carried on.
    """
    exact = np.array(runs["fp64"]["jobs"][net, "train_on_batch", False]["losses"])
    cpu = [np.array(runs[name]["jobs"][net, "train_on_batch", False]["losses"]) for name in ("cpu", "onednn")]
    ours = np.array(runs["ours"]["jobs"][net, how, False]["losses"])
    assert len(exact) == len(ours) == STEPS and np.ptp(exact) > 0.05  # it did learn
    error = np.abs(ours - exact)
    bound = 4 * np.maximum.accumulate(np.abs(np.array(cpu) - exact).max(axis=0)) + 1e-5
    print(f"{net} {how}: worst error {error.max():.1e}, CPU's {(bound.max() - 1e-5) / 4:.1e}")
    assert (error <= bound).all(), f"errors {error}, allowed {bound}"


@pytest.mark.parametrize("net", [net for net in NETS if net != "gru"])
def test_losses_with_dropout(runs, net):
    """The same random draws as on the CPU, so the same losses within float32."""
    ours, cpu = (np.array(runs[name]["jobs"][net, "train_on_batch", True]["losses"]) for name in ("ours", "cpu"))
    plain = np.array(runs["cpu"]["jobs"][net, "train_on_batch", False]["losses"])
    assert np.abs(cpu - plain).max() > 1e-3  # dropout did something
    np.testing.assert_allclose(ours, cpu, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("net, how", WAYS)
def test_same_bits_twice(runs, net, how):
    first, second = (runs[name]["jobs"][net, how, False] for name in ("ours", "again"))
    assert first["losses"] == second["losses"] and first["bits"] == second["bits"]


@pytest.mark.parametrize("net", NETS)
def test_saved_and_loaded(runs, net):
    """As .keras and as SavedModel: within a process, from the CPU to the device, and back."""
    assert max(runs["ours"]["jobs"][net, "fit", False]["reload"]) <= 1e-6
    assert max(runs["ours"]["loaded"][net]) <= 1e-4
    assert max(runs["back"]["loaded"][net]) <= 1e-4
