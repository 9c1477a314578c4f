"""`make bench`, first part: contractions of this library beside OpenBLAS and TensorFlow's CPU kernels, interleaved.

    python bench/run.py [--only TEXT] [further, see --help]

Every round asks each server in turn for one measurement of the same problem; what is shown are medians over the rounds.
Times contain packing and layout changes. Two are shown: wall time, and processor time (summed over threads), which
stays meaningful on a machine that does other work as well. --write puts the table into bench/results/<device>.md.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
BATCH = 8
PLATFORMS = ["Portable Computing Language", "Intel(R) OpenCL"]

# image side, channels in, out, kernel, stride, how often in ResNet-50
RESNET_50 = [
    (224, 3, 64, 7, 2, 1), (56, 64, 64, 1, 1, 1), (56, 64, 64, 3, 1, 3), (56, 64, 256, 1, 1, 4), (56, 256, 64, 1, 1, 2),
    (56, 256, 128, 1, 1, 1), (56, 128, 128, 3, 2, 1), (28, 128, 512, 1, 1, 4), (56, 256, 512, 1, 2, 1),
    (28, 512, 128, 1, 1, 3), (28, 128, 128, 3, 1, 3), (28, 512, 256, 1, 1, 1), (28, 256, 256, 3, 2, 1),
    (14, 256, 1024, 1, 1, 6), (28, 512, 1024, 1, 2, 1), (14, 1024, 256, 1, 1, 5), (14, 256, 256, 3, 1, 5),
    (14, 1024, 512, 1, 1, 1), (14, 512, 512, 3, 2, 1), (7, 512, 2048, 1, 1, 3), (14, 1024, 2048, 1, 2, 1),
    (7, 2048, 512, 1, 1, 2), (7, 512, 512, 3, 1, 2),
]

MATMULS = [
    "matmul 512 512 512 0 0", "matmul 1024 1024 1024 0 0", "matmul 1024 1024 1024 1 0", "matmul 1024 1024 1024 0 1",
    "matmul 128 128 3136 0 0", "matmul 3136 128 128 1 0", "matmul 128 3136 128 0 1", "matmul 1 1024 1024 0 0",
    "matmul 32 512 128 0 0",
]

FASHION = [
    "forward 128 28 28 1 32 3 1", "filter 128 28 28 1 32 3 1", "forward 128 14 14 32 64 3 1", "data 128 14 14 32 64 3 1",
    "filter 128 14 14 32 64 3 1",
]


def problems():
    """(line, group, how often it counts in the group's sum)"""
    for line in MATMULS:
        yield line, "matmul", 1
    for line in FASHION:
        yield line, "the Fashion-MNIST net, batch 128", 1
    for way, title in (("forward", "forward"), ("data", "input gradient"), ("filter", "weight gradient")):
        for side, c, oc, k, s, times in RESNET_50:
            if way == "data" and c == 3:
                continue  # nobody asks for the image's gradient
            yield f"{way} {BATCH} {side} {side} {c} {oc} {k} {s}", f"ResNet-50 convolutions, batch {BATCH}, {title}", times


class Server:
    """A process that answers a line with "seconds cpu_seconds error"."""

    def __init__(self, label, command, **environment):
        self.label = label
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})
        self.name = self.process.stdout.readline().strip()
        if not self.name:
            sys.exit(f"{label}: {' '.join(map(str, command))} did not start")

    def ask(self, line):
        time.sleep(0.05)  # threads of the server asked before this one may spin for a while
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if not answer:
            sys.exit(f"{self.label} ended at '{line}'")
        return None if answer == ["-"] else tuple(map(float, answer))


