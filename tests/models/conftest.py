import os

from compare import chosen

os.environ["OCLDNN_STRICT"] = "1"  # before TensorFlow is loaded: an op that would go to the CPU is an error


def pytest_collection_modifyitems(config, items):
    """The short form keeps a shard of the losses and metrics (test_families.py chooses its own)."""
    rows = {item.name: item for item in items if item.module.__name__ == "test_losses_and_metrics"}
    left_out = [rows[name] for name in rows.keys() - set(chosen(rows))]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
