"""jit_compile asks for an XLA compiler, which no plug-in has: whoever asks, the code must run all the same."""

import numpy as np
import pytest
import tensorflow as tf
from processes import ended, python, run


def test_the_shim_leaves_tensorflow_uninitialised():
    run("""
        import tensorflow as tf
        f = tf.function(lambda x: x + 1, jit_compile=True)
        assert f._jit_compile is None, f._jit_compile
        g = tf.function(lambda x: x, jit_compile=False)
        assert g._jit_compile is False
        tf.config.set_soft_device_placement(True)
        tf.config.threading.set_inter_op_parallelism_threads(2)  # refused once TensorFlow is initialised
        assert f(tf.constant(1.0)).numpy() == 2
    """)


def test_without_the_plug_ins_help_jit_fails():
    """Else the other tests here would prove nothing."""
    code = "import tensorflow as tf; tf.function(lambda x: x + 1, jit_compile=True)(tf.constant(1.0))"
    done = ended(python(code), OCLDNN_KEEP_JIT="1")
    assert done.returncode != 0
    assert "XLA" in done.stderr or "JIT" in done.stderr


def test_user_functions():
    x = tf.constant([-1.0, 2.0])
    f = tf.function(lambda a: tf.nn.relu(a) + 1, jit_compile=True)
    np.testing.assert_array_equal(f(x), [1, 3])
    np.testing.assert_array_equal(tf.function(lambda a: f(a) * 2)(x), [2, 6])

    @tf.function(jit_compile=True)
    def gradient(a):
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = tf.reduce_sum(f(a) * a)
        return tape.gradient(y, a)

    np.testing.assert_array_equal(gradient(x), [1, 5])


def test_keras_with_its_defaults():
    import keras

    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
    model.compile("adam", "mse", jit_compile=True)
    x, y = np.ones((32, 4), "f4"), np.ones((32, 1), "f4")
    losses = model.fit(x, y, epochs=3, verbose=0).history["loss"]
    assert losses[2] < losses[0]
    assert model.evaluate(x, y, verbose=0) < losses[0]
    assert model.predict(x, verbose=0).shape == (32, 1)
    model.train_on_batch(x, y)
    model.test_on_batch(x, y)
    model.predict_on_batch(x)


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "function"])
def test_grouped_convolution(traced):
    import keras

    layer = keras.layers.Conv2D(4, 3, groups=2)
    x = tf.random.stateless_uniform((2, 8, 8, 4), [1, 2])
    layer.build(x.shape)
    y = (tf.function(layer) if traced else layer)(x)
    w, b = layer.get_weights()
    parts = [tf.nn.conv2d(x[..., 2 * g : 2 * g + 2], w[..., 2 * g : 2 * g + 2], 1, "VALID") for g in range(2)]
    np.testing.assert_allclose(y, tf.concat(parts, -1) + b, rtol=1e-5, atol=1e-5)


def test_a_saved_model_that_asks_for_jit(tmp_path):
    # Saved where nobody takes the request off, so that it is in the file.
    run(
        f"""
        import tensorflow as tf
        class Module(tf.Module):
            @tf.function(jit_compile=True)
            def inner(self, x):
                return tf.nn.relu(x) * 2
            @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
            def __call__(self, x):
                return self.inner(x) + self.inner(x + 1) - 1
        tf.saved_model.save(Module(), {str(tmp_path)!r})
        """,
        OCLDNN_KEEP_JIT="1",
    )
    assert b"_XlaMustCompile" in (tmp_path / "saved_model.pb").read_bytes()
    loaded = tf.saved_model.load(str(tmp_path))
    np.testing.assert_array_equal(loaded(tf.constant([-3.0, 1.0])), [-1, 5])
