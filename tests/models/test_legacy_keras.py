"""Keras 2 on an OpenCL device beside TensorFlow's CPU: a convolutional net and an LSTM. The short form trains one of the two
in two ways, the other one with the next commit."""

import os

import pytest

from compare import CPU, DEVICE, FULL, assert_as_good_as_the_cpu, train

NETS, HOWS = ["cnn", "lstm"], ["fit", "jit", "train_on_batch"]
SHARD, _, PARTS = os.environ.get("OCLDNN_TEST_SHARD", "").partition("/")
WHOLE = FULL or not PARTS
CHOSEN = NETS if WHOLE else [NETS[int(SHARD) % len(NETS)]]
WAYS = [(net, how) for net in CHOSEN for how in (HOWS if WHOLE else HOWS[:2])]
AGAIN = [(net, "fit") for net in CHOSEN]


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("legacy")

    def run(name, ways, environment, weights=None):
        return train(folder / name, [(*way, False) for way in ways], {**environment, "TF_USE_LEGACY_KERAS": "1"},
                     weights=weights, script="legacy_train.py")

    return {
        "cpu": run("cpu", [(net, how) for net in CHOSEN for how in ("fit", "fp64")], CPU),
        "ours": run("ours", WAYS, DEVICE, folder / "cpu"),
        "again": run("again", AGAIN, DEVICE, folder / "cpu"),
    }


def losses(runs, name, net, how):
    return runs[name]["jobs"][net, how, False]["losses"]


@pytest.mark.parametrize("net, how", WAYS)
def test_losses(runs, net, how):
    assert (runs["cpu"]["device"]["kind"], runs["ours"]["device"]["kind"]) == ("CPU", "OPENCL")
    assert_as_good_as_the_cpu(f"tf_keras {net} {how}", losses(runs, "cpu", net, "fp64"), losses(runs, "cpu", net, "fit"),
                              losses(runs, "ours", net, how))


@pytest.mark.parametrize("net, how", AGAIN)
def test_same_bits_twice(runs, net, how):
    first, second = (runs[name]["jobs"][net, how, False] for name in ("ours", "again"))
    assert first["losses"] == second["losses"] and first["bits"] == second["bits"]
