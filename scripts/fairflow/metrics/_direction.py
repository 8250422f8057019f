"""The direction of the pairs that a query declares, as metrics of a direction take it."""

from __future__ import annotations

from fairflow.errors import DegenerateError, FairflowError
from fairflow.vectors.bias_subspace import BiasSubspace, bias_subspace
from fairflow.vectors.query_vectors import PairVectors

BOLUKBASI_2016 = (
    "Bolukbasi, T., Chang, K.-W., Zou, J., Saligrama, V., & Kalai, A. (2016). Man is to Computer "
    "Programmer as Woman is to Homemaker? Debiasing Word Embeddings. NIPS 2016. "
    "https://arxiv.org/abs/1607.06520"
)


def direction_of(pairs: PairVectors, components: int | None = 1) -> BiasSubspace:
    """The principal components of the whole pairs, of length 1.

    The first word of the first pair lies on the positive side.

    Raises
    ------
    DegenerateError : the words of the pairs do not differ, or in fewer directions.
    """
    try:
        return bias_subspace([*pairs.vectors], components, name="pairs")
    except FairflowError as error:
        raise DegenerateError(str(error)) from error
