"""ResourceApply* and ResourceSparseApply* against TensorFlow's CPU, three steps each."""

import numpy as np
import pytest
import tensorflow as tf

SCALARS = {
    "lr": 0.1, "alpha": 0.1, "momentum": 0.9, "rho": 0.9, "epsilon": 1e-3, "beta1": 0.9, "beta2": 0.99, "beta": 0.9,
    "beta1_power": 0.81, "beta2_power": 0.98, "l1": 0.05, "l2": 0.02, "l2_shrinkage": 0.03, "lr_power": -0.6,
    "logbase": 1.0, "sign_decay": 0.7,
}  # fmt: skip
DENSE = {
    "GradientDescent": ("var", "alpha delta", [{}]),
    "ProximalGradientDescent": ("var", "alpha l1 l2 delta", [{}]),
    "Momentum": ("var accum", "lr grad momentum", [{}, {"use_nesterov": True}]),
    "KerasMomentum": ("var accum", "lr grad momentum", [{}, {"use_nesterov": True}]),
    "Adagrad": ("var accum", "lr grad", [{}, {"update_slots": False}]),
    "AdagradV2": ("var accum", "lr epsilon grad", [{}, {"update_slots": False}]),
    "ProximalAdagrad": ("var accum", "lr l1 l2 grad", [{}]),
    "AdagradDA": ("var gradient_accumulator gradient_squared_accumulator", "grad lr l1 l2 global_step", [{}]),
    "Adadelta": ("var accum accum_update", "lr rho epsilon grad", [{}]),
    "RMSProp": ("var ms mom", "lr rho momentum epsilon grad", [{}]),
    "CenteredRMSProp": ("var mg ms mom", "lr rho momentum epsilon grad", [{}]),
    "Adam": ("var m v", "beta1_power beta2_power lr beta1 beta2 epsilon grad", [{}, {"use_nesterov": True}]),
    "AdamWithAmsgrad": ("var m v vhat", "beta1_power beta2_power lr beta1 beta2 epsilon grad", [{}]),
    "AdaMax": ("var m v", "beta1_power lr beta1 beta2 epsilon grad", [{}]),
    "AddSign": ("var m", "lr alpha sign_decay beta grad", [{}]),
    "PowerSign": ("var m", "lr logbase sign_decay beta grad", [{}]),
    "Ftrl": ("var accum linear", "grad lr l1 l2 lr_power", [{}, {"multiply_linear_by_lr": True}]),
    "FtrlV2": ("var accum linear", "grad lr l1 l2 l2_shrinkage lr_power", [{}, {"multiply_linear_by_lr": True}]),
}
SPARSE = {
    "ProximalGradientDescent": ("var", "alpha l1 l2 grad", [{}]),
    "Momentum": DENSE["Momentum"],
    "KerasMomentum": DENSE["KerasMomentum"],
    "Adagrad": DENSE["Adagrad"],
    "AdagradV2": DENSE["AdagradV2"],
    "ProximalAdagrad": DENSE["ProximalAdagrad"],
    "AdagradDA": DENSE["AdagradDA"],
    "Adadelta": DENSE["Adadelta"],
    "RMSProp": DENSE["RMSProp"],
    "CenteredRMSProp": DENSE["CenteredRMSProp"],
    "Ftrl": DENSE["Ftrl"],
    "FtrlV2": DENSE["FtrlV2"],
}


def rows(table):
    return [
        pytest.param(name, states, inputs, flags, id=name + "".join(f"-{k}" for k in flags))
        for name, (states, inputs, all_flags) in table.items()
        for flags in all_flags
    ]


def run(device, op, states, inputs, flags, dtype, indices=None, computed_in=None):
    rng = np.random.default_rng(1)

    def rounded(value):
        return tf.cast(tf.cast(value, dtype), computed_in or dtype)

    with tf.device(device):
        # Positive, as accumulators are; the variable itself has both signs.
        variables = {
            name: tf.Variable(rounded(rng.uniform(-1 if name == "var" else 0.5, 1, (6, 5)))) for name in states.split()
        }
        for step in range(3):
            shape = (6, 5) if indices is None else (len(indices), 5)
            arguments = {name: v.handle for name, v in variables.items()}
            for name in inputs.split():
                if name in ("grad", "delta"):
                    arguments[name] = rounded(rng.uniform(-1, 1, shape))
                elif name == "global_step":
                    arguments[name] = tf.constant(step + 1, tf.int64)
                else:
                    arguments[name] = rounded(SCALARS[name])
            if indices is not None:
                arguments["indices"] = tf.constant(indices)
            getattr(tf.raw_ops, op)(**arguments, **flags)
        return [v.numpy().astype("f8") for v in variables.values()]


TOLERANCE = {tf.float32: 2e-5, tf.float64: 1e-12, tf.float16: 2e-2, tf.bfloat16: 0.1}


def compare(op, states, inputs, flags, dtype, indices=None):
    got = run("/OPENCL:0", op, states, inputs, flags, dtype, indices)
    # The CPU lacks some of the rules in half precision: there, float32 from the same rounded values.
    want = run("/CPU:0", op, states, inputs, flags, dtype, indices, computed_in=tf.float32 if dtype.size == 2 else dtype)
    for name, a, b in zip(states.split(), got, want):
        np.testing.assert_allclose(a, b, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype], err_msg=name)


@pytest.mark.parametrize("dtype", TOLERANCE, ids=lambda d: d.name)
@pytest.mark.parametrize("op, states, inputs, flags", rows(DENSE))
def test_dense(op, states, inputs, flags, dtype):
    compare("ResourceApply" + op, states, inputs, flags, dtype)


@pytest.mark.parametrize("dtype", TOLERANCE, ids=lambda d: d.name)
@pytest.mark.parametrize("itype", ["int32", "int64"])
@pytest.mark.parametrize("indices", [[4, 1, 0], [2, 5, 2, 2, 5]], ids=["distinct", "repeated"])
@pytest.mark.parametrize("op, states, inputs, flags", rows(SPARSE))
def test_sparse(op, states, inputs, flags, indices, itype, dtype):
    compare("ResourceSparseApply" + op, states, inputs, flags, dtype, np.array(indices, itype))


def test_rows_out_of_range_are_refused():
    with tf.device("/OPENCL:0"):
        v = tf.Variable(tf.ones((3, 2)))
        for index in (3, -1):
            with pytest.raises(tf.errors.InvalidArgumentError, match="out of range"):
                tf.raw_ops.ResourceSparseApplyAdagrad(
                    var=v.handle, accum=v.handle, lr=1.0, grad=tf.ones((1, 2)), indices=[index])  # fmt: skip
