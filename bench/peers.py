"""The libraries that contractions are compared with, as servers of the same lines as bench/server.cpp.

    python bench/peers.py openblas        matmul only
    python bench/peers.py tensorflow      TensorFlow's CPU kernels; TF_ENABLE_ONEDNN_OPTS decides which

Answers "seconds cpu_seconds 0" a line, or "-" to a line that the peer does not know.
"""
import ctypes
import ctypes.util
import os
import resource
import sys
import time

import numpy as np

BATCH_SECONDS = 0.25


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measure(run, finish=lambda: None):
    """Mean wall and processor seconds of run(), over a batch that ends with finish()."""
    run()
    finish()
    start = time.perf_counter()
    run()
    finish()
    times = min(2000, max(2, int(BATCH_SECONDS / (time.perf_counter() - start))))
    cpu, start = processor_seconds(), time.perf_counter()
    for _ in range(times):
        run()
    finish()
    return (time.perf_counter() - start) / times, (processor_seconds() - cpu) / times


def uniform(*shape):
    return np.random.default_rng(1).uniform(-1, 1, shape).astype(np.float32)


class OpenBlas:
    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("openblas"))
        self.library.openblas_get_config.restype = ctypes.c_char_p
        self.library.openblas_get_corename.restype = ctypes.c_char_p
        self.name = f"{self.library.openblas_get_config().decode()}, kernel {self.library.openblas_get_corename().decode()}"

    def job(self, what, *numbers):
        if what != "matmul":
            return None
        m, n, k, ta, tb = numbers
        a, b = uniform(*((k, m) if ta else (m, k))), uniform(*((n, k) if tb else (k, n)))
        c = np.empty((m, n), np.float32)
        pointer = lambda array: array.ctypes.data_as(ctypes.c_void_p)
        row_major, plain, transposed = 101, 111, 112
        arguments = (row_major, transposed if ta else plain, transposed if tb else plain, m, n, k, ctypes.c_float(1),
                     pointer(a), a.shape[1], pointer(b), b.shape[1], ctypes.c_float(0), pointer(c), n)
        return lambda: self.library.cblas_sgemm(*arguments)


class TensorFlow:
    def __init__(self):
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        os.environ["OCLDNN_DISABLE"] = "1"
        import tensorflow as tf

        self.tf = tf
        self.name = f"tensorflow {tf.__version__}, oneDNN ops {os.environ.get('TF_ENABLE_ONEDNN_OPTS', 'by default')}"

    def job(self, what, *numbers):
        tf = self.tf
        with tf.device("/CPU:0"):
            if what == "matmul":
                m, n, k, ta, tb = numbers
                a, b = tf.constant(uniform(*((k, m) if ta else (m, k)))), tf.constant(uniform(*((n, k) if tb else (k, n))))
                body = lambda a, b: tf.raw_ops.MatMul(a=a, b=b, transpose_a=bool(ta), transpose_b=bool(tb))
            else:
                n, h, w, c, oc, k, s = numbers
                x, f = (n, h, w, c), (k, k, c, oc)
                y = (n, -(-h // s), -(-w // s), oc)
                options = dict(strides=[1, s, s, 1], padding="SAME")
                if what == "forward":
                    a, b = tf.constant(uniform(*x)), tf.constant(uniform(*f))
                    body = lambda a, b: tf.raw_ops.Conv2D(input=a, filter=b, **options)
                elif what == "data":
                    a, b = tf.constant(uniform(*y)), tf.constant(uniform(*f))
                    body = lambda a, b: tf.raw_ops.Conv2DBackpropInput(input_sizes=x, filter=b, out_backprop=a, **options)
                else:
                    a, b = tf.constant(uniform(*x)), tf.constant(uniform(*y))
                    body = lambda a, b: tf.raw_ops.Conv2DBackpropFilter(input=a, filter_sizes=f, out_backprop=b, **options)
            function = tf.function(body)

            def run():
                with tf.device("/CPU:0"):
                    function(a, b)

            return run


def main():
    peer = {"openblas": OpenBlas, "tensorflow": TensorFlow}[sys.argv[1]]()
    print(peer.name, flush=True)
    for line in sys.stdin:
        what, *numbers = line.split()
        run = peer.job(what, *map(int, numbers))
        print(*measure(run), 0, flush=True) if run else print("-", flush=True)


if __name__ == "__main__":
    main()
