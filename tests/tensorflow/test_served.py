"""A saved model that asks for jit, served where our Python package is not: by tf.saved_model.load, and by a C program
without any Python (serve.c). Both in strict mode, beside TensorFlow's CPU."""

import pathlib
import shutil

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2

from processes import run, succeeded
from test_loader import LIBRARY, LOADER, instead_of_ours

SHAPE = (7, 12, 12, 2)
STRICT = {"OCLDNN_STRICT": "1", "OCLDNN_LOG": "exec"}

# A net trained with jit_compile=True, exported as a function with jit inside; run on the CPU, which has a compiler, so
# that nobody takes the request off.
SAVE = """
    import pathlib, keras, numpy as np, tensorflow as tf
    from keras import layers
    folder = pathlib.Path("FOLDER")
    keras.utils.set_random_seed(5)
    model = keras.Sequential([keras.Input((12, 12, 2)), layers.Conv2D(8, 3, padding="same", use_bias=False),
                              layers.BatchNormalization(), layers.ReLU(), layers.MaxPooling2D(), layers.Dropout(0.2),
                              layers.Flatten(), layers.Dense(16, "gelu"), layers.Dense(5)])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=True)
    rng = np.random.default_rng(1)
    model.fit(rng.normal(size=(32, 12, 12, 2)), rng.integers(0, 5, 32), batch_size=16, verbose=0)
    logits = tf.function(lambda x: model(x, training=False), jit_compile=True)
    archive = keras.export.ExportArchive()
    archive.track(model)
    archive.add_endpoint("serve", lambda x: tf.nn.softmax(logits(x) + logits(-x)), [tf.TensorSpec([None, 12, 12, 2])])
    archive.write_out(folder / "model", verbose=False)
    signature = tf.saved_model.load(folder / "model").signatures["serve"]
    x = rng.normal(size=SHAPE).astype("float32")
    x.tofile(folder / "x")
    next(iter(signature(x=tf.constant(x)).values())).numpy().tofile(folder / "cpu")
"""

LOAD = """
    import sys
    sys.modules["tensorflow_ocldnn"] = None  # importing it fails from here on
    import numpy as np, tensorflow as tf
    loaded = tf.saved_model.load("FOLDER/model")
    x = tf.constant(np.fromfile("FOLDER/x", "float32").reshape(SHAPE))
    assert tf.config.list_physical_devices("OPENCL") and "OPENCL" in x.device
    by_signature = next(iter(loaded.signatures["serve"](x=x).values())).numpy()
    np.testing.assert_array_equal(loaded.serve(x), by_signature)
    by_signature.tofile("FOLDER/python")
"""


def about(code, folder):
    return code.replace("FOLDER", str(folder)).replace("SHAPE", str(SHAPE))


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A folder with the model, an input and TensorFlow's answer to it on the CPU."""
    folder = tmp_path_factory.mktemp("served")
    run(about(SAVE, folder), OCLDNN_DISABLE="1")
    assert b"_XlaMustCompile" in (folder / "model" / "saved_model.pb").read_bytes()
    return folder


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    """The plug-in with all that is beside it but Python's files."""
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "tensorflow-plugins").mkdir()
    (folder / LIBRARY.parent.name).mkdir()
    for file in LIBRARY.parent.iterdir():
        if file.suffix != ".py" and file.name != "__pycache__":
            (folder / LIBRARY.parent.name / file.name).symlink_to(file)
    return shutil.copy(LOADER, folder / "tensorflow-plugins")


def operations(model):
    """The operations of the signature's only input and output."""
    parsed = saved_model_pb2.SavedModel.FromString((model / "saved_model.pb").read_bytes())
    signature = parsed.meta_graphs[0].signature_def["serve"]
    (given,), (returned,) = signature.inputs.values(), signature.outputs.values()
    assert given.name.endswith(":0") and returned.name.endswith(":0")
    return given.name[:-2], returned.name[:-2]


def assert_served(saved, answer, log):
    """As on the CPU, and by kernels of ours: the log has a line a launch."""
    ours, cpu = (np.fromfile(saved / name, "float32").reshape(SHAPE[0], -1) for name in (answer, "cpu"))
    assert np.ptp(cpu) > 0.05 and np.ptp(cpu, axis=0).max() > 0.01  # it tells classes and inputs apart
    np.testing.assert_allclose(ours, cpu, rtol=0, atol=1e-6)
    launched = [line.split("exec: ")[1] for line in log.splitlines() if "tensorflow-ocldnn: exec: " in line]
    for kernel in ("engine/contract/", "engine/pointwise/", "ops/pool/", "ops/softmax/"):
        assert any(line.startswith(kernel) for line in launched), f"no kernel of {kernel} in {launched}"


def test_python_without_our_package(saved, plugin, tmp_path):
    _, errors = run(about(LOAD, saved), **STRICT, **instead_of_ours(tmp_path, plugin))
    assert_served(saved, "python", errors)


def test_c(saved, plugin, tmp_path):
    libraries = pathlib.Path(tf.sysconfig.get_lib())
    serve = tmp_path / "serve"
    succeeded(["cc", "-Wall", "-Wextra", "-Werror", "-I", tf.sysconfig.get_include(), "-o", serve,
               pathlib.Path(__file__).parent / "serve.c", libraries / "libtensorflow_cc.so.2",
               libraries / "libtensorflow_framework.so.2", f"-Wl,-rpath,{libraries},--allow-shlib-undefined"])
    model = [saved / "model", *operations(saved / "model"), saved / "x"]
    shape = [str(n) for n in SHAPE]
    assert succeeded([serve, "-", *model, saved / "c-cpu", *shape]).stdout.split() == ["CPU"]
    np.testing.assert_allclose(np.fromfile(saved / "c-cpu", "f4"), np.fromfile(saved / "cpu", "f4"), rtol=0, atol=1e-6)
    done = succeeded([serve, plugin, *model, saved / "c", *shape], **STRICT)
    assert "OPENCL" in done.stdout.split()
    assert_served(saved, "c", done.stderr)
