"""Runs every test runner of the project and closes with one line: "N passed, N failed".

  run_tests.py [--all] [--only WORD]

A runner is GoogleTest or pytest, which write JUnit XML, and that is what is counted; or a build, which is one test. A runner that crashes, times out, runs
no test or exits non-zero without naming a failed test counts as one failed test.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORTS = ROOT / "build" / "reports"
CORE = ROOT / "build" / "test" / "tests"
# Part of the platform's name; Intel's runtime is the one in the checkout's .venv.
PLATFORMS = {"pocl": "Portable Computing Language", "intel": "Intel(R) OpenCL"}
EMULATOR, EMULATOR_DRIVER = "Intel(R) FPGA Emulation", ROOT / ".venv-emulator" / "lib" / "libintelocl_emu.so"

RUNNING = set()  # processes, each the head of a group


@dataclasses.dataclass
class Runner:
    name: str
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    minutes: int = 10


def pytest(name, *arguments, minutes=10, **environment):
    return Runner(name, [sys.executable, "-m", "pytest", *arguments], environment, minutes)


def on(platform):
    return {"OCLDNN_DEVICES": platform, "OCLDNN_TEST_PLATFORM": platform,
            "OCLDNN_DRIVER_FOLDERS": str(pathlib.Path(sys.prefix) / "lib")}


def shard(parts):
    """One of `parts` of a runner's tests, another one with every commit, so that all are run before long."""
    commits = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    part = int(commits or 0) % parts
    return {"GTEST_TOTAL_SHARDS": str(parts), "GTEST_SHARD_INDEX": str(part), "OCLDNN_TEST_SHARD": f"{part}/{parts}"}


def core(platform, label, build=CORE, minutes=20, sizes=(), parts=1, **environment):
    """The C++ tests of one build tree on one platform."""
    environment = {**on(platform), **environment}
    return [Runner(f"runtime {label}", [build / "runtime" / "ocldnn_runtime_tests"], environment, minutes),
            Runner(f"ops {label}", [build / "check" / "ocldnn_check", "--platform", platform, *sizes],
                   {**environment, **shard(parts)}, minutes)]


def long_indices(platform, label, parts, largest):
    """The form of the kernels for tensors of more than 2^30 elements, on small ones."""
    return Runner(f"ops {label} 64-bit",
                  [CORE / "check" / "ocldnn_check", "--platform", platform, "--largest", largest],
                  {**on(platform), **shard(parts), "OCLDNN_INDEX": "64"}, 40)


def faults(name, build=CORE):
    """The runtime on a driver of the tests' own that fails when told to."""
    return Runner(name, [build / "runtime" / "ocldnn_fault_tests"])


def sanitized(preset, tests=True):
    """The build of a preset, then the core's tests on PoCL (tests/runtime/sanitizers.cpp says what is overlooked)."""
    plan = [Runner(f"build {preset}", ["sh", "-c", f"cmake --preset {preset} && ninja -C build/{preset}"], minutes=60)]
    if tests:
        tree = ROOT / "build" / preset / "tests"
        plan += [faults(f"faults {preset}", tree)]
        plan += core(PLATFORMS["pocl"], preset, tree, minutes=90, sizes=["--largest", "20000"])
    return plan


def runners(everything):
    """The plan, shortest first, so that a plain mistake shows in seconds."""
    plan = [pytest("repository", "tests/repository"), pytest("wheel", "tests/wheel"), faults("faults")]
    sizes = () if everything else ("--largest", "300000")
    for label, platform in PLATFORMS.items():
        plan += core(platform, label, minutes=90 if everything else 60, sizes=sizes, parts=1 if everything else 4)
        plan.append(long_indices(platform, label, *((1, "20000") if everything else (12, "4000"))))
    plan.append(pytest("oclgrind", "tests/oclgrind", minutes=120 if everything else 60,
                       OCLDNN_OCLGRIND_LARGEST="5000" if everything else "600"))
    part = {"OCLDNN_TEST_FULL": "1"} if everything else shard(12)
    for label, platform in PLATFORMS.items():
        for folder in ("tensorflow", "models"):
            plan.append(pytest(f"{folder} {label}", f"tests/{folder}", minutes=240 if everything else 60,
                               **on(platform), **part))
    plan.append(pytest("examples", "tests/examples", minutes=60, **on(PLATFORMS["pocl"])))
    if everything:
        plan += core(EMULATOR, "emulator", minutes=60, sizes=["--largest", "300000"], OCL_ICD_VENDORS=str(EMULATOR_DRIVER))
        plan += sanitized("asan") + sanitized("tsan") + sanitized("clang", tests=False)
    return plan


def count(report, code):
    """(tests passed, names of those failed, tests skipped) of a finished runner."""
    passed, failed, skipped = 0, [], 0
    try:
        for case in xml.parse(report).iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            if case.find("failure") is not None or case.find("error") is not None:
                failed.append(name)
            elif case.find("skipped") is not None or case.get("status") == "notrun":
                skipped += 1
            else:
                passed += 1
    except (OSError, xml.ParseError) as e:
        failed.append(f"no report ({e})")
    if not failed and passed == 0:
        failed.append("no test ran")
    if not failed and code != 0:
        failed.append(f"exit status {code}")
    return passed, failed, skipped


def ended(command, environment, output, minutes):
    """The exit status of a command, or what became of it. Out of time, its children go with it."""
    try:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as e:
        return str(e)
    RUNNING.add(process)
    try:
        return process.wait(60 * minutes)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return f"none within {minutes} minutes"
    finally:
        RUNNING.discard(process)


def stop(*_):
    for process in list(RUNNING):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    os._exit(1)


def run(runner):
    slug = runner.name.replace(" ", "-")
    report, log = REPORTS / f"{slug}.xml", REPORTS / f"{slug}.log"
    report.unlink(missing_ok=True)
    command = [*map(str, runner.command)]
    is_build = command[0] == "sh"
    if not is_build:
        command.append(f"--junit-xml={report}" if "pytest" in command else f"--gtest_output=xml:{report}")
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", **runner.environment}
    start = time.monotonic()
    with open(log, "wb") as output:
        code = ended(command, environment, output, runner.minutes)
    passed, failed, skipped = (int(code == 0), [] if code == 0 else [f"exit status {code}"], 0) if is_build else \
        count(report, code)
    seconds = time.monotonic() - start
    lines = [f"{runner.name:32} {passed:6} passed {len(failed):4} failed {skipped:4} skipped {seconds:7.1f} s"]
    if failed:
        lines += [f"    {name}" for name in failed[:20]] + [f"    ... end of {log.relative_to(ROOT)}:"]
        lines += [f"    | {line}" for line in log.read_text(errors="replace").splitlines()[-30:]]
    print("\n".join(lines), flush=True)
    return passed, len(failed)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--all", action="store_true", help="everything, hours allowed")
    arguments.add_argument("--only", default="", help="only the runners with this word in their name")
    options = arguments.parse_args()
    REPORTS.mkdir(parents=True, exist_ok=True)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    # Compiling kernels keeps one core busy, so two runners share a machine well; the sanitizers' come after one another.
    with concurrent.futures.ThreadPoolExecutor(1 if options.all else 2) as pool:
        results = list(pool.map(run, [r for r in runners(options.all) if options.only in r.name]))
    passed, failed = (sum(column) for column in zip(*results)) if results else (0, 1)
    total = f"{passed} passed, {failed} failed"
    (REPORTS / "total").write_text(total + "\n")
    print(total)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
