"""Numbers printed in WEFE's documentation, on the vectors that they were computed with."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from gensim.models import KeyedVectors
from sklearn.linear_model import LogisticRegression

from fairflow import ECT, MAC, RNSB, BaseMetric, Query, WordEmbeddingModel
from fairflow.metrics.rnsb import kl_from_uniform
from fairflow.statistics.outcome import Outcome
from fairflow.studies.ranking import correlate_rankings
from fairflow.vectors.directions import cosine

DATA = Path(__file__).parents[1] / "data"
CASES = json.loads((DATA / "seed_doc_values.json").read_text("utf-8"))["cases"]
LIBLINEAR = {"solver": "liblinear", "max_iter": 10_000}
SPLITS = ["rnsb-random-split-1", "rnsb-random-split-2"]


@pytest.fixture(scope="module")
def model():
    path = DATA / "word2vec_google_news_300_seed_words.bin"
    return WordEmbeddingModel(KeyedVectors.load_word2vec_format(path, binary=True), "word2vec")


def query_of(case):
    return Query(**case["query"])


@pytest.mark.parametrize("name", ["mac-gender", "mac-ethnicity"])
def test_mac_gives_the_printed_mean_and_the_printed_distance_of_every_word(model, name):
    case = CASES[name]
    result = MAC().run_query(query_of(case), model)
    # WEFE computed these in float32.
    assert result["mac"] == result["result"] == pytest.approx(case["printed"]["mac"], abs=1e-7)
    assert result["targets_eval"].keys() == case["printed"]["targets_eval"].keys()
    for target, words in case["printed"]["targets_eval"].items():
        assert result["targets_eval"][target].keys() == words.keys()
        for word, distances in words.items():
            assert result["targets_eval"][target][word] == pytest.approx(distances, abs=1e-7)


@pytest.mark.parametrize("name", ["ect-plain", "ect-normalized"])
def test_ect_gives_the_printed_correlation(model, name):
    case = CASES[name]
    result = ECT().run_query(query_of(case), model, **case["parameters"])
    assert result["ect"] == result["result"] == pytest.approx(case["printed"]["ect"], abs=1e-12)


def test_rnsb_with_liblinear_on_all_words_gives_the_printed_numbers(model):
    case = CASES["rnsb-noholdout"]
    result = RNSB().run_query(
        query_of(case),
        model,
        estimator=LogisticRegression,
        estimator_params=LIBLINEAR,
        holdout=False,
    )
    for key in ("result", "rnsb", "negative_sentiment_probabilities"):
        assert result[key] == pytest.approx(case["printed"][key], abs=1e-12)
    distribution = case["printed"]["negative_sentiment_distribution"]
    assert result["negative_sentiment_distribution"] == pytest.approx(distribution, abs=1e-12)


def test_rnsb_solved_to_convergence_gives_the_optimum_and_nearly_the_printed_number(model):
    case = CASES["rnsb-noholdout"]
    result = RNSB().run_query(query_of(case), model, holdout=False)
    optimum = case["exact_optimum"]
    assert result["rnsb"] == pytest.approx(optimum["rnsb"], abs=1e-8)
    probabilities = list(result["negative_sentiment_probabilities"].values())
    assert probabilities == pytest.approx(optimum["probabilities"], abs=1e-8)
    # liblinear's default tolerance stops short of the optimum by this much.
    assert result["rnsb"] == pytest.approx(case["printed"]["rnsb"], abs=1e-5)


def rnsb_of_split(model, case, normalize):
    """Probabilities of the target words under liblinear fitted without the held-out words."""

    def vectors(words):
        rows = np.array([model[word] for word in words])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True) if normalize else rows

    query, held_out = query_of(case), case["held_out"]
    kept = [
        [word for word in words if word not in held_out[name]]
        for name, words in zip(query.attribute_sets_names, query.attribute_sets, strict=True)
    ]
    rows = np.concatenate([vectors(words) for words in kept])
    labels = np.repeat([1, -1], [len(words) for words in kept])
    fitted = LogisticRegression(**LIBLINEAR).fit(rows, labels)
    targets = [word for words in query.target_sets for word in words]
    return fitted.predict_proba(vectors(targets))[:, 0]


@pytest.mark.parametrize("name", SPLITS)
def test_printed_rnsb_of_a_random_split_is_the_divergence_of_the_split_named(model, name):
    case = CASES[name]
    probabilities = rnsb_of_split(model, case, normalize=False)
    assert kl_from_uniform(probabilities) == pytest.approx(case["printed"]["rnsb"], abs=1e-12)
    printed = list(case["printed"]["negative_sentiment_probabilities"].values())
    assert probabilities == pytest.approx(printed, abs=1e-12)


def test_printed_rnsb_of_normalised_vectors_is_the_divergence_of_the_split_named(model):
    case = CASES["rnsb-normalized"]
    probabilities = rnsb_of_split(model, case, normalize=True)
    # WEFE normalised in float32.
    assert kl_from_uniform(probabilities) == pytest.approx(case["printed"]["rnsb"], abs=1e-8)


class ExampleMetric(BaseMetric):
    """The metric of WEFE's tutorial, which WEFE 1.0.1 cannot run."""

    metric_template = (2, 1)
    metric_name = "Example Metric"
    metric_short_name = "EM"
    measure_names = ("em",)

    def compute(self, targets, attributes):
        means = np.array([target.vectors.mean(axis=0) for target in targets])
        center = attributes[0].vectors.mean(axis=0, keepdims=True)
        first, second = 1 - cosine(means, center)[:, 0]
        return Outcome(float(first - second), {"em": float(first - second)})


def test_the_metric_of_the_tutorial_is_a_class_with_one_method_and_gives_the_printed_number(model):
    case = CASES["example-metric"]
    result = ExampleMetric().run_query(query_of(case), model)
    assert result["result"] == pytest.approx(case["printed"]["result"], abs=1e-7)
    assert result["query_name"] == "Flowers and Weapons wrt Pleasant"


def test_ranking_correlations_are_the_printed_ones():
    case = CASES["ranking-correlations"]
    names = case["table"]["columns"]
    ranking = pd.DataFrame(case["table"]["data"], columns=names)
    ranking["model"] = case["table"]["index"]
    ranking = ranking.melt("model", var_name="metric", value_name="rank")
    computed = correlate_rankings(ranking.assign(source="published", criterion="Gender"))
    matrix = computed.pivot(index="metric_row", columns="metric_column", values="correlation")
    np.testing.assert_allclose(matrix.loc[names, names], case["printed"]["spearman"], atol=1e-12)
