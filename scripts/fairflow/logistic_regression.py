"""L2-penalised logistic regression on many subsets of one data set at once, to convergence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.linalg import cholesky, norm, qr

from fairflow.errors import FairflowError

GRADIENT_TOLERANCE = 1e-10
MAX_STEPS = 50
MAX_INNER_STEPS = 200


class ConvergenceError(FairflowError):
    """The optimum was not reached within the allowed steps."""


def positive_probabilities(
    rows: np.ndarray, labels: np.ndarray, subsets: np.ndarray, new_rows: np.ndarray
) -> np.ndarray:
    """Probability of label +1 for new rows under a model fitted to each subset.

    Minimises, for each subset, |w|^2/2 + b^2/2 + sum of log(1 + exp(-y (w.x + b))): C = 1 and a
    penalised intercept, the problem that scikit-learn's liblinear solver approximates. The
    objective is 1-strongly convex, so a gradient below 1e-10 puts probabilities within 1e-9 of
    the optimum for rows of length up to 40.

    Parameters
    ----------
    rows : (n, dims). labels : (n,), +1 or -1. subsets : (subsets, n), True where a row is used.
    new_rows : (m, dims).

    Returns
    -------
    (subsets, m) probabilities.

    Raises
    ------
    ConvergenceError : the optimum was not reached.
    """
    data, new_data = _with_intercept(rows), _with_intercept(new_rows)
    if len(data) < data.shape[1]:
        # The optimum lies in the span of the rows: solve there.
        basis, triangle = qr(data.T)
        data, new_data = triangle.T, new_data @ basis
    problem = _Problem(data, labels.astype(float), subsets.T.astype(float))
    weights = problem.solve()  # (dims, subsets)
    return sigmoid(new_data @ weights).T


def sigmoid(values: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x)) without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * values))


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

    def solve(self) -> np.ndarray:
        """Newton's method by conjugate gradients, preconditioned by one shared Hessian."""
        start, hessian = self._average_solution()
        inverse_factor = np.linalg.inv(cholesky(hessian))
        weights = np.repeat(start[:, np.newaxis], self.used.shape[1], axis=1)
        gradient, curvature = self._derivatives(weights, self.used)
        for _ in range(MAX_STEPS):
            size = norm(gradient, axis=0)
            active = size > GRADIENT_TOLERANCE
            if not active.any():
                return weights
            step = _conjugate_gradients(
                self.data, curvature[:, active], gradient[:, active], inverse_factor
            )
            self._descend(weights, gradient, curvature, step, active)
        raise ConvergenceError(f"gradient {size.max():.1e} after {MAX_STEPS} Newton steps")

    def _descend(
        self,
        weights: np.ndarray,
        gradient: np.ndarray,
        curvature: np.ndarray,
        step: np.ndarray,
        active: np.ndarray,
    ) -> None:
        """Take the step in place, halved for each subset whose gradient would grow."""
        columns = np.flatnonzero(active)
        length = np.ones(len(columns))
        while len(columns):
            trial = weights[:, columns] - length * step
            new_gradient, new_curvature = self._derivatives(trial, self.used[:, columns])
            better = norm(new_gradient, axis=0) < norm(gradient[:, columns], axis=0)
            better |= length < 1e-6
            done = columns[better]
            weights[:, done] = trial[:, better]
            gradient[:, done] = new_gradient[:, better]
            curvature[:, done] = new_curvature[:, better]
            columns, step, length = columns[~better], step[:, ~better], length[~better] / 2

    def _average_solution(self) -> tuple[np.ndarray, np.ndarray]:
        """Optimum and Hessian of the problem in which each row has its mean use as weight."""
        mean_use = self.used.mean(axis=1, keepdims=True)
        weights = np.zeros((self.data.shape[1], 1))
        for _ in range(MAX_STEPS):
            gradient, curvature = self._derivatives(weights, mean_use)
            hessian = (self.data * curvature).T @ self.data
            hessian[np.diag_indices_from(hessian)] += 1
            # The start needs no more than the accuracy at which Newton's method is certain.
            if norm(gradient) < 1e-3:
                break
            step = np.linalg.solve(hessian, gradient)
            length = 1.0
            while length > 1e-6 and norm(
                self._derivatives(weights - length * step, mean_use)[0]
            ) >= norm(gradient):
                length /= 2
            weights = weights - length * step
        return weights[:, 0], hessian

    def _derivatives(self, weights: np.ndarray, used: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient (dims, subsets) and the diagonal curvature of the losses (n, subsets)."""
        labels = self.labels[:, np.newaxis]
        error = sigmoid(-labels * (self.data @ weights))  # (n, subsets)
        gradient = weights - self.data.T @ (used * labels * error)
        return gradient, used * error * (1 - error)


def _conjugate_gradients(
    data: np.ndarray, curvature: np.ndarray, gradient: np.ndarray, inverse_factor: np.ndarray
) -> np.ndarray:
    """Solve (I + X'DX) step = gradient for each column, to a tenth of what is still wrong."""

    def precondition(columns: np.ndarray) -> np.ndarray:
        return inverse_factor.T @ (inverse_factor @ columns)

    step = np.zeros_like(gradient)
    residual = gradient.copy()
    direction = preconditioned = precondition(residual)
    descent = (residual * preconditioned).sum(axis=0)
    # Superlinear: the relative accuracy grows as the gradient falls.
    goal = np.maximum(np.minimum(0.1, norm(gradient, axis=0)), 1e-4) * norm(gradient, axis=0)
    for _ in range(MAX_INNER_STEPS):
        product = direction + data.T @ (curvature * (data @ direction))
        rate = descent / np.maximum((direction * product).sum(axis=0), 1e-300)
        step += rate * direction
        residual -= rate * product
        if (norm(residual, axis=0) <= goal).all():
            break
        preconditioned = precondition(residual)
        new_descent = (residual * preconditioned).sum(axis=0)
        direction = preconditioned + new_descent / np.maximum(descent, 1e-300) * direction
        descent = new_descent
    return step


def _with_intercept(rows: np.ndarray) -> np.ndarray:
    return np.column_stack([rows, np.ones(len(rows))])
