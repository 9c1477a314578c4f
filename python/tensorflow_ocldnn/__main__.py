"""python -m tensorflow_ocldnn: the drivers and devices found, what was declined and why, and the versions at work."""

import argparse
import importlib.metadata
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")


def version_of(*packages):
    for package in packages:
        try:
            return f"{package} {importlib.metadata.version(package)}"
        except importlib.metadata.PackageNotFoundError:
            continue
    return f"{packages[0]}: not installed"


def describe(device):
    size = device["memory_bytes"] / 2**30
    return (
        f"{device['name']} ({device['kind']}, {size:.1f} GiB, {device['compute_units']} units)\n"
        f"    {device['platform']}, driver {device['driver']}, {device['library']}"
    )


def print_report():
    from . import __version__
    from ._library import NotLoaded, report

    print(f"tensorflow-ocldnn {__version__}, Python {sys.version.split()[0]}")
    print(", ".join([version_of("tensorflow", "tensorflow-cpu", "tf-nightly", "tf-nightly-cpu"), version_of("keras", "keras-nightly")]))
    try:
        found = report()
    except NotLoaded as error:
        print(error)
        return 1
    print(f"variables: {found['variables']}")
    print(f"strict mode: {'on' if found['strict'] else 'off'} (OCLDNN_STRICT)")
    print("devices:" if found["devices"] else f"devices: none: {found['why_none']}")
    for number, device in enumerate(found["devices"]):
        print(f"  OPENCL:{number} {describe(device)}")
    print("declined:" if found["declined"] else "declined: none")
    for row in found["declined"]:
        print(f"  {row['what']}: {row['why']}")
    return 0 if found["devices"] else 1


def print_cpu_ops():
    from tensorflow.python.framework import kernels

    from ._library import cpu_only_reason

    rows = {}
    for kernel in kernels.get_all_registered_kernels().kernel:
        if reason := cpu_only_reason(kernel.op):
            rows.setdefault(reason, set()).add(kernel.op)
    for reason, ops in sorted(rows.items()):
        print(f"{reason}: {' '.join(sorted(ops))}")
    return 0


def main():
    parser = argparse.ArgumentParser(prog="python -m tensorflow_ocldnn", description=__doc__)
    parser.add_argument("--cpu-ops", action="store_true", help="list the ops that stay on the CPU by their nature, and why")
    options = parser.parse_args()
    return print_cpu_ops() if options.cpu_ops else print_report()


if __name__ == "__main__":
    sys.exit(main())
