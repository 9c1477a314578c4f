"""Every loss of Keras with its gradient, and every metric, on the device beside TensorFlow's CPU in float32 and
float64: in a function, a mask or weights where a loss takes them, and states summed over batches that differ in size."""

import keras
import numpy as np
import pytest
import tensorflow as tf

LOSSES, METRICS = keras.losses, keras.metrics
ROWS, CLASSES = 37, 7
random = np.random.default_rng(11)
SCORES = random.normal(size=(ROWS, CLASSES)) * 2
CHANCES = np.exp(SCORES) / np.exp(SCORES).sum(axis=1, keepdims=True)
LABELS = random.integers(0, CLASSES, ROWS)
ONE_HOT = np.eye(CLASSES)[LABELS]
BITS = (random.random((ROWS, CLASSES)) < 0.4).astype(float)
NUMBERS = SCORES + random.normal(size=SCORES.shape)
WEIGHTS = random.random(ROWS)
SENTENCES = np.where(np.arange(4) < random.integers(1, 5, (ROWS, 1)), random.integers(1, CLASSES, (ROWS, 4)), 0)
SPEECH = random.normal(size=(ROWS, 12, CLASSES))
AGREEING = (LABELS + (SCORES[:, 0] > 0)) % CLASSES


class OfGuess:
    """Mean and Sum, which take one number, called as the others are."""

    def __init__(self, metric):
        self.metric, self.result, self.reset_state = metric, metric.result, metric.reset_state

    def update_state(self, truth, guess, sample_weight):
        self.metric.update_state(guess, sample_weight)


# name: (constructor, truth, prediction)
LOSS_ROWS = {
    "binary crossentropy": (lambda: LOSSES.BinaryCrossentropy(from_logits=True, label_smoothing=0.1), BITS, SCORES),
    "binary crossentropy of chances": (LOSSES.BinaryCrossentropy, BITS, CHANCES),
    "binary focal": (lambda: LOSSES.BinaryFocalCrossentropy(apply_class_balancing=True), BITS, CHANCES),
    "categorical crossentropy": (lambda: LOSSES.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1), ONE_HOT, SCORES),
    "categorical crossentropy of chances": (LOSSES.CategoricalCrossentropy, ONE_HOT, CHANCES),
    "categorical focal": (LOSSES.CategoricalFocalCrossentropy, ONE_HOT, CHANCES),
    "categorical generalized": (lambda: LOSSES.CategoricalGeneralizedCrossEntropy(), LABELS, CHANCES),
    "categorical hinge": (LOSSES.CategoricalHinge, ONE_HOT, SCORES),
    "circle": (LOSSES.Circle, LABELS % 3, SCORES / np.linalg.norm(SCORES, axis=1, keepdims=True)),
    "cosine": (LOSSES.CosineSimilarity, NUMBERS, SCORES),
    "ctc": (LOSSES.CTC, SENTENCES, SPEECH),
    "dice": (LOSSES.Dice, BITS, CHANCES),
    "hinge": (LOSSES.Hinge, BITS, SCORES),
    "huber": (lambda: LOSSES.Huber(0.7), NUMBERS, SCORES),
    "kl divergence": (LOSSES.KLDivergence, CHANCES[::-1].copy(), CHANCES),
    "log cosh": (LOSSES.LogCosh, NUMBERS, SCORES),
    "absolute": (LOSSES.MeanAbsoluteError, NUMBERS, SCORES),
    "absolute percentage": (LOSSES.MeanAbsolutePercentageError, CHANCES, SCORES),
    "squared": (LOSSES.MeanSquaredError, NUMBERS, SCORES),
    "squared logarithmic": (LOSSES.MeanSquaredLogarithmicError, CHANCES, np.abs(SCORES)),
    "poisson": (LOSSES.Poisson, CHANCES, np.abs(SCORES)),
    "sparse crossentropy": (lambda: LOSSES.SparseCategoricalCrossentropy(from_logits=True, ignore_class=2), LABELS, SCORES),
    "sparse crossentropy of chances": (LOSSES.SparseCategoricalCrossentropy, LABELS, CHANCES),
    "squared hinge": (LOSSES.SquaredHinge, BITS, SCORES),
    "tversky": (lambda: LOSSES.Tversky(0.3, 0.7), BITS, CHANCES),
}

