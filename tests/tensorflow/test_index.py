"""What a row of index_rows.py cannot say: lists of indices, indices out of range, embedding gradients with duplicates."""

import numpy as np
import pytest
import tensorflow as tf
from harness import DEVICE, registered

STITCHED = [types["T"].name for types, _ in registered().get("DynamicStitch", [])]


def both(make):
    results = []
    for device in (f"/{DEVICE}:0", "/CPU:0"):
        with tf.device(device):
            results.append([x.numpy().copy() for x in tf.nest.flatten(make())])
    return results


@pytest.mark.parametrize("dtype", STITCHED)
def test_dynamic_stitch(dtype):
    def make():
        data = [tf.cast(tf.reshape(tf.range(6), (2, 3)), dtype), tf.cast(tf.reshape(tf.range(50, 62), (2, 2, 3)), dtype)]
        return tf.raw_ops.DynamicStitch(indices=[tf.constant([0, 3]), tf.constant([[1, 2], [5, 3]])], data=data)

    if dtype in ("uint16", "uint32", "uint64", "int16", "int8"):
        with tf.device(f"/{DEVICE}:0"):
            got = [make().numpy().copy()]
        want = [np.array([[0, 1, 2], [50, 51, 52], [53, 54, 55], [59, 60, 61], [0, 0, 0], [56, 57, 58]], dtype)]
        got[0][4] = 0  # a row that no index names holds anything
    else:
        got, want = both(make)
        got[0][4] = want[0][4] = 0
    np.testing.assert_array_equal(got[0], want[0])


def test_an_index_out_of_range_reads_zeros():
    with tf.device(f"/{DEVICE}:0"):
        found = tf.gather(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1, 2, -1])).numpy()
    np.testing.assert_array_equal(found, [[3, 4], [0, 0], [0, 0]])


def test_an_index_out_of_range_is_refused_in_host_memory():
    with tf.device(f"/{DEVICE}:0"), pytest.raises(tf.errors.InvalidArgumentError, match=r"is not in \[0, 2\)"):
        tf.gather(tf.constant([1, 2]), tf.constant([2]))


def test_embedding_gradients_are_summed_in_order():
    """Many duplicates: twice the same bits, and the CPU's sums."""
    ids = np.arange(4096, dtype="int32") * 7919 % 13
    table = np.random.default_rng(0).standard_normal((13, 24), "float32")
    weights = np.random.default_rng(1).standard_normal((4096, 24), "float32")

    def make():
        x = tf.constant(table)
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(tf.gather(x, tf.constant(ids)) * tf.constant(weights))
        return tf.convert_to_tensor(tape.gradient(loss, x))

    got, want = both(make)
    again, _ = both(make)
    assert got[0].tobytes() == again[0].tobytes()
    np.testing.assert_allclose(got[0], want[0], rtol=1e-4, atol=1e-3)
