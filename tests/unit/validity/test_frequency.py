"""Frequency and scores: sets whose association frequency explains fully, in part, or not at all."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tables_of_scores import score

from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.validity.evidence import Evidence
from fairflow.validity.frequency import frequency
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

ATTRIBUTES = {"near": [1.0, 0, 0], "far": [0.0, 1, 0]}
N = 12


def vector(association):
    """A vector whose cosine with "near" minus that with "far" is exactly this."""
    return [association, 0.0, math.sqrt(1 - association**2)]


def names(of, n=N):
    return [f"{of}{i}" for i in range(n)]


def slice_of(first, second):
    """A query whose target words have these associations."""
    words = names("x", len(first)), names("y", len(second))
    values = dict(zip((*words[0], *words[1]), (*first, *second), strict=True))
    model = WordEmbeddingModel(ATTRIBUTES | {w: vector(s) for w, s in values.items()})
    query = Query([*words], [["near"], ["far"]], ["X", "Y"], ["Near", "Far"])
    return model.look_up(query, Lookup())


def one_row(first, second, logs, scores=None):
    """The row of the table; logs: of the words of both sets, None for an unknown one."""
    known = zip((*names("x", len(first)), *names("y", len(second))), logs, strict=True)
    frequencies = {word: log for word, log in known if log is not None}
    slices = {("m", "q"): slice_of(first, second)}
    made = Evidence({}, {}, slices, {"q": "Valence"}, {}, frequency=frequencies)
    (row,) = frequency(made, pd.DataFrame() if scores is None else scores).to_dict("records")
    return row


def weat(first, second):
    """WEAT's effect size, written out."""
    return (np.mean(first) - np.mean(second)) / np.std([*first, *second], ddof=1)


def noise(n=2 * N, size=0.02, seed=5):
    return np.random.default_rng(seed).normal(0, size, n)


def within(values):
    """As differences from the mean of their set."""
    return np.concatenate([half - half.mean() for half in np.split(np.asarray(values), 2)])


def test_sets_that_differ_in_frequency_alone_differ_no_more_without_it():
    logs = np.concatenate([np.linspace(-5, -3, N), np.linspace(-7, -5, N)])
    values = 0.1 * (logs + 5) + noise()
    row = one_row(values[:N], values[N:], logs)
    assert row["r"] > 0.9
    assert row["value"] == pytest.approx(weat(values[:N], values[N:]))
    assert row["p_value"] < 0.001
    assert abs(row["value_residual"]) < 0.5
    assert row["p_residual"] > 0.2
    assert row["changes"] is True


def test_the_score_without_frequency_is_that_of_a_line_fitted_within_the_sets():
    logs = np.random.default_rng(1).normal(-5, 1, 2 * N) + np.repeat([1, -1], N)
    values = 0.05 * (logs + 5) + np.repeat([0.03, -0.03], N) + noise()
    row = one_row(values[:N], values[N:], logs)
    x, y = within(logs), within(values)
    rest = values - (x @ y) / (x @ x) * (logs - logs.mean())
    assert row["value_residual"] == pytest.approx(weat(rest[:N], rest[N:]))
    assert row["r"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert row["r_low"] < row["r"] < row["r_high"]
    # Analysis of covariance: a set as a column of 0 and 1 next to log frequency.
    fit = np.linalg.lstsq(np.column_stack([np.repeat([1, 0], N), logs, logs**0]), values)
    variance = fit[1][0] / (2 * N - 3) * (1 / (x @ x))
    t = fit[0][1] / np.sqrt(variance)
    assert row["p_frequency"] == pytest.approx(2 * stats.t.sf(abs(t), 2 * N - 3))


def test_frequency_that_is_unrelated_changes_nothing():
    """Each frequency occurs equally often in both sets, with the same associations."""
    logs = np.tile(np.repeat([-4.0, -6.0], N // 2), 2)
    values = np.repeat([0.2, -0.2], N) + np.tile([0.03, -0.03], N)
    row = one_row(values[:N], values[N:], logs)
    assert row["r"] == pytest.approx(0, abs=1e-9)
    assert row["value_residual"] == pytest.approx(row["value"])
    assert row["p_residual"] < 0.001
    assert row["changes"] is False


def test_where_nothing_shows_a_part_of_frequency_that_cannot_be_excluded_it_is_unknown():
    logs = np.concatenate([np.linspace(-5, -4.5, N), np.linspace(-8, -7.5, N)])
    values = np.repeat([0.01, -0.01], N) + noise()
    row = one_row(values[:N], values[N:], logs)
    assert row["p_value"] < 0.05 < row["p_residual"]
    assert row["changes"] is None
    assert row["reason"] == "its sets differ so much in frequency that its part is unknown"


def scores(p_value, alternative="greater"):
    tested = {"alternative": alternative, "p_statistic": "difference of mean associations"}
    return pd.DataFrame([score("m", "q", metric="weat", p_value=p_value, **tested)])


def test_the_p_of_the_score_is_that_of_the_study_and_both_have_its_alternative():
    values, logs = noise(), noise(seed=6)
    row = one_row(values[:N], values[N:], logs, scores(0.0123))
    other = one_row(values[:N], values[N:], logs, scores(0.5, "less"))
    assert row["p_value"] == 0.0123
    assert row["p_residual"] + other["p_residual"] == pytest.approx(1, abs=1e-6)


def test_frequency_that_explains_every_word_leaves_no_score():
    logs = np.concatenate([np.linspace(-5, -3, N), np.linspace(-7, -5, N)])
    values = 0.1 * (logs + 5)
    row = one_row(values[:N], values[N:], logs)
    assert row["r"] == pytest.approx(1)
    assert math.isnan(row["value_residual"])
    assert row["reason"] == "frequency explains every difference of the words"
    assert row["changes"] is None
