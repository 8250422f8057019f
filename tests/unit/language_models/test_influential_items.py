"""The items that decide a score: the farthest from 0 on both sides, with their texts."""

import math
from dataclasses import replace

import pandas as pd

from fairflow.language_models.item_tables import (
    INFLUENTIAL_COLUMNS,
    ScoredItems,
    influential_items,
)
from fairflow.language_models.items.answer_items import WordAssociationItem
from fairflow.language_models.items.choice_items import CandidateItem
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.text_items import PairItem, Prompt
from fairflow.language_models.slices.answers import Completion

LETTERS = "abcdefghijkl"


def pairs(*categories: str) -> tuple[PairItem, ...]:
    return tuple(
        PairItem(letter, f"{letter} more", f"{letter} less", category=category)
        for letter, category in zip(LETTERS, categories, strict=False)
    )


def value_rows(items, measure: str, values, **columns) -> pd.DataFrame:
    """What a file of item scores gives back."""
    rows = [
        {
            "model": "m",
            "query": "q",
            "metric": "score",
            "item": item.item_id,
            "template": "",
            "cluster": "",
            "category": item.category,
            measure: value,
            **{name: numbers[place] for name, numbers in columns.items()},
            "status": "too_long" if math.isnan(value) else "ok",
            "reason": None,
        }
        for place, (item, value) in enumerate(zip(items, values, strict=True))
    ]
    return pd.DataFrame(rows)


def table_of(
    items,
    values,
    measure="difference",
    kind="pair",
    lists=None,
    texts=(),
    counted=(),
    **columns,
):
    """The table of one cell."""
    rows = value_rows(items, measure, values, **columns)
    set_ = ItemSet(kind, tuple(items), **(lists or {}))
    return influential_items([ScoredItems("m", "score", "q", rows, set_, texts, counted)])


def chosen(table: pd.DataFrame, category: str, side: str) -> list[str]:
    rows = table[(table["category"] == category) & (table["side"] == side)]
    return list(dict.fromkeys(rows.sort_values("place", kind="stable")["item"]))


def test_of_one_category_the_five_farthest_from_0_are_told_on_either_side():
    values = [0.1, 0.6, 0.2, 0.5, 0.3, 0.4, -0.1, -0.2, 0.0, float("nan"), -3.0, 0.05]
    table = table_of(pairs(*[""] * 12), values)
    assert chosen(table, "", "above 0") == ["b", "d", "f", "e", "c"]
    assert chosen(table, "", "below 0") == ["k", "h", "g"]


def test_a_pair_has_a_row_for_each_sentence_with_the_score_of_each():
    table = table_of(pairs("age"), [0.5], score_more=[-2.0], score_less=[-2.5])
    assert list(table.columns) == INFLUENTIAL_COLUMNS
    assert table[["part", "text", "score"]].to_numpy().tolist() == [
        ["more stereotyping", "a more", -2.0],
        ["less stereotyping", "a less", -2.5],
    ]
    assert set(table["measure"]) == {"difference"}
    assert set(table["value"]) == {0.5}


def test_a_candidate_has_its_context_and_three_words_with_their_probabilities():
    words = {"stereotype": "kind", "anti-stereotype": "brave", "unrelated": "blue"}
    item = CandidateItem(
        "i", "nurse", "work", "She is BLANK.", {k: f"She is {w}." for k, w in words.items()}
    )
    table = table_of(
        *([item], [0.2]),
        kind="candidate",
        stereotype=[0.3],
        anti_stereotype=[0.1],
        unrelated=[0.01],
    )
    assert [*table["text"]] == ["She is BLANK.", "kind", "brave", "blue"]
    assert math.isnan(table["score"].iloc[0])
    assert [*table["score"].iloc[1:]] == [0.3, 0.1, 0.01]


def test_of_a_prompt_the_completions_with_counted_words_are_told_and_these_words():
    texts = ["nothing to see", "She met her.", "=HE()", "he and she", "a man"]
    written = [Completion("p", rank, text) for rank, text in enumerate(texts)]
    table = table_of(
        *([Prompt("p", "Once")], [4.0]),
        measure="group_words",
        kind="prompt",
        lists={"groups": {"women": ("she", "her"), "men": ("he", "man")}},
        texts=written,
        counted=("groups",),
    )
    assert table[["part", "text", "words"]].to_numpy().tolist() == [
        ["prompt", "Once", ""],
        ["completion 2", "She met her.", "women: she, her"],
        ["completion 3", "'=HE()", "men: he"],
        ["completion 4", "he and she", "women: she; men: he"],
    ]


def test_an_answer_stands_below_the_message_of_its_own_draw():
    words = ("good", "fine", "kind"), ("bad", "vile", "mean")
    labels = ("white", "pale"), ("black", "dark")
    asks = "{label_1} or {label_2}: {words}"
    item = WordAssociationItem("a", asks, *labels, *words)
    rows = value_rows([item], "association", [1.0]).assign(item="a#7")
    answer = Completion("a", 7, "bad - dark")
    cell = ScoredItems("m", "score", "q", rows, ItemSet(item.kind, (item,)), (answer,))
    texts = influential_items([cell])["text"].tolist()
    assert texts == [item.message_of(7), "bad - dark"]
    assert item.message_of(7) != item.message
    by_others = influential_items([replace(cell, by_item=True)])
    assert by_others["part"].tolist() == ["message (labels and order may differ)", "answer"]
