"""Every metric says on the site what its numbers mean, and what they do not."""

import re
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from fairflow.files.references import full_citation
from fairflow.studies.published.comparison import VERDICTS

DOCUMENT = run_path(str(Path(__file__).parent / "document_metrics.py"))
INDEX = DOCUMENT["PAGE"].read_text(encoding="utf-8")
METRICS = {name: (page, metric) for page, name, metric, _ in DOCUMENT["metrics"]()}
PAGES = {path.name: path.read_text(encoding="utf-8") for path in DOCUMENT["PAGES"].glob("*.md")}
SAID = ("0 means", "A positive value means", "Range", "It cannot say", "Criticism", "Test")


def section(name: str) -> str:
    """The text below the heading whose anchor is the metric's name."""
    page, _ = METRICS[name]
    found = re.search(rf"^## .* {{ #{name} }}\n(.*?)(?=^## |\Z)", PAGES[page], re.M | re.S)
    assert found, f"workflow/site/pages/numbers/{page} needs a section '## ... {{ #{name} }}'"
    return found[1]


def test_the_table_of_metrics_is_that_of_the_classes():
    assert DOCUMENT["page"]() == INDEX, "run make docs"


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_has_its_formula_and_says_what_its_values_mean(name: str):
    assert "\n$$ " in section(name), "no formula"
    definitions = re.findall(r"^\*\*(.+)\*\*\n:   \S", section(name), re.MULTILINE)
    assert [label for label in SAID if label not in definitions] == []


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_names_every_measure_and_cites_its_paper(name: str):
    metric: type[Any] = METRICS[name][1]
    text = section(name)
    assert [m for m in metric.measure_names if m not in text] == []
    address = re.search(r"https://\S+|arXiv:\S+", full_citation(metric.citation))
    assert address, f"{metric.__name__}.citation has no address"
    paper = re.sub("^arXiv:", "https://arxiv.org/abs/", address[0])
    # In the section, or behind a link to the literature.
    linked = re.findall(r"\(index\.md#([a-z-]+-\d{4})\)", text)
    assert paper in text or any(f'id="{a}"' in line for a in linked for line in entries(paper))


def entries(paper: str) -> list[str]:
    """The entries of the literature that give an address."""
    parts = re.split(r"^- ", INDEX.partition("## Literature")[2], flags=re.MULTILINE)
    return [part for part in parts if paper in part]


def test_every_reference_stands_in_the_literature_and_every_entry_is_referred_to():
    listed = re.findall(r'<a id="([a-z-]+-\d{4})"></a>', INDEX)
    assert listed == sorted(set(listed))
    referred = re.findall(r"\((?:index\.md)?#([a-z-]+-\d{4})\)", "".join(PAGES.values()))
    assert set(referred) == set(listed)


def test_every_verdict_of_the_ledger_is_explained():
    table = INDEX.partition("{ #verdicts }")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([a-z ]+)` \|", table, re.MULTILINE) == list(VERDICTS)
