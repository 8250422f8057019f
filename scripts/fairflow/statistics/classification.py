"""Logistic regression and splits of samples, as scikit-learn's, without its import."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.linalg import cholesky, norm, qr

from fairflow.errors import DegenerateError, FairflowError

ACCURACY = 5e-9
MAX_STEPS = 50
MAX_INNER_STEPS = 200
TINY = np.float32(1e-30)


class ConvergenceError(FairflowError):
    """The optimum was not reached within the allowed steps."""


@dataclass(frozen=True)
class Fits:
    """Models fitted to subsets of the same rows.

    Attributes
    ----------
    weights : (dims + 1, subsets), the intercept last. scale : (dims + 1,), what rows are
        multiplied by. basis : of the space of the weights, if it is not that of the rows.
    """

    weights: np.ndarray
    scale: np.ndarray
    basis: np.ndarray | None

    def positive_probabilities(self, rows: np.ndarray) -> np.ndarray:
        """Probability of label +1: (m, dims) -> (subsets, m)."""
        data = _with_intercept(rows) * self.scale
        data = data if self.basis is None else data @ self.basis
        return sigmoid(data @ self.weights).T


def fit_subsets(
    rows: np.ndarray,
    labels: np.ndarray,
    subsets: np.ndarray,
    new_rows: np.ndarray,
    C: float = 1,
    intercept_scaling: float = 1,
) -> Fits:
    """Fit a model to each subset, accurately enough for `new_rows`.

    Minimises, for each subset, |w|^2/2 + b^2/2 + C sum of log(1 + exp(-y (w.x + s b))), the
    problem that scikit-learn's liblinear solver approximates: with s = 1 the intercept is
    penalised like a weight, with s = 100 hardly at all. Probabilities are within 5e-9 of those at
    the optimum, because the objective is strongly convex.

    Parameters
    ----------
    rows : (n, dims). labels : (n,), +1 or -1. subsets : (subsets, n), True where a row is used.
    new_rows : (m, dims). intercept_scaling : s.

    Raises
    ------
    ConvergenceError : the optimum was not reached.
    """
    # With weights w / sqrt(C), the losses of rows times sqrt(C) count once.
    scale = np.append(np.ones(rows.shape[1]), intercept_scaling) * np.sqrt(C)
    data, new_data, basis = _with_intercept(rows) * scale, _with_intercept(new_rows) * scale, None
    if not (np.isfinite(data).all() and np.isfinite(new_data).all()):
        raise ConvergenceError("a row holds a number that is not finite")
    if len(data) < data.shape[1]:
        # The optimum is in the span of the rows: solve there.
        basis, triangle = qr(data.T)
        data, new_data = triangle.T, new_data @ basis
    problem = _Problem(data, labels.astype(float), subsets.T.astype(float))
    # |w - w*| <= |gradient|, and the logistic function is nowhere steeper than 1/4.
    longest = float(norm(new_data, axis=1).max())
    # A product of small matrices may set the flag of an invalid operation although every entry is
    # right (OpenBLAS); `solve` looks at the entries themselves.
    with np.errstate(invalid="ignore"):
        weights = problem.solve(tolerance=4 * ACCURACY / longest)
    return Fits(weights, scale, basis)


def sigmoid(values: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x)) without overflow."""
    return _sigmoid_in_place(np.array(values, dtype=float))


def _sigmoid_in_place(values: np.ndarray) -> np.ndarray:
    values *= 0.5
    np.tanh(values, out=values)
    values += 1
    values *= 0.5
    return values


