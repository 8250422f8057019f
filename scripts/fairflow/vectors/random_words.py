"""Random words of a model, matched on frequency with the target words of a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from fairflow.files.checksums import identity_digest
from fairflow.queries.lookup import SetLookup
from fairflow.vectors.word_frequency import UNKNOWN, WORD, Vectors, WordFrequency, WordOrder, folded

LEAST_ROWS = 200
WIDENED_ROWS = 1000
MOST_TRIED = 1000
# Among millions of rows, a store finds such rows in a third of the time.
STEP = 64

Candidates = Mapping[str, Sequence[int]]


class RowDraw:
    """Rows to try for each form, and what is known about them."""

    def __init__(
        self,
        of: Sequence[str],
        query_words: Sequence[str],
        order: WordOrder,
        seed: int,
        prefix: str,
    ) -> None:
        self._of, self._order, self._prefix = of, order, prefix
        self._excluded = {folded(word, prefix) for word in query_words}
        self._seed = list(identity_digest(seed, *sorted(of)))
        self._row = {form: row_of(order, form) for form in of}
        # "" at a row without a usable word.
        self._word_at: dict[int, str] = {}

    def words(self, per_form: int) -> tuple[str, ...]:
        """The requested number of words for each form, form by form; no words if this fails."""
        widest = max(WIDENED_ROWS, 4 * len(self._of) * per_form)
        least = dict.fromkeys(sorted(self._of), LEAST_ROWS)
        candidates = {form: self._tried(form, LEAST_ROWS) for form in least}
        while True:
            chosen = self._usable(candidates, per_form)
            short = [form for form, rows in chosen.items() if len(rows) < per_form]
            if not short:
                return tuple(self._word_at[row] for form in self._of for row in chosen[form])
            if any(least[form] >= min(widest, self._order.rows) for form in short):
                return ()
            for form in short:
                least[form] = min(2 * least[form], widest)
                candidates[form] = self._tried(form, least[form])

    def _tried(self, form: str, least: int) -> list[int]:
        """The rows of a form's window in random order, or a part of a very wide window."""
        start, end = window(self._row[form], self._order.rows, least)
        step = STEP if end - start > STEP * MOST_TRIED else 1
        start = -(-start // step)
        width = -(-end // step) - start
        generator = np.random.default_rng([*self._seed, *form.encode(), least])
        tried = generator.choice(width, size=min(width, max(least, MOST_TRIED)), replace=False)
        return (step * (start + tried)).tolist()

    def _usable(self, candidates: Candidates, per_form: int) -> dict[str, list[int]]:
        """For each form as many usable rows as possible, which no other form has."""
        ahead = 0
        while unknown := self._unknown(chosen := self._chosen(candidates, per_form)):
            # Reading row by row would be slow if many rows are unusable; the vectors
            # of a language model are too expensive to compute in advance.
            further = self._unknown(self._chosen(candidates, per_form + ahead)) if ahead else ()
            self._read(further or unknown)
            ahead = 2 * ahead or per_form
        return chosen

    def _chosen(self, candidates: Candidates, per_form: int) -> dict[str, list[int]]:
        """The first rows of each form that no other form has and that may be usable."""
        used: set[int] = set()
        chosen = {}
        for form, rows in candidates.items():
            free = (r for r in rows if r not in used and self._word_at.get(r, "unknown"))
            chosen[form] = list(islice(free, per_form))
            used.update(chosen[form])
        return chosen

    def _unknown(self, chosen: Mapping[str, list[int]]) -> list[int]:
        return [row for rows in chosen.values() for row in rows if row not in self._word_at]

    def _read(self, rows: Sequence[int]) -> None:
        """Find the rows with a plain word outside of the query and a vector with a direction."""
        self._word_at |= dict.fromkeys(rows, "")
        words, vectors = self._order.at_rows(rows, STEP)
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
        for (row, word), length in zip(words.items(), lengths, strict=True):
            if np.isfinite(length) and length > 0 and self._is_plain(word):
                self._word_at[row] = word

    def _is_plain(self, word: str) -> bool:
        return (
            word.startswith(self._prefix)
            and folded(word, self._prefix) not in self._excluded
            and WORD.fullmatch(word.removeprefix(self._prefix)) is not None
        )


def row_of(order: WordOrder, form: str) -> int:
    """The row of a word, or the number of rows for a word without a row."""
    try:
        return order.row_of(form)
    except KeyError:
        return order.rows


def window(row: int, rows: int, least: int = LEAST_ROWS) -> tuple[int, int]:
    """The rows [start, end) of words about as frequent as that at `row`, of `rows` in all."""
    rank = min(row + 1, rows)
    first, last = -(-rank // 2), min(2 * rank, rows)
    missing = least - (last - first + 1)
    if missing > 0:
        first = max(1, first - (missing + 1) // 2)
        last = min(rows, first + least - 1)
        first = max(1, last - least + 1)
    return first - 1, last


LEAST_PER_FORM = 4
LARGEST_FACTOR = 3


@dataclass(frozen=True)
class RandomRows:
    """The random words that replace the target words of a query.

    Attributes
    ----------
    words : per_form words for each form of `of`: those of of[i] are words[i * per_form :
        (i + 1) * per_form]. No word comes twice, none is a form of the query.
    vectors : (words, dims), float32.
    of : the distinct forms found in any target set.
    per_form : random words for each form; 0 if there is no random word.
    reason : why there are fewer words than requested, or None.
    source : the source of word frequencies, see `fairflow.vectors.word_frequency`.
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
        return {name: value for name, value in vars(self).items() if name != "vectors"}

    def only(self, forms: AbstractSet[str]) -> RandomRows:
        """The random words for some of the forms."""
        kept = [position for position, form in enumerate(self.of) if form in forms]
        rows = [row for position in kept for row in self._rows(position)]
        return replace(
            self,
            words=tuple(self.words[row] for row in rows),
            vectors=self.vectors[np.array(rows, dtype=int)],
            of=tuple(self.of[position] for position in kept),
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
    seed : determines the draw, together with the targets in any order; the model's name does not.
    frequency : the source of `order`.
    """
    of = tuple(dict.fromkeys(targets))
    enough = max(LEAST_PER_FORM, -(-number // max(1, len(of))))
    if not of or order is None:
        why = frequency.reason or "the vocabulary has no order"
        return _none(of, vectors, why if of else "no target word was found")
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
    """The geometric mean of the ratio of frequencies of random words and their forms, from 1.

    1 if the frequencies are not known.
    """
    if not words or not shares:
        return 1
    forms, others = (
        np.log([shares[min(row_of(order, word), len(shares) - 1)] for word in some])
        for some in (of, words)
    )
    return float(np.exp(np.abs(others.reshape(len(of), -1) - forms[:, np.newaxis]).mean()))


def _none(of: tuple[str, ...], vectors: Vectors, reason: str | None) -> RandomRows:
    # The vectors of the forms give the number of dimensions.
    return RandomRows((), vectors(of)[:0].astype(np.float32), of, 0, reason)
