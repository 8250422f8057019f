"""The records of a run: its identity, its models with their files, and its word sets."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from shipped import plan_of, shipped

from fairflow.files.configuration_files import version
from fairflow.planning.planner import make_plan
from fairflow.provenance.model_record import manifest_facts
from fairflow.provenance.records import (
    MODEL_COLUMNS,
    citations,
    model_entries,
    model_rows,
    resolved_configuration,
    run_identity,
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
    given = shipped(studies=["mine"])
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
    models = {**given.models, **models}
    return make_plan(replace(given, studies={"mine": study}, models=models))


def test_a_set_that_models_alone_are_derived_by_is_recorded_with_its_words(plan):
    entries = {entry["set"]: entry for entry in word_set_entries(plan)}
    pairs = entries["debiaswe:definitional_pairs"]
    assert (pairs["queries"], pairs["models"], pairs["words"]) == ("", "changed", 20)
    assert pairs["citation"].startswith("Bolukbasi")
    # weat_7 asks for the male terms too: its words are counted as the query has them.
    kept = entries["weat:male_terms"]
    assert (kept["queries"].split()[0], kept["models"]) == ("weat_7", "changed")
    query, role, shown = kept["place"]
    rows = word_set_rows([pairs, kept], {query: {role: {shown: ["he", "man"]}}})
    assert [row["words"] for row in rows] == [20, 2]


def test_the_configuration_of_a_run_has_the_words_by_which_a_model_was_derived(plan, tmp_path):
    derived = resolved_configuration(plan)["models"]["changed"]["derive"]
    # And no folder of this machine.
    assert derived["transform"] == "mine.py"
    assert derived["pairs"][0] == ["woman", "man"]
    assert len(derived["pairs"]) == 10


def test_what_a_study_that_compares_measures_is_recorded_and_cited():
    comparing = plan_of("debiasing")
    entries = {entry["set"]: entry for entry in word_set_entries(comparing)}
    professions = entries["debiaswe:professions"]
    query, *_ = professions["queries"].split()
    assert (query, professions["models"]) == ("he_she_hidden_bias", "")
    assert citations(comparing)["benchmark simlex999"] == "hill2015simlex"
    told = resolved_configuration(comparing)["studies"]["debiasing"]
    assert told["compare"]["before"] == SUBSET


@pytest.mark.parametrize("quantisation", ["Q4_1, 4 bits", None])
def test_a_row_has_the_quantisation_and_the_sum_of_the_list_of_files(quantisation, tmp_path):
    facts = {"quantisation": quantisation} if quantisation else {}
    manifest = {"source": {"kind": "causal"}, "files": {"config.json": "00"}, **facts}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    manifests = {"small": manifest_facts(str(tmp_path / "manifest.json"))}
    small, static = model_rows([{"name": "small"}, {"name": "static"}], {}, manifests)
    content = (tmp_path / "manifest.json").read_bytes()
    assert small["quantisation"] == quantisation
    assert small["manifest_sha256"] == hashlib.sha256(content).hexdigest()
    assert (static["quantisation"], static["manifest_sha256"]) == (None, None)
    assert tuple(small) == MODEL_COLUMNS


def test_a_row_of_given_answers_has_their_files_and_sums(monkeypatch):
    monkeypatch.chdir(ROOT)
    plan = plan_of("bai_2025")
    row = next(one for one in model_entries(plan) if one["name"] == "gpt-4o-bai-2025")
    assert row["sources"] == "config/answers/bai_2025_gpt4o.csv.gz"
    content = (ROOT / row["sources"]).read_bytes()
    assert row["source_sha256"] == hashlib.sha256(content).hexdigest()


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "scores.parquet"
    path.write_bytes(b"scores")
    return path


def test_it_has_the_version_the_seed_and_the_checksum_of_the_scores(scores, tmp_path):
    found = run_identity(plan_of("garg_2018"), scores, tmp_path)
    assert found["fairflow"] == version()
    assert found["seed"] == "2020"
    assert found["scores_sha256"] == hashlib.sha256(b"scores").hexdigest()
    assert "commit" not in found


def test_another_seed_is_another_configuration_and_the_same_one_is_not(scores, tmp_path):
    one, same, other = (
        run_identity(plan_of("garg_2018", **settings), scores, tmp_path)["configuration_sha256"]
        for settings in ({}, {}, {"seed": 7})
    )
    assert one == same != other
