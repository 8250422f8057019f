"""Published measures of a single model, by the metrics and the queries of the configuration.

Explained variance, direct and indirect bias are those of Responsibly's notebook and tests,
analogies those of the authors' notebook, neighbours those of Gonen and Goldberg (2019), and the
regressions those of Garg et al. (2018) and their code.
"""

import hashlib
from pathlib import Path

import pytest

from fairflow.command.asked import asked_queries
from fairflow.command.project import Project
from fairflow.metrics import METRICS
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

CONFIG = Path(__file__).parents[2] / "config"
EXPLAINED = (0.605292, 0.127255, 0.099281, 0.0483466, 0.0406355, 0.0252729, 0.0232224, 0.0123879)
EXPLAINED = (*EXPLAINED, 0.00996098, 0.00834613)
# Of the 500 analogies in their order, x|y each, a line for each.
ANALOGIES = "8267e1077f449ca58e05d199fb2b84a4d54177fa3c70f509dac6fc7bf5c364de"


@pytest.fixture(scope="module")
def measured(slices, test_model):
    """A function: query, metric and its parameters -> outcome, on the model that was published."""
    from gensim.models import KeyedVectors

    words, vectors = slices.bolukbasi()
    whole = KeyedVectors(vectors.shape[1])
    whole.add_vectors(words, vectors)
    models = {"bolukbasi": WordEmbeddingModel(whole), "weat": WordEmbeddingModel(test_model)}
    project = Project(CONFIG, {}, checked=False)

    def measure(query, metric, model="bolukbasi", normalize=False, **parameters):
        (asked,) = asked_queries(project, [query])
        looked_up = models[model].look_up(asked.query, asked.lookup)
        own = METRICS.load(metric)()
        return own.evaluate(with_vocabulary(looked_up, models[model]), normalize, **parameters)

    return measure


def test_ten_shares_of_the_definitional_pairs(measured):
    shares = [row.value for row in measured("gender_pairs", "explained_variance").words]
    assert shares == pytest.approx(EXPLAINED, rel=5e-6)


@pytest.mark.parametrize(
    ("query", "printed", "tolerance"),
    [("gender_professions", 0.0805, 5e-5), ("gender_neutral_professions", 0.07307904523, 1e-8)],
)
def test_direct_bias_of_professions(query, printed, tolerance, measured):
    assert measured(query, "direct_bias").result == pytest.approx(printed, abs=tolerance)


@pytest.mark.parametrize(
    ("sport", "printed"),
    [
        ("softball", (-0.01, 0.20, 0.67, 0.29, 0.32, 0.37, -0.05)),
        ("football", (0.02, 0.17, 0.10, 0.42, 0.02, 0.22)),
    ],
)
def test_indirect_bias_between_a_sport_and_a_profession(sport, printed, measured):
    found = [row.value for row in measured(f"{sport}_professions", "indirect_bias").words]
    assert [round(value, 2) for value in found] == list(printed)


def test_five_hundred_analogies_are_in_their_places(measured):
    outcome = measured("she_he_analogies", "analogies")
    pairs = [row.word for row in outcome.words if row.measure == "place"]
    assert pairs[:5] == ["she|he", "herself|himself", "her|his", "woman|man", "daughter|son"]
    assert hashlib.sha256("\n".join(pairs).encode()).hexdigest() == ANALOGIES


def test_hidden_bias_before_debiasing(measured):
    outcome = measured("he_she_hidden_bias", "hidden_bias", n_runs=2)
    assert outcome.details["n_words"] == 26_106
    assert round(outcome.measures["cluster_accuracy"], 3) == 0.999
    assert round(outcome.measures["neighbour_correlation"], 3) == 0.741
    assert outcome.measures["target_correlation"] == pytest.approx(0.755, abs=5e-4)
    assert outcome.measures["classifier_accuracy"] == pytest.approx(0.983, abs=2e-3)


@pytest.mark.parametrize(("scale", "r2"), [("difference", 0.499), ("log_odds", 0.462)])
def test_occupations_follow_the_share_of_women(scale, r2, measured):
    parameters = {"association": "distance", "scale": scale}
    outcome = measured("occupations_women_men", "wefat", "weat", normalize=True, **parameters)
    assert round(outcome.result, 3) == r2
    assert outcome.measures["n_with_property"] == 66
    assert outcome.measures["p_slope"] < 1e-9
