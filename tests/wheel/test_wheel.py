"""What the wheel holds, read from the file itself: names, symbols, versions, dependencies."""

import email
import os
import pathlib
import re
import subprocess
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "tensorflow_ocldnn-0.1.0-py3-none-manylinux_2_34_x86_64.whl"
LOADER = "tensorflow-plugins/libtensorflow_ocldnn.so"
LIBRARY = "tensorflow_ocldnn/libocldnn_tensorflow.so"
TRIAL = "tensorflow_ocldnn/ocldnn-trial"
ENTRY_POINTS = {"SE_InitPlugin", "TF_InitKernel", "TF_InitGraph"}
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}
# manylinux_2_34 is Debian 12 and older: AlmaLinux 9 has exactly these.
CEILING = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (11, 0, 0)}


@pytest.fixture(scope="module")
def wheel():
    places = [ROOT / "build" / "dist" / NAME, ROOT / "dist" / NAME]
    path = pathlib.Path(os.environ.get("OCLDNN_WHEEL") or next((p for p in places if p.exists()), places[0]))
    assert path.exists(), f"no wheel at {path}: make wheel"
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    wheel.extractall(folder)
    return folder


def binaries(folder):
    return [p for p in sorted(folder.rglob("*")) if p.is_file() and p.read_bytes()[:4] == b"\x7fELF"]


def tool(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported(path):
    lines = tool("nm", "-D", "--defined-only", path).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if line.split()[-2] not in "Aa"}


def above_ceiling(versions):
    """Those of "NAME_1.2.3" that are newer than the floor's systems have; an unknown family is one too."""
    high = []
    for version in versions:
        family, _, number = version.rpartition("_")
        if not re.fullmatch(r"[\d.]+", number) or family not in CEILING:
            high.append(version)
        elif tuple(map(int, number.split("."))) > CEILING[family]:
            high.append(version)
    return high


def versions_needed(path):
    needs = tool("readelf", "--version-info", "--wide", path).partition("ersion needs section")[2]
    return set(re.findall(r"Name: (\w+_[\w.]+)\s", needs))


def test_name_and_files(wheel):
    assert pathlib.Path(wheel.filename).name == NAME
    allowed = re.compile(rf"{LOADER}|{LIBRARY}|tensorflow_ocldnn/([a-z_]+\.py|ocldnn-trial|py\.typed)|"
                         r"tensorflow_ocldnn/bridge/libocldnn_bridge_2_(19|20|21)\.so|"
                         r"tensorflow_ocldnn-0\.1\.0\.dist-info/(METADATA|WHEEL|RECORD|entry_points\.txt|licenses/LICENSE)")
    names = [name for name in wheel.namelist() if not name.endswith("/")]
    assert {LOADER, LIBRARY, TRIAL, "tensorflow_ocldnn/__init__.py", "tensorflow_ocldnn/__main__.py"} <= set(names)
    assert not [name for name in names if not allowed.fullmatch(name)]
    assert wheel.getinfo(TRIAL).external_attr >> 16 & 0o111  # a program


def test_metadata(wheel):
    text = wheel.read("tensorflow_ocldnn-0.1.0.dist-info/METADATA").decode()
    needs = email.message_from_string(text).get_all("Requires-Dist", [])
    assert all("extra ==" in need for need in needs), "a plain dependency"
    assert not [need for need in needs if need.startswith(("tensorflow", "keras"))]
    assert {re.search(r'extra == .(\w+)', need).group(1) for need in needs} == {"cpu", "pocl"}


def test_exported_symbols(unpacked):
    assert exported(unpacked / LOADER) == ENTRY_POINTS
    assert all(name.startswith("ocldnn_") for name in exported(unpacked / LIBRARY))
    for path in (unpacked / "tensorflow_ocldnn").rglob("*.so"):
        # Nothing of libstdc++, fmt or the core may take the place of another library's symbol in the process.
        assert not [name for name in exported(path) if name.startswith(("_ZNSt", "_ZN3fmt", "_ZN6ocldnn", "_ZN2cl"))], path


def test_dependencies(unpacked):
    for path in binaries(unpacked):
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", tool("readelf", "--dynamic", "--wide", path)))
        bridge = {"libtensorflow_framework.so.2"} if path.parent.name == "bridge" else set()
        assert needed <= SYSTEM | bridge, path.name
        assert "RPATH" not in tool("readelf", "--dynamic", path) and "RUNPATH" not in tool("readelf", "--dynamic", path)


def test_loader_needs_libc_alone(unpacked):
    assert set(re.findall(r"\(NEEDED\).*\[(.*)\]", tool("readelf", "--dynamic", unpacked / LOADER))) <= {"libc.so.6", "libdl.so.2"}


def test_no_symbol_above_the_floor(unpacked):
    assert binaries(unpacked)
    for path in binaries(unpacked):
        versions = versions_needed(path)
        assert any(version.startswith("GLIBC_2") for version in versions), f"{path.name}: no version read"
        assert not above_ceiling(versions), path.name


def test_undefined_symbols_are_the_systems(unpacked):
    """No undefined name of TensorFlow, OpenCL or fmt: TensorFlow's come by dlsym, drivers' by their dispatch table."""
    for path in (unpacked / LOADER, unpacked / LIBRARY):
        undefined = {line.split()[-1] for line in tool("nm", "-D", "--undefined-only", path).splitlines()}
        assert not [name for name in undefined if re.match(r"(TF|SE|TP|SP)_|cl[A-Z]|_ZN3fmt|_ZN10tensorflow|Py", name)]


def test_ceiling_finds_what_is_too_new():
    assert above_ceiling(["GLIBC_2.34", "GLIBCXX_3.4.29", "GLIBC_2.2.5"]) == []
    assert above_ceiling(["GLIBC_2.36", "GLIBCXX_3.4.30", "OPENCL_1.0"]) == ["GLIBC_2.36", "GLIBCXX_3.4.30", "OPENCL_1.0"]
