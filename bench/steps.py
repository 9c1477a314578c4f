"""`make bench`, second part: whole training steps, and where the time of a small op goes, beside TensorFlow's CPU.

    python bench/steps.py [--server build/.../ocldnn_bench] [--platform NAME ...] [--rounds 5] [--write]

Rounds are interleaved as in bench/run.py; what is shown are medians of wall time.
"""
import argparse
import os
import sys

import run

COUNT, ELEMENTS = 1000, 256
STEPS = {"Fashion-MNIST step, batch 128": "step fashion_mnist"}
CHAINS = {
    "eager, until the result is there": f"chain eager {COUNT} {ELEMENTS}",
    "eager, until the calls return": f"return eager {COUNT} {ELEMENTS}",
    "function, until the result is there": f"chain function {COUNT} {ELEMENTS}",
    "function, until the call returns": f"return function {COUNT} {ELEMENTS}",
}
ALONE = f"chain {COUNT} {ELEMENTS}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    run.add_arguments(parser)
    options = parser.parse_args()
    binary, worker = options.server or run.find_server(), run.HERE / "framework.py"
    cpu = run.Server("TensorFlow's CPU", [sys.executable, worker, "cpu"], OCLDNN_DISABLE="1")
    devices, alone = [], []
    for platform in options.platform or run.PLATFORMS:
        label = platform.split()[0]
        devices.append(run.Server(label, [sys.executable, worker, "device"], OCLDNN_DEVICES=platform))
        alone.append(run.Server(f"{label}, the library alone", [binary, platform], OCLDNN_DEVICES=platform))
    servers = [cpu, *devices]
    lines = [f"* {server.label}: {server.name}" for server in servers]
    lines += ["", "| ms a step (ratio to TensorFlow's CPU) | " + " | ".join(s.label for s in servers) + " |",
              "|---" * (len(servers) + 1) + "|"]
    for title, line in STEPS.items():
        times = run.medians(servers, line, options.rounds)
        lines.append(f"| {title} | " + " | ".join(f"{1e3 * t:.1f} ({t / times[cpu.label]:.2f})" for t in times.values()) + " |")
    lines += ["", f"| us an op, {COUNT} ops in a chain, {ELEMENTS} elements | " + " | ".join(s.label for s in servers) + " |",
              "|---" * (len(servers) + 1) + "|"]
    for title, line in CHAINS.items():
        times = run.medians(servers, line, options.rounds)
        lines.append(f"| {title} | " + " | ".join(f"{1e6 * t / COUNT:.2f}" for t in times.values()) + " |")
    times = run.medians(alone, ALONE, options.rounds)
    lines.append("| the same launches by the library alone | | " + " | ".join(f"{1e6 * t / COUNT:.2f}" for t in times.values()) + " |")
    lines.append(f"\nMedians of {options.rounds} interleaved rounds, load average {os.getloadavg()[0]:.1f} at the end.")
    run.publish(lines, "steps", alone[0].name, options.write)


if __name__ == "__main__":
    main()
