"""TensorFlow on OpenCL devices. Nothing here has to be imported for that: TensorFlow loads the plug-in by itself.

`python -m tensorflow_ocldnn` prints the drivers and devices found and what was declined; `placement_report()` tells which
ops ran where, and why some ran on the CPU.
"""

from ._library import launches, report
from .placement import placement_report

__all__ = ["devices", "launches", "multi_worker_mirrored_strategy", "placement_report", "report", "strategy_devices"]
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


def multi_worker_mirrored_strategy(cluster_resolver=None, communication_options=None):
    """tf.distribute.MultiWorkerMirroredStrategy with each worker on its OpenCL devices, for TensorFlow's own takes GPUs or
    the CPU and cannot be told otherwise. Where a worker has no OpenCL device, it does as TensorFlow's own."""
    from .strategy import MultiWorkerMirrored

    return MultiWorkerMirrored(cluster_resolver, communication_options)
