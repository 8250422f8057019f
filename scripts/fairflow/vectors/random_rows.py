"""Random words of a model, matched on frequency with the target words of a query."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fairflow.lookup import SetLookup

LEAST_PER_FORM = 4
LEAST_ROWS = 1000
# A store finds such rows in a third of the time, among millions.
STEP = 64

Vectors = Callable[[Sequence[str]], np.ndarray]


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
    """

    words: tuple[str, ...]
    vectors: np.ndarray
    of: tuple[str, ...]
    per_form: int
    reason: str | None = None

    @property
    def account(self) -> dict[str, Any]:
        """Everything but the vectors, as plain values."""
        return {name: getattr(self, name) for name in ("words", "of", "per_form", "reason")}

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
        place = {form: position for position, form in enumerate(self.of)}
        forms = [form for form in account.found if form not in dropped]
        rows = [row for form in forms for row in self._rows(place[form])]
        word_of: list[str | None] = []
        for position, form in enumerate(account.form_of):
            if form is None or form in dropped or account.found[form] != position:
                word_of += [None] * self.per_form
            else:
                word_of += [self.words[row] for row in self._rows(place[form])]
        vectors = self.vectors[np.array(rows, dtype=int)]
        return tuple(self.words[row] for row in rows), word_of, vectors

    def _rows(self, position: int) -> range:
        return range(position * self.per_form, (position + 1) * self.per_form)


class WordOrder(Protocol):
    """A vocabulary in the order of its file, the most frequent words first: row 0, 1, ..."""

    @property
    def rows(self) -> int:
        """How many rows there are."""

    def row_of(self, word: str) -> int:
        """The row of a word; KeyError for a word without a row."""

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """Row -> word of those rows that hold a word, and their vectors: (words, dims).

        `step` divides most rows, which may make them faster to find.
        """


class ListedWords:
    """A `WordOrder` of words in memory."""

    def __init__(self, words: Sequence[str], row_of: Mapping[str, int], vectors: Vectors) -> None:
        self._words, self._row_of, self._vectors = words, row_of, vectors
        self.rows = len(words)

    def row_of(self, word: str) -> int:
        """The position of a word."""
        return self._row_of[word]

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """The words at some positions, and their vectors."""
        found = {row: self._words[row] for row in rows}
        return found, self._vectors(list(found.values()))


def word_order(wv: Any, vectors: Vectors) -> WordOrder | None:
    """The order of the words of a `VectorStore`, gensim vectors or a mapping; None without one."""
    if hasattr(wv, "at_rows"):
        return wv
    if hasattr(wv, "index_to_key"):
        return ListedWords(wv.index_to_key, wv.key_to_index, vectors)
    if isinstance(wv, Mapping):
        words = list(wv)
        return ListedWords(words, {word: row for row, word in enumerate(words)}, vectors)
    return None


