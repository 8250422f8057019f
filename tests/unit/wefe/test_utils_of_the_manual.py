"""The smaller functions of WEFE's `utils`, and parameters in the places where WEFE has them."""

import types

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from fairflow import WEAT, Query
from fairflow.wefe import utils


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
