"""One wheel with many TensorFlows: a convolutional net and an LSTM train with each, on the CPU and on the OpenCL device.

  matrix.py [--all] [REQUIREMENT...]

Each requirement (tensorflow-cpu==2.18.1) gets an environment of its own under .venv-matrix, kept for the next time.
Needs dist/*.whl (make wheel). Ends with a table; a difference above 1e-4 in any loss, or a failed step, is a failure.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "matrix"
DATA = ROOT / "tools" / "setup" / "requirements-data.txt"
PROMISED = ["tensorflow-cpu==2.18.1", "tensorflow-cpu==2.21.0", "tensorflow-cpu==2.22.0rc0", "tensorflow==2.21.0"]
FURTHER = ["tensorflow-cpu==2.16.2", "tensorflow-cpu==2.17.1", "tensorflow-cpu==2.19.1", "tensorflow-cpu==2.20.0",
           "tensorflow==2.18.1"]
JOBS = [["cnn", "fit", False], ["lstm", "fit", False]]


def environment(requirement, wheel):
    """The Python of an environment that holds the requirement and our wheel."""
    folder = ROOT / ".venv-matrix" / requirement.replace("==", "-")
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True)
        subprocess.run([*pip, requirement], check=True)
        subprocess.run([*pip, "--no-deps", "-r", DATA], check=True)
        (folder / "ready").touch()
    subprocess.run([*pip, "--no-deps", "--force-reinstall", wheel], check=True)
    return python


def train(python, folder, variables, weights=None):
    request = {"type": "float32", "jobs": JOBS, "steps": 10, "weights": weights and str(weights), "load": None}
    done = subprocess.run([python, ROOT / "tests" / "models" / "train.py", folder, json.dumps(request)], text=True,
                          env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0",
                               "CUDA_VISIBLE_DEVICES": "", **variables}, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads((folder / "report.json").read_text())


def try_one(requirement, wheel):
    python = environment(requirement, wheel)
    folder = OUT / requirement.replace("==", "-")
    cpu = train(python, folder / "cpu", {"OCLDNN_DISABLE": "1"})
    ours = train(python, folder / "opencl", {}, folder / "cpu")
    if ours["device"]["kind"] != "OPENCL":
        raise RuntimeError(f"trained on {ours['device']}")
    worst = [max(abs(a - b) for a, b in zip(x["losses"], y["losses"])) for x, y in zip(cpu["jobs"], ours["jobs"])]
    row = ", ".join(f"{net} {w:.1e}" for (net, *_), w in zip(JOBS, worst))
    return max(worst) <= 1e-4, f"{row} on {ours['device']['name']}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--all", action="store_true", help="every version that is said to work")
    arguments.add_argument("requirements", nargs="*")
    options = arguments.parse_args()
    wheel = next((ROOT / "dist").glob("tensorflow_ocldnn-*.whl"))
    failed = 0
    for requirement in options.requirements or PROMISED + (FURTHER if options.all else []):
        try:
            good, text = try_one(requirement, wheel)
        except (RuntimeError, subprocess.CalledProcessError) as e:
            good, text = False, str(e)
        failed += not good
        print(f"{requirement:28} {'ok  ' if good else 'FAIL'} {text}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
