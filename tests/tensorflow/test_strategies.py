"""tf.distribute over OpenCL devices: trainings on two replicas equal those of one device, in strict mode."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import time

import numpy as np
import pytest
from processes import WITH_PACKAGE, environment_with

CHILD = pathlib.Path(__file__).with_name("strategies.py")
PLATFORM = os.environ.get("OCLDNN_DEVICES", "Portable Computing Language")
OTHER = "Portable Computing Language" if "intel" in PLATFORM.lower() else "Intel(R) OpenCL"


def start(file, kind, ways, devices, **environment):
    with open(file.with_suffix(".log"), "w") as log:
        return subprocess.Popen(
            [sys.executable, CHILD, file, kind, *ways], stdout=log, stderr=subprocess.STDOUT,
            env=environment_with(**WITH_PACKAGE, TF_CPP_MIN_LOG_LEVEL="1", OCLDNN_STRICT="1", OCLDNN_DEVICES=devices, **environment))


def results(children):
    """The reports of processes started together: {file: process}."""
    end = time.monotonic() + 900
    try:
        # One whose partner has died waits for ever.
        while any(child.poll() is None for child in children.values()) and not any(child.poll() for child in children.values()):
            assert time.monotonic() < end, "not ended in 15 minutes"
            time.sleep(0.1)
    finally:
        for child in children.values():
            child.kill()
            child.wait()
    for file, child in children.items():
        if child.returncode:
            logs = "\n".join(f"{other.stem}: {other.with_suffix('.log').read_text()[-3000:]}" for other in children)
            pytest.fail(f"{file.stem} ended with {child.returncode}:\n{logs}")
    return [json.loads(file.read_text()) for file in children]


def one_device(folder, ways, **environment):
    file = folder / "one.json"
    return results({file: start(file, "one", ways, PLATFORM + ":0", **environment)})[0]


def assert_equal(one, reports, devices):
    """Losses and the weights of every replica are those of one device; two runs have the same bits; convolutions are on
    `devices` devices, all processes together, and nothing on a CPU (strict mode); and each device launched about as many
    kernels as the one does."""
    assert sum(len(report["devices"]) for report in reports) == devices
    for report in reports:
        assert report["replicas"] == devices
        places = [f"OPENCL:{number}" for number in range(len(report["devices"]))]
        assert len(report["runs"]) == len(one["runs"]) > 0
        for run, again in zip(report["runs"][::2], report["runs"][1::2], strict=True):
            assert run["losses"] == again["losses"] and run["bits"] == again["bits"]
        for run, single in zip(report["runs"], one["runs"], strict=True):
            losses, weights = single["losses"], single["weights"][0]
            assert losses[-1] < losses[0] - 0.01  # it did learn
            assert run["way"] == single["way"] and len(run["weights"]) == len(places)
            off = [np.abs(np.subtract(run["losses"], losses)).max(), np.abs(np.subtract(run["weights"], weights)).max()]
            print(f"{run['way']} on {places}: losses differ by {off[0]:.1e}, weights by {off[1]:.1e}, {run['launches']} launches,"
                  f" one device's {single['launches']}")
            assert max(off) <= 1e-5
            assert run["convolutions"] == places
            assert run["launches"] > 0.8 * len(places) * single["launches"] > 100


def test_mirrored_over_two_drivers(tmp_path):
    ways = ["fit", "loop"]
    one = one_device(tmp_path, ways)
    file = tmp_path / "mirrored.json"
    reports = results({file: start(file, "mirrored", ways, f"{PLATFORM}:0,{OTHER}")})
    assert_equal(one, reports, devices=2)
    assert len({device["platform"] for device in reports[0]["devices"]}) == 2


@pytest.mark.parametrize("copies, way", [(2, "fit"), (3, "loop")])
def test_mirrored_over_one_drivers_device(tmp_path, copies, way):
    """Three replicas share batches of 16 unevenly, which fit would weigh alike."""
    one = one_device(tmp_path, [way])
    file = tmp_path / "mirrored.json"
    reports = results({file: start(file, "mirrored", [way], f"{PLATFORM}:0*{copies}")})
    assert_equal(one, reports, devices=copies)
    for run in reports[0]["runs"]:
        assert len(set(run["bits"])) == 1  # the replicas have not drifted apart by a bit


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("localhost", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def workers(folder, ways, devices, **environment):
    cluster = {"worker": [f"localhost:{port}" for port in free_ports(len(devices))]}
    children = {}
    for index, device in enumerate(devices):
        task = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": index}})
        file = folder / f"worker{index}.json"
        children[file] = start(file, "workers", ways, device, TF_CONFIG=task, **environment)
    return results(children)


def test_two_workers(tmp_path):
    """A loop of one's own: Keras 3's fit cannot be used with this strategy, whatever the device is."""
    one = one_device(tmp_path, ["loop"])
    reports = workers(tmp_path, ["loop"], [PLATFORM + ":0", PLATFORM + ":0"])
    assert_equal(one, reports, devices=2)


@pytest.mark.parametrize("devices", [(PLATFORM + ":0", OTHER)], ids=["two drivers"])
def test_two_workers_and_keras_2(tmp_path, devices):
    legacy = {"TF_USE_LEGACY_KERAS": "1"}
    one = one_device(tmp_path, ["fit"], **legacy)
    reports = workers(tmp_path, ["fit"], devices, **legacy)
    assert_equal(one, reports, devices=2)
