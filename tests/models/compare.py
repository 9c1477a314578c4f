"""Trains nets on the device, on TensorFlow's CPU and there in float64, each in a process of its own (train.py), and holds
the losses against each other.

OCLDNN_DEVICES names the platform (PoCL unless set). Everything on the device runs in strict mode: an op that would go to
the CPU is an error.
"""

import json
import os
import pathlib
import subprocess
import sys
import zlib

import numpy as np

HERE = pathlib.Path(__file__).parent
PLATFORM = os.environ.get("OCLDNN_DEVICES", "Portable Computing Language")
FULL = os.environ.get("OCLDNN_TEST_FULL", "0") == "1"
STEPS = 20
CPU = {"OCLDNN_DISABLE": "1"}
DEVICE = {"OCLDNN_DEVICES": PLATFORM, "OCLDNN_STRICT": "1"}


def train(folder, jobs, environment, kind="float32", weights=None, save=None, load=None, script="train.py"):
    """The report of train.py (or another script of its arguments), its jobs by (net, how, dropout)."""
    request = {"type": kind, "jobs": jobs, "steps": STEPS, "weights": weights and str(weights), "save": save,
               "load": load and str(load)}
    done = subprocess.run([sys.executable, HERE / script, folder, json.dumps(request)], text=True, capture_output=True,
                          env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", **environment}, timeout=3600)
    assert done.returncode == 0, f"{script} ended with {done.returncode}:\n{done.stderr[-4000:]}"
    report = json.loads((folder / "report.json").read_text())
    report["jobs"] = {(job["net"], job["how"], job["dropout"]): job for job in report["jobs"]}
    return report


def chosen(nets):
    """Names of the nets that this run trains: all in the full form, else the shard of OCLDNN_TEST_SHARD (k/n)."""
    shard, _, parts = os.environ.get("OCLDNN_TEST_SHARD", "").partition("/")
    return [name for name in nets if FULL or not parts or zlib.crc32(name.encode()) % int(parts) == int(shard)]


def assert_as_good_as_the_cpu(label, exact, cpu, ours, each=True):
    """Each loss within four times the CPU's float32 error of the float64 loss, and 1e-5; all of them together, as a root
    mean square, within a tenth of that allowance: a loss of 2 has a unit in the last place of 2e-7."""
    exact, cpu, ours = (np.array(losses) for losses in (exact, cpu, ours))
    assert len(exact) == len(cpu) == len(ours)
    assert np.ptp(exact) > 0.01 * abs(exact[0])  # it did learn
    error, cpu_error = np.abs(ours - exact), np.abs(cpu - exact)
    root = [float(np.sqrt(np.mean(np.square(e)))) for e in (error, cpu_error)]
    print(f"{label}: error at most {error.max():.1e}, root mean square {root[0]:.1e}; the CPU's {cpu_error.max():.1e}, {root[1]:.1e}")
    allowed = 4 * cpu_error + 1e-5
    if each:
        assert (error <= allowed).all(), f"errors {error}, allowed {allowed}"
    assert root[0] <= 4 * root[1] + 1e-6, f"errors {error}, the CPU's {cpu_error}"
