"""What Keras does around a step, on the device as on TensorFlow's CPU: callbacks, a last batch that is smaller, validation,
checkpoints, weights for classes and samples, loops of the user's own."""

import keras
import numpy as np
import pytest
import tensorflow as tf

import nets

DEVICES = ["/OPENCL:0", "/CPU:0"]


def model():
    keras.utils.set_random_seed(5)
    net = keras.Sequential([keras.Input((28, 28, 1)), keras.layers.AveragePooling2D(2), keras.layers.Flatten(),
                            keras.layers.Dense(24, activation="tanh"), keras.layers.Dense(10)])
    net.compile(keras.optimizers.SGD(0.1, momentum=0.5), nets.classes(), metrics=["accuracy"], jit_compile=False)
    return net


def alike(run, *arguments, rtol=1e-5):
    """Runs it on the device twice and on the CPU; the first two give equal bits, the third nearly."""
    ours, again, cpu = (run(device, *arguments) for device in (DEVICES[0], *DEVICES))
    assert len(ours) == len(cpu) > 0
    for a, b, c in zip(ours, again, cpu, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, rtol=rtol, atol=1e-6)


def fit(device, folder):
    x, y = nets.clothes(150)
    with tf.device(device):
        net = model()
        data = tf.data.Dataset.from_tensor_slices((x[:100], y[:100])).batch(16).prefetch(tf.data.AUTOTUNE)
        best, log = folder / "best.weights.h5", folder / "log.csv"
        callbacks = keras.callbacks
        history = net.fit(data, epochs=8, validation_data=(x[100:], y[100:]), verbose=0, callbacks=[
            callbacks.ModelCheckpoint(best, save_weights_only=True, save_best_only=True),
            callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.95 if epoch else rate),
            callbacks.ReduceLROnPlateau(patience=1, min_delta=0.05), callbacks.CSVLogger(log), callbacks.TerminateOnNaN(),
            callbacks.EarlyStopping(patience=2, min_delta=0.02, restore_best_weights=True)]).history
        stopped = net.get_weights()
        net.load_weights(best)
        rows = np.genfromtxt(log, delimiter=",", names=True)
        return [*(history[name] for name in sorted(history)), *stopped, rows["loss"], net.evaluate(data, verbose=0),
                net.predict(x[:37], verbose=0)]


def test_fit_with_callbacks(tmp_path):
    alike(fit, tmp_path)


def weighted(device):
    x, y = nets.clothes(64)
    with tf.device(device):
        net = model()
        history = net.fit(x, y, batch_size=24, epochs=2, shuffle=False, verbose=0, class_weight={i: 1 + i / 5 for i in range(10)})
        more = net.fit(x, y, batch_size=64, epochs=1, verbose=0, sample_weight=np.linspace(0, 2, 64), validation_split=0.25)
        return [*history.history.values(), *more.history.values(), *net.get_weights()]


def test_weights_of_classes_and_samples():
    alike(weighted)


def own_loop(device, folder):
    """A GradientTape, a summed gradient, an exponential average, and a checkpoint taken up by another model."""
    x, y = nets.clothes(96)
    with tf.device(device):
        net, loss = model(), nets.classes()
        average = [tf.Variable(v) for v in net.trainable_variables]
        metric = keras.metrics.SparseCategoricalAccuracy()

        @tf.function(jit_compile=False)
        def step(x, y):
            with tf.GradientTape() as tape:
                guess = net(x, training=True)
                value = loss(y, guess)
            gradients, norm = tf.clip_by_global_norm(tape.gradient(value, net.trainable_variables), 0.5)
            net.optimizer.apply_gradients(zip(gradients, net.trainable_variables, strict=True))
            for mean, v in zip(average, net.trainable_variables, strict=True):
                mean.assign(0.9 * mean + 0.1 * v)
            metric.update_state(y, guess)
            return value, norm

        out = [part.numpy() for i in range(0, 96, 16) for part in step(x[i:i + 16], y[i:i + 16])]
        path = tf.train.Checkpoint(net=net).write(str(folder / "checkpoint"))
        other = model()
        tf.train.Checkpoint(net=other).read(path).assert_existing_objects_matched()
        same = [np.abs(a - b).max() for a, b in zip(net.get_weights(), other.get_weights(), strict=True)]
        assert max(same) == 0
        return [*out, metric.result().numpy(), *(mean.numpy() for mean in average)]


def test_loop_of_ones_own(tmp_path):
    alike(own_loop, tmp_path)


