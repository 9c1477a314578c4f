"""Strict mode, the placement report and the report of devices."""

import json
import sys

import numpy as np
import pytest
import tensorflow as tf
from processes import ROOT, WITH_PACKAGE, ended, python, run, succeeded

STRICT = {"OCLDNN_STRICT": "1", **WITH_PACKAGE}

# Any op that TensorFlow has for the CPU alone and that nobody will miss on a device.
NO_KERNEL = "tf.linalg.logm(tf.constant([[1 + 0j]]))"


def test_strict_mode_refuses_what_would_fall_back():
    code = f"import tensorflow as tf; {NO_KERNEL}"
    run(code, **WITH_PACKAGE)
    strict = ended(python(code), **STRICT)
    assert strict.returncode != 0
    assert "UnimplementedError" in strict.stderr
    assert "MatrixLogarithm: no OpenCL kernel with T=complex128" in strict.stderr
    assert "OCLDNN_STRICT" in strict.stderr


def test_strict_mode_refuses_a_type_without_a_kernel_and_takes_the_others():
    printed, _ = run(
        """
        import tensorflow as tf
        assert tf.nn.relu([-1.0, 2.0]).numpy().tolist() == [0, 2]
        assert (tf.constant([1, 2]) + 3).numpy().tolist() == [4, 5]      # int32: host memory
        assert tf.strings.length("abc").numpy() == 3
        try:
            tf.sqrt(tf.constant([1 + 1j]))
        except tf.errors.UnimplementedError as error:
            print(repr(error.message))
        """,
        **STRICT,
    )
    assert "Sqrt: no OpenCL kernel with T=complex128" in printed


def test_keras_works_in_strict_mode(tmp_path):
    run(
        f"""
        import numpy as np, tensorflow as tf, keras
        keras.utils.set_random_seed(1)
        model = keras.Sequential([
            keras.layers.Input((12, 12, 1)), keras.layers.Conv2D(4, 3, activation="relu"), keras.layers.MaxPooling2D(),
            keras.layers.Flatten(), keras.layers.Dropout(0.2), keras.layers.Dense(10, activation="softmax")])
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        x, y = np.random.rand(64, 12, 12, 1).astype("f4"), np.random.randint(0, 10, 64)
        model.fit(x, y, epochs=2, batch_size=16, validation_split=0.25, verbose=0)
        model.evaluate(x, y, verbose=0)
        want = model.predict(x, verbose=0)
        model.save(r"{tmp_path}/m.keras")
        np.testing.assert_array_equal(keras.models.load_model(r"{tmp_path}/m.keras").predict(x, verbose=0), want)
        model.export(r"{tmp_path}/saved", verbose=False)
        loaded = tf.saved_model.load(r"{tmp_path}/saved")
        got = loaded.serve(x)
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)
        """,
        **STRICT,
    )


def test_placement_report():
    sys.path.insert(0, str(ROOT / "python"))
    import tensorflow_ocldnn

    x = tf.constant(np.ones((3, 4), "f4"))
    with tensorflow_ocldnn.placement_report() as placed:
        tf.function(lambda a: tf.nn.relu(a) * 2)(x)
        tf.strings.length("abc")
        tf.linalg.logm(tf.constant([[1 + 0j]]))
        with tf.device("/CPU:0"):
            tf.math.cosh(x)
    rows = {row["op"]: row for row in placed.ops()}
    assert rows["Relu"]["device"] == "OPENCL" and rows["Relu"]["why"] == ""
    assert rows["StringLength"]["device"] == "CPU" and rows["StringLength"]["why"] == "strings"
    assert rows["MatrixLogarithm"]["why"] == "no kernel"
    assert "asked for" in rows["Cosh"]["why"]
    assert [row["op"] for row in placed.fell_back()] == ["MatrixLogarithm"]
    assert "Relu" in str(placed)


def test_placement_written_at_exit(tmp_path):
    path = tmp_path / "placement.json"
    run("import tensorflow as tf; tf.function(lambda a: tf.nn.relu(a) * 2)(tf.ones((3, 4)))", **WITH_PACKAGE,
        OCLDNN_PLACEMENT=str(path))
    written = json.loads(path.read_text())
    assert written["devices"][0]["name"]
    assert ("Relu", "OPENCL") in {(row["op"], row["device"]) for row in written["ops"]}


def test_report_and_command():
    sys.path.insert(0, str(ROOT / "python"))
    import tensorflow_ocldnn

    found = tensorflow_ocldnn.report()
    assert len(found["devices"]) == len(tf.config.list_physical_devices("OPENCL")) > 0
    assert found["tensorflow"] == tf.__version__
    before = tensorflow_ocldnn.launches()
    tf.nn.relu(tf.ones(5)).numpy()
    assert tensorflow_ocldnn.launches() > before
    assert tensorflow_ocldnn.strategy_devices()[0] == "OPENCL:0"

    done = succeeded([sys.executable, "-m", "tensorflow_ocldnn"], **WITH_PACKAGE)
    assert found["devices"][0]["name"] in done.stdout
    assert "variables: " in done.stdout


@pytest.mark.parametrize("wish", ["", "rewrite"])
def test_the_way_to_variables_is_named(wish):
    text, _ = run("import tensorflow_ocldnn as o; print(o.report()['variables'])", **WITH_PACKAGE, OCLDNN_VARIABLES=wish)
    assert ("rewrite" in text) == (wish == "rewrite")
    assert text
