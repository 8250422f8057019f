"""CandidateItem: a context whose blank a stereotype, an anti-stereotype or a stray word fills."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.spans import Span
from fairflow.language_models.items.token_request import TokenRequest
from fairflow.language_models.items.triple_item import LABELS, TripleItem

BLANK = "BLANK"
PUNCTUATION = string.punctuation


@dataclass(frozen=True)
class CandidateItem(TripleItem):
    """An intrasentence example of StereoSet.

    Attributes
    ----------
    context : with BLANK in one of its words ("BLANK", "BLANK.", "BLANKed") or, with the same word
        in each place, in several.
    sentences : label -> the context with a word in place of BLANK.

    Raises
    ------
    ItemError : no BLANK, a label missing, or no word in its place.
    """

    kind = "candidate"
    key = "candidates"

    def __post_init__(self) -> None:
        if BLANK not in self.context:
            raise ItemError(f"item {self.item_id!r}: {self.context!r} must have a {BLANK}")
        super().__post_init__()
        for label in LABELS:
            self.word_span(label)
            self.hidden_spans(label)

    @classmethod
    def from_row(cls, number: str, row: Mapping[str, Any]) -> CandidateItem:
        """A row with target, context and, for each label, a word; id, category, unit perhaps."""
        return cls(
            row.get("id", number),
            row["target"],
            row.get("category", ""),
            row["context"],
            {label: row["context"].replace(BLANK, row[label]) for label in LABELS},
            row.get("unit", ""),
        )

    def shown(self) -> dict[str, str]:
        """The context, and the three words that fill its blank."""
        words = {label: self.sentences[label][slice(*self.word_span(label))] for label in LABELS}
        return {"context": self.context, **words}

    def requests_for(self, need: str) -> list[TokenRequest]:
        """The requests of a variant."""
        return self.requests(need)

    def word_span(self, label: str) -> Span:
        """Where the word stands that fills the blank, punctuation around it left out.

        As in the released code: the word at the same place between spaces as the last blank, whole
        ("BLANKed" gives "protected").

        Raises
        ------
        ItemError : the sentence has no word there.
        """
        return self._span(label, self._places(exact=True)[-1])

    def hidden_spans(self, label: str) -> tuple[Span, ...]:
        """Where copies of that word stand in further blanks ("Blank" and "BLANk" among them)."""
        words, written = self.sentences[label].split(" "), self.context.split(" ")
        further = set(self._places(exact=False)) - {self._places(exact=True)[-1]}
        # "a blank BLANK" has one blank.
        copies = [p for p in sorted(further) if words[p : p + 1] != [written[p]]]
        return tuple(self._span(label, number) for number in copies)

    def _places(self, exact: bool) -> list[int]:
        """Numbers of the context's words that hold a blank, whatever its case unless `exact`."""
        words = (self.context if exact else self.context.upper()).split(" ")
        return [number for number, word in enumerate(words) if BLANK in word]

    def _span(self, label: str, number: int) -> Span:
        words = self.sentences[label].split(" ")
        if number >= len(words) or not words[number].strip(PUNCTUATION):
            raise ItemError(
                f"item {self.item_id!r}: {self.sentences[label]!r} has no word where "
                f"{self.context!r} has {BLANK}"
            )
        start = len(" ".join(words[:number])) + (1 if number else 0)
        start += len(words[number]) - len(words[number].lstrip(PUNCTUATION))
        return start, start + len(words[number].strip(PUNCTUATION))

    def requests(self, variant: str = "prefix") -> list[TokenRequest]:
        """What has to be scored: "prefix" by masked models, "causal_start_once" by causal ones."""
        return [
            TokenRequest(
                self.text_id(label),
                self.sentences[label],
                variant,
                word=self.word_span(label) if variant == "prefix" else None,
                hidden=self.hidden_spans(label) if variant == "prefix" else (),
            )
            for label in LABELS
        ]