def second_order(device):
    """A gradient of a gradient, a Jacobian, and a gradient in forward mode."""
    x, y = nets.clothes(6)
    with tf.device(device):
        net, loss = model(), nets.classes()
        x = tf.constant(x)

        @tf.function(jit_compile=False)
        def run():
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    value = loss(y, net(x))
                penalty = tf.reduce_sum(tf.square(inner.gradient(value, x)))
            twice = outer.gradient(penalty, net.trainable_variables[0])
            with tf.GradientTape() as tape:
                tape.watch(x)
                scores = net(x)
            jacobian = tape.batch_jacobian(scores, x)
            with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as forward:
                scores = net(x)
            return penalty, twice, jacobian, forward.jvp(scores)

        return [part.numpy() for part in run()]


def test_higher_derivatives():
    alike(second_order, rtol=1e-4)


layers = keras.layers
FLAT = [layers.Flatten, lambda: layers.Dense(10)]
NOISY = {
    "gaussian": [lambda: layers.GaussianNoise(0.3), *FLAT],
    "gaussian dropout": [lambda: layers.GaussianDropout(0.4), *FLAT],
    "alpha dropout": [layers.Flatten, lambda: layers.Dense(24, "selu"), lambda: layers.AlphaDropout(0.2), lambda: layers.Dense(10)],
    "spatial dropout": [lambda: layers.Conv2D(8, 5, strides=3), lambda: layers.SpatialDropout2D(0.3), *FLAT],
    "recurrent dropout": [lambda: layers.Reshape((28, 28)), lambda: layers.LSTM(12, dropout=0.2, recurrent_dropout=0.3),
                          lambda: layers.Dense(10)],
    "augmentation": [lambda: layers.RandomFlip(), lambda: layers.RandomRotation(0.1), lambda: layers.RandomZoom(0.2),
                     lambda: layers.RandomTranslation(0.1, 0.1), lambda: layers.RandomShear(0.1, 0.1), *FLAT],
}


def noisy(device, name):
    """What is drawn differs by type, so there is no float64 to be compared with."""
    x, y = nets.clothes(20 * 16)
    with tf.device(device):
        keras.utils.set_random_seed(5)
        net = keras.Sequential([keras.Input((28, 28, 1)), *(make() for make in NOISY[name])])
        net.compile(keras.optimizers.SGD(0.05), nets.classes(), jit_compile=False)
        return [net.train_on_batch(x[i:i + 16], y[i:i + 16]) for i in range(0, len(x), 16)]


@pytest.mark.parametrize("name", NOISY)
def test_random_layers(name):
    alike(noisy, name)


def overflowing(device):
    """Gradients times such a scale are infinite in float16 at first: those steps are left out, and the scale is halved."""
    x, y = nets.clothes(12 * 16)
    keras.config.set_dtype_policy("mixed_float16")
    try:
        with tf.device(device):
            net = model()
            rule = keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.05), initial_scale=2.0 ** 22, dynamic_growth_steps=3)
            net.compile(rule, nets.classes(), jit_compile=False)
            losses, scales = [], []
            for i in range(0, len(x), 16):
                losses.append(net.train_on_batch(x[i:i + 16], y[i:i + 16]))
                scales.append(float(rule.dynamic_scale))
        assert scales[0] == 2.0 ** 21 and max(np.diff(scales)) > 0
        return [np.array(losses), np.array(scales)]
    finally:
        keras.config.set_dtype_policy("float32")


def test_gradients_beyond_their_range():
    alike(overflowing, rtol=2e-3)


@pytest.mark.parametrize("device", DEVICES)
def test_backup_and_restore(tmp_path, device):
    """Training that is interrupted goes on where it was, and ends with the weights of training that is not."""
    x, y = nets.clothes(48)

    class Interrupted(Exception):
        pass

    class Interrupt(keras.callbacks.Callback):
        def on_epoch_begin(self, epoch, logs=None):
            if epoch == 2:
                raise Interrupted

    settings = {"batch_size": 16, "epochs": 4, "shuffle": False, "verbose": 0}
    with tf.device(device):
        whole = model()
        whole.fit(x, y, **settings)
        net = model()
        with pytest.raises(Interrupted):
            net.fit(x, y, callbacks=[keras.callbacks.BackupAndRestore(tmp_path / "backup"), Interrupt()], **settings)
        again = model()
        again.fit(x, y, callbacks=[keras.callbacks.BackupAndRestore(tmp_path / "backup")], **settings)
        for a, b in zip(whole.get_weights(), again.get_weights(), strict=True):
            np.testing.assert_array_equal(a, b)
