"""A metric of language models is one file and one entry: the one that the site writes."""

import re
from pathlib import Path

import pytest
import yaml

from fairflow.language_models.cells.item_cell import ItemVariant, score_items
from fairflow.scores.variant import Cell

from .answers import FEW, random_texts
from .test_item_metrics import ITEMS

PAGE = (Path(__file__).parents[4] / "workflow/site/pages/write/metric.md").read_text("utf-8")


def block(language, containing):
    """The one code block of the page in that language that holds a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    (found,) = [text for text in blocks if containing in text]
    return found


@pytest.fixture
def entry(tmp_path, monkeypatch):
    """The page's entry, with its file in the same folder."""
    monkeypatch.chdir(tmp_path)
    Path("my_metrics").mkdir()
    Path("my_metrics/margin.py").write_text(block("python", "class Margin"))
    return yaml.safe_load(block("yaml", "my_margin:"))["my_margin"]


def test_the_metric_of_the_page_is_scored_with_tests_and_intervals(entry):
    variant = ItemVariant("my_margin", **entry)
    assert variant.problems() == []
    assert variant.module == "my_metrics/margin.py"
    items = ITEMS["people_pairs"]
    slice_ = random_texts(items, variant.made.needs("masked"))
    cell = Cell("model", "my_margin", "people_pairs")
    (row,), rows = score_items(items, slice_, variant, cell, "masked", 1, FEW)
    mean = {text.text_id: text.mean for text in slice_}
    margins = [2 * (mean[f"{i}/more"] - mean[f"{i}/less"]) for i in items.item_ids]
    assert [one["margin"] for one in rows] == pytest.approx(margins)
    assert row.value == pytest.approx(sum(margins) / len(margins))
    assert row.uncertainty.p_value > 0
    assert row.uncertainty.ci_low < row.value < row.uncertainty.ci_high


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    def needs", "    def need", "Margin must define needs"),
        ('    kind = "pair"\n', "", "Margin must define kind"),
        ("def score(pair):", "def score(pair)", "metric 'my_metrics/margin.py': SyntaxError"),
        ("class Margin(ItemMetric)", "class Margin", "must define one subclass of ItemMetric"),
        ('{"scale": 1.0}', "{}", "Margin of likelihood has no parameter 'scale'"),
    ],
)
def test_a_fault_in_the_file_is_told_when_planning(entry, old, new, message):
    path = Path("my_metrics/margin.py")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    (problem,) = ItemVariant("my_margin", **entry).problems()
    assert message in problem


def test_a_missing_file_is_told_when_planning(entry):
    Path("my_metrics/margin.py").unlink()
    (problem,) = ItemVariant("my_margin", **entry).problems()
    assert problem == "metric 'my_metrics/margin.py': there is no such file"
