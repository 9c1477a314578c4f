"""tf.distribute on OpenCL devices: TensorFlow's strategies look for GPUs, and where they see none they take the CPU."""

import tensorflow as tf
from tensorflow.python.distribute import collective_all_reduce_strategy as collective

DEVICE_TYPE = "OPENCL"


def devices_of(worker):
    """Names of the OpenCL devices of a worker ("/job:worker/task:1"; "" for a process that is by itself)."""
    wanted = tf.DeviceSpec.from_string(worker)
    specs = [tf.DeviceSpec.from_string(device.name) for device in tf.config.list_logical_devices(DEVICE_TYPE)]
    return [
        f"{worker}/device:{DEVICE_TYPE}:{spec.device_index}"
        for spec in specs
        if (spec.job, spec.task) == (wanted.job, wanted.task)
    ]


class _Extended(collective.CollectiveAllReduceExtended):
    """Where TensorFlow's strategy chooses the devices of a worker."""

    def _initialize_local_devices(self, cluster_resolver, worker_device):
        devices = devices_of(worker_device)
        if not devices:
            return super()._initialize_local_devices(cluster_resolver, worker_device)
        return tuple(devices), DEVICE_TYPE


class MultiWorkerMirrored(tf.distribute.MultiWorkerMirroredStrategy):
    """tf.distribute.MultiWorkerMirroredStrategy with each worker on its OpenCL devices."""

    def __init__(self, cluster_resolver=None, communication_options=None):
        if not hasattr(collective.CollectiveAllReduceExtended, "_initialize_local_devices"):
            raise RuntimeError(f"TensorFlow {tf.__version__} chooses the devices of a worker in another way")
        options = communication_options or tf.distribute.experimental.CommunicationOptions()
        # Not TensorFlow's own initialiser, which makes the part that is ours.
        tf.distribute.Strategy.__init__(self, _Extended(self, cluster_resolver, options))
