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
