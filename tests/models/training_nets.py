"""How a net is trained: clipping, averages, accumulation, weight decay, several steps a call, XLA asked for, mixed precision,
regularisers and constraints. Each on a small net."""

import keras

from layer_nets import embedding, next_letter
from nets import Net, adam, clothes, days, recurrent
from sequence_nets import encoder, padded_letters

layers = keras.layers


def small():
    return keras.Sequential([keras.Input((28, 28, 1)), layers.Conv2D(8, 5, strides=3, activation="tanh"), layers.Flatten(),
                             layers.Dense(24, activation="gelu"), layers.Dense(10)])


def restrained():
    return keras.Sequential([
        keras.Input((28, 28, 1)), layers.Flatten(), layers.ActivityRegularization(l2=1e-4),
        layers.Dense(32, activation="tanh", kernel_regularizer=keras.regularizers.L1L2(1e-4, 1e-3),
                     kernel_constraint=keras.constraints.MaxNorm(0.9)),
        layers.Dense(16, activation="relu", kernel_regularizer="l2",
                     bias_constraint=keras.constraints.NonNeg()),
        layers.Dense(10, kernel_constraint=keras.constraints.UnitNorm())])


def normalized():
    """A net for halves: batch norm, whose variance overflows where it is computed in float16, pooling and softmax."""
    return keras.Sequential([
        keras.Input((28, 28, 1)), layers.Rescaling(40.0), layers.Conv2D(12, 3, padding="same", use_bias=False),
        layers.BatchNormalization(), layers.ReLU(), layers.MaxPooling2D(2), layers.Conv2D(16, 3, strides=2),
        layers.LayerNormalization(), layers.Activation("silu"), layers.Flatten(), layers.Dense(32, activation="tanh"),
        layers.Dense(10), layers.Activation("softmax", dtype="float32" if keras.config.floatx() == "float32" else "float64")])


def few_clothes(count):
    """Of which the fourth batch of an epoch is smaller than the others."""
    return clothes(count * 3 // 16 + 10)


def sgd(rate=0.05, **settings):
    return lambda: keras.optimizers.SGD(rate, **settings)


optimizers = keras.optimizers
probabilities = keras.losses.SparseCategoricalCrossentropy
mse = keras.losses.MeanSquaredError
NETS = {
    "clipnorm": Net(small, clothes, 16, sgd(clipnorm=0.3)),
    "global clipnorm": Net(small, clothes, 16, sgd(momentum=0.9, nesterov=True, global_clipnorm=0.5)),
    "clipvalue": Net(small, clothes, 16, sgd(clipvalue=0.01)),
    "moving average": Net(small, clothes, 16, lambda: keras.optimizers.Adam(
        1e-3, use_ema=True, ema_momentum=0.8, ema_overwrite_frequency=5)),
    "accumulation": Net(small, clothes, 16, sgd(gradient_accumulation_steps=3)),
    "weight decay": Net(small, clothes, 16, sgd(weight_decay=0.02)),
    "schedule": Net(small, clothes, 16, lambda: keras.optimizers.Adam(
        keras.optimizers.schedules.CosineDecay(0.0, 20, warmup_target=1e-3, warmup_steps=5))),
    "steps per execution": Net(small, clothes, 16, sgd(), how="fit", compile={"steps_per_execution": 4}),
    "ragged batches": Net(small, few_clothes, 16, sgd(), how="fit"),
    "loss scale": Net(small, clothes, 16, lambda: optimizers.LossScaleOptimizer(
        optimizers.SGD(0.05), initial_scale=2.0 ** 10, dynamic_growth_steps=3)),
    "several optimizers": Net(small, clothes, 16, lambda: optimizers.MultiOptimizer(optimizers.OptimizerMap(
        optimizers.SGD(0.05), {".*dense.*": optimizers.Adam(1e-3)}))),
    # With the dense gradients of this net: Keras's own looks up rows that are not there when they are sparse.
    "optimizer RMSprop, centered": Net(small, clothes, 16, lambda: optimizers.RMSprop(1e-3, centered=True)),
    "jit": Net(small, clothes, 16, sgd(), compile={"jit_compile": True}),
    "jit, fit": Net(lambda: recurrent(layers.LSTM), days, 16, adam, mse, how="fit", compile={"jit_compile": True}),
    "restrained": Net(restrained, clothes, 16, sgd()),
    "mixed_float16": Net(normalized, clothes, 16, adam, probabilities, policy="mixed_float16"),
    "mixed_bfloat16": Net(normalized, clothes, 16, adam, probabilities, policy="mixed_bfloat16"),
    "mixed_float16 lstm": Net(lambda: recurrent(layers.LSTM), days, 16, adam, mse, policy="mixed_float16"),
    "mixed_bfloat16 lstm": Net(lambda: recurrent(layers.LSTM), days, 16, adam, mse, policy="mixed_bfloat16"),
    "mixed_float16 encoder": Net(encoder, padded_letters, 16, adam, policy="mixed_float16"),
}

# Every optimiser of Keras; the gradient of the embedding is sparse.
OPTIMIZERS = {
    "SGD": lambda: optimizers.SGD(1.0, momentum=0.5, nesterov=True),
    "Adam": lambda: optimizers.Adam(0.01),
    "Adam, amsgrad": lambda: optimizers.Adam(0.01, amsgrad=True),
    "AdamW": lambda: optimizers.AdamW(0.01, weight_decay=0.01),
    "Adamax": lambda: optimizers.Adamax(0.01),
    "Nadam": lambda: optimizers.Nadam(0.01),
    "Adagrad": lambda: optimizers.Adagrad(0.1),
    "Adadelta": lambda: optimizers.Adadelta(10.0),
    "RMSprop": lambda: optimizers.RMSprop(0.01, momentum=0.5),
    "Ftrl": lambda: optimizers.Ftrl(0.1, l1_regularization_strength=0.001),
    "Lion": lambda: optimizers.Lion(0.01),
    "Lamb": lambda: optimizers.Lamb(0.05),
    "Adafactor": lambda: optimizers.Adafactor(0.05),
    "Muon": lambda: optimizers.Muon(0.02),
    "ScheduleFreeAdamW": lambda: optimizers.ScheduleFreeAdamW(0.01, warmup_steps=3),
}
NETS |= {f"optimizer {name}": Net(embedding, next_letter, 16, make) for name, make in OPTIMIZERS.items()}
