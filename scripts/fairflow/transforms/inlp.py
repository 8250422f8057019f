"""INLP: whatever linear classifiers tell groups apart by is taken out, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.errors import FairflowError
from fairflow.statistics.classification import fit_subsets
from fairflow.transforms import _words
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import NOISE

# Of the intercept, so that it is hardly penalised.
_FREE = 100


class INLP(_words.GroupTransform):
    """Iterative nullspace projection (Ravfogel et al. 2020).

        train a linear classifier of the groups on the projected words of the lists;
        B <- B and its weights, made orthonormal;   x <- x - B'B x;   again

    until it is not better than the share of the largest group, or `iterations` classifiers have
    been taken out. Their number and accuracies, on the lists that they were trained on, are in the
    record; the last one is that of what is left. It assumes that what linear classifiers of the
    lists use is what is to be removed; each takes what else lay in its direction with it.

    The classifiers are logistic regressions solved to convergence, one for each group if these are
    three or more: the same words give the same directions. The authors train 35 to 80 linear
    support vector machines, whatever they reach, whose directions depend on a seed. A classifier
    with a weaker penalty than these may still find something, which `LEACE` leaves to none.
    Vectors are taken at their own lengths, and lengths are not restored.

    Parameters
    ----------
    groups : two lists of words or more. iterations : the most classifiers that are taken out.
    penalty : C of the regression; the smaller, the stronger.
    """

    citation = "ravfogel2020null"

    def __init__(
        self,
        groups: Sequence[Sequence[str]],
        iterations: int = 80,
        penalty: float = 1.0,
    ) -> None:
        super().__init__(groups)
        self.iterations = _words.whole_number("iterations", iterations)
        self.penalty = _words.number_above("penalty", penalty)

    def learn(self, found: _words.FoundGroups) -> Derivation:
        """The directions that classifiers use.

        Raises
        ------
        FairflowError : groups that no classifier tells apart.
        """
        basis, accuracies = self._directions(found)
        if not len(basis):
            raise FairflowError(
                "groups: a linear classifier tells them apart no better than by the share of the "
                "largest, so that nothing is to be removed"
            )
        return Derivation(
            remove=basis,
            facts={
                "directions_removed": len(basis),
                "accuracies": accuracies,
                "majority": found.majority,
                "majority_reached": accuracies[-1] <= found.majority,
            },
        )

    def _directions(self, found: _words.FoundGroups) -> tuple[np.ndarray, list[float]]:
        """An orthonormal basis (k, dims), and the accuracy before each step and after the last."""
        basis = np.empty((0, found.vectors.shape[1]))
        accuracies: list[float] = []
        for step in range(self.iterations + 1):
            left = found.vectors - (found.vectors @ basis.T) @ basis
            weights, accuracy = self._classifier(left, found.labels)
            accuracies.append(accuracy)
            if accuracy <= found.majority or step == self.iterations:
                break
            basis = np.concatenate([basis, _new_directions(weights, basis)])
        return basis, accuracies

    def _classifier(self, vectors: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, float]:
        """Weights (directions, dims) and accuracy of logistic regressions, each of one group."""
        groups = range(labels.max() + 1)
        if len(groups) == 2:
            weights, scores = self._regression(vectors, labels == 1)
            return weights[np.newaxis], float(((scores > 0) == labels).mean())
        each = [self._regression(vectors, labels == group) for group in groups]
        weights, scores = (np.stack(some) for some in zip(*each, strict=True))
        return weights, float((scores.argmax(axis=0) == labels).mean())

    def _regression(
        self, vectors: np.ndarray, positive: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Weights (dims,) and log odds of the words (words,) of one group against the others."""
        fits = fit_subsets(
            vectors,
            np.where(positive, 1, -1),
            np.ones((1, len(vectors)), dtype=bool),
            vectors,
            C=self.penalty,
            intercept_scaling=_FREE,
        )
        weights = fits.weights if fits.basis is None else fits.basis @ fits.weights
        scaled = weights[:, 0] * fits.scale
        return scaled[:-1], vectors @ scaled[:-1] + scaled[-1]


def _new_directions(weights: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """What weights have beside a basis: (at most as many as weights, dims), orthonormal."""
    beside = weights - (weights @ basis.T) @ basis
    _, sizes, directions = np.linalg.svd(beside, full_matrices=False)
    kept = directions[sizes > NOISE * max(sizes[0], np.finfo(float).tiny)]
    # Once more, so that rounding does not add up over the steps.
    kept = kept - (kept @ basis.T) @ basis
    return np.linalg.qr(kept.T)[0].T
