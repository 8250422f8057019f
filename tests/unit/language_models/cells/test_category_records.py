"""The categories of a query are scored as a variant by category scores them, where one can."""

import numpy as np
import pytest

from fairflow.language_models.cells.item_cell import category_records
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.slices.answers import ScoredText
from fairflow.scores.ranked import PRIMARY
from fairflow.scores.variant import Cell

DEFINITION = {"metric": "crows_pairs_score", "measure": "preference"}
DEFINITION |= {"parameters": {"form": "likelihood"}, "alternative": None}
CELL = Cell("m", "crows", "q")


def pair(name: str, category: str) -> PairItem:
    return PairItem(name, f"{name} more", f"{name} less", category=category)


def answers(items: list[PairItem], preferred: set[str]) -> list[ScoredText]:
    """One token of each sentence, more probable in the more stereotyping one of `preferred`."""
    return [
        ScoredText(
            text_id=item.text_id(side),
            variant="causal_start_once",
            text=text,
            n_tokens=1,
            tokens=(text,),
            positions=(0,),
            logp=np.array([-1.0 if (item.item_id in preferred) == (side == "more") else -2.0]),
        )
        for item in items
        for side, text in (("more", item.more), ("less", item.less))
    ]


@pytest.fixture
def four() -> list[PairItem]:
    return [pair(name, "age" if name in "ab" else "class") for name in "abcd"]


def test_each_category_has_the_score_of_its_items(four: list[PairItem]):
    slice_ = answers(four, {"a", "b", "c"})
    records = category_records(ItemSet("pair", tuple(four)), slice_, DEFINITION, CELL, "causal", 1)
    found = {one["subquery"]: one["value"] for one in records if one[PRIMARY]}
    # Both of two prefer the stereotype, one of two does: 100 - 50 and 50 - 50.
    assert found == {"q: age": 50.0, "q: class": 0.0}


def test_items_of_one_category_have_no_rows(four: list[PairItem]):
    same = [pair(item.item_id, "age") for item in four]
    items = ItemSet("pair", tuple(same))
    assert category_records(items, answers(same, {"a"}), DEFINITION, CELL, "causal", 1) == []


def test_a_metric_that_a_category_has_no_values_for_has_no_rows():
    definition = {"metric": "share_correlation", "measure": "slope", "alternative": None}
    stereotypes = [pair("a", "1"), pair("b", "9")]
    items = ItemSet("pair", tuple(stereotypes))
    assert category_records(items, answers(stereotypes, {"a"}), definition, CELL, "causal", 1) == []
