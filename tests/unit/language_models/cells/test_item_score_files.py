"""From answers to scores of items: an edit computes what it changes, and no more."""

from dataclasses import asdict, replace

import numpy as np
import pytest
from one_cell import CELL

from fairflow.language_models.cells import item_score_files
from fairflow.language_models.cells.item_score_files import keep_item_scores, read_item_scores
from fairflow.language_models.items.item_set import ItemSet, token_requests, write_items
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.metrics import item_metric_class
from fairflow.language_models.slices.answers import ScoredText
from fairflow.language_models.slices.slices import TOKEN_SCHEMA, keep_answers, token_rows
from fairflow.statistics.uncertainty import Statistics

FEW = Statistics(exact_up_to=10, permutations=99, resamples=50, joint_draws=20, random_sets=10)
PAIRS = tuple(
    PairItem(f"{n}", f"She is {n}.", f"He is {n}.", category="ab"[n % 2]) for n in range(8)
)
ITEMS = {"query": ItemSet("pair", PAIRS), "other": ItemSet("pair", PAIRS[::-1])}
SCORING = {"variant": {"metric": "pair_likelihood", "measure": "preference"}, "seed": 7}
SCORING |= {"model_kind": "causal", "queries": [*ITEMS], "tested": [*ITEMS]}
SCORING |= {"statistics": asdict(FEW)}


def answers(request, shift):
    """A text with one token, whose likelihood depends on the text."""
    logp = -0.5 - (len(request.text) * 7 + sum(map(ord, request.text))) % 11 / 4 - shift
    return ScoredText(
        request.text_id,
        request.variant,
        request.text,
        1,
        "ok",
        None,
        *((1,), (0,), (1,), ("t",)),
        logp=np.array([logp]),
    )


@pytest.fixture
def scored(tmp_path, monkeypatch):
    """A function that brings the scores of items up to date, and the queries that it scored."""
    calls, score = [], item_score_files.score_items

    def counted(items, texts, variant, cell, *how):
        calls.append(cell.query)
        return score(items, texts, variant, cell, *how)

    monkeypatch.setattr(item_score_files, "score_items", counted)

    def run(name="results", items=ITEMS, shifts=(), **how):
        calls.clear()
        results = tmp_path / name / "results"
        files = {query: tmp_path / f"{query}.json" for query in items}
        for query, own in items.items():
            write_items(own, files[query])
        shifts = dict(shifts)

        def answer(query, block):
            asked = replace(items[query], items=tuple(block))
            needs = item_metric_class("pair_likelihood")().needs("causal")
            texts = (answers(one, shifts.get(query, 0)) for one in token_requests(asked, needs))
            return token_rows(texts)

        tokens, scores, values = (results / f"{kind}.parquet" for kind in ("t", "s", "i"))
        asked = {query: own.items for query, own in items.items()}
        keep_answers(tokens, "m", asked, answer, TOKEN_SCHEMA, lambda q: shifts.get(q))
        of = "m", "pair_likelihood", SCORING | how, "code"
        keep_item_scores(scores, values, files, [tokens], *of)
        return [*calls], [scores, values]

    return run


@pytest.mark.parametrize(
    ("changed", "computed"),
    [
        ({"items": ITEMS | {"other": ItemSet("pair", PAIRS[1:])}}, ["other"]),
        ({"shifts": [("other", 1)]}, ["other"]),
        ({"seed": 8}, [*ITEMS]),
        ({"tested": ["query"]}, ["other"]),
    ],
    ids=["items", "answers", "seed", "tests"],
)
def test_only_changed_cells_of_items_are_scored_once_for_both_files(scored, changed, computed):
    assert scored()[0] == [*ITEMS]
    calls, files = scored()
    assert calls == []
    edited, files = scored(**changed)
    assert edited == computed
    _, new = scored("new", **changed)
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in new]


def test_the_values_of_items_are_those_of_the_score(scored):
    _, (_, values) = scored()
    found = read_item_scores([values])
    assert [*found] == [("m", "pair_likelihood", query) for query in ITEMS]
    rows = found["m", "pair_likelihood", CELL[1]]
    assert [row["item"] for row in rows] == [item.item_id for item in PAIRS]
    # A measure is a separate key, between those of the item and its status.
    assert [*rows[0]][-2:] == ["status", "reason"]
    assert {row["category"] for row in rows} == {"a", "b"}
    assert all(np.isfinite(row["difference"]) for row in rows)
