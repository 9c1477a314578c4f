"""ResourceScatterNdMin and Max, which tf.Variable has no methods for."""

import numpy as np
import pytest
import tensorflow as tf

from test_variables import NUMBERS


@pytest.mark.parametrize("name", ["Min", "Max"])
@pytest.mark.parametrize("itype", ["int32", "int64"])
@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda d: d.name)
def test_scatter_nd_extreme(name, dtype, itype):
    def updated():
        v = tf.Variable(np.arange(12).reshape(4, 3), dtype=dtype)
        updates = tf.constant([[5, 1 if dtype.is_unsigned else -7, 100], [0, 50, 3], [6, 6, 6]], dtype)
        getattr(tf.raw_ops, f"ResourceScatterNd{name}")(ref=v.handle, indices=np.array([[2], [0], [2]], itype), updates=updates)
        return v.numpy()

    with tf.device("/CPU:0"):
        want = updated()
    with tf.device("/OPENCL:0"):
        np.testing.assert_array_equal(updated(), want)
