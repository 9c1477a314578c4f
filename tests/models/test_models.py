"""Whole nets on an OpenCL device beside TensorFlow's CPU: six nets, trained in three ways, saved and loaded."""

import itertools

import numpy as np
import pytest

from compare import CPU, DEVICE, FULL, PLATFORM, assert_as_good_as_the_cpu, train

NETS = ["mlp", "cnn", "residual", "lstm", "gru", "transformer"]
HOWS = ["fit", "train_on_batch", "eager"]
WAYS = list(itertools.product(NETS, HOWS))
# The second run: all of it in the full form.
AGAIN = [(net, how) for net, how in WAYS if FULL or how == "fit"]


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    references = [(net, "train_on_batch", False) for net in NETS]
    with_dropout = [(net, "train_on_batch", True) for net in NETS]
    start = folder / "cpu"
    return {
        "cpu": train(folder / "cpu", references + with_dropout, CPU, save="train_on_batch"),
        "fp64": train(folder / "fp64", references, CPU, "float64", start),
        "ours": train(folder / "ours", [(net, how, False) for net, how in WAYS] + with_dropout, DEVICE, weights=start,
                      save="fit", load=start),
        "again": train(folder / "again", [(net, how, False) for net, how in AGAIN], DEVICE, weights=start),
        "back": train(folder / "back", [], CPU, load=folder / "ours"),
    }


def losses(runs, name, net, how="train_on_batch", dropout=False):
    return runs[name]["jobs"][net, how, dropout]["losses"]


def test_device_is_the_one_asked_for(runs):
    print("device:", runs["ours"]["device"])
    assert runs["cpu"]["device"]["kind"] == runs["fp64"]["device"]["kind"] == "CPU"
    assert runs["ours"]["device"]["kind"] == "OPENCL"
    assert PLATFORM.lower() in runs["ours"]["device"]["name"].lower()


@pytest.mark.parametrize("net, how", WAYS)
def test_losses(runs, net, how):
    assert_as_good_as_the_cpu(f"{net} {how}", losses(runs, "fp64", net), losses(runs, "cpu", net), losses(runs, "ours", net, how))


@pytest.mark.parametrize("net", NETS)
def test_losses_with_dropout(runs, net):
    """The same random draws as on the CPU in float32, so its losses as far as they are right: in float64 the draws are
    others, and what the CPU's float32 is worth is known from the run without dropout."""
    ours, cpu = (np.array(losses(runs, name, net, dropout=True)) for name in ("ours", "cpu"))
    plain, exact = (np.array(losses(runs, name, net)) for name in ("cpu", "fp64"))
    assert np.abs(cpu - plain).max() > 1e-3  # dropout did something
    print(f"{net} with dropout: at most {np.abs(ours - cpu).max():.1e} from the CPU's")
    np.testing.assert_allclose(ours, cpu, rtol=0, atol=4 * np.abs(plain - exact).max() + 1e-5)


@pytest.mark.parametrize("net, how", AGAIN)
def test_same_bits_twice(runs, net, how):
    first, second = (runs[name]["jobs"][net, how, False] for name in ("ours", "again"))
    assert first["losses"] == second["losses"] and first["bits"] == second["bits"]


@pytest.mark.parametrize("net", NETS)
def test_saved_and_loaded(runs, net):
    """As .keras and as SavedModel: within a process, from the CPU to the device, and back."""
    assert max(runs["ours"]["jobs"][net, "fit", False]["reload"]) <= 1e-6
    assert max(runs["ours"]["loaded"][net]) <= 1e-4
    assert max(runs["back"]["loaded"][net]) <= 1e-4
