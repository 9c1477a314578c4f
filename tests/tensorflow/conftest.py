import os
import zlib

import pytest
import tensorflow as tf


@pytest.fixture(autouse=True, scope="session")
def _the_device_asked_for():
    """Prints the device and fails if it is not of the platform that OCLDNN_DEVICES names."""
    devices = tf.config.list_physical_devices("OPENCL")
    assert devices, "TensorFlow sees no OPENCL device: is the plug-in installed?"
    try:
        name = tf.config.experimental.get_device_details(devices[0]).get("device_name", "")
    except tf.errors.NotFoundError:  # TensorFlow 2.22 has no details before the device's first use
        name = ""
    print(f"\n{devices[0].name}: {name}, OCLDNN_DEVICES={os.environ.get('OCLDNN_DEVICES', '')}")


@pytest.fixture(autouse=True, scope="module")
def _placement(request):
    """Modules of the sweep (those that use harness.py) run with soft placement and graph optimisation off, so that what
    was asked of the device is what runs there, and sums are not reordered; the others run as a user's script does."""
    used = [getattr(v, "__name__", "") if hasattr(v, "__file__") else getattr(v, "__module__", "")
            for v in vars(request.module).values()]
    sweeping = "harness" in used
    tf.config.set_soft_device_placement(not sweeping)
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": sweeping})


def pytest_collection_modifyitems(config, items):
    """OCLDNN_TEST_SHARD=k/n keeps part k of the parametrised tests, chosen by name, and all others; with
    OCLDNN_TEST_FULL=1, where the other parts run as well, part k of all tests."""
    shard, _, parts = os.environ.get("OCLDNN_TEST_SHARD", "").partition("/")
    if not parts:
        return
    divided = [i for i in items if "[" in i.name or os.environ.get("OCLDNN_TEST_FULL") == "1"]
    left_out = [i for i in divided if zlib.crc32(i.nodeid.encode()) % int(parts) != int(shard)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [i for i in items if i not in set(left_out)]


def pytest_terminal_summary(terminalreporter):
    """For every op that the sweep ran: types, worst error in tolerances, launches."""
    try:
        from harness import REPORT
    except ImportError:
        return
    if not REPORT.rows:
        return
    terminalreporter.section("ops on the device: types, worst error in tolerances, launches")
    for op, row in sorted(REPORT.rows.items()):
        terminalreporter.write_line(f"{op:36} {len(row['types']):4} types  {row['worst']:8.3f}  {row['launches']:6}")
