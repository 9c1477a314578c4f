"""make demo: examples/fashion_mnist.py on the OpenCL device, then the same script on TensorFlow's CPU, side by side.

  demo.py [arguments of the script]

The script itself knows nothing of this: each run is a process of its own, told apart by the environment alone.
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "demo"
SCRIPT = ROOT / "examples" / "fashion_mnist.py"


def run(title, folder, arguments, **environment):
    print(f"\n== {title}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").unlink(missing_ok=True)
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", "PYTHONUNBUFFERED": "1", **environment}
    done = subprocess.run([sys.executable, SCRIPT, "--output", folder, *arguments], cwd=ROOT, env=environment)
    if done.returncode != 0:
        sys.exit(f"{SCRIPT.name} ended with status {done.returncode}")
    return json.loads((folder / "run.json").read_text())


def print_placement(report):
    on_device = [row for row in report["ops"] if row["device"] != "CPU"]
    on_cpu = [row for row in report["ops"] if row["device"] == "CPU"]
    print(f"ops while training: {sum(row['count'] for row in on_device)} of {len(on_device)} kinds on the device, "
          f"{sum(row['count'] for row in on_cpu)} of {len(on_cpu)} kinds on the CPU")
    reasons = {}
    for row in on_cpu:
        reasons.setdefault(row["why"], []).append(f"{row['op']} x{row['count']}" if row["count"] > 1 else row["op"])
    for why, ops in sorted(reasons.items()):
        print(f"  on the CPU, {why}: {', '.join(sorted(ops))}")


def main():
    arguments = sys.argv[1:]
    placement = OUT / "placement.json"
    placement.unlink(missing_ok=True)
    ours = run("on the OpenCL device", OUT / "opencl", arguments, OCLDNN_PLACEMENT=str(placement))
    cpu = run("the same script on TensorFlow's CPU", OUT / "cpu", arguments, OCLDNN_DISABLE="1")

    report = json.loads(placement.read_text()) if placement.exists() else {"devices": [], "ops": []}
    if not report["devices"]:
        sys.exit("No OpenCL device took part; python -m tensorflow_ocldnn says why.")
    device = report["devices"][0]
    print(f"\n== result\ndevice: {device['name']} ({device['platform']}, driver {device['driver']})")
    print(f"test accuracy: {ours['accuracy']:.4f}    TensorFlow's CPU: {cpu['accuracy']:.4f}    "
          f"difference {abs(ours['accuracy'] - cpu['accuracy']):.4f}")
    print(f"a training step: {ours['ms_a_step']:.1f} ms    TensorFlow's CPU: {cpu['ms_a_step']:.1f} ms    "
          f"ratio {ours['ms_a_step'] / cpu['ms_a_step']:.2f}")
    print_placement(report)
    for picture in ("predictions.png", "loss.png"):
        print(f"picture: {(OUT / 'opencl' / picture).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
