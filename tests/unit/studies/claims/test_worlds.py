"""What is said of a few worlds whose truth is known; `make test-slow` counts many."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import worlds
from building.worlds import ADDRESS, KINDS, TABLE, page, world_pages

ROOT = Path(__file__).parents[4]
ASKED = worlds.pair_of_queries()
ROW = {"kind": "association", "world": "Noise", "studies": 100, "false_claims": 0.02}
ROW |= {"false_share": 0.05, "to_find": 0, "found": np.nan}


def verdicts(make, kind, asked=ASKED):
    claims = make(asked, np.random.default_rng(1)).claims
    return [one.verdict for one in claims if one.kind == kind and one.subject]


def test_of_noise_nothing_is_said_but_that_it_is_noise():
    assert verdicts(worlds.noise_of("300"), "control") == ["fails"] * 3
    assert not verdicts(worlds.noise_of("300"), "association")


@pytest.mark.parametrize("size", [0, 2])
def test_noise_beside_real_vectors_is_poorer_and_never_less_biased(size):
    models = ("uneven", 1.8), ("50", {"first": size})
    assert verdicts(worlds.of_words(*models, rated=True), "comparison") == ["poorer"]


def test_one_model_twice_is_equal():
    assert verdicts(worlds.same, "comparison") == ["equal"]


def test_associations_of_opposite_signs_do_not_cancel():
    models = ("50", {"first": 1.8, "second": -1.8}), ("50", 0)
    assert verdicts(worlds.of_words(*models), "comparison") == ["more biased"]


@pytest.mark.parametrize(("after", "verdict"), [(0, "smaller"), (-1, "open")])
def test_what_is_removed_is_smaller_and_what_is_reversed_is_not(after, verdict):
    asked = worlds.published(ROOT, "weat_replication")
    assert verdicts(worlds.debiased(after, -1), "debiased", asked) == [verdict]


def test_the_page_shows_every_row_of_the_committed_table_and_none_is_false_too_often():
    text = page(pd.DataFrame([ROW, ROW | {"kind": "items", "to_find": 50, "found": 0.5}]))
    assert "| Noise | 100 | 2.0% (5.0%) | nothing to find |" in text
    assert "| Noise | 100 | 2.0% (5.0%) | 50% |" in text
    table, text = pd.read_csv(ROOT / TABLE), world_pages(ROOT)[ADDRESS]
    assert text == page(table)
    assert {*table["kind"]} == {*KINDS}
    assert {*table["world"]} == {one.name for one in (*worlds.WORLDS, *worlds.LIMITS)}
    assert worlds.too_often(table).empty
