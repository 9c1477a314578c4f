"""The examples, unchanged: where the plug-in is not installed, and on the OpenCL device. Both must say nearly the same."""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import venv

import numpy as np
import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
# What each prints at its end, and how far the device's figure may be from the CPU's after these few steps.
CLOSING = {
    "fashion_mnist": (r"test accuracy ([\d.]+)", 0.03),
    "char_transformer": (r"loss on the unseen play ([\d.]+)", 0.01),
    "series_lstm": (r"day before: ([\d.]+) degrees off", 0.02),
    "denoise": (r"not seen: ([\d.]+) dB", 0.02),
    "own_loop": (r"test accuracy ([\d.]+)", 0.01),
    "mixed_precision": (r"test loss ([\d.]+)", 0.02),
    "carry_over": (r"test loss ([\d.]+), test accuracy", 0.001),
}


@pytest.fixture(scope="session")
def without_plugin(tmp_path_factory):
    """A Python that sees this environment's packages but the plug-in's, as if it were uninstalled. They are linked one by
    one: TensorFlow looks for plug-ins in every site-packages folder on the path."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False)
    packages = next(folder.glob("lib/python*/site-packages"))
    for entry in pathlib.Path(sysconfig.get_path("purelib")).iterdir():
        if not entry.name.startswith(("tensorflow-plugins", "tensorflow_ocldnn", "pip", "setuptools", "_distutils")):
            (packages / entry.name).symlink_to(entry)
    return folder / "bin" / "python"


def run(python, name, folder, **environment):
    """What the example prints; files that it writes go to `folder`."""
    arguments = {"fashion_mnist": ["--output", folder / "out"], "denoise": ["--output", folder / "out"],
                 "carry_over": [folder / "net.keras"]}
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "EXAMPLES_SHORT": "1", "TF_CPP_MIN_LOG_LEVEL": "1", **environment}
    done = subprocess.run([python, EXAMPLES / f"{name}.py", *arguments.get(name, [])], env=environment, capture_output=True,
                          text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def figure(name, text):
    return float(re.search(CLOSING[name][0], text).group(1))


def test_every_example_is_here():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(CLOSING)


def test_no_line_of_an_example_is_about_the_device():
    for path in EXAMPLES.glob("*.py"):
        code = path.read_text().partition('"""')[2].partition('"""')[2]
        assert not re.search(r"(?i)ocl|opencl|tf\.device|plugin", code), path.name


@pytest.mark.parametrize("name", CLOSING)
def test_with_and_without_the_plugin(name, without_plugin, tmp_path):
    cpu = run(without_plugin, name, tmp_path / "cpu")
    report = tmp_path / "placement.json"
    device = run(sys.executable, name, tmp_path / "device", OCLDNN_PLACEMENT=str(report))
    ops = json.loads(report.read_text())["ops"]
    assert sum(row["count"] for row in ops if row["device"] == "OPENCL") > 50
    assert abs(figure(name, device) - figure(name, cpu)) <= CLOSING[name][1]
    written = {path.name for path in (tmp_path / "device").rglob("*.*")}
    assert written == {"fashion_mnist": {"model.keras", "run.json", "predictions.png", "loss.png"},
                       "denoise": {"denoised.png"}, "carry_over": {"net.keras"}}.get(name, set())


def test_a_net_goes_from_the_cpu_to_the_device_and_back(tmp_path):
    """Three calls on one file: each begins where the one before it ended, and the CPU alone would have come as far."""
    def calls(folder, *switches):
        texts = [run(sys.executable, "carry_over", tmp_path / folder, OCLDNN_DISABLE=off) for off in switches]
        return [[float(value) for value in re.findall(r"steps: test loss ([\d.]+)", text)] for text in texts]

    there_and_back, stayed = calls("moved", "1", "0", "1"), calls("stayed", "1", "1", "1")
    for before, after in zip(there_and_back, there_and_back[1:]):
        assert abs(before[1] - after[0]) < 2e-5
    assert there_and_back[-1][1] < there_and_back[0][0] - 0.3  # it did learn
    assert np.abs(np.array(there_and_back) - stayed).max() < 2e-3


def test_the_bare_python_has_no_plugin(without_plugin):
    code = "import tensorflow as tf; print([d.device_type for d in tf.config.list_physical_devices()])"
    listed = functools.partial(subprocess.run, capture_output=True, text=True, check=True)
    assert listed([without_plugin, "-c", code]).stdout.strip() == "['CPU']"
    assert "OPENCL" in listed([sys.executable, "-c", code]).stdout
