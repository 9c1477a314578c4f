"""Run by the plug-in itself when TensorFlow loads it, from a copy inside the library: it must work where no package is.

No plug-in has an XLA compiler, and Keras asks for one (jit_compile=True) on every device but a CPU. Graphs lose the
request in the plug-in's graph pass; a function called from Python is looked at before any graph is, so here
`tf.function` objects answer None when asked whether they want it. TensorFlow must not be initialised by this: only
physical devices are counted, and only when a function is called.
"""

import logging
import os

_log = logging.getLogger("tensorflow_ocldnn")


def _answer_no_jit(device_type):
    from tensorflow.python.eager import context
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    function = polymorphic_function.Function
    if "_jit_compile" not in function.__init__.__code__.co_names or "_jit_compile" in vars(function):
        _log.warning("this TensorFlow keeps jit_compile elsewhere: set jit_compile=False where a function is refused")
        return
    present = []

    def device_present():
        if not present and context.context().list_physical_devices(device_type):
            present.append(True)
        return bool(present)

    def get(self):
        wanted = self.__dict__.get("_jit_compile")
        return None if wanted and device_present() else wanted

    def set(self, value):
        self.__dict__["_jit_compile"] = value

    function._jit_compile = property(get, set)


def _split_variable_updates(device_type):
    """Where no kernel can reach a variable: eager assign_add and assign_sub become read, add, assign."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import gen_resource_variable_ops as variables
    from tensorflow.python.ops import math_ops

    place = f":{device_type}:"

    def replace(name, arithmetic):
        original = getattr(variables, name)

        def update(resource, value, name=None):
            if not isinstance(resource, ops.EagerTensor) or place not in resource.device:
                return original(resource, value, name)
            value = ops.convert_to_tensor(value)
            now = variables.read_variable_op(resource, dtype=value.dtype)
            return variables.assign_variable_op(resource, arithmetic(now, value), name=name)

        setattr(variables, name, update)

    replace("assign_add_variable_op", math_ops.add)
    replace("assign_sub_variable_op", math_ops.subtract)


def _change_config(change):
    """Runs `change` on every configuration that TensorFlow makes up for its runtime."""
    from tensorflow.python.eager import context

    original = context.Context.config.fget

    def config(self):
        made = original(self)
        change(made)
        return made

    context.Context.config = property(config)


def _rewrite_small_graphs(config):
    """TensorFlow leaves graphs of fewer than four nodes to nobody; a variable update alone is one."""
    config.graph_options.rewrite_options.min_graph_nodes = -1


def _hide_devices(device_type):
    """tf.config.set_visible_devices([], ...): TensorFlow counts the devices left, and leaves the count of a plug-in's out
    where it is none; but none said means all."""

    def count(config):
        if device_type not in config.device_count:
            config.device_count[device_type] = 0

    _change_config(count)


def _add_copy_stream(config):
    """TensorFlow 2.17 uses the last of a plug-in's streams for copies on a device for its kernels, too, and refuses to let
    a stream wait for itself: no gradient of a loop would run. With two, copies go over the first."""
    config.gpu_options.experimental.num_dev_to_dev_copy_streams = 2


def physical_devices(device_type):
    """How many devices of another type TensorFlow has: asked while it loads the plug-in, so not by way of its context."""
    from tensorflow.python import pywrap_tfe

    return sum(name.decode().split(":")[1] == device_type for name in pywrap_tfe.TF_ListPhysicalDevices())


def turn_off_remapping():
    from tensorflow.core.protobuf import rewriter_config_pb2

    def off(config):
        options = config.graph_options.rewrite_options
        options.remapping = options.remapping or rewriter_config_pb2.RewriterConfig.OFF

    _change_config(off)
    return 1


def install(device_type, split_updates):
    from tensorflow.python.framework import versions

    if os.environ.get("OCLDNN_KEEP_JIT", "0") in ("", "0"):
        _answer_no_jit(device_type)
    _hide_devices(device_type)
    if split_updates:
        _split_variable_updates(device_type)
        _change_config(_rewrite_small_graphs)
    if versions.VERSION.startswith("2.17."):
        _change_config(_add_copy_stream)
    if os.environ.get("OCLDNN_PLACEMENT"):
        try:
            from tensorflow_ocldnn import placement
        except ImportError:
            _log.warning("OCLDNN_PLACEMENT needs the package tensorflow_ocldnn, which Python does not find")
        else:
            placement.write_at_exit(os.environ["OCLDNN_PLACEMENT"])
    return 1