METRIC_ROWS = {
    "accuracy": (METRICS.Accuracy, LABELS, AGREEING),
    "auc": (METRICS.AUC, BITS, CHANCES),
    "auc, precision and recall": (lambda: METRICS.AUC(curve="PR", multi_label=True, num_labels=CLASSES), BITS, CHANCES),
    "binary accuracy": (METRICS.BinaryAccuracy, BITS, CHANCES),
    "binary crossentropy": (METRICS.BinaryCrossentropy, BITS, CHANCES),
    "binary iou": (lambda: METRICS.BinaryIoU([0, 1], 0.3), BITS[:, 0], CHANCES[:, 0]),
    "categorical accuracy": (METRICS.CategoricalAccuracy, ONE_HOT, SCORES),
    "categorical crossentropy": (METRICS.CategoricalCrossentropy, ONE_HOT, CHANCES),
    "categorical hinge": (METRICS.CategoricalHinge, ONE_HOT, SCORES),
    "concordance": (METRICS.ConcordanceCorrelation, NUMBERS, SCORES),
    "cosine": (METRICS.CosineSimilarity, NUMBERS, SCORES),
    "f1": (lambda: METRICS.F1Score("macro", 0.3), BITS, CHANCES),
    "f beta": (lambda: METRICS.FBetaScore("weighted", 2.0), ONE_HOT, CHANCES),
    "false negatives": (METRICS.FalseNegatives, BITS, CHANCES),
    "false positives": (lambda: METRICS.FalsePositives([0.1, 0.3]), BITS, CHANCES),
    "hinge": (METRICS.Hinge, BITS, SCORES),
    "iou": (lambda: METRICS.IoU(CLASSES, [0, 3]), LABELS, AGREEING),
    "kl divergence": (METRICS.KLDivergence, CHANCES[::-1].copy(), CHANCES),
    "log cosh": (METRICS.LogCoshError, NUMBERS, SCORES),
    "mean": (lambda: OfGuess(METRICS.Mean()), NUMBERS[:, 0], SCORES[:, 0]),
    "mean iou": (lambda: METRICS.MeanIoU(CLASSES), LABELS, AGREEING),
    "mean absolute": (METRICS.MeanAbsoluteError, NUMBERS, SCORES),
    "mean absolute percentage": (METRICS.MeanAbsolutePercentageError, CHANCES, SCORES),
    "mean squared": (METRICS.MeanSquaredError, NUMBERS, SCORES),
    "mean squared logarithmic": (METRICS.MeanSquaredLogarithmicError, CHANCES, np.abs(SCORES)),
    "one hot iou": (lambda: METRICS.OneHotIoU(CLASSES, [1, 2]), ONE_HOT, CHANCES),
    "one hot mean iou": (lambda: METRICS.OneHotMeanIoU(CLASSES), ONE_HOT, CHANCES),
    "pearson": (METRICS.PearsonCorrelation, NUMBERS, SCORES),
    "poisson": (METRICS.Poisson, CHANCES, np.abs(SCORES)),
    "precision": (lambda: METRICS.Precision(top_k=2), ONE_HOT, CHANCES),
    "precision at recall": (lambda: METRICS.PrecisionAtRecall(0.6), BITS, CHANCES),
    "r2": (METRICS.R2Score, NUMBERS, SCORES),
    "recall": (lambda: METRICS.Recall([0.1, 0.3]), BITS, CHANCES),
    "recall at precision": (lambda: METRICS.RecallAtPrecision(0.4), BITS, CHANCES),
    "root mean squared": (METRICS.RootMeanSquaredError, NUMBERS, SCORES),
    "sensitivity at specificity": (lambda: METRICS.SensitivityAtSpecificity(0.7), BITS, CHANCES),
    "sparse accuracy": (METRICS.SparseCategoricalAccuracy, LABELS, SCORES),
    "sparse crossentropy": (lambda: METRICS.SparseCategoricalCrossentropy(from_logits=True), LABELS, SCORES),
    "sparse top k": (lambda: METRICS.SparseTopKCategoricalAccuracy(3), LABELS, SCORES),
    "specificity at sensitivity": (lambda: METRICS.SpecificityAtSensitivity(0.7), BITS, CHANCES),
    "squared hinge": (METRICS.SquaredHinge, BITS, SCORES),
    "sum": (lambda: OfGuess(METRICS.Sum()), NUMBERS[:, 0], SCORES[:, 0]),
    "top k": (lambda: METRICS.TopKCategoricalAccuracy(2), ONE_HOT, SCORES),
    "true negatives": (METRICS.TrueNegatives, BITS, CHANCES),
    "true positives": (METRICS.TruePositives, BITS, CHANCES),
}


