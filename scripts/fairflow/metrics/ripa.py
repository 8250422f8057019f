"""RIPA: relational inner product association of Ethayarajh, Duvenaud and Hirst (2019)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.metrics.base_metric import BaseMetric, DegenerateError, Outcome, WordValue
from fairflow.vectors.query_vectors import WordVectors


class RIPA(BaseMetric):
    """How do attribute words lie along the directions from one group to the other?

    b_i = (x_i - y_i) / |x_i - y_i| for the i-th words of the two target sets; ripa = mean over
    attribute words a and pairs i of a . b_i. Positive: nearer to the first set; 0 is fair. It
    grows with the length of the attribute vectors.

    Words pair by their position in the query: a pair that has lost a word is left out, where WEFE
    pairs the i-th words found.
    """

    metric_template = (2, 1)
    metric_name = "Relational Inner Product Association"
    metric_short_name = "RIPA"
    citation = "Ethayarajh, Duvenaud & Hirst 2019, https://doi.org/10.18653/v1/P19-1166"
    measure_names = ("ripa",)
    empty_details = {"word_values": {}, "n_pairs": 0}

    def compute(self, targets: Sequence[WordVectors], attributes: Sequence[WordVectors]) -> Outcome:
        """The mean inner product, with mean and population sd over pairs for each word.

        Raises
        ------
        DegenerateError : no pair is complete, or the two words of a pair are the same vector.
        """
        (attribute,) = attributes
        directions = pair_directions(*targets)  # (pairs, dims)
        products = attribute.vectors @ directions.T  # (attribute words, pairs)
        means, sds = products.mean(axis=1), products.std(axis=1)
        ripa = float(means.mean())
        return Outcome(
            result=ripa,
            measures={"ripa": ripa},
            details={
                "word_values": {
                    word: {"mean": float(mean), "std": float(sd)}
                    for word, mean, sd in zip(attribute.words, means, sds, strict=True)
                },
                "n_pairs": len(directions),
            },
            words=[
                WordValue(attribute.name, word, measure, value)
                for measure, values in (("mean", means), ("std", sds))
                for word, value in zip(attribute.words, values.tolist(), strict=True)
            ],
        )


def pair_directions(first: WordVectors, second: WordVectors) -> np.ndarray:
    """Unit vectors from the second word of each complete pair to the first: (pairs, dims)."""
    pairs = [
        (left, right)
        for left, right in zip(first.row_of, second.row_of, strict=False)
        if left >= 0 and right >= 0
    ]
    if not pairs:
        raise DegenerateError("no pair of target words was found whole")
    left, right = np.array(pairs).T
    differences = first.vectors[left] - second.vectors[right]
    lengths = np.linalg.norm(differences, axis=1, keepdims=True)
    same = [first.words[i] for i, length in zip(left, lengths[:, 0], strict=True) if length == 0]
    if same:
        raise DegenerateError(f"both words of a pair have the same vector: {', '.join(same)}")
    return differences / lengths
