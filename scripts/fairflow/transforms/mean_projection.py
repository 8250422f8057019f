"""Mean projection: remove the differences between the means of groups from every word."""

from __future__ import annotations

import numpy as np

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import NOISE


class MeanProjection(_words.GroupTransform):
    """Remove the directions between group means by projection (Haghighatkhah et al. 2022).

        x <- x - B'B x,   B an orthonormal basis of the means of the groups minus their mean

    With two groups this is one direction, m_1 - m_2. Afterwards all groups have the same mean, so
    that no classifier by means separates them; this takes one step, INLP many. A classifier that
    uses the covariance may still separate them (see LEACE). Vectors are used with their original
    lengths, and lengths are not restored.

    Parameters
    ----------
    groups : two or more lists of words. Words that are missing from the base are recorded.

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model
    >>> from fairflow.transforms import MeanProjection
    >>> model, query = load_test_model(), load_query("weat_7")
    >>> groups = [["he", "him", "man", "father"], ["she", "her", "woman", "mother"]]
    >>> fitted = MeanProjection(groups).fit(model.wv)
    >>> for one in (model, fitted.transform(model)):
    ...     print(round(WEAT().run_query(query, one)["effect_size"], 2))
    0.97
    -0.92

    See also
    --------
    fairflow.transforms.LEACE : no linear classifier separates the groups afterwards.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
    """

    citation = "haghighatkhah2022better"

    def learn(self, found: _words.FoundGroups) -> Derivation:
        """Find the directions of the means.

        Raises
        ------
        FairflowError : the groups have the same mean.
        """
        means = found.means
        _, values, directions = np.linalg.svd(means - means.mean(axis=0), full_matrices=False)
        rank = int((values > NOISE * np.linalg.norm(means)).sum())
        if not rank:
            raise FairflowError(_words.SAME_MEANS)
        return Derivation(
            remove=directions[:rank],
            facts={"directions": directions[:rank].tolist()},
        )
