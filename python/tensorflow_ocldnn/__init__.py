"""TensorFlow on OpenCL devices. Nothing here has to be imported for that: TensorFlow loads the plug-in by itself.

`python -m tensorflow_ocldnn` prints the drivers and devices found and what was declined; `placement_report()` tells which
ops ran where, and why some ran on the CPU.
"""

from ._library import launches, report
from .placement import placement_report

__all__ = ["devices", "launches", "placement_report", "report", "strategy_devices"]
__version__ = "0.1.0"

DEVICE_TYPE = "OPENCL"


def devices():
    """The OpenCL devices that TensorFlow was offered, as dictionaries."""
    return report()["devices"]


def strategy_devices():
    """What tf.distribute needs to be told, since it looks for GPUs only:
    tf.distribute.MirroredStrategy(devices=tensorflow_ocldnn.strategy_devices())."""
    import tensorflow as tf

    return [f"{d.device_type}:{i}" for i, d in enumerate(tf.config.list_logical_devices(DEVICE_TYPE))]
