"""The guide's code is the project's: every fenced block that names a file stands in that file, line for line."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.S | re.M)


def blocks():
    for page in sorted((ROOT / "docs").glob("*.md")):
        for name, text in BLOCK.findall(page.read_text()):
            yield pytest.param(name, text, id=f"{page.name}:{name}")


@pytest.mark.parametrize("name, text", list(blocks()))
def test_block_is_in_its_file(name, text):
    lines = [line.strip() for line in (ROOT / name).read_text().splitlines()]
    parts = [[line.strip() for line in part.strip().splitlines()] for part in text.split("...\n")]  # "..." leaves lines out
    for part in parts:
        assert any(lines[i:i + len(part)] == part for i in range(len(lines))), f"not in {name}: {part}"


def test_the_guide_has_such_blocks():
    assert sum(1 for _ in blocks()) >= 5


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))])
def test_paths_named_in_pages_exist(page):
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(), flags=re.S | re.M)
    for path in re.findall(r"`((?:docs|src|tests|examples|tools|plugins|include|python|bench|tuning)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), f"{page} names {path}"


def named_tests(text):
    """(file, test) of every `file::test`."""
    return re.findall(r"`(tests/[\w./]+)::([\w.]+)`", text)


def defines(source, test):
    """Whether a test file has the test: def name(, or TEST(Suite, Name)."""
    if "." not in test:
        return re.search(rf"^def {test}\(", source, re.M) is not None
    suite, name = test.split(".")
    return re.search(rf"^TEST(_F|_P)?\({suite}, {name}\)", source, re.M) is not None


@pytest.mark.parametrize("row", [line for line in (ROOT / "docs/reports.md").read_text().splitlines() if re.match(r"\| \d", line)],
                         ids=lambda row: row.split("|")[1].strip())
def test_every_report_has_tests_that_exist(row):
    named = named_tests(row)
    assert named
    assert row.count("::") == len(named), "a test that is not written as `file::test`"
    for file, test in named:
        assert defines((ROOT / file).read_text(), test), f"no {test} in {file}"


def test_reports_are_all_there():
    page = (ROOT / "docs/reports.md").read_text()
    assert re.findall(r"^\| (\d+) \|", page, re.M) == [str(n) for n in range(1, 35)]
    assert set(re.findall(r"\[([\w-]+#\d+)\]\[\]", page)) == set(re.findall(r"^\[([\w-]+#\d+)\]: https://", page, re.M))


@pytest.mark.parametrize("source, test, there", [
    ("def test_a(x):\n", "test_a", True), ("def test_ab():\n", "test_a", False), ("# def test_a():\n", "test_a", False),
    ("TEST_F(A, B) {\n", "A.B", True), ("TEST(A, BC) {\n", "A.B", False)])
def test_tests_are_found(source, test, there):
    assert defines(source, test) == there