# Weights and gradient (dims, subsets), and the curvature of the losses (n, subsets).
_State = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass
class _Problem:
    """All subsets as columns, so that each step is a product of matrices.

    Attributes
    ----------
    data : (n, dims) with the intercept's column. labels : (n,). used : (n, subsets), 0 or 1.
    """

    data: np.ndarray
    labels: np.ndarray
    used: np.ndarray

    def solve(self, tolerance: float) -> np.ndarray:
        """Newton's method from the solution of the average problem: (dims, subsets)."""
        average = _Problem(
            self.data.astype(np.float32),
            self.labels.astype(np.float32),
            self.used.mean(axis=1, keepdims=True).astype(np.float32),
        )
        start, hessian = average.approximate_solution()
        inner = _InnerSolver(average.data, hessian)
        weights = np.repeat(start.astype(float), self.used.shape[1], axis=1)
        gradient, curvature = self._derivatives(weights, self.used)
        for _ in range(MAX_STEPS):
            size = norm(gradient, axis=0)
            active = ~(size <= tolerance)
            if not active.any():
                return weights
            columns = slice(None) if active.all() else np.flatnonzero(active)
            step = inner.solve(curvature[:, columns], gradient[:, columns], tolerance)
            if not np.isfinite(step).all():
                raise ConvergenceError("a Newton step is not finite")
            state = weights, gradient, curvature
            weights, gradient, curvature = self._descend(state, columns, step)
        raise ConvergenceError(f"gradient {size.max():.1e} after {MAX_STEPS} Newton steps")

    def _descend(self, state: _State, columns: slice | np.ndarray, step: np.ndarray) -> _State:
        """Take the step, halved for each subset whose gradient would grow."""
        weights, gradient, curvature = state
        trial = weights[:, columns] - step
        new_gradient, new_curvature = self._derivatives(trial, self.used[:, columns])
        better = norm(new_gradient, axis=0) < norm(gradient[:, columns], axis=0)
        if better.all() and isinstance(columns, slice):
            return trial, new_gradient, new_curvature
        columns = np.arange(weights.shape[1])[columns]
        done = columns[better]
        weights[:, done] = trial[:, better]
        gradient[:, done] = new_gradient[:, better]
        curvature[:, done] = new_curvature[:, better]
        # A step too short to matter is as good as none: the next one starts from a better place.
        if better.all() or norm(step) < TINY:
            return state
        return self._descend(state, columns[~better], step[:, ~better] / 2)

    def approximate_solution(self) -> tuple[np.ndarray, np.ndarray]:
        """Weights (dims, 1) near the optimum of the first column's problem, and its Hessian."""
        weights = np.zeros((self.data.shape[1], 1), dtype=self.data.dtype)
        gradient, curvature = self._derivatives(weights, self.used)
        for _ in range(MAX_STEPS):
            scaled = self.data * np.sqrt(curvature)
            hessian = scaled.T @ scaled
            hessian[np.diag_indices_from(hessian)] += 1
            # A start near the subsets' solutions is all that is wanted.
            if norm(gradient) < 0.1:
                break
            step = np.linalg.solve(hessian, gradient)
            state = weights, gradient, curvature
            weights, gradient, curvature = self._descend(state, slice(None), step)
        return weights, hessian

    def _derivatives(self, weights: np.ndarray, used: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient (dims, subsets) and the diagonal curvature of the losses (n, subsets)."""
        labels = self.labels[:, np.newaxis]
        # In place throughout: fresh arrays of this size cost more than the arithmetic.
        error = self.data @ weights
        error *= -labels
        _sigmoid_in_place(error)
        weighted = error * used
        curvature = np.subtract(1, error, out=error)
        curvature *= weighted
        weighted *= labels
        return weights - self.data.T @ weighted, curvature


class _InnerSolver:
    """Newton steps by conjugate gradients, preconditioned by one Hessian that all subsets share.

    In single precision: a step needs few digits, since the outer iteration corrects it.
    """

    def __init__(self, data: np.ndarray, hessian: np.ndarray) -> None:
        self.data = data.astype(np.float32)
        self.inverse_factor = np.linalg.inv(cholesky(hessian.astype(float))).astype(np.float32)

    def solve(self, curvature: np.ndarray, gradient: np.ndarray, tolerance: float) -> np.ndarray:
        """Solve (I + X'DX) step = gradient for each column: (dims, subsets).

        A residual well below `tolerance` is small enough in any case.
        """
        curvature = curvature.astype(np.float32)
        size = norm(gradient, axis=0)
        residual = (gradient / size).astype(np.float32)
        # Superlinear: the relative accuracy grows as the gradient falls.
        goal = np.maximum(np.clip(size, 1e-4, 0.1), 0.2 * tolerance / size)
        step = np.zeros_like(residual)
        direction = preconditioned = self._precondition(residual)
        descent = (residual * preconditioned).sum(axis=0)
        for _ in range(MAX_INNER_STEPS):
            product = self._hessian_times(direction, curvature)
            rate = descent / np.maximum((direction * product).sum(axis=0), TINY)
            step += rate * direction
            residual -= rate * product
            if (norm(residual, axis=0) <= goal).all():
                break
            preconditioned = self._precondition(residual)
            new_descent = (residual * preconditioned).sum(axis=0)
            direction = preconditioned + new_descent / np.maximum(descent, TINY) * direction
            descent = new_descent
        return step * size

    def _precondition(self, columns: np.ndarray) -> np.ndarray:
        return self.inverse_factor.T @ (self.inverse_factor @ columns)

    def _hessian_times(self, columns: np.ndarray, curvature: np.ndarray) -> np.ndarray:
        curved = self.data @ columns
        curved *= curvature
        return columns + self.data.T @ curved


def _with_intercept(rows: np.ndarray) -> np.ndarray:
    return np.column_stack([rows, np.ones(len(rows))])


HELD_OUT = 0.2
MAX_EXACT_SPLITS = 20_000


def random_splits(
    positive: int,
    negative: int,
    repeats: int,
    random: np.random.RandomState,
    test_size: float = HELD_OUT,
    stratify: bool = True,
) -> np.ndarray:
    """Random training sets: four fifths of the words, by default of both classes in proportion.

    The first split from a fresh generator is the one that scikit-learn's `train_test_split` with
    that seed, the same test_size and stratify makes of the words in this order.

    Parameters
    ----------
    test_size : share of the words that is held out, above 0 and below 1.

    Returns
    -------
    (repeats, positive + negative), True where a word is in the training set.

    Raises
    ------
    DegenerateError : a class has fewer than two words, or a side of a split would lack one.
    """
    n_words = positive + negative
    kept = n_words - (
        _held_out(positive, negative, test_size) if stratify else math.ceil(test_size * n_words)
    )
    sizes = _possible_sizes(positive, negative, kept) if stratify else []
    used = np.zeros((repeats, n_words), dtype=bool)
    for split in used:
        if stratify:
            # By lot, and class -1 first, as scikit-learn draws them.
            chosen = random.choice(len(sizes), 1, replace=False)[0]
            of_positive, of_negative = sizes[chosen]
            split[positive + random.permutation(negative)[:of_negative]] = True
            split[random.permutation(positive)[:of_positive]] = True
            # The order in a split does not matter to a converged fit, the generator's state does.
            random.permutation(kept)
            random.permutation(n_words - kept)
        else:
            split[random.permutation(n_words)[n_words - kept :]] = True
    if not (used[:, :positive].any(axis=1) & used[:, positive:].any(axis=1)).all():
        raise DegenerateError(
            f"{positive} and {negative} attribute words are too few for a {test_size:.0%} holdout: "
            "a training set lacks one of the two sets"
        )
    return used


def every_split(positive: int, negative: int) -> tuple[np.ndarray, np.ndarray]:
    """Every training set that `random_splits` can draw, and its probability.

    Raises
    ------
    ValueError : there are more than MAX_EXACT_SPLITS of them.
    """
    kept = positive + negative - _held_out(positive, negative)
    sizes = _possible_sizes(positive, negative, kept)
    numbers = [math.comb(positive, p) * math.comb(negative, n) for p, n in sizes]
    if sum(numbers) > MAX_EXACT_SPLITS:
        raise ValueError(
            f"{positive} + {negative} attribute words have {sum(numbers):,} splits, more than the "
            f"{MAX_EXACT_SPLITS:,} that are enumerated; give a number of iterations"
        )
    used = np.zeros((sum(numbers), positive + negative), dtype=bool)
    choices = (
        (*first, *(positive + i for i in second))
        for p, n in sizes
        for first in combinations(range(positive), p)
        for second in combinations(range(negative), n)
    )
    for split, chosen in zip(used, choices, strict=True):
        split[list(chosen)] = True
    weights = [np.full(number, 1 / number / len(sizes)) for number in numbers]
    return used, np.concatenate(weights)


def _held_out(positive: int, negative: int, test_size: float = HELD_OUT) -> int:
    held_out = math.ceil(test_size * (positive + negative))
    if min(positive, negative) < 2 or held_out < 2:
        raise DegenerateError(
            f"{positive} and {negative} attribute words are too few for a stratified "
            f"{test_size:.0%} holdout: at least 2 of each and 6 in all are needed"
        )
    return held_out


def _possible_sizes(positive: int, negative: int, kept: int) -> list[tuple[int, int]]:
    """(positive, negative) numbers of training words; two pairs when a tie is broken by lot."""
    exact = np.array([positive, negative]) / (positive + negative) * kept
    (least, other), (of_positive, of_negative) = np.floor(exact).astype(int).tolist(), exact % 1
    fewer, more = (least, kept - least), (least + 1, kept - least - 1)
    if least + other == kept or of_positive < of_negative:
        return [fewer]
    return [fewer, more] if of_positive == of_negative else [more]
