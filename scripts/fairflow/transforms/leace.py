"""LEACE: no linear predictor tells groups apart afterwards, at the least distance from before."""

from __future__ import annotations

import numpy as np

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import NOISE


class LEACE(_words.GroupTransform):
    """Least-squares concept erasure (Belrose et al. 2023).

        x <- x - W^-1 P W (x - m),   W = S^(-1/2),   P the projection on the columns of W C

    with m and S mean and covariance of the words of the groups, and C the covariance of their
    vectors with the groups, one column each of zeros and ones. Of these words the groups then have
    the same mean, and no linear predictor, whatever its loss, does better than one that always says
    the same; among all affine maps that do so this one moves them least. The guarantee is one for
    the words of the lists; of others it says what the lists stand for.

    A list has often fewer words than a vector has numbers, and then their covariance does not tell
    how far to move. It is shrunk towards a multiple of the identity by as much as their number asks
    for (Ledoit and Wolf 2004; the authors' code shrinks likewise). For a few words that leaves
    nearly `MeanProjection`.

    Parameters
    ----------
    groups : two lists of words or more. Words that the base lacks are recorded.
    """

    citation = "belrose2023leace"

    def learn(self, found: _words.FoundGroups) -> Derivation:
        """The affine map.

        Raises
        ------
        FairflowError : groups with the same mean; words that are all alike.
        """
        mean = found.vectors.mean(axis=0)
        covariance, shrinkage = shrunk_covariance(found.vectors - mean)
        shares = found.sizes / len(found.labels)
        eraser, rank = _eraser(covariance, shares * (found.means - mean).T)
        return Derivation(
            matrix=np.eye(len(mean)) - eraser,
            shift=eraser @ mean,
            facts={"directions_erased": rank, "shrinkage_of_covariance": shrinkage},
        )


def _eraser(covariance: np.ndarray, cross: np.ndarray) -> tuple[np.ndarray, int]:
    """W^-1 P W: (dims, dims), and the rank of P.

    Parameters
    ----------
    cross : covariance of the vectors with the groups, (dims, groups).

    Raises
    ------
    FairflowError : the groups have the same mean.
    """
    values, axes = np.linalg.eigh(covariance)
    whitening = (axes / np.sqrt(values)) @ axes.T
    columns, sizes, _ = np.linalg.svd(whitening @ cross, full_matrices=False)
    rank = int((sizes > NOISE).sum())
    if not rank:
        raise FairflowError(_words.SAME_MEANS)
    columns = columns[:, :rank]
    unwhitening = (axes * np.sqrt(values)) @ axes.T
    return unwhitening @ columns @ columns.T @ whitening, rank


def shrunk_covariance(centred: np.ndarray) -> tuple[np.ndarray, float]:
    """(1 - s) S + s t I, the estimate of Ledoit and Wolf, and s.

    s is the estimated share of the distance between S and t I, t the mean variance, that chance
    accounts for (Ledoit, O., & Wolf, M. (2004). A well-conditioned estimator for large-dimensional
    covariance matrices. Journal of Multivariate Analysis 88(2), 365-411).

    Parameters
    ----------
    centred : (words, dims), with mean zero.

    Raises
    ------
    FairflowError : all rows are the same.
    """
    count, dims = centred.shape
    covariance = centred.T @ centred / count
    scale = float(np.trace(covariance) / dims)
    if not scale > 0:
        raise FairflowError("groups: all of their words have the same vector")
    distance = float((covariance**2).sum() / dims - scale**2)
    # Mean squared distance of the rows' own x x' from their mean S.
    spread = float(((centred**2).sum(axis=1) ** 2).mean() - (covariance**2).sum())
    share = 1.0 if distance <= 0 else min(1.0, max(0.0, spread / dims / count / distance))
    return (1 - share) * covariance + share * scale * np.eye(dims), share
