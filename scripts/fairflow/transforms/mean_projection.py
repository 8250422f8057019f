"""Mean projection: the differences between the means of groups are taken out of every word."""

from __future__ import annotations

import numpy as np

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import NOISE


class MeanProjection(_words.GroupTransform):
    """Project every word on what is orthogonal to the class means (Haghighatkhah et al. 2022).

        x <- x - B'B x,   B an orthonormal basis of the means of the groups minus their mean

    one direction for two groups, m_1 - m_2. Afterwards all groups have the same mean, so that no
    classifier by means tells them apart, in one step where INLP takes many; one that weighs by
    covariance may (see LEACE). The vectors are taken at their own lengths, and lengths are not
    restored.

    Parameters
    ----------
    groups : two lists of words or more. Words that the base lacks are recorded.
    """

    citation = "haghighatkhah2022better"

    def learn(self, found: _words.FoundGroups) -> Derivation:
        """The directions of the means.

        Raises
        ------
        FairflowError : groups with the same mean.
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
