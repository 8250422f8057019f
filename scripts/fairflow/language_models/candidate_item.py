"""CandidateItem: a context whose blank a stereotype, an anti-stereotype or a stray word fills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairflow.language_models.errors import ItemError
from fairflow.language_models.sentence_item import occurrences
from fairflow.language_models.text_pieces import Span
from fairflow.language_models.token_request import TokenRequest

LABELS = ("stereotype", "anti-stereotype", "unrelated")
BLANK = "BLANK"
PUNCTUATION = ".,;:!?\"'()[]{}"


@dataclass(frozen=True)
class CandidateItem:
    """An intrasentence example of StereoSet.

    Attributes
    ----------
    target : the term that scores are averaged by. category : its domain.
    context : with one BLANK.
    sentences : label -> the context with a word in place of BLANK.

    Raises
    ------
    ItemError : no BLANK, or a label missing.
    """

    item_id: str
    target: str
    category: str
    context: str
    sentences: Mapping[str, str]

    def __post_init__(self) -> None:
        if len(occurrences(BLANK, self.context)) != 1:
            raise ItemError(f"item {self.item_id!r}: {self.context!r} must have one {BLANK}")
        if set(self.sentences) != set(LABELS):
            raise ItemError(
                f"item {self.item_id!r} must have {', '.join(LABELS)}; found "
                f"{', '.join(self.sentences) or 'none'}"
            )
        for label in LABELS:
            self.word_span(label)

    def text_id(self, label: str) -> str:
        """The id of one of the three texts."""
        return f"{self.item_id}/{label}"

    def word_span(self, label: str) -> Span:
        """Where the word stands that fills the blank, punctuation around it left out.

        As in the released code: the word at the same place between spaces as the blank.

        Raises
        ------
        ItemError : the sentence has no word there.
        """
        place = next(i for i, word in enumerate(self.context.split(" ")) if BLANK in word)
        words = self.sentences[label].split(" ")
        if place >= len(words) or not words[place].strip(PUNCTUATION):
            raise ItemError(
                f"item {self.item_id!r}: {self.sentences[label]!r} has no word where "
                f"{self.context!r} has {BLANK}"
            )
        start = len(" ".join(words[:place])) + (1 if place else 0)
        start += len(words[place]) - len(words[place].lstrip(PUNCTUATION))
        return start, start + len(words[place].strip(PUNCTUATION))

    def requests(self, variant: str = "prefix") -> list[TokenRequest]:
        """What has to be scored: "prefix" by masked models, "causal_start_once" by causal ones."""
        return [
            TokenRequest(
                self.text_id(label),
                self.sentences[label],
                variant,
                word=self.word_span(label) if variant == "prefix" else None,
            )
            for label in LABELS
        ]
