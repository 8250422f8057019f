"""The limited vocabulary of two models: which way words leaned before, and where they lie now."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairflow.errors import FairflowError
from fairflow.remains.settings import Settings
from fairflow.vectors.hidden_bias import leanings
from fairflow.vectors.most_frequent import FirstWords, directions, first_words, plain_words
from fairflow.vectors.word_rows import WordRows


@dataclass(frozen=True, eq=False)
class LimitedModel:
    """The words of the limited vocabulary that both models have.

    Attributes
    ----------
    words : in the order of the model before. directions : in the model that is tested, (words,
        dims), float32. numbers : of each, its place among all of `total`.
    leaning : of each, cos(w, first end) - cos(w, second end) before; or why there is none.
    total : words of the limited vocabulary before. first : the first words in the tested model.
    """

    words: tuple[str, ...]
    directions: np.ndarray
    numbers: np.ndarray
    leaning: np.ndarray | str
    total: int
    first: FirstWords

    def places_of(self, words: list[str]) -> np.ndarray:
        """Where words stand, of those that are in the limited vocabulary."""
        at = {word: place for place, word in enumerate(self.words)}
        return np.array([at[word] for word in words if word in at], dtype=np.int64)


def limited_model(model: WordRows, before: WordRows, settings: Settings) -> LimitedModel:
    """The limited vocabulary of a model and the one that it is compared with.

    Raises
    ------
    FairflowError : no word of it is in both.
    """
    first = first_words(before, settings.vocabulary)
    here = first if model is before else first.among(model)
    plain = plain_words(first.words, settings.specific)
    at = {word: row for row, word in enumerate(here.words)}
    numbers = [number for number, word in enumerate(plain) if word in at]
    if not numbers:
        raise FairflowError(
            "no word is in both models: compare vectors whose words are spelt alike"
        )
    words = [plain[number] for number in numbers]
    return LimitedModel(
        tuple(words),
        here.directions[[at[word] for word in words]],
        np.array(numbers),
        _leaning(first, before, words, settings),
        len(plain),
        here,
    )


def _leaning(
    first: FirstWords, before: WordRows, words: list[str], settings: Settings
) -> np.ndarray | str:
    if missing := [word for word in settings.ends if word not in before]:
        return f"the model before lacks {' and '.join(missing)}, between which words lean"
    ends, usable = directions(before.vectors(list(settings.ends)))
    if not usable.all():
        return f"the vectors of {' and '.join(settings.ends)} have no direction"
    return leanings(first.directions[first.rows_of(words)], ends)
