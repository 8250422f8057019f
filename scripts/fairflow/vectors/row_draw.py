"""RowDraw: rows of a vocabulary drawn around those of some words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from fairflow.files.identity import identity_digest
from fairflow.vectors.word_frequency import WORD, folded
from fairflow.vectors.word_order import WordOrder

LEAST_ROWS = 200
WIDENED_ROWS = 1000
MOST_TRIED = 1000
# A store finds such rows in a third of the time, among millions.
STEP = 64

Candidates = Mapping[str, Sequence[int]]


class RowDraw:
    """Rows to be tried for each form, and what is known of them."""

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
        self._word_at: dict[int, str | None] = {}

    def words(self, per_form: int) -> tuple[str, ...]:
        """So many words for each form, one form after the other; none if it cannot be done."""
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
        """The rows of a form's window in random order, or a part of those of a very wide one."""
        start, end = window(self._row[form], self._order.rows, least)
        step = STEP if end - start > STEP * MOST_TRIED else 1
        start = -(-start // step)
        width = -(-end // step) - start
        generator = np.random.default_rng([*self._seed, *form.encode(), least])
        tried = generator.choice(width, size=min(width, max(least, MOST_TRIED)), replace=False)
        return (step * (start + tried)).tolist()

    def _usable(self, candidates: Candidates, per_form: int) -> dict[str, list[int]]:
        """Of each form as many of its rows as can be had, all of use and of no other form."""
        ahead = 0
        while unknown := self._unknown(chosen := self._chosen(candidates, per_form)):
            # Reading row by row would be slow where many rows turn out to be of no use; the vectors
            # of a language model are too dear to compute any in advance.
            further = self._unknown(self._chosen(candidates, per_form + ahead)) if ahead else ()
            self._read(further or unknown)
            ahead = 2 * ahead or per_form
        return chosen

    def _chosen(self, candidates: Candidates, per_form: int) -> dict[str, list[int]]:
        """The first rows of each form that no other form has and that may be of use."""
        used: set[int] = set()
        chosen = {}
        for form, rows in candidates.items():
            free = (r for r in rows if r not in used and self._word_at.get(r, "") is not None)
            chosen[form] = list(islice(free, per_form))
            used.update(chosen[form])
        return chosen

    def _unknown(self, chosen: Mapping[str, list[int]]) -> list[int]:
        return [row for rows in chosen.values() for row in rows if row not in self._word_at]

    def _read(self, rows: Sequence[int]) -> None:
        """Learn which rows hold a plain word, not of the query, with a vector that has a length."""
        self._word_at |= dict.fromkeys(rows)
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
    """The row of a word, or the number of rows for one without."""
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
