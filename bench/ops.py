"""`make bench`, third part: single ops of TensorFlow on the OpenCL device beside its own CPU kernels.

    python bench/ops.py [--only NAME] [--platform NAME ...] [--rounds 3] [--write]

The ops are the rows of tests/tensorflow/*_rows.py that state cases for it (`bench`): unary, binary and reducing ops do by
themselves. A call is eager, in float32 where the op has it; a batch of calls ends when the last result is there. Rounds
are interleaved as in bench/run.py; what is shown are medians of wall time.
"""
import argparse
import functools
import importlib
import os
import sys

import tensorflow as tf

import run

ROWS = run.HERE.parent / "tests" / "tensorflow"
sys.path.insert(0, str(ROWS))
harness = importlib.import_module("harness")


@functools.cache
def all_cases():
    """{name of the op: [(row, case)]}"""
    found = {}
    for path in sorted(ROWS.glob("*_rows.py")):
        for row in importlib.import_module(path.stem).ROWS:
            for case in row.bench:
                found.setdefault(row.name, []).append((row, case))
    return found


def types_of(row):
    """{attribute: type} of the kernel that is measured: in float32 where there is one, on the device with all it can be; None
    if the row is not for those types."""
    def worth(registration):
        types, host = registration
        return list(types.values()).count(tf.float32), harness.is_main(types), -len(host)

    types = max(harness.registered()[row.name], key=worth)[0]
    return types if not row.only or row.only(types) else None


def title(name, types, case):
    shapes = [str(x.tolist()) if hasattr(x, "tolist") else "x".join(map(str, x)) for x in case.inputs]
    kind = types.get("T", tf.float32)
    return f"{name} {', '.join(shapes)}" + (f" {kind.name}" if kind != tf.float32 else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    run.add_arguments(parser)
    parser.set_defaults(rounds=3)
    parser.add_argument("--only", default="", help="part of an op's name")
    options = parser.parse_args()
    chosen = [name for name in all_cases() if options.only in name]
    if not chosen:
        sys.exit(f"no row of {ROWS} with a case to measure is called '{options.only}'")
    worker = run.HERE / "framework.py"
    cpu = run.Server("TensorFlow's CPU", [sys.executable, worker, "cpu"], OCLDNN_DISABLE="1")
    devices = [run.Server(platform.split()[0], [sys.executable, worker, "device"], OCLDNN_DEVICES=platform)
               for platform in options.platform or run.PLATFORMS]
    servers = [cpu, *devices]
    lines = [f"* {server.label}: {server.name}" for server in servers]
    lines += ["", "us a call; in brackets the CPU's time over ours, above 1 is faster.", "",
              "| op | " + " | ".join(server.label for server in servers) + " |", "|---" * (len(servers) + 1) + "|"]
    for name in chosen:
        for i, (row, case) in enumerate(all_cases()[name]):
            types = types_of(row)
            if types is None:
                continue
            names = [f"{attribute}={t.name}" for attribute, t in types.items()]
            line = " ".join(["op", name, str(i), *names])
            times = run.medians(servers, line, options.rounds, largest_error=16)  # tolerances; sums are longer than in the tests
            base = times.pop(cpu.label)
            cells = [f"{1e6 * base:.0f}", *(f"{1e6 * t:.0f} ({base / t:.2f})" for t in times.values())]
            lines.append(f"| {title(name, types, case)} | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    lines.append(f"\nMedians of {options.rounds} interleaved rounds, load average {os.getloadavg()[0]:.1f} at the end.")
    run.publish(lines, "ops", devices[0].name.split(" on ")[-1].split(" (")[0], options.write)


if __name__ == "__main__":
    main()
