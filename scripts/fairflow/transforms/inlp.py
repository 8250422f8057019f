"""INLP: remove, one by one, the directions by which linear classifiers separate groups."""

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

    until its accuracy is not above the share of the largest group, or the directions of
    `iterations` classifiers were removed. The record holds the number of classifiers and their
    accuracies on their training words; the last accuracy is that after the last removal. The method
    assumes that the bias is what linear classifiers of the lists use; anything else in the same
    direction is removed too.

    The classifiers are logistic regressions solved to convergence; with three or more groups there
    is one per group. Equal words give equal directions. The authors train 35 to 80 linear support
    vector machines, whatever their accuracy, whose directions depend on a seed. A classifier with a
    weaker penalty may still separate the groups; after `LEACE` no linear classifier does. Vectors
    are used with their original lengths, and lengths are not restored.

    Parameters
    ----------
    groups : two or more lists of words. iterations : the largest number of classifiers.
    penalty : C of the regression; the smaller, the stronger.

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model
    >>> from fairflow.transforms import INLP
    >>> model, query = load_test_model(), load_query("weat_7")
    >>> groups = [["he", "him", "man", "father"], ["she", "her", "woman", "mother"]]
    >>> fitted = INLP(groups).fit(model.wv)
    >>> for one in (model, fitted.transform(model)):
    ...     print(round(WEAT().run_query(query, one)["effect_size"], 2))
    0.97
    -0.98

    See also
    --------
    fairflow.transforms.LEACE : in one step, moving words as little as possible.
    fairflow.transforms.MeanProjection : one step, by means alone.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
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
        """Find the directions that classifiers use.

        Raises
        ------
        FairflowError : no classifier separates the groups.
        """
        basis, accuracies = self._directions(found)
        if not len(basis):
            raise FairflowError(
                "groups: a linear classifier is not more accurate than the share of the largest "
                "group, so that there is nothing to remove"
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
        """Weights (directions, dims) and accuracy of logistic regressions, one per group."""
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
    """The part of the weights orthogonal to a basis: (at most number of weights, dims)."""
    beside = weights - (weights @ basis.T) @ basis
    _, sizes, directions = np.linalg.svd(beside, full_matrices=False)
    kept = directions[sizes > NOISE * max(sizes[0], np.finfo(float).tiny)]
    # Repeated, so that rounding errors do not add up over the steps.
    kept = kept - (kept @ basis.T) @ basis
    return np.linalg.qr(kept.T)[0].T
