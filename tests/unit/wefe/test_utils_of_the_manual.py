"""The smaller functions of WEFE's `utils`, and parameters in the places where WEFE has them."""

import inspect
import types

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from fairflow import WEAT, Query
from fairflow.wefe import BaseMetric, utils

RANKING = pd.DataFrame({"WEAT": [1.0, 2.0], "MAC": [2.0, 1.0]}, index=["first", "second"])

# Facts of WEFE 1.0.1's interface.
PARAMETERS = {
    "calculate_ranking_correlations": "rankings method",
    "check_is_fitted": "estimator attributes",
    "create_ranking": "results_dataframes method ascending",
    "flair_to_gensim": "flair_embedding",
    "generate_subqueries_from_queries_list": "metric queries",
    "plot_queries_results": "results by",
    "plot_ranking": "ranking use_metric_as_facet",
    "plot_ranking_correlations": "correlation_matrix title",
    "print_doc_table": "df",
    "run_queries": "metric queries models queries_set_name lost_vocabulary_threshold metric_params "
    "generate_subqueries aggregate_results aggregation_function return_only_aggregation "
    "warn_not_found_words",
    "save_doc_image": "fig name",
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_stand_where_wefe_has_them(name):
    wefe = PARAMETERS[name].split()
    assert list(inspect.signature(getattr(utils, name)).parameters)[: len(wefe)] == wefe
    assert name in utils.__all__


def test_subqueries_are_those_that_run_queries_makes():
    query = Query([["he"], ["she"], ["they"]], [["art"], ["math"]], list("HST"), list("AM"))
    names = [q.query_name for q in utils.generate_subqueries_from_queries_list(WEAT, [query])]
    assert names == ["H and S wrt A and M", "H and T wrt A and M", "S and T wrt A and M"]


def test_a_table_is_printed_in_restructuredtext(capsys):
    table = pd.DataFrame({"A wrt B": [0.5, -0.123456789]}, index=["first", "second"])
    utils.print_doc_table(table.rename_axis("model_name"))
    assert capsys.readouterr().out.splitlines() == [
        "==========  =========",
        "model_name  A wrt B",
        "==========  =========",
        "first       0.5",
        "second      -0.123457",
        "==========  =========",
    ]


def test_an_estimator_that_is_not_fitted_is_refused():
    class Estimator(BaseEstimator):
        def fit(self):
            self.direction_ = 1

    estimator = Estimator()
    with pytest.raises(NotFittedError, match="Estimator is not fitted yet"):
        utils.check_is_fitted(estimator, ["direction_"])
    estimator.fit()
    utils.check_is_fitted(estimator, ["direction_"])


class Weight:
    """A tensor of torch, as far as it matters."""

    def detach(self):
        return self

    def numpy(self):
        return np.array([[1, 2], [3, 4], [0, 0]], dtype=np.float32)


def test_vectors_of_flair_become_those_of_gensim():
    flair = types.SimpleNamespace(
        vocab={"he": 0, "she": 1},
        embedding=types.SimpleNamespace(weight=Weight()),
        embedding_length=2,
    )
    vectors = utils.flair_to_gensim(flair)
    assert vectors.index_to_key == ["he", "she"]
    assert vectors["she"].tolist() == [3, 4]


def test_what_is_not_flairs_is_refused_with_advice():
    with pytest.raises(TypeError, match="pip install flair"):
        utils.flair_to_gensim("glove")


def test_the_classes_that_wefes_utils_hold_are_there():
    assert utils.BaseMetric is BaseMetric
    assert {"BaseMetric", "Query", "WordEmbeddingModel"} <= {*utils.__all__}
