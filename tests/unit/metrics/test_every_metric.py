"""What holds of every metric: of words that are missing, in another order or longer."""

import math

import numpy as np
import pytest

from fairflow import ECT, MAC, RIPA, RND, RNSB, WEAT, Query
from fairflow.errors import DegenerateError
from fairflow.metrics import METRICS
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import QueryInputs, Vocabulary
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import word_rows

WORDS = [f"{a}{b}" for a in "abcdef" for b in "uvwxyz"]
SETS = [WORDS[4 * i : 4 * i + 4] for i in range(6)]
# Smaller sizes of the metric that clusters a vocabulary; no classifier trained on a random part.
PARAMETERS = {
    "hidden_bias": {"n_clustered": 20, "n_classified": 20, "n_train": 8, "n_neighbours": 5},
    "rnsb": {"holdout": False},
}
EVERY = METRICS.names
# The metrics of WEFE, whose queries are nothing but sets.
OF_SETS = ("weat", "rnd", "rnsb", "mac", "ect", "ripa")


def rows(seed=1):
    return np.random.default_rng(seed).standard_normal((36, 3))


def query_for(name, sets=SETS):
    targets, attributes = (2 if n == "n" else n for n in METRICS.load(name).metric_template)
    pairs = (tuple(WORDS[20:22]), tuple(WORDS[22:24]))
    declared = QueryInputs(pairs, {}, Vocabulary())
    return Query(sets[:targets], sets[2 : 2 + attributes], declared=declared)


def model_of_rows(vectors):
    return WordEmbeddingModel(word_rows((WORDS, vectors)))


def measures(name, vectors, query=None):
    model = model_of_rows(vectors)
    looked_up = model.look_up(query or query_for(name), Lookup())
    metric = METRICS.load(name)()
    return metric.evaluate(with_vocabulary(looked_up, model), **PARAMETERS.get(name, {})).measures


@pytest.mark.parametrize("name", [name for name in EVERY if METRICS.load(name).of_directions])
def test_longer_vectors_give_the_same_values_where_the_metric_says_so(name):
    longer = rows() * np.random.default_rng(2).uniform(0.5, 2, (36, 1))
    assert measures(name, longer) == pytest.approx(measures(name, rows()), abs=1e-5, nan_ok=True)


@pytest.mark.parametrize("name", [name for name in OF_SETS if name != "ripa"])
def test_the_order_of_words_does_not_matter(name):
    turned = query_for(name, [words[::-1] for words in SETS])
    assert measures(name, rows(), turned) == pytest.approx(
        measures(name, rows()), abs=1e-9, nan_ok=True
    )


@pytest.mark.parametrize("name", OF_SETS)
def test_a_query_that_lost_too_many_words_is_nan_with_the_keys_of_a_result(name):
    metric, model = METRICS.load(name)(), model_of_rows(rows())
    whole = metric.run_query(query_for(name), model, **PARAMETERS.get(name, {}))
    lost = metric.run_query(query_for(name, [["lost", *words[:1]] for words in SETS]), model)
    assert list(lost) == list(whole)
    assert list(whole)[:2] == ["query_name", "result"]
    assert whole["result"] == whole[name]
    assert math.isnan(lost["result"])
    assert lost["status"] == "lost_vocabulary"
    assert "Target set 0 lost 1 of 2 words (lost)" in lost["reason"]


@pytest.mark.parametrize("name", OF_SETS)
def test_what_a_metric_cannot_compute_is_refused_by_name(name):
    metric, query = METRICS.load(name)(), query_for(name)
    zero = rows()
    zero[0] = 0
    with pytest.raises(DegenerateError, match=rf"vectors: {WORDS[0]}$"):
        metric.run_query(query, model_of_rows(zero), zero_vectors="error")
    gone = query_for(name, [["lost"], *SETS[1:]])
    with pytest.raises(DegenerateError, match=r"no word was found of Target set 0|no pair"):
        metric.run_query(gone, model_of_rows(rows()), lost_vocabulary_threshold=1)
    with pytest.raises(TypeError, match=r"'normalise'.*'normalize'"):
        metric.run_query(query, model_of_rows(rows()), normalise=True)
    with pytest.raises(ValueError, match=f"{metric.metric_short_name} takes .* attribute sets"):
        metric.run_query(Query(query.target_sets, []), model_of_rows(rows()))


PAIRS = [(WEAT, 2), (RND, 1), (RNSB, 2), (MAC, 2), (ECT, 1), (RIPA, 1)]
CLASSES = [metric for metric, _ in PAIRS]


@pytest.fixture
def model(model_of):
    return model_of(east=[1, 0], north=[0, 1], flat=[2, 1], steep=[1, 2], low=[3, 1], far=[5, 1])


def query(metric, *targets):
    attributes = [["east", "flat"], ["north", "steep"]]
    return Query([list(words) for words in targets], attributes[: dict(PAIRS)[metric]])


@pytest.mark.parametrize("metric", CLASSES)
def test_the_audit_names_words_lost_repeated_and_shared(metric, model):
    asked = query(metric, ["east", "east", "lost", "low", "far"], ["north", "low", "steep", "flat"])
    parameters = {"holdout": False} if metric is RNSB else {}
    result = metric().run_query(asked, model, **parameters)
    first, second = result["audit"][:2]
    assert (first["lost"], first["duplicated"], first["shared"]) == (["lost"], ["east"], ["low"])
    assert (second["lost"], second["duplicated"], second["shared"]) == ([], [], ["low"])
    assert first["n_found"] + len(first["lost"]) == len(first["words"])
    assert result["status"] == "ok"
