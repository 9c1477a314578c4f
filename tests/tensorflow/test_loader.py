"""`import tensorflow` works whatever happens to the plug-in, and the plug-in brings nothing into the process by mistake."""

import os
import pathlib
import re
import shutil
import subprocess
import textwrap

import pytest
import tensorflow as tf
from processes import run

LIST = "import tensorflow as tf; print([d.device_type for d in tf.config.list_physical_devices()])"


def mapped(name):
    with open("/proc/self/maps", encoding="ascii") as maps:
        return pathlib.Path(next(line.split()[-1] for line in maps if name in line)).resolve()


LOADER, LIBRARY = mapped("libtensorflow_ocldnn.so"), mapped("libocldnn_tensorflow.so")


def copy_of_loader(folder, library=None):
    """site-packages as the wheel makes it: the loader, and the library beside it (a link) if one is given."""
    plugins = folder / "tensorflow-plugins"
    plugins.mkdir(parents=True)
    (folder / "tensorflow_ocldnn").mkdir()
    if library:
        (folder / "tensorflow_ocldnn" / LIBRARY.name).symlink_to(library)
    return shutil.copy(LOADER, plugins)


def instead_of_ours(folder, path):
    """The environment in which TensorFlow loads this plug-in and not ours. An installed one lies where TensorFlow always
    looks, unless it is itself imported from elsewhere: here by way of a link."""
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "tensorflow").symlink_to(pathlib.Path(tf.__file__).parent)
    return {"TF_PLUGGABLE_DEVICE_LIBRARY_PATH": str(path),
            "PYTHONPATH": os.pathsep.join([str(folder / "elsewhere"), os.environ.get("PYTHONPATH", "")])}


def load(*paths):
    calls = "".join(f"\nload_pluggable_device_library({str(path)!r})" for path in paths)
    return ("from tensorflow.python.framework.load_library import load_pluggable_device_library\n"
            f"import tensorflow as tf{calls}\n{LIST}")


def test_the_device_is_there():
    assert "OPENCL" in run(LIST)[0]


def test_a_second_load_is_inert(tmp_path):
    devices, errors = run(load(LOADER, LOADER), OCLDNN_CACHE_DIR=str(tmp_path))
    assert devices.count("OPENCL") == run(LIST)[0].count("OPENCL")
    assert "tensorflow-ocldnn: " not in errors


def test_another_copy_is_inert(tmp_path):
    copy = copy_of_loader(tmp_path, LIBRARY)
    devices, errors = run(load(copy, copy) + "\nassert float(tf.constant(1.0) + 1) == 2" + f"\n{LIST}")
    assert devices.count("OPENCL") == run(LIST)[0].count("OPENCL")
    assert errors.count(f"tensorflow-ocldnn: {copy} is left out: another copy of it is at work") == 1


def test_a_copy_that_lost_its_library_is_no_obstacle(tmp_path):
    """What an uninstalled package left behind comes first: the whole one beside it serves."""
    remains, whole = copy_of_loader(tmp_path / "remains"), copy_of_loader(tmp_path / "whole", LIBRARY)
    devices, errors = run(load(whole), **instead_of_ours(tmp_path, remains))
    assert devices.count("OPENCL") == run(LIST)[0].count("OPENCL")
    assert errors.count("tensorflow-ocldnn: no OpenCL device: ") == 1 and "is left out" not in errors


def test_a_child_and_a_successor_have_the_device():
    """Both inherit the mark that tells copies in one process apart."""
    child, _ = run(f"import tensorflow, subprocess, sys; print(subprocess.check_output([sys.executable, '-c', {LIST!r}], text=True))")
    assert "OPENCL" in child
    successor, _ = run(f"import tensorflow, os, sys; sys.stdout.flush(); os.execv(sys.executable, [sys.executable, '-c', {LIST!r}])")
    assert "OPENCL" in successor


@pytest.mark.skipif(tuple(map(int, tf.__version__.split(".")[:2])) < (2, 19),
                    reason="this TensorFlow counts the devices of all plug-ins as those of the first")
