"""Every kind of layer, of sequence net and of training switch beside TensorFlow's CPU: the tables of layer_nets.py,
sequence_nets.py and training_nets.py. The short form trains a shard of them, another with every commit."""

import keras
import pytest

import layer_nets
import sequence_nets
import training_nets
from compare import CPU, DEVICE, assert_as_good_as_the_cpu, chosen, train

NETS = layer_nets.NETS | sequence_nets.NETS | training_nets.NETS
NAMES = chosen(NETS)


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("families")
    jobs = [(name, NETS[name].how, False) for name in NAMES]
    start = folder / "cpu"
    return {
        "cpu": train(folder / "cpu", jobs, CPU),
        "fp64": train(folder / "fp64", jobs, CPU, "float64", start),
        "ours": train(folder / "ours", jobs, DEVICE, weights=start),
        "again": train(folder / "again", jobs, DEVICE, weights=start),
    }


@pytest.mark.parametrize("name", NAMES)
def test_losses(runs, name):
    """Mixed precision by the root mean square alone: its errors are so much larger than the 1e-5 allowed to each step that
    whether one is within four times another, at a step where the CPU's happens to be small, is chance."""
    exact, cpu, ours = (runs[which]["jobs"][name, NETS[name].how, False]["losses"] for which in ("fp64", "cpu", "ours"))
    assert_as_good_as_the_cpu(name, exact, cpu, ours, each=not NETS[name].policy)


@pytest.mark.parametrize("name", NAMES)
def test_same_bits_twice(runs, name):
    first, second = (runs[which]["jobs"][name, NETS[name].how, False] for which in ("ours", "again"))
    assert first["losses"] == second["losses"] and first["bits"] == second["bits"]


def test_every_optimizer_is_here():
    """But the class that all are made of, and a table for MultiOptimizer."""
    made = {type(net.optimizer()).__name__ for net in NETS.values()}
    assert {name for name in dir(keras.optimizers) if name[0].isupper()} - made == {"Optimizer", "OptimizerMap"}
