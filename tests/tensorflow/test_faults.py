"""Faults of drivers, compilers, caches and memory as a Python program meets them: `import tensorflow` works, one line says
what was left out, what cannot run raises, and what was on the device before is still there.

Each case is a process of its own. Broken drivers are made of tests/runtime/fake/driver.cpp, which computes nothing and
fails when told to; the other cases run on the device that all tests run on.
"""

import os
import subprocess
import textwrap

import pytest
from processes import ROOT, WITH_PACKAGE, environment_with, python, run
from test_loader import LIBRARY, LIST

TRIAL = LIBRARY.parent / "ocldnn-trial"


def lines_of(errors):
    """What the plug-in said on stderr."""
    return [line for line in errors.splitlines() if line.startswith("tensorflow-ocldnn: ")]


@pytest.fixture(scope="session")
def fake(tmp_path_factory):
    """The library of the driver that fails on demand."""
    path = tmp_path_factory.mktemp("fake") / "libfake_opencl.so"
    subprocess.run(["c++", "-std=c++20", "-shared", "-fPIC", "-DCL_TARGET_OPENCL_VERSION=300", "-o", path,
                    ROOT / "tests" / "runtime" / "fake" / "driver.cpp"], check=True)
    return str(path)


def only(driver, folder, **variables):
    """The environment of a process that knows this driver alone, and has a cache of its own."""
    return {"OCL_ICD_VENDORS": driver, "OCL_ICD_FILENAMES": None, "OCLDNN_DEVICES": None, "OCLDNN_CACHE_DIR": str(folder / "cache"),
            **variables}


# FAKE_OPENCL -> what has to stand in the reason. tests/runtime/drivers_test.cpp has the whole list.
BROKEN = {"crash at load": "it was killed by signal 6", "hang at load": "it was killed by signal 9",
          "devices": "clGetDeviceIDs: CL_OUT_OF_RESOURCES", "no compiler": "its driver has no compiler (Fake GPU",
          "compiler": "a kernel does not build: clBuildProgram: CL_BUILD_PROGRAM_FAILURE"}


@pytest.mark.parametrize("how", [*BROKEN, "not there"])
def test_a_broken_driver_is_a_line_and_no_device(fake, tmp_path, how):
    assert TRIAL.is_file()
    trial = tmp_path / "trial"  # whose patience is a second, where the library's own is a minute
    trial.write_text(f'#!/bin/sh\nexec timeout -s KILL 1 "{TRIAL}" "$@"\n')
    trial.chmod(0o700)
    environment = {"OCLDNN_TRIAL": str(trial)} if how.startswith("hang") else {}
    driver = str(tmp_path / "no-driver.so") if how == "not there" else fake
    devices, errors = run(LIST, **only(driver, tmp_path, FAKE_OPENCL=how, **environment))
    assert "OPENCL" not in devices and "CPU" in devices
    [line] = lines_of(errors)
    assert line.startswith("tensorflow-ocldnn: no OpenCL device: ") and BROKEN.get(how, "cannot open shared object") in line


COMPUTE = """
import numpy as np, tensorflow as tf
x = np.random.default_rng(0).normal(size=(64, 96)).astype("float32")
with tf.device("/OPENCL:0"):
    y = tf.nn.softmax(tf.matmul(x, x, transpose_b=True)) + tf.reduce_sum(tf.nn.gelu(x))
assert "OPENCL" in y.device
with tf.device("/CPU:0"):
    want = tf.nn.softmax(tf.matmul(x, x, transpose_b=True)) + tf.reduce_sum(tf.nn.gelu(x))
np.testing.assert_allclose(y, want, rtol=2e-5, atol=2e-4)
import hashlib
print("bits", hashlib.sha256(y.numpy().tobytes()).hexdigest())
"""


@pytest.fixture(scope="session")
def bits():
    """What COMPUTE prints where nothing is amiss."""
    return run(COMPUTE)[0]


def test_a_broken_driver_beside_a_good_one_is_a_line(fake, tmp_path):
    both = ":".join(filter(None, [os.environ.get("OCL_ICD_FILENAMES"), fake]))
    _, errors = run(COMPUTE, OCL_ICD_FILENAMES=both, FAKE_OPENCL="no compiler", OCLDNN_CACHE_DIR=str(tmp_path / "cache"))
    [line] = lines_of(errors)
    assert line == "tensorflow-ocldnn: Fake GPU (Fake OpenCL) is not offered: its driver has no compiler"


