"""Every kernel under Oclgrind at tiny sizes: no access out of bounds, no race; and proof that it would have told.

Oclgrind's exit status says nothing: the log does. OCLDNN_BUILD is the C++ build tree (build/test unless set).
"""

import glob
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("OCLDNN_BUILD", ROOT / "build" / "test"))
DRIVERS = glob.glob("/usr/lib/oclgrind/liboclgrind-rt-icd.so") + glob.glob("/usr/lib/*/oclgrind/liboclgrind-rt-icd.so")
LARGEST = os.environ.get("OCLDNN_OCLGRIND_LARGEST", "600")  # elements of a case


def run(log, *command, **variables):
    """What Oclgrind reported while the program ran, and what the program printed."""
    assert DRIVERS, "Oclgrind is not installed"
    environment = {**os.environ, "OCL_ICD_VENDORS": DRIVERS[0], "OCLGRIND_DATA_RACES": "1", "OCLGRIND_LOG": str(log),
                   "OCLDNN_DEVICES": "Oclgrind", **variables}
    done = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True, timeout=3000)
    assert "Oclgrind" in done.stdout, f"ran on another device:\n{done.stdout[:300]}{done.stderr[-1000:]}"
    return (log.read_text() if log.exists() else ""), done


@pytest.mark.parametrize("fault, words", [("clean", ""), ("out_of_bounds", "Invalid write"), ("race", "data race")])
def test_controls(fault, words, tmp_path):
    report, done = run(tmp_path / "log", BUILD / "tests" / "oclgrind" / "ocldnn_oclgrind_controls", fault)
    assert done.returncode == 0, done.stderr
    if fault == "clean":
        assert report == ""
    else:
        assert words in report


@pytest.mark.parametrize("groups", ["narrow", "wide"])
def test_no_kernel_is_reported(groups, tmp_path):
    """All cases, in the form for CPUs and in the one for GPUs."""
    report, done = run(tmp_path / "log", BUILD / "tests" / "check" / "ocldnn_check", "--platform", "Oclgrind",
                       "--largest", LARGEST, OCLDNN_GROUPS=groups)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    ran = re.search(r"\[  PASSED  \] (\d+) tests", done.stdout)
    assert ran and int(ran.group(1)) > 20
    assert report == "", report[:3000]
