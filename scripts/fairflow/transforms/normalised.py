"""Vectors divided by their Euclidean lengths, to see how scores depend on these lengths."""

from __future__ import annotations

from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.word_rows import WordRows


class Normalised(BaseTransform):
    """Scale each vector to length 1; a zero vector stays zero.

    Lengths and quotients are computed in double precision and rounded once.

    Examples
    --------
    >>> from fairflow.transforms import Normalised
    >>> vectors = {"he": [3.0, 0.0], "she": [0.0, 2.0]}
    >>> changed = Normalised().fit(vectors).transform(vectors)
    >>> {word: row.tolist() for word, row in changed.items()}
    {'he': [1.0, 0.0], 'she': [0.0, 1.0]}

    See also
    --------
    fairflow.metrics.RIPA : a metric whose values depend on lengths.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
    """

    keeps_directions = True

    def training_texts(self) -> tuple[str, ...]:
        """No text is looked up."""
        return ()

    def fit(self, base: WordRows) -> Derivation:
        """v / |v| for each row; non-finite vectors stay non-finite."""
        return Derivation(unit_first=True)