@pytest.mark.parametrize("kind", ["a file", "a folder of all", "a home that cannot be written", "no home"])
def test_without_a_cache_all_works(tmp_path, bits, kind):
    folder = tmp_path / "cache"
    if kind == "a file":
        folder.write_text("")
        environment, why = {"OCLDNN_CACHE_DIR": str(folder)}, "is not a folder"
    elif kind == "a folder of all":
        folder.mkdir()
        folder.chmod(0o777)
        environment, why = {"OCLDNN_CACHE_DIR": str(folder)}, "is open to other users"
    else:  # nobody can make a folder in /proc, nor can root
        environment = {"OCLDNN_CACHE_DIR": None, "XDG_CACHE_HOME": None, "POCL_CACHE_DIR": None,
                       "HOME": "/proc" if kind.startswith("a home") else None}
        why = "/proc/.cache" if kind.startswith("a home") else "there is no home folder"
    found, errors = run(COMPUTE, **environment)
    assert found == bits
    [line] = lines_of(errors)
    assert line.startswith("tensorflow-ocldnn: nothing is cached on disk: ") and why in line


def files_in(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_damaged_cache_is_made_anew(tmp_path, bits):
    environment = {"OCLDNN_CACHE_DIR": str(tmp_path / "cache"), "POCL_CACHE_DIR": str(tmp_path / "pocl"), "OCLDNN_LOG": "debug"}
    first, errors = run(COMPUTE, **environment)
    assert first == bits
    built = errors.count("tensorflow-ocldnn: built ")
    files = [file for folder in ("drivers", "probes", "programs") for file in files_in(tmp_path / "cache" / folder)]
    assert built > 3 and len(files) > 3
    damages = [lambda b: b[: len(b) // 2], lambda b: b"", lambda b: b"damaged" * 100,
               lambda b: b[:-9] + bytes([b[-9] ^ 1]) + b[-8:], lambda b: b + b"x"]
    for i, file in enumerate(files):
        file.write_bytes(damages[i % len(damages)](file.read_bytes()))
    again, errors = run(COMPUTE, **environment)
    assert again == bits
    assert errors.count("is damaged and made anew") == len(files)
    assert errors.count("tensorflow-ocldnn: built ") == built
    again, errors = run(COMPUTE, **environment)
    assert again == bits and "is damaged" not in errors and "tensorflow-ocldnn: built " not in errors


def test_processes_that_fill_a_cache_at_once(tmp_path, bits):
    environment = {"OCLDNN_CACHE_DIR": str(tmp_path / "ours"), "POCL_CACHE_DIR": str(tmp_path / "pocl"), "OCLDNN_LOG": "debug"}
    together = [subprocess.Popen(python(COMPUTE), env=environment_with(**environment), text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    ended = [(*process.communicate(timeout=300), process.returncode) for process in together]
    for out, err, code in ended:
        assert code == 0, err
        assert out.strip() == bits
    built = sum(err.count("tensorflow-ocldnn: built ") for _, err, _ in ended)
    assert built == len(files_in(tmp_path / "ours" / "programs")) > 3, "one builds a program, and the others load it"
    last, errors = run(COMPUTE, **environment)
    assert last == bits
    assert "tensorflow-ocldnn: built " not in errors
    assert not [path for path in files_in(tmp_path / "ours") if "." in path.name], "what was written aside is left"


def test_a_kernel_that_does_not_build_is_an_exception(tmp_path):
    """With op, device, options and what the compiler said; all else goes on, also what was queued before it."""
    broken = tmp_path / "ops" / "softmax" / "softmax.cl"
    broken.parent.mkdir(parents=True)
    broken.write_text("kernel void softmax_forward(global float *x) { x[0] = no_such_name; }\n")
    code = """
        import keras, numpy as np, tensorflow as tf, tensorflow_ocldnn
        tf.config.set_soft_device_placement(False)
        device = tensorflow_ocldnn.report()["devices"][0]
        before = tf.Variable(tf.range(12, dtype=tf.float32))
        doubled = before * 2
        model = keras.Sequential([keras.layers.Dense(3), keras.layers.Softmax()])
        model.compile("sgd", "mse")
        x = np.ones((8, 4), "float32")
        function = tf.function(tf.nn.softmax)
        model.build((8, 4))
        weights = model.get_weights()
        for form in (lambda: tf.nn.softmax(x), lambda: function(tf.constant(x)),
                     lambda: model.fit(x, x[:, :3], verbose=0), lambda: tf.nn.softmax(x)):
            try:
                form()
            except tf.errors.InternalError as error:
                for part in ("Softmax", "ops/softmax/softmax.cl: softmax_forward does not build for ",
                             device["name"], "options: ", "-DT=float", "no_such_name"):
                    assert part in str(error), (part, str(error))
            else:
                raise SystemExit("nothing was raised")
            assert before.numpy().tolist() == list(range(12))
            assert (doubled - before).numpy().tolist() == list(range(12))
        for w, v in zip(weights, model.get_weights(), strict=True):
            np.testing.assert_array_equal(w, v)
        print("went on")
    """
    assert run(code, OCLDNN_KERNEL_PATH=str(tmp_path), **WITH_PACKAGE)[0] == "went on"


FULL = """
import keras, numpy as np, tensorflow as tf, tensorflow_ocldnn
part = tensorflow_ocldnn.report()["devices"][0]["memory_bytes"] // 100 // 4  # elements of float32
keras.utils.set_random_seed(1)
model = keras.Sequential([keras.layers.Dense(part // 64, "relu"), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.train_on_batch(np.ones((1, 4), "float32"), np.ones((1, 1), "float32"))
weights = model.get_weights()
step = tf.function(lambda n: tf.reduce_sum(tf.random.stateless_uniform([n, part], [1, 2])))
first = float(step(tf.constant(1)))
kept = [tf.Variable(tf.fill([part], float(i))) for i in range(3)]


def unharmed():
    assert all("OPENCL" in v.value().device and np.all(v.numpy() == i) for i, v in enumerate(kept))
    for w, v in zip(weights, model.get_weights(), strict=True):
        np.testing.assert_array_equal(w, v)
    assert (tf.ones(100) + 1).numpy().sum() == 200
"""
TOO_MUCH = {
    "tensors": "more = []\nwhile True: more.append(tf.fill([part], 1.0))",
    "a function": "step(tf.constant(200))",
    "a batch": "model.train_on_batch(np.ones((64 * 200, 4), 'float32'), np.ones((64 * 200, 1), 'float32'))",
}


@pytest.mark.alone
@pytest.mark.parametrize("what", TOO_MUCH)
def test_too_much_memory_is_an_exception_and_all_goes_on(what):
    """TensorFlow's allocator has tried for ten seconds by then."""
    code = (f"{FULL}\ntry:\n{textwrap.indent(TOO_MUCH[what], '    ')}\nexcept tf.errors.ResourceExhaustedError as error:\n"
            "    assert 'OOM when allocating tensor with shape' in str(error), error\nelse:\n    raise SystemExit('no error')\n"
            "unharmed()\nmore = None\nassert float(step(tf.constant(1))) == first\nunharmed()\n"
            "model.train_on_batch(np.ones((2, 4), 'float32'), np.zeros((2, 1), 'float32'))\n"
            "assert not np.array_equal(weights[0], model.get_weights()[0])\n"
            "print(float(tf.reduce_max(tf.concat([tf.fill([part], 2.0)] * 2, 0))))")
    assert run(code, OCLDNN_MEMORY_FRACTION="0.04", **WITH_PACKAGE)[0] == "2.0"


DRIVER_FAILS = """
import ctypes, os, numpy as np, tensorflow as tf
fake = ctypes.CDLL(os.environ["OCL_ICD_VENDORS"])
out_of_resources, no_memory, out_of_host_memory, unknown = -5, -4, -6, -9999


def fail_with(what, code):
    assert fake.fake_set(what.encode(), code)


def raised(error, call, *parts):
    try:
        call()
    except error as e:
        assert all(part in str(e) for part in parts), e
    else:
        raise SystemExit(f"nothing was raised: {parts}")


tf.config.set_soft_device_placement(False)
"""


def test_a_driver_that_fails_now_and_then(fake, tmp_path):
    """Its failures are exceptions, at once or at the next copy to the host, and its memory keeps what it had."""
    code = DRIVER_FAILS + textwrap.dedent("""
        kept = tf.Variable(np.arange(8, dtype="float32"))
        x = tf.identity(kept)

        def is_well():
            assert kept.value().numpy().tolist() == list(range(8))
            assert (x + 1).shape == (8,)

        is_well()
        fail_with("enqueue_kernel", out_of_resources)
        raised(tf.errors.InternalError, lambda: x + 1, "AddV2", "Fake GPU: pointwise_items: CL_OUT_OF_RESOURCES")
        is_well()
        fail_with("enqueue_kernel", no_memory)
        raised(tf.errors.ResourceExhaustedError, lambda: x + 1, "AddV2", "CL_MEM_OBJECT_ALLOCATION_FAILURE")
        is_well()
        fail_with("build", -11)
        for _ in range(2):
            raised(tf.errors.InternalError, lambda: tf.nn.relu(x), "Relu", "does not build for Fake GPU (Fake OpenCL): "
                   "CL_BUILD_PROGRAM_FAILURE", "options:", "the fake compiler does not like it")
        is_well()
        fail_with("read_status", unknown)
        raised(tf.errors.InternalError, lambda: (x + 1).numpy(), "Fake GPU: clEnqueueReadBuffer: OpenCL error -9999")
        is_well()
        fail_with("finish", out_of_host_memory)
        raised(tf.errors.InternalError, lambda: (x + 1).numpy())
        is_well()
        fail_with("marker", out_of_host_memory)
        raised(tf.errors.InternalError, lambda: (tf.constant([1.0, 2.0]) + x[:2]).numpy())
        is_well()
        row, column = tf.constant(np.zeros((1, 4096), "float32")), tf.constant(np.zeros((4096, 1), "float32"))
        fail_with("full", True)
        raised(tf.errors.ResourceExhaustedError, lambda: row + column, "OOM when allocating tensor", "[4096,4096]")
        is_well()
        fail_with("full", False)
        assert (row + column).shape == (4096, 4096)
        is_well()
        print("went on")
    """)
    assert run(code, **only(fake, tmp_path))[0] == "went on"


def test_a_device_that_is_lost(fake, tmp_path):
    """Everything on it is an exception with the reason from then on; the process and its other devices go on."""
    code = DRIVER_FAILS + textwrap.dedent("""
        kept = tf.Variable(np.arange(8, dtype="float32"))
        x = tf.identity(kept)
        fail_with("lost", True)
        raised(tf.errors.InternalError, lambda: x + 1, "Fake GPU: the device is lost: ", "CL_OUT_OF_RESOURCES")
        fail_with("lost", False)
        for call in (lambda: x + 1, lambda: kept.assign_add(x), lambda: tf.nn.relu(x), tf.function(lambda: tf.nn.relu(kept))):
            raised(tf.errors.InternalError, call, "Fake GPU: the device is lost")
        raised(tf.errors.InternalError, lambda: kept.numpy())  # "SyncAll failed" from TensorFlow, which logs the reason
        with tf.device("/CPU:0"):
            print(float(tf.reduce_sum(tf.ones(5))))
    """)
    last, errors = run(code, **only(fake, tmp_path))
    assert last == "5.0"
    [line] = lines_of(errors)
    assert line.startswith("tensorflow-ocldnn: Fake GPU: the device is lost: ") and "CL_OUT_OF_RESOURCES" in line


def test_a_device_that_cannot_be_used_today(fake, tmp_path):
    """It was well before, and gives no context now, as one that another process holds: ops on it raise."""
    environment = only(fake, tmp_path)
    assert "OPENCL" in run(LIST, **environment)[0]
    code = DRIVER_FAILS + textwrap.dedent("""
        for _ in range(2):
            raised(tf.errors.OpError, lambda: tf.identity([1.0, 2.0]) + 1)
        with tf.device("/CPU:0"):
            print(float(tf.reduce_sum(tf.ones(5))))
    """)
    last, errors = run(code, **environment, FAKE_OPENCL="context")
    assert last == "5.0"
    assert "clCreateContext: CL_OUT_OF_RESOURCES" in lines_of(errors)[0]


def test_a_device_that_never_could_be_used(fake, tmp_path):
    """Nobody tried the driver before: then it is no device."""
    devices, errors = run(LIST, **only(fake, tmp_path, FAKE_OPENCL="context", OCLDNN_TRIAL="none"))
    assert "OPENCL" not in devices
    assert lines_of(errors) == ["tensorflow-ocldnn: no OpenCL device: clCreateContext: CL_OUT_OF_RESOURCES (Fake GPU)"]
