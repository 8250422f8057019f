"""One answer per question, on simulated studies whose answer is known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from fairflow.statistics.rank_tests import benjamini_hochberg
from fairflow.studies.aggregation import aggregate
from fairflow.studies.findings.finding import Results
from fairflow.studies.findings.headline import headline, settled_text
from fairflow.studies.findings.statements import findings
from fairflow.studies.model_comparison import compare_models
from fairflow.studies.ranking import rank_models

LABELS = {"a": "Model A", "b": "Model B", "c": "Model C", "es": "effect size", "raw": "raw WEAT"}
DIRECTION = {"signed": True, "larger_is_fairer": False}
NO_PUBLISHED = pd.DataFrame(columns=["scope", "metric", "model", "value", "rank"])
SPREAD, DRAWS, QUERIES = 0.3, 200, 10


def study(
    truth: Mapping[str, Mapping[str, float]], seed: int | None = None, **more: Any
) -> Results:
    """A study of 10 queries in two criteria.

    Parameters
    ----------
    truth : metric -> model -> its true association in every query; with a seed a score differs from
        it by `SPREAD`, as resamples differ from a score.
    """
    random = np.random.default_rng(seed or 0)
    rows = []
    for metric, models in truth.items():
        for model, effect in models.items():
            for number in range(QUERIES):
                value = effect + (0 if seed is None else random.normal(0, SPREAD))
                p = 2 * norm.sf(abs(value) / SPREAD)
                rows.append(
                    {
                        "model": model,
                        "metric": metric,
                        "measure": "effect_size" if metric == "es" else "weat",
                        "criterion": "Gender" if number < QUERIES / 2 else "Religion",
                        "query": f"q{number}",
                        "query_label": f"Query {number}",
                        "subquery": f"q{number}",
                        "subquery_digest": f"q{number}",
                        "is_primary": True,
                        "value": value,
                        "draws": list(value + random.normal(0, SPREAD, DRAWS)),
                        "p_value": p,
                        "ci_low": value - 2 * SPREAD,
                        "ci_high": value + 2 * SPREAD,
                        "ci_low_both": math.nan,
                        "ci_high_both": math.nan,
                        "ci_level": 0.95,
                        "alternative": "two-sided",
                        "p_null_band": math.nan,
                        "statistics": "ok",
                        "statistics_note": None,
                        "status": "ok",
                        "test_id": f"{model} {metric} {number}",
                    }
                )
    scores = pd.DataFrame(rows)
    return tables_of(scores, **more)


def tables_of(scores: pd.DataFrame, **more: Any) -> Results:
    """The results of a study with these scores, its tables made as in a run."""
    adjusted = pd.Series(benjamini_hochberg(scores["p_value"].to_numpy()), scores.index)
    scores = scores.assign(p_bh=adjusted, p_holm=adjusted)
    directions = dict.fromkeys(scores["metric"].unique(), DIRECTION)
    how = "abs_avg", directions, 0.5
    ranking = rank_models(aggregate(scores, *how), NO_PUBLISHED, directions)
    pairwise = compare_models(scores, *how).pairwise
    frames = {"scores": scores, "ranking": ranking, "pairwise": pairwise}
    return Results(frames, LABELS, signed=[*directions], **more)


def answer(results: Results) -> str:
    (one,) = headline(results)
    return one.sentence


def test_a_model_that_is_truly_higher_is_named():
    one = answer(study({"es": {"a": 0.2, "b": 1.5}}))
    assert one == "Model B is more biased than Model A over all queries."
    both = answer(study({"es": {"a": 0.2, "b": 1.5}, "raw": {"a": 0.2, "b": 1.5}}))
    assert both == one


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 20), marks=pytest.mark.slow)])
@pytest.mark.parametrize("n_models", [2, 3])
def test_no_winner_is_named_among_models_of_noise(n_models: int, seeds: range):
    noise = dict.fromkeys("abc"[:n_models], 0.0)
    for seed in seeds:
        text = answer(study({"es": noise, "raw": noise}, seed))
        assert "No association in" in text or "not settled" in text.lower()
        assert not text.startswith("Model")
        assert "robably" not in text
        about = study({"es": noise, "raw": noise}, seed, subject="a")
        assert " biased than" not in answer(about)


def test_that_no_association_is_significant_goes_with_what_the_tests_could_have_found():
    small = study({"es": {"a": 0.1, "b": 0.05, "c": 0.0}})
    scores = small.frames["scores"].assign(p_statistic="difference of mean associations")
    row = {
        "n_first": 8,
        "level": 0.05,
        "power": 0.8,
        "alternative": "two-sided",
        "smallest_effect": 1.2,
    }
    power = pd.DataFrame([row | {"query": f"q{n}"} for n in range(QUERIES)])
    frames = small.frames | {"scores": scores, "power": power}
    (one,) = headline(Results(frames, LABELS, signed=["es"]))
    assert one.sentence.startswith("No association in 3 models is significant")
    assert one.caution.endswith("80% power only for associations above d = 1.2.")
    clear = study({"es": {"a": 0.1, "b": 1.5, "c": 0.0}})
    (one,) = headline(Results(clear.frames | {"power": power}, LABELS, signed=["es"]))
    assert one.caution == ""


def test_identical_models_are_equal():
    of_one = study({"es": {"a": 1.0}}).frames["scores"]
    results = tables_of(pd.concat([of_one, of_one.assign(model="b")], ignore_index=True))
    (one,) = headline(results)
    assert one.sentence == "Model B and Model A have equal scores."
    assert one.verdict == "equal"
    assert not any("resamples" in text for text in one.evidence)


def test_models_of_the_same_truth_are_seldom_called_different():
    same = {"es": {"a": 1.0, "b": 1.0}}
    named = sum("cannot be dist" not in answer(study(same, seed)) for seed in range(20))
    # One order in five has at least 90% of the draws.
    assert named <= 7


def test_metrics_that_contradict_name_nobody():
    text = answer(study({"es": {"a": 0.3, "b": 1.5}, "raw": {"a": 1.5, "b": 0.3}}))
    assert text.startswith("Not settled, metrics disagree: Model B by effect size, Model A by raw")
    assert text.endswith("effect size compares best across models.")


def test_where_the_metric_that_compares_best_finds_nothing_the_answer_is_not_settled():
    text = answer(study({"es": {"a": 1.0, "b": 1.05}, "raw": {"a": 0.2, "b": 1.5}}))
    assert text == (
        "Probably Model B, not settled: raw WEAT says so over all queries; effect size, which "
        "compares best across models, does not."
    )


def test_without_tests_of_chance_nothing_is_settled():
    results = study({"es": {"a": 0.2, "b": 1.5}})
    scores = results.frames["scores"].assign(p_bh=math.nan, p_value=math.nan)
    untested = Results({**results.frames, "scores": scores}, LABELS)
    assert answer(untested) == (
        "Probably Model B, not settled: effect size says so over all queries, but not clearly."
    )
    without = results.frames["pairwise"].assign(p_fairer=math.nan, verdict="not tested")
    undrawn = Results({**results.frames, "pairwise": without}, LABELS)
    assert answer(undrawn) == (
        "Model B has larger scores than Model A; whether by chance was not tested."
    )


def test_a_criterion_with_another_answer_is_named():
    scores = study({"es": {"a": 1.0, "b": 1.05}}).frames["scores"]
    sign = scores["criterion"].map({"Gender": -0.8, "Religion": 0.8})
    shift = sign.where(scores["model"] == "b", 0.0)
    draws = [[d + s for d in row] for row, s in zip(scores["draws"], shift, strict=True)]
    text = answer(tables_of(scores.assign(value=scores["value"] + shift, draws=draws)))
    assert text == (
        "Not settled: Model B and Model A cannot be distinguished over all queries; on Gender "
        "Model A is more biased; on Religion Model B is more biased."
    )


def test_of_several_models_the_most_and_the_least_biased_are_named():
    text = answer(study({"es": {"a": 0.1, "b": 0.9, "c": 1.9}}))
    assert text == "Of 3 models Model C is the most biased; Model A is the least biased."
    text = answer(study({"es": {"a": 1.0, "b": 1.05, "c": 2.5}}))
    assert text == (
        "Of 3 models Model C is the most biased; which of Model A and Model B is the least biased "
        "is not settled."
    )


def test_the_subject_of_a_study_is_compared_with_each_reference():
    results = study({"es": {"a": 0.2, "b": 1.5, "c": 1.55}}, subject="b")
    assert answer(results) == (
        "Model B is more biased than Model A and cannot be distinguished from Model C over all "
        "queries."
    )
    assert settled_text(results, "Overall", ["a", "c"]) == "above Model A (>99%), Model C no"
    assert settled_text(results, "Overall", ["c"]) == "no"


VERDICTS = {
    "b": ("b", "", {"a": "more biased", "c": "not distinguishable"}),
    "a": ("a", "less biased", {"b": "less biased", "c": "less biased"}),
    "": ("", "", {"b": "not distinguishable", "a": "more biased"}),
}


@pytest.mark.parametrize("subject", [*VERDICTS])
def test_as_data_a_verdict_names_the_model_that_it_is_about(subject: str):
    (one,) = headline(study({"es": {"a": 0.2, "b": 1.5, "c": 1.55}}, subject=subject))
    against = {pair["other"]: pair["verdict"] for pair in one.numbers["comparisons"]}
    assert (one.subject, one.verdict, against) == VERDICTS[subject]
    (of_two,) = headline(study({"es": {"a": 0.2, "b": 1.5}}))
    assert (of_two.subject, of_two.verdict) == ("b", "more biased")


def test_one_model_alone_has_no_headline_and_its_associations_come_first():
    results = study({"es": {"a": 1.0}})
    assert [*headline(results)] == []
    first = findings(results)[0]
    assert (first.about, first.leads) == ("strongest_associations", True)


def test_nothing_but_the_headline_says_which_model_is_more_biased():
    results = study({"es": {"a": 1.0, "b": 1.05}, "raw": {"a": 0.2, "b": 1.5}})
    found = findings(results)
    assert found[0].about == "headline"
    assert [one.about for one in found if "Model B, not settled" in one.text] == ["headline"]
    shares = [text for text in found[0].evidence if text.startswith("Share of resamples")]
    assert len(shares) == 2
    assert ">99% over all queries" in shares[1]


def with_tables(results: Results, **tables: pd.DataFrame) -> Results:
    return replace(results, frames={**results.frames, **tables})
