"""The library behind the plug-in, as TensorFlow has loaded it into this process."""

import ctypes
import functools
import json
import os

_NAME = "libocldnn_tensorflow.so"


class NotLoaded(RuntimeError):
    """TensorFlow has not loaded the plug-in."""


@functools.lru_cache(maxsize=1)
def library():
    import tensorflow as tf  # loads the plug-in

    del tf
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split(None, 5)[5].rstrip("\n") for line in maps if line.rstrip("\n").endswith("/" + _NAME)}
    if not paths:
        raise NotLoaded(
            "TensorFlow has not loaded the OpenCL plug-in. It looks for tensorflow-plugins/libtensorflow_ocldnn.so in "
            "the site-packages folders; a line on stderr at import says more."
        )
    loaded = ctypes.CDLL(sorted(paths)[0], mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    loaded.ocldnn_report.restype = ctypes.c_char_p
    loaded.ocldnn_launches.restype = ctypes.c_uint64
    loaded.ocldnn_cpu_only.restype = ctypes.c_char_p
    loaded.ocldnn_cpu_only.argtypes = [ctypes.c_char_p]
    return loaded


def report():
    """Devices, what was declined and why, TensorFlow's version and how kernels reach variables."""
    text = json.loads(library().ocldnn_report())
    if "error" in text:
        raise RuntimeError(text["error"])
    return text


def launches():
    """OpenCL kernels launched so far in this process."""
    return int(library().ocldnn_launches())


def cpu_only_reason(op):
    """Why `op` belongs on the CPU whatever kernels there are; "" if nothing says so."""
    return library().ocldnn_cpu_only(op.encode()).decode()
