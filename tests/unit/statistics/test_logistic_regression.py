"""Penalised logistic regression on many subsets of rows, solved to convergence."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from fairflow.statistics.classification import ConvergenceError, fit_subsets


def problem(rows, dims, subsets, seed=0, length=None):
    """Random rows with noisy labels, and subsets that hold both labels."""
    random = np.random.default_rng(seed)
    data = random.standard_normal((rows, dims))
    if length is not None:
        data *= length / np.linalg.norm(data, axis=1, keepdims=True)
    labels = np.where(data[:, 0] + random.standard_normal(rows) > 0, 1, -1)
    labels[:2] = 1, -1
    used = random.random((subsets, rows)) < 0.8
    used[:, :2] = True
    return data, labels, used, random.standard_normal((7, dims))


def positive_probabilities(data, labels, used, new):
    """Of the rows for which the models are fitted."""
    return fit_subsets(data, labels, used, new).positive_probabilities(new)


def scikit_learn(data, labels, used, new, **options):
    """The same problem with the intercept as a penalised column."""
    with_one, new_with_one = (np.column_stack([x, np.ones(len(x))]) for x in (data, new))
    model = LogisticRegression(C=1, fit_intercept=False, tol=1e-12, max_iter=100_000, **options)
    return np.array(
        [model.fit(with_one[u], labels[u]).predict_proba(new_with_one)[:, 1] for u in used]
    )


# lbfgs stalls before its tolerance, Newton's method does not.
@pytest.mark.parametrize(("solver", "tolerance"), [("lbfgs", 1e-6), ("newton-cholesky", 1e-9)])
@pytest.mark.parametrize(("rows", "dims"), [(12, 50), (50, 50), (200, 10), (51, 50), (6, 1)])
def test_probabilities_are_those_of_scikit_learn_at_its_tightest_tolerance(
    rows, dims, solver, tolerance
):
    case = problem(rows, dims, subsets=6, seed=rows)
    expected = scikit_learn(*case, solver=solver)
    assert np.abs(positive_probabilities(*case) - expected).max() < tolerance


def assert_optimal(data, labels, used, tolerance):
    """The gradient of each subset's objective at the weights behind the probabilities is 0.

    Probabilities of the zero row and of the unit rows reveal the intercept and the weights.
    """
    dims = data.shape[1]
    probes = np.vstack([np.zeros(dims), np.eye(dims)])
    probabilities = positive_probabilities(data, labels, used, probes)
    logits = np.log(probabilities) - np.log1p(-probabilities)
    for subset, (intercept, *sums) in zip(used, logits, strict=True):
        weights = np.array(sums) - intercept
        x, y = data[subset], labels[subset]
        pull = y / (1 + np.exp(y * (x @ weights + intercept)))
        gradient = np.append(weights - x.T @ pull, intercept - pull.sum())
        assert np.abs(gradient).max() < tolerance


@pytest.mark.parametrize(("rows", "dims"), [(8, 40), (100, 12), (13, 12), (12, 12)])
def test_the_gradient_vanishes_at_the_solution(rows, dims):
    data, labels, used, _ = problem(rows, dims, subsets=20, seed=dims)
    assert_optimal(data, labels, used, 1e-8)


def test_a_subset_is_solved_alike_alone_and_among_others():
    data, labels, used, new = problem(40, 15, subsets=30)
    together = positive_probabilities(data, labels, used, new)
    for subset, found in zip(used, together, strict=True):
        (alone,) = positive_probabilities(
            data[subset], labels[subset], np.ones((1, subset.sum()), bool), new
        )
        assert np.abs(alone - found).max() < 1e-8


@pytest.mark.parametrize("odd", [np.nan, np.inf])
@pytest.mark.parametrize("place", [0, 3])
def test_a_row_that_is_not_finite_is_an_error(odd, place):
    given_rows = problem(30, 5, subsets=3)
    given_rows[place][4, 2] = odd
    with pytest.raises(ConvergenceError, match="not finite"):
        fit_subsets(*given_rows)


@pytest.mark.parametrize(("rows", "dims"), [(12, 50), (50, 12)])
def test_models_judge_other_rows_than_those_they_were_fitted_for(rows, dims):
    data, labels, used, new = problem(rows, dims, subsets=4)
    fits = fit_subsets(data, labels, used, new)
    others = np.random.default_rng(1).standard_normal((9, dims))
    expected = scikit_learn(data, labels, used, others, solver="newton-cholesky")
    found = fits.positive_probabilities(others)
    assert found.shape == (4, 9)
    assert np.abs(found - expected).max() < 1e-8
    # A row is judged alike wherever it stands.
    assert np.abs(fits.positive_probabilities(others[3:5]) - found[:, 3:5]).max() < 1e-12


def test_the_problem_is_the_one_of_liblinear_with_its_penalised_intercept():
    data, labels, used, new = problem(30, 5, subsets=3)
    model = LogisticRegression(solver="liblinear", C=1, tol=1e-12, max_iter=100_000)
    expected = [model.fit(data[u], labels[u]).predict_proba(new)[:, 1] for u in used]
    assert np.abs(positive_probabilities(data, labels, used, new) - expected).max() < 1e-7
