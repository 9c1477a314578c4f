"""The Fashion-MNIST and the Transformer example on the OpenCL device and on TensorFlow's CPU, loss beside loss.

  side_by_side.py [--data FOLDER]
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(name, arguments, **environment):
    start = time.monotonic()
    done = subprocess.run([sys.executable, ROOT / "examples" / f"{name}.py", *arguments], text=True, capture_output=True,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"{name}: status {done.returncode}\n{done.stderr[-4000:]}")
    return done.stdout, time.monotonic() - start


def figures(text):
    """The training loss that Keras's progress bar closed each epoch with."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", text)  # colours
    epochs = [re.findall(r"\b(\d+)/\1\b[^\r\n\b]*? loss: ([\d.]+)", part) for part in re.split(r"Epoch \d+/\d+", plain)]
    return [float(ends[-1][1]) for ends in epochs if ends]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", help="folder of Fashion-MNIST's four files")
    options = arguments.parse_args()
    placement = ROOT / "build" / "placement.json"
    placement.parent.mkdir(exist_ok=True)
    for name, more in (("fashion_mnist", ["--data", options.data] if options.data else []), ("char_transformer", [])):
        device, device_seconds = run(name, more, OCLDNN_PLACEMENT=str(placement))
        cpu, cpu_seconds = run(name, more, OCLDNN_DISABLE="1")
        used = json.loads(placement.read_text())["devices"][0]
        print(f"\n{name} on {used['name']} ({used['platform']}, driver {used['driver']}): {device_seconds:.0f} s, "
              f"on TensorFlow's CPU {cpu_seconds:.0f} s, start-up included")
        print("  loss on the device / CPU:", ", ".join(f"{a} / {b}" for a, b in zip(figures(device), figures(cpu))))
        for where, text in (("device", device), ("CPU", cpu)):
            print(f"  {where}: " + next(line for line in text.splitlines() if re.match("test accuracy|loss on", line)))


if __name__ == "__main__":
    main()
