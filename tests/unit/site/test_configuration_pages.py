"""Every key has a page per file, and nothing of config/README.md is lost on the way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from building.configuration import configuration_pages

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return configuration_pages(ROOT)


def test_each_file_of_the_configuration_has_a_page_with_its_keys(pages: dict[str, str]):
    schemas = {
        path.name.split(".")[0] for path in (ROOT / "workflow/schemas").glob("*.schema.yaml")
    }
    index = pages["configuration/index.md"]
    for name in schemas & {Path(page).stem for page in pages}:
        assert re.search(r"^## Keys\n+- ", pages[f"configuration/{name}.md"], re.M), name
        assert f"]({name}.md)" in index
    files = re.findall(r"^### config/([a-z_]+)", (ROOT / "config/README.md").read_text(), re.M)
    assert {f"configuration/{name}.md" for name in files} <= set(pages)


def test_no_line_is_lost(pages: dict[str, str]):
    text = (ROOT / "config/README.md").read_text(encoding="utf-8")
    keys = [line for line in map(str.strip, text.splitlines()) if line.startswith("- `")]
    shown = {line.strip() for page in pages.values() for line in page.splitlines()}
    assert len(keys) > 300
    plain = {re.sub(r"\]\([^)]*\)", "]", line) for line in shown}
    assert [key for key in keys if re.sub(r"\]\([^)]*\)", "]", key) not in plain] == []
