"""The same query, model and seed give the same numbers in a notebook and in the workflow."""

import logging
import math
from pathlib import Path

import numpy as np
import pytest
import yaml

from fairflow import Query
from fairflow.metrics import metric_class
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import QueryInputs, Vocabulary
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.seeds import identity_seed
from fairflow.statistics.uncertainty import DEFAULT_SEED, Statistics
from fairflow.vectors.vocabulary import with_vocabulary

ROOT = Path(__file__).parents[3]
SETTINGS = Statistics(permutations=2_000, resamples=300, joint_draws=0)
TEST_TYPES = {"greater": "right-sided", None: None}
# Sets so large that metrics of means draw random exchanges.
TARGETS = [[f"x{i}" for i in range(14)], [f"y{i}" for i in range(14)]]
ATTRIBUTES = [[f"{name}{i}" for i in range(12)] for name in "abcd"]
# Further inputs of metrics of one model.
DECLARED = QueryInputs(
    tuple(zip(TARGETS[0][:12], TARGETS[1][:12], strict=True)),
    {word: number / 15 for number, word in enumerate(TARGETS[0], start=1)},
    Vocabulary(),
)
SMALL = {"hidden_bias": {"n_clustered": 20, "n_classified": 20, "n_train": 8, "n_neighbours": 5}}
VARIANTS = {
    name: entry
    for name, entry in yaml.safe_load((ROOT / "config/metrics.yaml").read_text("utf-8")).items()
    if "exact" not in name and "sweeney" not in name
}


@pytest.fixture(scope="module")
def model(model_of):
    random = np.random.default_rng(3)
    every = [word for words in (*TARGETS, *ATTRIBUTES) for word in words]
    return model_of(**{word: random.normal(0.2, 1, 6) for word in every})


def query_of(entry):
    n_targets, n_attributes = metric_class(entry["metric"]).metric_template
    return Query(
        TARGETS[: n_targets if n_targets != "n" else 2],
        ATTRIBUTES[: n_attributes if n_attributes != "n" else 2],
        declared=DECLARED,
    )


def both(model, name):
    """The rows of the workflow's cell, and the result of `run_query`."""
    entry = VARIANTS[name]
    query = query_of(entry)
    known = ("metric", "measure", "parameters", "subqueries", "normalize", "alternative")
    given = {key: entry[key] for key in known if key in entry}
    given["parameters"] = given.get("parameters", {}) | SMALL.get(entry["metric"], {})
    variant = WordVariant(name, **given)
    rows = score_cell(
        with_vocabulary(model.look_up(query, Lookup()), model),
        variant,
        Cell("model", name, "query"),
        DEFAULT_SEED,
        SETTINGS,
    )
    parameters = dict(variant.parameters)
    metric = metric_class(variant.metric)()
    if "random_state" in metric.parameters():
        # The splits of RNSB have their own seed.
        parameters.setdefault("random_state", identity_seed(DEFAULT_SEED, "model", name, "query"))
    result = metric.run_query(
        query,
        model,
        normalize=variant.normalize,
        calculate_p_value=True,
        p_value_test_type=TEST_TYPES[variant.alternative],
        p_value_iterations=SETTINGS.permutations,
        calculate_intervals=True,
        interval_resamples=SETTINGS.resamples,
        **parameters,
    )
    return rows, result


@pytest.mark.parametrize("name", VARIANTS)
def test_a_cell_and_run_query_agree_in_every_number(name, model):
    rows, result = both(model, name)
    test = result["permutation_test"]
    for row in rows:
        assert row.value == pytest.approx(result[row.measure], rel=1e-12, nan_ok=True)
        found = row.uncertainty
        if not math.isnan(found.p_value):
            assert found.p_value == result["p_value"]
            assert (found.alternative, found.p_method) == (test["alternative"], test["method"])
            assert (found.p_normal, found.null_sd) == (test["p_normal"], test["null_sd"])
        ends = result["intervals"][row.measure]
        alone, together = ends["targets"], ends["targets_and_attributes"]
        assert (found.ci_low, found.ci_high) == pytest.approx(alone, rel=1e-12, nan_ok=True)
        assert (found.ci_low_both, found.ci_high_both) == pytest.approx(
            together, rel=1e-12, nan_ok=True
        )
        if not math.isnan(found.ci_low):
            assert found.statistics == result["statistics"] == "ok"
    if "reason" in test:
        assert all(math.isnan(row.uncertainty.p_value) for row in rows)
    else:
        assert any(row.uncertainty.p_value == result["p_value"] for row in rows)


def test_both_take_the_seed_of_the_projects_configuration_by_default():
    configuration = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    assert configuration["seed"] == DEFAULT_SEED


def test_a_test_is_two_sided_unless_a_metric_has_one_side_only_or_a_preset_says_so(model):
    alternatives = {
        name: both(model, name)[1]["permutation_test"]["alternative"] for name in ("weat", "mac")
    }
    assert alternatives == {"weat": "two-sided", "mac": "two-sided"}
    assert both(model, "weat_es_caliskan")[1]["permutation_test"]["alternative"] == "greater"


def test_a_seed_gives_a_query_the_same_exchanges_whatever_model_and_variant_are_called(model):
    (first,), (again,) = (
        score_cell(
            model.look_up(query_of(VARIANTS["rnd"]), Lookup()),
            WordVariant(name, "rnd", "rnd"),
            Cell(name, name, name),
            1,
            SETTINGS,
        )
        for name in ("one", "other")
    )
    assert first.uncertainty.p_method == "monte carlo"
    assert first.uncertainty.p_value == again.uncertainty.p_value


def test_few_words_are_said_in_a_notebook_too_and_so_is_the_missing_null_band(model, caplog):
    query = Query([words[:5] for words in TARGETS], [words[:5] for words in ATTRIBUTES[:2]])
    with caplog.at_level(logging.WARNING):
        result = metric_class("weat")().run_query(
            query, model, calculate_intervals=True, interval_resamples=100
        )
    assert result["statistics"] == "few_words"
    assert "a set has fewer than 10 words: intervals are rough" in result["statistics_note"]
    assert "a set has fewer than 10 words: intervals are rough" in caplog.text
    assert "no null band" in result["statistics_note"]