def typed(array, kind):
    return tf.constant(array, tf.int32 if array.dtype == np.int64 else kind)


def loss_and_gradient(make, truth, guess, device, kind):
    """With weights for the rows, without, and the gradient of the latter."""
    keras.config.set_floatx(kind)
    with tf.device(device):
        loss = make()
        truth, guess, weights = (typed(a, kind) for a in (truth, guess, WEIGHTS))

        @tf.function(jit_compile=False)
        def both():
            with tf.GradientTape() as tape:
                tape.watch(guess)
                value = loss(truth, guess)
            return value, loss(truth, guess, sample_weight=weights), tape.gradient(value, guess)

        return [part.numpy() for part in both()]


def metric(make, truth, guess, device, kind):
    keras.config.set_floatx(kind)
    with tf.device(device):
        state = make()

        @tf.function(jit_compile=False, reduce_retracing=True)
        def update(truth, guess, weights):
            state.update_state(truth, guess, sample_weight=weights)
            return state.result()

        out = []
        for rows in (slice(0, 16), slice(16, 32), slice(32, ROWS)):
            out.append(np.array(update(*(typed(a[rows], kind) for a in (truth, guess, WEIGHTS)))))
        state.reset_state()
        out.append(np.array(update(*(typed(a, kind) for a in (truth, guess, WEIGHTS)))))
        return out


@pytest.fixture(autouse=True)
def _floatx():
    yield
    keras.config.set_floatx("float32")


def compare(compute, row, has_float64=True):
    ours, again = (compute(*row, "/OPENCL:0", "float32") for _ in range(2))
    cpu = compute(*row, "/CPU:0", "float32")
    exact = compute(*row, "/CPU:0", "float64") if has_float64 else cpu
    for got, twice, near, true in zip(ours, again, cpu, exact, strict=True):
        np.testing.assert_array_equal(got, twice)
        bound = 4 * np.abs(near - true).max() + 1e-6 * max(1, np.abs(true).max())
        assert np.abs(got - true).max() <= bound, (got, true, bound)


@pytest.mark.parametrize("name", LOSS_ROWS)
def test_loss(name):
    compare(loss_and_gradient, LOSS_ROWS[name], has_float64=name != "ctc")  # TensorFlow's is in float32 alone


@pytest.mark.parametrize("name", METRIC_ROWS)
def test_metric(name):
    compare(metric, METRIC_ROWS[name], has_float64="top k" not in name)  # TensorFlow's in_top_k takes float32 alone


def test_every_loss_is_here():
    made = {type(row[0]()).__name__ for row in LOSS_ROWS.values()}
    assert {name for name in dir(LOSSES) if name[0].isupper()} - made == {"Loss"}


def test_every_metric_is_here():
    """But those that the others are made of, or that Keras has for its own use."""
    made = {type(getattr(row[0](), "metric", row[0]())).__name__ for row in METRIC_ROWS.values()}
    assert {name for name in dir(METRICS) if name[0].isupper()} - made == {"MeanMetricWrapper", "Metric"}
