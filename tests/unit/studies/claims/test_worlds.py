"""What is said of a few worlds whose truth is known; make test-slow counts many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import worlds
from building.worlds import ADDRESS, KINDS, TABLE, page, world_pages

ROOT = Path(__file__).parents[4]
ROW = {"kind": "association", "world": "Noise", "studies": 100, "nothing_to_find": 50}
ROW |= {"false_claims": 0.02, "false_studies": 0.05, "to_find": 0, "found": np.nan}


@pytest.fixture(scope="module")
def asked():
    return worlds.published(ROOT, "weat_replication")


def verdicts(make, asked, kind):
    return [one.verdict for one in make(asked, np.random.default_rng(1)).claims if one.kind == kind]


def test_of_noise_nothing_is_said_but_that_it_is_noise(asked):
    made = worlds.noise_of("300")(asked, np.random.default_rng(1))
    assert {one.kind for one in made.claims if one.kind in ("control", *worlds.POSITIVE)} == {
        "control"
    }
    assert {one.verdict for one in made.claims if one.kind == "control"} == {"fails"}


def test_noise_beside_real_vectors_is_poorer_and_never_less_biased(asked):
    for size in (0, 2):
        assert verdicts(worlds.noise_beside_real(size), asked, "comparison") == ["poorer"]


def test_one_model_twice_is_equal(asked):
    assert verdicts(worlds.same, asked, "comparison") == ["equal"]


def test_associations_of_opposite_signs_do_not_cancel(asked):
    assert verdicts(worlds.cancelling, asked, "comparison") == ["more biased"]


def test_what_is_removed_is_smaller_and_what_is_reversed_is_not(asked):
    assert verdicts(worlds.debiased(0, -1), asked, "debiased") == ["smaller"]
    assert verdicts(worlds.debiased(-1, 0), asked, "debiased") == ["open"]


def test_five_clusters_of_items_show_nothing_and_many_do(asked):
    assert verdicts(worlds.items(5, 2), asked, "items") == ["open"]
    assert verdicts(worlds.items(21, 2), asked, "items") == ["above"]


def test_a_false_claim_and_a_missed_one_are_counted():
    world = worlds.World("Biased items", worlds.items(21, 2))
    (row,) = worlds.counted(world, ROOT, 2)
    assert (row["false_claims"], row["to_find"], row["found"]) == (0, 2, 1)
    wrong = worlds.World(
        "Wrong", lambda *how: worlds.items(21, 2)(*how)._replace(shift={"pairs": 0})
    )
    (row,) = worlds.counted(wrong, ROOT, 2)
    assert (row["nothing_to_find"], row["false_claims"], row["false_studies"]) == (2, 1, 1)


def test_the_page_shows_every_row_of_the_table():
    text = page(pd.DataFrame([ROW, ROW | {"kind": "items", "to_find": 50, "found": 0.5}]))
    assert "| Noise | 100 | 2.0% (5.0%) | nothing to find |" in text
    assert "| Noise | 100 | 2.0% (5.0%) | 50% |" in text
    table = pd.read_csv(ROOT / TABLE)
    assert {*table["kind"]} == {*KINDS}
    text = world_pages(ROOT)[ADDRESS]
    assert sum(line.startswith("| ") for line in text.splitlines()) == len(table) + 2 * len(KINDS)
    assert {one.name for one in worlds.WORLDS} == {*table["world"]}


def test_the_committed_table_has_at_most_five_percent_false_claims():
    table = pd.read_csv(ROOT / TABLE)
    assert worlds.too_often(table).empty
