"""The page shows the most influential items by type of bias and sign, whatever their texts are."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from fairflow.products.report.deciding import deciding

LABELS = {"m": "Model", "q": "Pairs", "crows": "CrowS-Pairs - 50", "aul": "AUL - 50"}
STUDY = {"labels": LABELS, "readings": {"crows": {"above": "stereotypes are more probable"}}}


def rows(*values: float, metric: str = "crows", category: str = "age") -> list[dict]:
    return [
        {
            "model": "m",
            "metric": metric,
            "query": "q",
            "category": category,
            "side": "above 0" if value > 0 else "below 0",
            "place": place,
            "item": f"{category}{place}",
            "measure": "log_ratio",
            "value": value,
            "part": part,
            "text": f"{part} of {place}",
            "score": -value if part == "more" else float("nan"),
            "words": "",
        }
        for place, value in enumerate(values, start=1)
        for part in ("more", "less")
    ]


def test_without_items_there_is_nothing_to_show():
    assert deciding(pd.DataFrame(), STUDY) == ()


def test_each_type_of_bias_has_the_sides_that_it_has_items_on():
    table = pd.DataFrame([*rows(0.5, -0.25), *rows(0.125, category="class")])
    (cell,) = deciding(table, STUDY)
    assert cell.title == "Pairs, CrowS-Pairs - 50: Model"
    assert cell.measure == "log ratio"
    assert cell.n_items == 3
    told = {name: [heading for heading, _ in sides] for name, sides in cell.types.items()}
    above, below = "Above 0: stereotypes are more probable", "Below 0: the other way round"
    assert told == {"age": [above, below], "class": [above]}


def test_an_item_has_its_value_and_each_text_with_its_own_score():
    (cell,) = deciding(pd.DataFrame(rows(0.123456)), STUDY)
    ((_, (item,)),) = cell.types["age"]
    assert item.value == "0.123"
    assert [(one["text"], one["score"]) for one in item.texts] == [
        ("more of 1", "-0.123"),
        ("less of 1", ""),
    ]


def test_values_that_lean_to_no_side_are_told_by_their_distance():
    (cell,) = deciding(pd.DataFrame(rows(3.0)), STUDY | {"readings": {}})
    assert cell.types["age"][0][0] == "Farthest above 0"


def test_metrics_that_the_same_items_decide_are_told_together():
    table = pd.DataFrame([*rows(0.5), *rows(0.5, metric="aul")])
    (cell,) = deciding(table, {"labels": LABELS})
    assert cell.title == "Pairs, CrowS-Pairs - 50 and AUL - 50: Model"
    different = pd.DataFrame([*rows(0.5), *rows(0.25, metric="aul")])
    assert len(deciding(different, {"labels": LABELS})) == 2


def test_hostile_items_are_text_on_the_page(make_small_page: Callable[..., str]):
    text = make_small_page("scores", "influential_items")
    part = text[text.index('id="mine-influential_items"') :]
    assert "Old &lt;script&gt;document.title" in part
    assert "age &lt;script&gt;" in part
    assert "They said &lt;/script&gt;&lt;img src=x" in part
    assert "<script>document" not in text
    assert "<img src=x" not in text


def test_a_study_without_items_has_no_part_for_them(make_small_page: Callable[..., str]):
    assert "Influential items" not in make_small_page("scores")
