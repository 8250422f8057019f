"""Metrics of fairflow.wefe: WEFE's defaults, its types, its ways to call and to extend them."""

import sys

import numpy as np
import pytest
from gensim.models import KeyedVectors
from sklearn.linear_model import LogisticRegression

import fairflow
from fairflow.metrics import metric_class
from fairflow.queries.lookup import Lookup
from fairflow.wefe import ECT, MAC, RIPA, RND, RNSB, WEAT, BaseMetric, Query, WordEmbeddingModel
from fairflow.wefe.metrics.example_metric import ExampleMetric

WORDS = [f"w{i}" for i in range(14)]
QUERY = Query([WORDS[:3], WORDS[3:6]], [WORDS[6:10], WORDS[10:]])
ONE_ATTRIBUTE = Query(QUERY.target_sets, QUERY.attribute_sets[:1])
METRICS = [WEAT, RND, RNSB, MAC, ECT, RIPA]


@pytest.fixture(scope="module")
def model():
    vectors = KeyedVectors(4)
    rows = np.random.default_rng(0).standard_normal((len(WORDS), 4)).astype(np.float32)
    vectors.add_vectors(WORDS, rows)
    return WordEmbeddingModel(vectors, "toy")


def test_the_effect_size_has_the_sd_of_a_population_unless_the_papers_is_asked_for(model):
    sample = fairflow.WEAT().run_query(QUERY, model)["effect_size"]
    # Six words: a sample's variance is 6/5 of the population's.
    assert WEAT().run_query(QUERY, model)["effect_size"] == pytest.approx(sample * (6 / 5) ** 0.5)
    assert WEAT().run_query(QUERY, model, convention="paper")["effect_size"] == sample


def test_the_test_of_weat_is_right_sided_and_of_random_exchanges(model):
    test = WEAT().run_query(QUERY, model, calculate_p_value=True)["permutation_test"]
    assert (test["alternative"], test["method"]) == ("greater", "monte carlo")
    assert test["n_permutations"] == 10_000


def test_rnsb_trains_the_classifier_of_scikit_learn_unless_told(model):
    rows = model.vectors(WORDS[6:])
    fitted = LogisticRegression(solver="liblinear", max_iter=10_000).fit(rows, [1] * 4 + [-1] * 4)
    expected = fitted.predict_proba(model.vectors(WORDS[:6]))[:, 0]
    result = RNSB().run_query(QUERY, model, holdout=False)
    found = list(result["negative_sentiment_probabilities"].values())
    assert found == pytest.approx(expected.tolist(), abs=1e-12)
    solved = RNSB().run_query(QUERY, model, None, None, holdout=False)
    assert solved["rnsb"] == fairflow.RNSB().run_query(QUERY, model, holdout=False)["rnsb"]


@pytest.mark.parametrize("name", ["WEAT", "RNSB"])
def test_a_workflow_that_names_a_metric_of_the_door_gets_the_numbers_of_run_query(name, model):
    metric = metric_class(f"fairflow.wefe.metrics.{name}")()
    own = {"random_state": 1} if name == "RNSB" else {}
    measures = metric.evaluate(model.look_up(QUERY, Lookup()), **own).measures
    result = metric.run_query(QUERY, model, **own)
    found = {measure: result[measure] for measure in measures}
    assert found == pytest.approx(measures, rel=0, abs=0, nan_ok=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None,), "query must be a Query"),
        ((QUERY, None), "model must be a WordEmbeddingModel"),
        ((QUERY, "model"), "model must be a WordEmbeddingModel"),
    ],
)
def test_a_query_or_model_of_another_kind_is_a_type_error(arguments, message):
    with pytest.raises(TypeError, match=message):
        WEAT().run_query(*arguments, *[None] * (2 - len(arguments)))


def test_arguments_of_another_kind_are_a_type_error(model):
    for wrong in (
        {"lost_vocabulary_threshold": "0.2"},
        {"warn_not_found_words": 1},
        {"preprocessors": {"lowercase": True}},
        {"no_such_argument": 1},
    ):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            WEAT().run_query(QUERY, model, **wrong)
    with pytest.raises(TypeError, match="too many positional arguments"):
        MAC().run_query(QUERY, model, 0.2, [{}], "first", False, False, True)


def test_the_log_says_why_a_result_is_undefined(model, caplog):
    lost = Query([["w0", "none"], ["w1"]], [["w2"]], ["Men", "Women"], ["Things"])
    assert np.isnan(ECT().run_query(lost, model)["result"])
    assert caplog.messages == [
        "Men and Women wrt Things is undefined: Men lost 1 of 2 words (none), more than the "
        "allowed share of 0.2"
    ]


class Present(BaseMetric):
    """As the documentation of releases before 1.0 writes it."""

    metric_template = (2, 1)
    metric_name = metric_short_name = "Present"

    def run_query(self, query, model, lost_vocabulary_threshold=0.2, *args, **kwargs):
        self._check_input(query, model, locals())
        return {"query_name": query.query_name, "result": 1.0}


def test_a_metric_of_one_s_own_may_hand_all_arguments_to_the_check(model):
    assert Present().run_query(ONE_ATTRIBUTE, model)["result"] == 1
    with pytest.raises(ValueError, match="Present takes 1 attribute sets"):
        Present().run_query(QUERY, model)


def test_the_example_subtracts_distances_of_mean_vectors():
    vectors = KeyedVectors(2)
    vectors.add_vectors(["a", "b", "c", "d"], np.float32([[1, 0], [0, 2], [3, 3], [3, 3]]))
    model = WordEmbeddingModel(vectors)
    # The mean (3, 3) has the cosine sqrt(1/2) with a and b alike.
    result = ExampleMetric().run_query(Query([["a"], ["b"]], [["c", "d"]]), model)
    assert result["result"] == result["em"] == pytest.approx(0, abs=1e-12)
    result = ExampleMetric().run_query(Query([["a"], ["c"]], [["d"]]), model)
    assert result["em"] == pytest.approx(1 - 0.5**0.5)
    lost = ExampleMetric().run_query(Query([["x"], ["c"]], [["d"]]), model)
    assert np.isnan(lost["result"])


def test_a_seeded_rnsb_is_equal_each_time_and_one_without_a_seed_says_once_that_it_is_not(caplog):
    sets = [[f"w{i}" for i in range(start, start + 4)] for start in (2, 6)]
    vectors = KeyedVectors(3)
    words = [f"w{i}" for i in range(10)]
    vectors.add_vectors(words, np.random.default_rng(5).normal(size=(10, 3)).astype(np.float32))
    model, query = WordEmbeddingModel(vectors), Query([["w0"], ["w1"]], sets)
    first, second = (RNSB().run_query(query, model, random_state=42) for _ in range(2))
    assert first == second
    RNSB().run_query(query, model, n_iterations=2)
    assert caplog.messages == []
    sys.modules["fairflow.wefe.metrics.RNSB"]._say_once.cache_clear()
    free = {RNSB().run_query(query, model)["rnsb"] for _ in range(9)}
    assert len(free) > 1
    (told,) = caplog.messages
    assert "one random split" in told


def test_weat_has_the_statistic_that_wefes_pages_compute():
    a, b, c, d = np.eye(4)[:, np.newaxis]
    assert WEAT()._calc_weat(a, b, a, b) == pytest.approx(2)
    assert WEAT()._calc_weat(a, b, c, d) == 0
