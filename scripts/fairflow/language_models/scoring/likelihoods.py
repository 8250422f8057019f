"""How likely a model finds a text, an answer, a word in its slot, or one sentence of a pair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from fairflow.language_models.errors import Invalid, ItemError
from fairflow.language_models.items.slot_item import FILL_MASKS, MULTI, SlotItem, slot_variants
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.scoring.item_metric import ItemMetric
from fairflow.language_models.scoring.preferences import PairMetric
from fairflow.language_models.slices.answers import ScoredText, ScoredTexts

PER = {
    "answer": "the log-probability of the whole answer: long ones are less likely",
    "piece": "its mean over the pieces",
    "byte": "over the bytes that the answer is written in (UTF-8), the space in front left out",
}


def answer_likelihood(text: ScoredText, answer: str, per: str) -> float:
    """The log-probability of an answer behind its question, natural logarithm.

    Parameters
    ----------
    text : scored in the variant "continuation". answer : as it is written.
    per : one of `PER`.

    Raises
    ------
    ItemError : another `per`.
    """
    if per not in PER:
        raise ItemError(f"per must be one of {', '.join(PER)}, got {per!r}")
    sizes = {"answer": 1, "piece": text.n_scored, "byte": len(answer.strip().encode())}
    return text.total / sizes[per]


def unmasked_likelihoods(text: ScoredText) -> dict[str, float]:
    """How probable is a text, piece by piece with nothing masked?

    AUL(S) = mean over the pieces, special ones left out, of log P(piece | S). AULA weights each
    summand by the attention that its piece gets, mean over layers, heads and queries, and still
    divides by the number of pieces; it is there if the text was scored with attention. Kaneko and
    Bollegala 2022 (https://doi.org/10.1609/aaai.v36i11.21453).
    """
    values = {"aul": text.mean, "sum": text.total, "n_scored": float(text.n_scored)}
    if text.attention is not None:
        values["aula"] = float(np.mean(text.logp * text.attention))
    return values


def log_ratios(
    item: SlotItem, texts: ScoredTexts, multi: str, fill_masks: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Log-probability of each group given the fill, that without it, and pieces: (groups,) each.

    Both are read at the target's own masks. Of a group of several words the probabilities are
    added (Kurita et al. 2019, their code).

    Raises
    ------
    Invalid : a text that could not be scored, or a word of several pieces with multi "skip".
    """
    posterior, prior = slot_variants(multi, fill_masks)
    logp, logp_prior, pieces = [], [], []
    for group, words in enumerate(item.targets):
        ids = [item.text_id(group, number) for number in range(len(words))]
        given = [texts.valid(text_id, posterior) for text_id in ids]
        before = [texts.valid(text_id, prior) for text_id in ids]
        counts = [text.n_scored for text in given]
        if multi == "skip" and max(counts) > 1:
            word = words[int(np.argmax(counts))]
            raise Invalid("multi_piece", f"{word!r} has {max(counts)} pieces")
        logp.append(np.logaddexp.reduce([text.total for text in given]))
        logp_prior.append(np.logaddexp.reduce([text.total for text in before]))
        pieces.append(max(counts))
    return np.array(logp), np.array(logp_prior), np.array(pieces)


class SlotMetric(ItemMetric):
    """A metric of the probability of each target, with the fill in view and without it.

    Parameters
    ----------
    multi, fill_masks : see `slot_item.MULTI`, `slot_item.FILL_MASKS`; as when scoring.
    """

    kind = "slot"
    asks: ClassVar[Mapping[str, str]] = {"masked": "{multi}/{fill_masks}"}
    defaults: ClassVar[Mapping[str, Any]] = {"multi": "masks", "fill_masks": "one"}
    choices: ClassVar[Mapping[str, Any]] = {"multi": tuple(MULTI), "fill_masks": tuple(FILL_MASKS)}

    def log_ratios(
        self, item: SlotItem, texts: ScoredTexts
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Those of the function of that name, as its parameters have it."""
        return log_ratios(item, texts, self.parameters["multi"], self.parameters["fill_masks"])


class PairLogOdds(PairMetric):
    """Score of `more` - score of `less` of each pair: `difference`, in natural logarithms.

    The score of a causal model is the log-likelihood of the sentence after a start of text: the
    difference is what the versions are as odds. That of a masked model is, each piece masked alone,
    the sum over the pieces that both sentences have, or the mean over those that differ; a pair of
    which a sentence has no such piece is invalid.

    Attributes
    ----------
    pieces : of masked models, "shared" or "differing".
    """

    pieces: ClassVar[str]

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Both sentences whole, or the pieces that they share."""
        masked = "masked/shared" if self.pieces == "shared" else "masked/all"
        return {"masked": (masked,), "causal": ("causal",)}.get(model_kind, ())

    def problem(self, item: PairItem) -> str | None:
        """Why a pair cannot be taken, which is then invalid, or None."""
        return None

    def side(
        self, item: PairItem, side: str, texts: ScoredTexts, model_kind: str
    ) -> Mapping[str, float]:
        """The score of one sentence."""
        why = self.problem(item)
        if why:
            raise Invalid("degenerate", why)
        if model_kind == "causal":
            text = texts.valid(item.text_id(side), "causal")
            return {"score": text.total, "n_scored": float(text.n_scored)}
        logp = logp_of_pieces(texts.valid(item.text_id(side), "masked"), self.pieces)
        value = logp.sum() if self.pieces == "shared" else logp.mean()
        return {"score": float(value), "n_scored": float(len(logp))}


def logp_of_pieces(text: ScoredText, pieces: str) -> np.ndarray:
    """Log-probabilities of the pieces that a sentence of a pair shares, or of those that differ.

    Raises
    ------
    Invalid : there are none.
    """
    logp = text.among(shared=pieces == "shared")
    if not len(logp):
        raise Invalid("empty", f"no {pieces} pieces in {text.text!r}")
    return logp
