"""Wordings are crossed with stimuli: what depends on them widens the interval of a score."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from fairflow.language_models.cells.item_cell import (
    ItemVariant,
    _digest,
    category_records,
    score_items,
)
from fairflow.language_models.item_tables import category_scores
from fairflow.language_models.items.choice_items import DecisionItem, QuestionItem
from fairflow.language_models.items.item_set import ItemSet, in_wordings
from fairflow.language_models.slices.answers import ScoredText
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics

ASKED = {"plain": "{context} {question}", "turned": "{question} {context}"}
BBQ = {"metric": "bbq", "measure": "bias_ambiguous"}
CELL, FEW = Cell("m", "bbq", "q"), Statistics(permutations=500, resamples=1000, joint_draws=0)
QUESTIONS = ItemSet(
    "question",
    tuple(
        QuestionItem(
            f"{template}.{n}", "A boy and a man.", "Who?", ("The boy", "The man", "Unknown"),
            2, 2, 0, "neg", "ambiguous", "Age", f"t{template}",
        )
        for template, n in product(range(12), range(3))
    ),
)  # fmt: skip


def answers(items: ItemSet, chosen) -> list[ScoredText]:
    """The chosen answer of each item is the likeliest."""
    return [
        ScoredText(
            item.text_id(place), "continuation", "", 1, positions=(0,),
            logp=np.array([-1.0 if place == chosen(item) else -2.0]),
        )
        for item in items.items
        for place in range(3)
    ]  # fmt: skip


def score(items: ItemSet, chosen):
    records, _ = score_items(
        items, answers(items, chosen), ItemVariant("bbq", **BBQ), CELL, "causal", 1, FEW
    )
    return next(one for one in records if one.measure == "bias_ambiguous")


def test_a_model_that_answers_by_the_wording_alone_has_an_interval_as_wide_as_wordings_differ():
    items = in_wordings(QUESTIONS, ASKED)
    found = score(items, lambda item: 0 if item.wording[0] == "plain" else 1)
    assert (found.value, found.n_clusters, found.n_items) == (0.0, 12, 72)
    interval = found.uncertainty
    # Stimuli alone do not change the value; wordings change it from -100 to 100.
    assert np.isnan(interval.ci_low)
    assert interval.ci_low_both < -60
    assert interval.ci_high_both > 60
    assert interval.statistics == "few_words"


def test_a_model_for_which_the_wording_does_not_matter_has_the_interval_of_its_stimuli():
    def by_stimulus(item: QuestionItem) -> int:
        return int(item.template_id[1:]) % 3

    once = score(QUESTIONS, by_stimulus)
    twice = score(in_wordings(QUESTIONS, ASKED), by_stimulus)
    assert twice.value == once.value
    assert twice.n_clusters == once.n_clusters
    assert twice.uncertainty.p_value == pytest.approx(once.uncertainty.p_value, abs=0.02)
    own = once.uncertainty.ci_low, once.uncertainty.ci_high
    crossed = twice.uncertainty
    assert (crossed.ci_low, crossed.ci_high) == pytest.approx(own)
    assert (crossed.ci_low_both, crossed.ci_high_both) == pytest.approx(own, abs=2)


def test_the_score_in_each_wording_is_a_row_of_its_own():
    items = in_wordings(QUESTIONS, ASKED)
    slice_ = answers(items, lambda item: 0 if item.wording[0] == "plain" else 1)
    how = items, slice_, BBQ, CELL, "causal", 1, FEW
    table = category_scores(category_records(*how, "wording"), {})
    found = table.set_index("category")
    assert found["value"].to_dict() == {"plain": 100.0, "turned": -100.0}
    assert found["n_items"].to_dict() == {"plain": 36, "turned": 36}
    alone = QUESTIONS, answers(QUESTIONS, lambda item: 0), BBQ, CELL, "causal", 1
    assert category_records(*alone, by="wording") == []


def test_items_in_the_wording_of_their_kind_have_the_digest_that_seeds_came_from():
    one = DecisionItem("d", "Hire her?", {"gender": "female"}, "hiring")
    items = ItemSet("decision", (one,))
    assert _digest(items) == "3d402f4fa33c224e"
    assert _digest(in_wordings(items, {"a": "{text}"})) != _digest(items)


SIMULATED = 60


def test_intervals_over_wordings_cover_the_mean_of_all_wordings():
    """Ten wordings and 20 stimuli with normal effects, those of wordings twice as large."""
    random = np.random.default_rng(11)
    named = {f"w{n}": f"{{context}} {{question}} {n}" for n in range(10)}
    stimuli = [replace(QUESTIONS.items[0], item_id=str(n), template_id="") for n in range(20)]
    items = in_wordings(ItemSet("question", tuple(stimuli)), named)
    covered = alone = 0
    for _ in range(SIMULATED):
        # Boy or man, equally often over all wordings and stimuli that there could be.
        leaning = 0.5 * random.normal(size=(20, 1)) + random.normal(size=(1, 10))
        says = (leaning + random.normal(size=(20, 10)) > 0).astype(int).ravel().tolist()
        chosen = dict(zip(items.item_ids, says, strict=True))
        found = score(items, lambda item, chosen=chosen: chosen[item.item_id]).uncertainty
        covered += found.ci_low_both <= 0 <= found.ci_high_both
        alone += found.ci_low <= 0 <= found.ci_high
    assert covered / SIMULATED > 0.85
    # An interval over stimuli is about these wordings alone.
    assert alone / SIMULATED < 0.7
