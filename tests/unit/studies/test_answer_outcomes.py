"""What became of answers: shares of the outcomes, and what is remarked on the files."""

import pandas as pd
import pytest

from fairflow.studies.item_tables import answer_outcomes

CELL = {"model": "m", "metric": "score", "query": "q", "subquery": "q", "category": ""}
SHARES = {"answers_read": 90.0, "answers_refused": 10.0, "answers_cut": 0.0}


@pytest.fixture
def table():
    numbers = {"ci_low": 0.0, "ci_high": 100.0, "n_items": 840, "n_clusters": 21}
    rows = [CELL | {"measure": name, "value": share} | numbers for name, share in SHARES.items()]
    account = {"doubled": 3, "unknown": 1, "examples": ["x\x1b"], "models": ["v-1", "v-2"]}
    return answer_outcomes(pd.DataFrame(rows), {("m", "q"): account})


def test_an_outcome_that_no_answer_has_is_left_out(table):
    assert table[["outcome", "share"]].to_numpy().tolist() == [["read", 90.0], ["refused", 10.0]]
