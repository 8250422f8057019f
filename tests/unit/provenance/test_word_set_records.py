"""The record of word sets names the queries and the derived models that each is used by."""

from dataclasses import replace
from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.planning.configuration import read_configuration
from fairflow.planning.planner import make_plan
from fairflow.provenance.records import (
    citations,
    resolved_configuration,
    word_set_entries,
    word_set_rows,
)

ROOT = Path(__file__).parents[3]
SUBSET = "word2vec-google-news-300-weat"
MINE = """
from fairflow.transforms.base_transform import BaseTransform


class Mine(BaseTransform):
    word_sets = {"pairs": "tuples", "kept": "words"}

    def __init__(self, pairs, kept=()):
        self.pairs, self.kept = pairs, kept

    def fit(self, base):
        raise NotImplementedError
"""


@pytest.fixture
def plan(tmp_path):
    """A study of one query and of a model that is derived by two word sets, in a chain."""
    (tmp_path / "mine.py").write_text(MINE)
    main = read_yaml(ROOT / "config" / "config.yaml")
    given = read_configuration(main, ROOT / "config", ROOT / "workflow" / "schemas")
    sets = {"pairs": "debiaswe:definitional_pairs", "kept": "weat:male_terms"}
    derived = {"from": SUBSET, "transform": str(tmp_path / "mine.py"), **sets}
    models = {"changed": {"derive": derived}, "unit": {"derive": {"from": "changed"}}}
    models["unit"]["derive"]["transform"] = "normalised"
    study = {
        "title": "Mine",
        "models": ["unit"],
        "metrics": ["weat"],
        "criteria": {"Gender": ["weat_7"]},
        "aggregation": "avg",
        "figures": [],
    }
    return make_plan(
        replace(
            given,
            main=main | {"studies": ["mine"]},
            studies={"mine": study},
            models={**given.models, **models},
        )
    )


def test_a_set_that_models_alone_are_derived_by_is_recorded_with_its_words(plan):
    entries = {entry["set"]: entry for entry in word_set_entries(plan)}
    pairs = entries["debiaswe:definitional_pairs"]
    assert (pairs["queries"], pairs["models"], pairs["words"]) == ("", "changed", 20)
    assert pairs["citation"].startswith("Bolukbasi")
    # weat_7 asks for the male terms too: its words are counted as the query has them.
    kept = entries["weat:male_terms"]
    assert (kept["queries"], kept["models"]) == ("weat_7 validity", "changed")
    query, role, shown = kept["place"]
    rows = word_set_rows([pairs, kept], {query: {role: {shown: ["he", "man"]}}})
    assert [row["words"] for row in rows] == [20, 2]


def test_the_configuration_of_a_run_has_the_words_by_which_a_model_was_derived(plan, tmp_path):
    derived = resolved_configuration(plan)["models"]["changed"]["derive"]
    # And no folder of this machine.
    assert derived["transform"] == "mine.py"
    assert derived["pairs"][0] == ["woman", "man"]
    assert len(derived["pairs"]) == 10


@pytest.fixture
def comparing():
    """A study that compares a model before and after, as the configuration has it."""
    main = read_yaml(ROOT / "config" / "config.yaml") | {"studies": ["debiasing"]}
    return make_plan(read_configuration(main, ROOT / "config", ROOT / "workflow" / "schemas"))


def test_what_a_study_that_compares_measures_is_recorded_and_cited(comparing):
    entries = {entry["set"]: entry for entry in word_set_entries(comparing)}
    professions = entries["debiaswe:professions"]
    assert (professions["queries"], professions["models"]) == ("he_she_hidden_bias validity", "")
    assert citations(comparing)["benchmark simlex999"] == "hill2015simlex"
    told = resolved_configuration(comparing)["studies"]["debiasing"]
    assert told["compare"]["before"] == SUBSET