@pytest.mark.parametrize("first, kind", [("ours", "WEST"), ("theirs", "EAST")])
def test_another_plugin_beside(tmp_path, first, kind):
    """Both devices are there, tensors go from one to the other by way of the host, and a net trains on ours: by default,
    or when told to where the other type's name is the earlier in the alphabet, which is how TensorFlow chooses."""
    other = tmp_path / "libbeside.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-w", f'-DTYPE="{kind}"', "-I", tf.sysconfig.get_include(), "-o", other,
                    pathlib.Path(__file__).parent / "beside.c"], check=True)
    code = """
        import numpy as np, tensorflow as tf
        import keras
        assert len(tf.config.list_physical_devices("OPENCL")) == COUNT
        assert len(tf.config.list_physical_devices("KIND")) == 1
        with tf.device("/OPENCL:0"):
            ours = tf.constant([1.0, 2.0]) * 2
        with tf.device("/KIND:0"):
            theirs = tf.identity(ours)
        assert "KIND" in theirs.device and theirs.numpy().tolist() == [2.0, 4.0]
        with tf.device("/OPENCL:0"):
            back = theirs + 1
        assert "OPENCL" in back.device and back.numpy().tolist() == [3.0, 5.0]
        with tf.device(None if "KIND" == "WEST" else "/OPENCL:0"):
            model = keras.Sequential([keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
            model.compile(loss="mse")
            x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
            losses = model.fit(x, x[:, :1], epochs=3, verbose=0).history["loss"]
        assert losses[-1] < losses[0], losses
        assert all("OPENCL" in v.value.device for v in model.variables), [v.value.device for v in model.variables]
        print("trained")
    """
    count = run("import tensorflow as tf; print(len(tf.config.list_physical_devices('OPENCL')))")[0]
    code = textwrap.dedent(code).replace("COUNT", count).replace("KIND", kind)
    load_it = "from tensorflow.python.framework.load_library import load_pluggable_device_library as load\nload({!r})\n{}"
    if first == "ours":
        assert run(load_it.format(str(other), code))[0] == "trained"
    else:  # unless the wheel is installed: then ours is first again, and the second load of it does nothing
        assert run(load_it.format(str(LOADER), code), TF_PLUGGABLE_DEVICE_LIBRARY_PATH=str(other))[0] == "trained"


@pytest.mark.parametrize("damage", ["absent", "no library", "empty"])
def test_a_broken_library_is_a_line_and_no_device(tmp_path, damage):
    path = copy_of_loader(tmp_path)
    library = tmp_path / "tensorflow_ocldnn" / LIBRARY.name
    if damage != "absent":
        library.write_text("" if damage == "empty" else "no ELF file")
    devices, errors = run(LIST, **instead_of_ours(tmp_path, path))
    assert "OPENCL" not in devices
    assert errors.count("tensorflow-ocldnn: no OpenCL device: ") == 1


NO_DRIVER = {"OCL_ICD_VENDORS": "/nowhere", "OCL_ICD_FILENAMES": None, "OCLDNN_DRIVER_FOLDERS": ""}


@pytest.mark.parametrize("environment", [{"OCLDNN_DISABLE": "1"}, NO_DRIVER], ids=["switched off", "no driver"])
def test_no_device_is_a_line(environment):
    devices, errors = run(LIST, **environment)
    assert "OPENCL" not in devices
    assert len([line for line in errors.splitlines() if "no OpenCL device" in line]) == 1


def test_a_limited_address_space_does_not_break_the_import():
    devices, _ = run(f"import resource; resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))\n{LIST}")
    assert "CPU" in devices


def symbols(path, *flags):
    lines = subprocess.check_output(["nm", "-D", *flags, path], text=True).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def needed(path):
    lines = subprocess.check_output(["readelf", "-d", path], text=True).splitlines()
    return {line.split("[")[1].rstrip("]") for line in lines if "(NEEDED)" in line}


def test_what_the_libraries_export_and_need():
    assert symbols(LOADER, "--defined-only") == {"SE_InitPlugin", "TF_InitKernel", "TF_InitGraph"}
    assert needed(LOADER) <= {"libc.so.6", "libdl.so.2"}
    exported = symbols(LIBRARY, "--defined-only")
    assert exported and all(name.startswith("ocldnn_") for name in exported), exported
    undefined = symbols(LIBRARY, "--undefined-only")
    assert not [name for name in undefined if name.startswith(("TF_", "SE_", "TP_", "TFE_")) or re.match("cl[A-Z]", name)]
    assert not [name for name in needed(LIBRARY) if "tensorflow" in name or "OpenCL" in name or "fmt" in name]


def test_set_visible_devices_renumbers_nothing_of_ours():
    code = """
        import tensorflow as tf
        devices = tf.config.list_physical_devices("OPENCL")
        tf.config.set_visible_devices(devices[-1], "OPENCL")
        with tf.device("/OPENCL:0"):
            print(float(tf.reduce_sum(tf.ones(7) + 1)))
    """
    assert run(code)[0] == "14.0"


assert tf  # imported first, so that the libraries are mapped
