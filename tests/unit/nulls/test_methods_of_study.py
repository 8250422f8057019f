"""The table of methods, its claims and its figure: a column decides."""

import pandas as pd
import pytest
from tests.unit.studies.claims.study import claims, said

from fairflow.nulls.method_tables import methods_table
from fairflow.nulls.methods import SAID

ROW = {
    "method": "honest", "where": "two groups", "counts": "false", "worlds": 400, "at_most": 0.05,
    "theirs": 0.33, "theirs_low": 0.28, "theirs_high": 0.38,
    "ours": 0.05, "ours_low": 0.03, "ours_high": 0.08,
}  # fmt: skip


def table(*rows):
    return methods_table(pd.DataFrame(rows), SAID)


@pytest.mark.parametrize(
    ("columns", "verdict"),
    [
        ({}, "false"),
        ({"theirs_low": 0.049}, "holds"),
        ({"counts": "denied", "at_most": 0.2}, "denied"),
        ({"counts": "denied", "at_most": 0.3}, "holds"),
        ({"counts": "value", "theirs": -1.0, "at_most": 0.0}, "value"),
        ({"counts": "value", "theirs": 0.04, "at_most": 0.0}, "holds"),
    ],
)
def test_a_method_holds_unless_its_interval_is_above_what_may_be_false(columns, verdict):
    (row,) = table(ROW | columns).to_dict("records")
    assert row["verdict"] == verdict
    (one,) = claims("method", methods=[row])
    assert (one.verdict, one.n) == (verdict, 400)


def test_a_sentence_names_both_shares():
    (one,) = claims("method", methods=table(ROW).to_dict("records"))
    assert one.sentence == (
        "HONEST of two groups (two groups) finds something in 33% [28, 38] of worlds without it; "
        "ours in 5.0% [3.0, 8.0]."
    )


def test_the_answer_counts_methods_and_not_worlds():
    rows = [ROW, ROW | {"where": "another"}, ROW | {"method": "log_odds", "theirs_low": 0.01}]
    page = said(methods=table(*rows).to_dict("records")).page
    assert page.answer.startswith("1 of 2 methods do not hold")
    assert [row.strength for row in page.rows] == [1, 1, 0]
