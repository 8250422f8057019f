"""LEACE: the smallest change after which no linear predictor separates groups."""

from __future__ import annotations

import numpy as np

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import NOISE


class LEACE(_words.GroupTransform):
    """Least-squares concept erasure (Belrose et al. 2023).

        x <- x - W^-1 P W (x - m),   W = S^(-1/2),   P the projection on the columns of W C

    m and S = mean and covariance of the words of the groups; C = covariance of their vectors with
    the groups, which are columns of zeros and ones. Afterwards the groups have equal means, and no
    linear predictor, whatever its loss, is better than a constant one. Of all affine maps with this
    property, this one moves the words least. The guarantee holds for the words of the lists; other
    words change to the extent that the lists represent them.

    A list often has fewer words than a vector has dimensions; their covariance is then uncertain.
    It is shrunk towards a multiple of the identity, the more the fewer words there are (Ledoit, O.,
    & Wolf, M. (2004). A well-conditioned estimator for large-dimensional covariance matrices.
    Journal of Multivariate Analysis 88(2), 365-411; the authors' code also shrinks). With few words
    the result is close to `MeanProjection`.

    Parameters
    ----------
    groups : two or more lists of words. Words that are missing from the base are recorded.

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model
    >>> from fairflow.transforms import LEACE
    >>> model, query = load_test_model(), load_query("weat_7")
    >>> groups = [["he", "him", "man", "father"], ["she", "her", "woman", "mother"]]
    >>> fitted = LEACE(groups).fit(model.wv)
    >>> for one in (model, fitted.transform(model)):
    ...     print(round(WEAT().run_query(query, one)["effect_size"], 2))
    0.97
    -0.93

    See also
    --------
    fairflow.transforms.INLP : many steps of projection.
    fairflow.transforms.MeanProjection : by means alone.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
    """

    citation = "belrose2023leace"

    def learn(self, found: _words.FoundGroups) -> Derivation:
        """Compute the affine map.

        Raises
        ------
        FairflowError : the groups have the same mean; all words have the same vector.
        """
        from sklearn.covariance import ledoit_wolf

        mean = found.vectors.mean(axis=0)
        centred = found.vectors - mean
        if not centred.any():
            raise FairflowError("groups: all of their words have the same vector")
        covariance, shrinkage = ledoit_wolf(centred, assume_centered=True)
        shares = found.sizes / len(found.labels)
        eraser, rank = _eraser(covariance, shares * (found.means - mean).T)
        return Derivation(
            matrix=np.eye(len(mean)) - eraser,
            shift=eraser @ mean,
            facts={"directions_erased": rank, "shrinkage_of_covariance": float(shrinkage)},
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
