"""Analogies and hidden bias look at all words of a model."""

import numpy as np
import pytest

from fairflow import Query
from fairflow.errors import DegenerateError
from fairflow.metrics.analogies import Analogies
from fairflow.metrics.hidden_bias import HiddenBias
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import QueryInputs, Vocabulary
from fairflow.vectors.vocabulary import with_vocabulary

ENDS = (("he", "she"),)


def asked(vocabulary, targets=("he",), pairs=ENDS):
    declared = QueryInputs(pairs=pairs, vocabulary=vocabulary)
    return Query([list(targets)], [], ["Words"], declared=declared)


@pytest.fixture(scope="module")
def clusters(model_of):
    """Two clouds of 40 words about he and she."""
    generator = np.random.default_rng(0)
    centres = np.array([[1.0, 0.3, 0], [-1.0, 0.3, 0]])
    vectors = {"he": centres[0], "she": centres[1]}
    for number in range(80):
        cloud = centres[number % 2] + 0.2 * generator.standard_normal(3)
        vectors[f"word{'abcdefghij'[number // 10]}{'abcdefghij'[number % 10]}"] = cloud
    return model_of(**vectors)


def test_analogies_stand_in_the_order_of_their_scores(model_of):
    model = model_of(
        she=[1, 5], he=[-1, 5], queen=[1, 4.9], king=[-0.9, 5], stone=[0, -1], rock=[0.1, -1]
    )
    looked_up = model.look_up(asked(Vocabulary(), pairs=(("she", "he"),)), Lookup())
    outcome = Analogies().evaluate(with_vocabulary(looked_up, model), count=3)
    places = {row.word: row.value for row in outcome.words if row.measure == "place"}
    scores = [row.value for row in outcome.words if row.measure == "score"]
    assert list(places.values()) == [1, 2, 3]
    assert {word.partition("|")[0] for word in places} == {"she", "queen", "rock"}
    assert scores == sorted(scores, reverse=True)
    assert outcome.measures["pairs"] == 3


def test_no_words_near_each_other_are_no_analogy(model_of):
    model = model_of(she=[1, 0], he=[-1, 0])
    with pytest.raises(DegenerateError, match="no two words are nearer than 1"):
        Analogies().run_query(asked(Vocabulary()), model)


def test_two_clouds_are_told_apart_by_every_test(clusters):
    words = [word for word in clusters.wv if word not in ("he", "she")]
    result = HiddenBias().run_query(
        asked(Vocabulary(), words),
        clusters,
        n_clustered=40,
        n_classified=40,
        n_train=20,
        n_neighbours=10,
        n_runs=2,
    )
    assert result["cluster_accuracy"] == 1
    assert result["classifier_accuracy"] == 1
    assert result["neighbour_correlation"] > 0.9
    assert result["target_correlation"] > 0.9
    assert result["n_targets"] == 80


def test_runs_stand_beside_the_means_of_random_parts(clusters):
    looked_up = with_vocabulary(clusters.look_up(asked(Vocabulary()), Lookup()), clusters)
    sizes = {"n_clustered": 20, "n_classified": 40, "n_train": 8, "n_neighbours": 10, "n_runs": 3}
    outcome = HiddenBias().evaluate(looked_up, **sizes)
    for measure in ("cluster_accuracy", "classifier_accuracy"):
        assert len(outcome.splits[measure]) == 3
        assert np.mean(outcome.splits[measure]) == pytest.approx(outcome.measures[measure])
    assert "only 1 target words" in outcome.reasons["target_correlation"]


def test_words_are_drawn_with_the_leaning_to_the_right_and_most_of_them_in_the_lower_half(clusters):
    looked_up = with_vocabulary(clusters.look_up(asked(Vocabulary()), Lookup()), clusters)
    sizes = {"n_clustered": 20, "n_classified": 40, "n_train": 8, "n_neighbours": 10, "n_runs": 1}
    words = HiddenBias().evaluate(looked_up, **sizes).words
    columns = ("side", "x", "y")
    side, x, y = ([one.value for one in words if one.measure == name] for name in columns)
    assert np.corrcoef(side, x)[0, 1] > 0.9
    assert np.sum(np.power(y, 3)) > 0


def test_too_few_words_are_refused(clusters):
    with pytest.raises(DegenerateError, match="12 words are too few"):
        HiddenBias().run_query(asked(Vocabulary(first=12)), clusters)


def test_a_model_without_the_pair_tells_no_leaning(clusters):
    query = asked(Vocabulary(), pairs=(("he", "lost"), ("he", "she")))
    with pytest.raises(DegenerateError, match=r"the model before lacks|no pair is declared"):
        HiddenBias().run_query(query, clusters, lost_vocabulary_threshold=0.5)