def draw_random_rows(
    targets: Sequence[str],
    forms: Sequence[str],
    order: WordOrder | None,
    vectors: Vectors,
    number: int,
    seed: int,
    prefix: str | None = None,
) -> RandomRows:
    """Draw random words whose frequency is like that of the target words.

    The order of the file stands for the order of frequency, which holds for most published models
    and cannot be checked. A word of rank r (1 = first in the file) is replaced by words of rank
    r/2 to 2r; the window is widened to `LEAST_ROWS` rows, or to twice what is drawn in all if that
    is more, or to the whole vocabulary. A form without a row, which FastText composes, counts as
    the rarest. Draws are without replacement over all forms; a zero or non-finite vector, a form of
    the query, a repeated word of the file and a word without the vocabulary's prefix are replaced.
    Of each window no more rows are tried than its least width; of one 64 times as wide only rows
    divisible by 64.

    Parameters
    ----------
    targets : forms found in the target sets. forms : all forms of the query.
    vectors : reads the rows of words, as the model serves them.
    number : how many words to draw; each form gets an equal number of at least `LEAST_PER_FORM`.
    seed : with the targets, whatever their order, it decides the draw; the model's name does not.
    """
    of = tuple(dict.fromkeys(targets))
    wanted = max(LEAST_PER_FORM, -(-number // max(1, len(of))))
    if not of or order is None:
        reason = "the vocabulary has no order" if of else "no target word was found"
        return RandomRows((), vectors(forms)[:0].astype(np.float32), of, 0, reason)
    draw = _Draw(of, forms, order, wanted, seed, prefix)
    for per_form in range(min(wanted, order.rows // len(of)), LEAST_PER_FORM - 1, -1):
        if words := draw.words(per_form):
            break
    else:
        per_form, words = 0, ()
    reason = None
    if per_form < wanted:
        reason = (
            f"{per_form} instead of {wanted} random words for each target word: among {order.rows} "
            "rows too few others of like frequency have a vector with a direction"
        )
    # Those of the forms have the number of dimensions, should there be no word.
    drawn = vectors(words or forms)[: len(words)].astype(np.float32)
    return RandomRows(words, drawn, of, per_form, reason)


class _Draw:
    """Rows to be tried for each form, and what is known of them."""

    def __init__(
        self,
        of: Sequence[str],
        forms: Sequence[str],
        order: WordOrder,
        wanted: int,
        seed: int,
        prefix: str | None,
    ) -> None:
        self._of, self._order, self._prefix = of, order, prefix or ""
        self._excluded = {row for form in forms if (row := _row(order, form)) < order.rows}
        # Half of a window remains even if all other words were drawn from it.
        least = max(LEAST_ROWS, 2 * (len(of) * wanted + len(self._excluded)))
        identity = "\x1f".join((str(seed), *sorted(of)))
        generator = np.random.default_rng(list(hashlib.sha256(identity.encode()).digest()))
        self._candidates: dict[str, list[int]] = {}
        for form in sorted(of):
            start, end = window(_row(order, form), order.rows, least)
            step = STEP if end - start > STEP * (least + 1) else 1
            start = -(-start // step)
            width = -(-end // step) - start
            tried = generator.choice(width, size=min(width, least), replace=False)
            self._candidates[form] = (step * (start + tried)).tolist()
        self._word_at: dict[int, str | None] = {}

    def words(self, per_form: int) -> tuple[str, ...]:
        """So many words for each form, one form after the other; none if it cannot be done."""
        ahead = 0
        while True:
            chosen = self._chosen(per_form)
            if any(len(rows) < per_form for rows in chosen.values()):
                return ()
            if not (new := self._unknown(chosen)):
                return tuple(self._word_at[row] for form in self._of for row in chosen[form])
            # Reading row by row would be slow where many rows turn out to be of no use.
            self._read(self._unknown(self._chosen(per_form + ahead)) if ahead else new)
            ahead = 2 * ahead or per_form

    def _chosen(self, per_form: int) -> dict[str, list[int]]:
        """The first rows of each form that no other form has and that may be of use."""
        used = set(self._excluded)
        chosen = {}
        for form, candidates in self._candidates.items():
            free = (r for r in candidates if r not in used and self._word_at.get(r, "") is not None)
            chosen[form] = [row for row, _ in zip(free, range(per_form), strict=False)]
            used.update(chosen[form])
        return chosen

    def _unknown(self, chosen: Mapping[str, list[int]]) -> list[int]:
        return [row for rows in chosen.values() for row in rows if row not in self._word_at]

    def _read(self, rows: Sequence[int]) -> None:
        """Learn which rows hold a word of the vocabulary with a vector that has a direction."""
        self._word_at |= dict.fromkeys(rows)
        words, vectors = self._order.at_rows(rows, STEP)
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
        for (row, word), length in zip(words.items(), lengths, strict=True):
            if np.isfinite(length) and length > 0 and word.startswith(self._prefix):
                self._word_at[row] = word


def _row(order: WordOrder, form: str) -> int:
    """The row of a form, or the number of rows for one without."""
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