def flops(line):
    what, *n = line.split()
    n = list(map(int, n))
    if what == "matmul":
        return 2 * n[0] * n[1] * n[2]
    batch, h, w, c, oc, k, s = n
    return 2 * batch * -(-h // s) * -(-w // s) * c * oc * k * k


def find_server():
    found = sorted((HERE.parent / "build").glob("*/bench/ocldnn_bench"), key=lambda p: p.stat().st_mtime)
    return found[-1] if found else sys.exit("ocldnn_bench is not built")


def measure(servers, rounds, only, clock):
    """{line: {label: median seconds}}"""
    table = {}
    for line, group, _ in problems():
        if only not in f"{line} {group}":
            continue
        samples = {server.label: [] for server in servers}
        for _ in range(rounds):
            for server in servers:
                answer = server.ask(line)
                if answer is None:
                    continue
                if not answer[2] < 1e-5:
                    sys.exit(f"{server.label}: {line}: wrong result, error {answer[2]}")
                samples[server.label].append(answer)
        table[line] = {label: [statistics.median(s[i] for s in values) for i in (0, 1)]
                       for label, values in samples.items() if values}
        best = min((v[clock] for label, v in table[line].items() if label not in OURS), default=None)
        print(f"{line:40}", *(f"{label} {flops(line) / v[clock] * 1e-9:.1f}" + (f" ({best / v[clock]:.2f})" if best and label in OURS else "")
                             for label, v in table[line].items()), flush=True)
    return table


def medians(servers, line, rounds, largest_error=1e-5):
    """{label: median wall seconds}, the servers asked in turn."""
    samples = {server.label: [] for server in servers}
    for _ in range(rounds):
        for server in servers:
            wall, _, error = server.ask(line)
            if not error <= largest_error:
                sys.exit(f"{server.label}: {line}: wrong result, error {error}")
            samples[server.label].append(wall)
    return {label: statistics.median(values) for label, values in samples.items()}


OURS = set()


def report(table, servers, clock_name, clock):
    labels = [server.label for server in servers]
    peers = [label for label in labels if label not in OURS]
    lines = [f"### {clock_name}", "", "GFLOP/s; in brackets the best peer's time over ours, above 1 is faster than every peer.", ""]
    groups = {}
    for line, group, times in problems():
        if line in table:
            groups.setdefault(group, []).append((line, times))
    for group, rows in groups.items():
        lines += [f"| {group} | " + " | ".join(labels) + " |", "|---" * (len(labels) + 1) + "|"]
        sums = dict.fromkeys(labels, 0.0)
        for line, times in rows:
            cells, best = [], min((table[line][p][clock] for p in peers if p in table[line]), default=None)
            for label in labels:
                value = table[line].get(label)
                if value is None:
                    cells.append("")
                    continue
                sums[label] += value[clock] * times
                ratio = f" ({best / value[clock]:.2f})" if best and label in OURS else ""
                cells.append(f"{flops(line) / value[clock] * 1e-9:.1f}{ratio}")
            lines.append(f"| {line} x{times} | " + " | ".join(cells) + " |")
        complete = [p for p in peers if all(p in table[line] for line, _ in rows)]
        best = min((sums[p] for p in complete), default=None)
        if len(rows) > 1 and best:
            cells = [f"{sums[l] * 1e3:.1f} ms" + (f" ({best / sums[l]:.2f})" if l in OURS else "") if l in complete or l in OURS else ""
                     for l in labels]
            lines.append("| sum | " + " | ".join(cells) + " |")
        lines.append("")
    return lines


def add_arguments(parser):
    parser.add_argument("--server", type=pathlib.Path, help="ocldnn_bench; default: the newest in build/")
    parser.add_argument("--platform", action="append", help="part of a platform's name; default: PoCL and Intel's")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="keep the table in bench/results/")


def publish(lines, title, device, write):
    """Prints the table and, where asked to, keeps it in a file for each device."""
    device = device.split("|")[0].strip()
    text = "\n".join([f"# {title}: {device}", "", *lines]) + "\n"
    print(text)
    if write:
        folder = HERE / "results"
        folder.mkdir(exist_ok=True)
        (folder / (re.sub(r"[^a-z0-9]+", "-", f"{title} {device}".lower()).strip("-") + ".md")).write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--only", default="", help="part of a problem's line or group")
    options = parser.parse_args()
    binary = options.server or find_server()
    servers = []
    for platform in options.platform or PLATFORMS:
        server = Server(platform.split()[0], [binary, platform], OCLDNN_DEVICES=platform)
        OURS.add(server.label)
        servers.append(server)
    servers.append(Server("OpenBLAS", [sys.executable, HERE / "peers.py", "openblas"]))
    for onednn in "01":
        servers.append(Server(f"TF oneDNN={onednn}", [sys.executable, HERE / "peers.py", "tensorflow"], TF_ENABLE_ONEDNN_OPTS=onednn))
    for server in servers:
        print(f"{server.label}: {server.name}", flush=True)
    table = measure(servers, options.rounds, options.only, 1)
    lines = [f"* {server.label}: {server.name}" for server in servers]
    lines += [f"* medians of {options.rounds} interleaved rounds, load average {os.getloadavg()[0]:.1f} at the end", ""]
    lines += report(table, servers, "Processor time", 1) + report(table, servers, "Wall time", 0)
    publish(lines, "contractions", servers[0].name, options.write)


if __name__ == "__main__":
    main()
