"""What a language model answers about texts: token by token, as a vector, or with a completion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from fairflow.language_models.errors import Invalid, not_finite
from fairflow.vectors.random_words import RandomRows


@dataclass(frozen=True)
class ScoredText:
    """What a model says about a text.

    Attributes
    ----------
    text_id, variant : of the request.
    n_tokens : of the whole text, special ones not counted.
    status, reason : "ok" and None, or why nothing was scored.
    positions, words, token_ids, tokens : of each scored token.
    logp : (scored,) natural logarithms, float64; one, and no positions, of a text whose
        log-likelihood was given as a whole.
    shared : whether the text's partner has the token too; None without partner.
    attention : (scored,) paid to the token; None unless asked for.
    """

    text_id: str
    variant: str
    text: str
    n_tokens: int
    status: str = "ok"
    reason: str | None = None
    positions: tuple[int, ...] = ()
    words: tuple[int | None, ...] = ()
    token_ids: tuple[int, ...] = ()
    tokens: tuple[str, ...] = ()
    logp: np.ndarray = field(default_factory=lambda: np.empty(0))
    shared: tuple[bool, ...] | None = None
    attention: np.ndarray | None = None

    @property
    def total(self) -> float:
        """Sum of the log-probabilities."""
        return float(self.logp.sum())

    @property
    def mean(self) -> float:
        """Mean of the log-probabilities.

        Raises
        ------
        Invalid : only that of the whole text was given.
        """
        if len(self.positions) != len(self.logp):
            raise Invalid(
                "tokens_unknown",
                "the log-likelihood of the whole text was given; this metric needs that of each "
                "of its tokens",
            )
        return float(self.logp.mean())

    @property
    def n_scored(self) -> float:
        """Number of scored tokens; NaN of a text whose log-likelihood was given as a whole."""
        return len(self.positions) if len(self.positions) == len(self.logp) else math.nan

    def among(self, shared: bool) -> np.ndarray:
        """Log-probabilities of the tokens that the pair shares, or of those that differ."""
        chosen = np.array([flag == shared for flag in self.shared or ()], dtype=bool)
        return self.logp[chosen]


class ScoredTexts:
    """Scored texts by id and variant."""

    def __init__(self, texts: Iterable[ScoredText]) -> None:
        self._texts: Mapping[tuple[str, str], ScoredText] = {
            (text.text_id, text.variant): text for text in texts
        }

    def valid(self, text_id: str, variant: str) -> ScoredText:
        """One text that was scored.

        Raises
        ------
        Invalid : it could not be scored.
        """
        text = self._texts[text_id, variant]
        if text.status != "ok":
            raise Invalid(text.status, text.reason)
        if not np.isfinite(text.logp).all():
            raise not_finite("the probability of a token")
        return text


@dataclass(frozen=True)
class Completion:
    """One continuation of one prompt.

    Attributes
    ----------
    text : without the prompt. rank : from 0.
    logp : natural logarithm of its probability, its end included; NaN where it is not known.
    ended : whether the model ended it, rather than the limit of length.
    decoding : how it was made, as JSON. seed : of its random numbers.
    status, reason : "ok" and None, or why there is no completion.
    likelihoods : of answers that were given so, choice -> natural logarithm of its probability, as
        a whole or token by token.
    """

    prompt_id: str
    rank: int
    text: str | None
    n_tokens: int | None = None
    logp: float = math.nan
    ended: bool | None = None
    decoding: str | None = None
    seed: int | None = None
    status: str = "ok"
    reason: str | None = None
    likelihoods: Mapping[str, float | tuple[float, ...]] | None = None


def texts_by_prompt(completions: Sequence[Completion]) -> dict[str, list[str]]:
    """The texts of each prompt by rank; prompts that could not be completed are left out."""
    texts_of: dict[str, list[str]] = {}
    for completion in sorted(completions, key=lambda one: one.rank):
        if completion.status == "ok":
            texts_of.setdefault(completion.prompt_id, []).append(completion.text)
    return texts_of


# How positions become one vector. cls: the first. mean: of all, special ones included. mean_inner:
# of those that are not special. last: the last that is not special. max: the largest of all values,
# dimension by dimension. mean_sqrt_len: the sum of all over the square root of their number.
# weightedmean: of all, the n-th weighted with n. lasttoken: the last, special or not.
POOLINGS = ("cls", "mean", "mean_inner", "last", "max", "mean_sqrt_len", "weightedmean")
POOLINGS += ("lasttoken",)


@dataclass(frozen=True)
class EmbeddedTexts:
    """A vector per text.

    It has the interface of a `VectorStore`, so that `WordEmbeddingModel(embedded, name)` runs every
    metric for static vectors, with its statistics, on texts in place of words.

    Attributes
    ----------
    rows : (texts, dims), float32; NaN for a text without vector.
    n_tokens : of each text, special ones not counted.
    statuses, reasons : "ok" and None, or why a text has no vector.
    random : random words that replace the target words of a query, or None.
    context_templates : texts with "{word}" in which each word was shown; its vector is their mean.
        Empty for texts as they are.
    effects : context template -> WEAT's effect size of the query, had it been the only one.
    """

    texts: tuple[str, ...]
    rows: np.ndarray
    pooling: str
    layer: int
    n_tokens: tuple[int, ...]
    statuses: tuple[str, ...]
    reasons: tuple[str | None, ...]
    random: RandomRows | None = None
    context_templates: tuple[str, ...] = ()
    effects: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {
            text: row
            for row, (text, status) in enumerate(zip(self.texts, self.statuses, strict=True))
            if status == "ok"
        }

    def __contains__(self, text: object) -> bool:
        return text in self._row_of

    def __len__(self) -> int:
        return len(self._row_of)

    def __iter__(self) -> Iterator[str]:
        return iter(self._row_of)

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """(texts, dims), float32.

        Raises
        ------
        KeyError : a text without vector.
        """
        return self.rows[[self._row_of[text] for text in texts]]

    def without(self, findings: Mapping[int, Invalid]) -> EmbeddedTexts:
        """The same, in which the texts of these numbers have no vector, for the reasons given."""
        rows, statuses, reasons = self.rows.copy(), [*self.statuses], [*self.reasons]
        for number, found in findings.items():
            rows[number], statuses[number], reasons[number] = np.nan, found.status, found.reason
        return replace(self, rows=rows, statuses=tuple(statuses), reasons=tuple(reasons))
