"""Random words of a model, matched on frequency with the target words of a query."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairflow.queries.lookup import SetLookup
from fairflow.vectors.row_draw import RowDraw, row_of
from fairflow.vectors.word_frequency import UNKNOWN, WordFrequency
from fairflow.vectors.word_order import Vectors, WordOrder

LEAST_PER_FORM = 4
LARGEST_FACTOR = 3


@dataclass(frozen=True)
class RandomRows:
    """The random words that stand in for the target words of a query.

    Attributes
    ----------
    words : per_form words for each form of `of`: those of of[i] are words[i * per_form :
        (i + 1) * per_form]. No word comes twice, none is a form of the query.
    vectors : (words, dims), float32.
    of : the distinct forms found in any target set.
    per_form : random words for each form; 0 if there are none.
    reason : why there are fewer than asked for, or None.
    source : what tells how frequent words are, see `fairflow.vectors.word_frequency`.
    """

    words: tuple[str, ...]
    vectors: np.ndarray
    of: tuple[str, ...]
    per_form: int
    reason: str | None = None
    source: str | None = None

    @property
    def account(self) -> dict[str, Any]:
        """Everything but the vectors, as plain values."""
        names = ("words", "of", "per_form", "reason", "source")
        return {name: getattr(self, name) for name in names}

    def only(self, forms: AbstractSet[str]) -> RandomRows:
        """The random words of some of the forms."""
        kept = [position for position, form in enumerate(self.of) if form in forms]
        rows = [row for position in kept for row in self._rows(position)]
        return RandomRows(
            words=tuple(self.words[row] for row in rows),
            vectors=self.vectors[np.array(rows, dtype=int)],
            of=tuple(self.of[position] for position in kept),
            per_form=self.per_form,
            reason=self.reason,
            source=self.source,
        )

    def of_set(
        self, account: SetLookup, dropped: AbstractSet[str]
    ) -> tuple[tuple[str, ...], list[str | None], np.ndarray]:
        """Random words for one target set.

        Returns
        -------
        (words, word_of, vectors) : the random words of the set's forms but the `dropped` ones; for
            each position of the set per_form entries, the random words of its form or None for
            a lost, repeated or dropped word; (words, dims), float32.
        """
        number_of = {form: position for position, form in enumerate(self.of)}
        forms = [form for form in account.found if form not in dropped]
        rows = [row for form in forms for row in self._rows(number_of[form])]
        word_of: list[str | None] = []
        for position, form in enumerate(account.form_of):
            if form is None or form in dropped or account.found[form] != position:
                word_of += [None] * self.per_form
            else:
                word_of += [self.words[row] for row in self._rows(number_of[form])]
        vectors = self.vectors[np.array(rows, dtype=int)]
        return tuple(self.words[row] for row in rows), word_of, vectors

    def _rows(self, position: int) -> range:
        return range(position * self.per_form, (position + 1) * self.per_form)


def draw_random_rows(
    targets: Sequence[str],
    query_words: Sequence[str],
    order: WordOrder | None,
    vectors: Vectors,
    number: int,
    seed: int,
    prefix: str | None = None,
    frequency: WordFrequency = UNKNOWN,
) -> RandomRows:
    """Draw random words whose frequency is like that of the target words.

    A word of rank r (1 = the most frequent of `order`) is replaced by words of rank r/2 to 2r. The
    window is widened to `LEAST_ROWS` rows; and doubled for a form that does not get its number of
    words, up to `WIDENED_ROWS` or four times what is drawn in all. A form without a row counts as
    the rarest. Draws are without replacement over all forms. What is replaced: a zero or non-finite
    vector, a word of the query in whatever case, a word that another target word has, a repeated
    word of the file, what is no plain word (a number, sign or phrase) or lacks the vocabulary's
    prefix. Of a window of more than `STEP` times `MOST_TRIED` rows only those divisible by `STEP`
    are tried. Where it is known how frequent
    words are, and random ones are on average more than `LARGEST_FACTOR` times as frequent or as
    rare, none are given.

    Parameters
    ----------
    targets : forms in the target sets. query_words : of all sets, lexicons too, however written.
    vectors : reads the rows of words, as the model serves them.
    number : how many words to draw; each form gets an equal number of at least `LEAST_PER_FORM`.
    seed : with the targets, whatever their order, it decides the draw; the model's name does not.
    frequency : what `order` comes from.
    """
    of = tuple(dict.fromkeys(targets))
    enough = max(LEAST_PER_FORM, -(-number // max(1, len(of))))
    if not of or order is None:
        reason = frequency.reason or "the vocabulary has no order"
        return _none(of, vectors, reason if of else "no target word was found")
    draw = RowDraw(of, query_words, order, seed, prefix or "")
    for per_form in range(min(enough, order.rows // len(of)), LEAST_PER_FORM - 1, -1):
        if words := draw.words(per_form):
            break
    else:
        per_form, words = 0, ()
    reason = None
    if per_form < enough:
        reason = (
            f"{per_form} instead of {enough} random words for each target word: among {order.rows} "
            "rows too few others of like frequency have a vector with a direction"
        )
    factor = _factor(of, words, order, frequency.shares)
    if factor > LARGEST_FACTOR:
        reason = (
            "the model has no words as frequent as the target words: the nearest are "
            f"{factor:.1f} times as frequent, or as rare, on average"
        )
    if not words or factor > LARGEST_FACTOR:
        return _none(of, vectors, reason)
    drawn = vectors(words).astype(np.float32)
    return RandomRows(words, drawn, of, per_form, reason, frequency.source)


def _factor(
    of: Sequence[str], words: Sequence[str], order: WordOrder, shares: Sequence[float]
) -> float:
    """How many times as frequent or as rare words are as the forms they stand for: geometric mean.

    1 if that is not known.
    """
    if not words or not shares:
        return 1
    forms, others = (
        np.log([shares[min(row_of(order, word), len(shares) - 1)] for word in some])
        for some in (of, words)
    )
    return float(np.exp(np.abs(others.reshape(len(of), -1) - forms[:, np.newaxis]).mean()))


def _none(of: tuple[str, ...], vectors: Vectors, reason: str | None) -> RandomRows:
    # Those of the forms have the number of dimensions.
    return RandomRows((), vectors(of)[:0].astype(np.float32), of, 0, reason)
