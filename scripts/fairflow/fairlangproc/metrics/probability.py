"""Metrics of a masked model's probabilities, with the papers' values.

A sentence that cannot be scored gives NaN, and a warning is logged that says why.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.inference.language_model import (
    Tensor,
    array_of,
    prepared_model,
    tensor_of,
)
from fairflow.language_models.inference.network_rows import row_log_probabilities
from fairflow.language_models.inference.score_tokens import score_tokens
from fairflow.language_models.items.item import NEUTRAL_MASK, Item, TokenRequest
from fairflow.language_models.items.slot_item import SlotItem, template_of_masks
from fairflow.language_models.items.text_items import SentenceItem
from fairflow.language_models.metrics.cbs import CBS as CBSMetric
from fairflow.language_models.metrics.lpbs import LPBS as LPBSMetric
from fairflow.language_models.metrics.pseudo_log_likelihood import PseudoLogLikelihood
from fairflow.language_models.scoring.item_metric import ItemMetric, item_scores
from fairflow.language_models.scoring.likelihoods import SlotMetric
from fairflow.language_models.slices.answers import ScoredText, ScoredTexts


def slots(
    metric: str,
    tokenizer: Any,
    sentences: Sequence[str],
    target_words: Sequence[Sequence[str]],
    fill_words: Sequence[str],
    mask_indices: Sequence[int] | None,
) -> list[SlotItem]:
    """Sentences with two masks as items; the target's is the first unless an index is given.

    Raises
    ------
    ItemError : lists of different length or empty, masks or words missing.
    """
    indices = [0] * len(sentences) if mask_indices is None else mask_indices
    lists = {"target_words": target_words, "fill_words": fill_words, "mask_indices": indices}
    same_length(metric, sentences=sentences, **lists)
    items = []
    for number, (sentence, words, fill, index) in enumerate(
        zip(sentences, target_words, fill_words, indices, strict=True)
    ):
        neutral = sentence.replace(tokenizer.mask_token or NEUTRAL_MASK, NEUTRAL_MASK)
        template = template_of_masks(neutral, int(index), f"{metric}, sentence {number}")
        targets = tuple((word,) for word in words)
        items.append(SlotItem(str(number), template, template, targets, fill))
    return items


def inner_positions(input_ids: np.ndarray, cls_id: int, pad_id: int) -> tuple[list[int], list[int]]:
    """The ids of one sentence without padding, and where its own tokens stand.

    Those are all behind the opening tokens but the last, which closes the sentence.

    Raises
    ------
    ItemError : more than one sentence, or a sentence without tokens between the special ones.
    """
    rows = np.atleast_2d(input_ids)
    if len(rows) != 1:
        raise ItemError(f"input_ids hold {len(rows)} sentences; give one at a time")
    row = rows[0].tolist()
    while row and row[-1] == pad_id:
        row.pop()
    first = next((position for position, token in enumerate(row) if token != cls_id), len(row))
    positions = list(range(first, len(row) - 1))
    if not positions:
        raise ItemError("input_ids hold no token between an opening and a closing one")
    return row, positions


def same_length(metric: str, **lists: Sequence[Any]) -> None:
    """Refuse lists that do not go together.

    Raises
    ------
    ItemError : lists of different length or empty, or a text in place of a list.
    """
    lengths = {name: len(values) for name, values in lists.items()}
    text = [name for name, values in lists.items() if isinstance(values, str)]
    if text or set(lengths.values()) == {0} or len(set(lengths.values())) > 1:
        raise ItemError(
            f"{metric}: lists of one length, with at least one entry, are needed; got "
            + ", ".join(f"{size} {name}" for name, size in lengths.items())
            + (f"; {', '.join(text)} is a single text" if text else "")
        )


logger = logging.getLogger(__name__)


def MaskProbability(
    model: Any,
    tokenizer: Any,
    sentences: Sequence[str],
    target_words: Sequence[str],
    mask_indices: Sequence[int],
    how_many: int = 2,
) -> Tensor:
    """Probability of a word at one of the masks of each sentence: (sentences,), float64.

    A word of several tokens gets as many masks, and its probability is the product of theirs.

    Parameters
    ----------
    mask_indices : which of the masks is the word's, from 0; of single masks they do not matter.
    how_many : masks in each sentence.

    Raises
    ------
    ItemError : lists of different length or empty, another number of masks, no such mask.
    LanguageModelError : no masked model.
    """
    texts = {"sentences": sentences, "target_words": target_words, "mask_indices": mask_indices}
    same_length("MaskProbability", **texts)
    mask, requests = tokenizer.mask_token or NEUTRAL_MASK, []
    asked = zip(sentences, target_words, mask_indices, strict=True)
    for number, (sentence, word, given) in enumerate(asked):
        parts = sentence.replace(NEUTRAL_MASK, mask).split(mask)
        index = 0 if how_many == 1 else int(given)
        if len(parts) != how_many + 1 or not 0 <= index < how_many:
            raise ItemError(
                f"sentence {number}: {sentence!r} has {len(parts) - 1} masks, {how_many} are "
                f"expected (how_many); the word's is number {index}, from 0"
            )
        before, after = mask.join(parts[: index + 1]), mask.join(parts[index + 1 :])
        span = len(before), len(before) + len(word)
        requests.append(TokenRequest(str(number), before + word + after, "posterior", word=span))
    scored = score_tokens(prepared_model(model, tokenizer), requests)
    _warn("MaskProbability", (t.text_id for t in scored), (t.reason for t in scored))
    return tensor_of(np.array([np.exp(t.total) if t.status == "ok" else np.nan for t in scored]))


def MaskProbabilityQuotient(
    model: Any,
    tokenizer: Any,
    sentences: Sequence[str],
    target_words: Sequence[Sequence[str]],
    fill_words: Sequence[str],
    mask_indices: Sequence[int],
) -> list[Tensor]:
    """How much more probable the fill makes each target: per place in the tuples, (sentences,).

    The probability of a target given the fill over that with the fill masked, as LPBS and CBS have
    it. Arguments and errors are those of `LPBS`, with tuples of any one size.

    Raises
    ------
    ItemError : tuples of different size.
    """
    metric = "MaskProbabilityQuotient"
    sizes = sorted({len(words) for words in target_words})
    if len(sizes) > 1:
        raise ItemError(f"{metric}: target_words need as many words each; there are {sizes}")
    items = slots(metric, tokenizer, sentences, target_words, fill_words, mask_indices)
    texts = ScoredTexts(_scored(model, tokenizer, items))

    def quotients(item: SlotItem) -> dict[str, float]:
        logp, prior, _ = SlotMetric().log_ratios(item, texts)
        return {str(number): float(ratio) for number, ratio in enumerate(np.exp(logp - prior))}

    scores = item_scores(metric, "0", items, quotients)
    _warn(metric, scores.item_ids, scores.reasons)
    by_place = {"0": scores.values, **scores.columns}
    nothing = np.full(len(items), np.nan)
    return [tensor_of(by_place.get(str(place), nothing)) for place in range(sizes[0])]


def LPBS(
    model: Any,
    tokenizer: Any,
    sentences: Sequence[str],
    target_words: Sequence[Sequence[str]],
    fill_words: Sequence[str],
    mask_indices: Sequence[int] | None = None,
) -> Tensor:
    """Log-probability bias score of each sentence: (sentences,), float64.

    See `metrics.lpbs`. A target of several tokens gets as many masks, the fill one mask in the
    prior.

    Parameters
    ----------
    sentences : each with two masks. target_words : two per sentence. fill_words : one per sentence.
    mask_indices : which of a sentence's masks is the target's, 0 (default) or 1.

    Raises
    ------
    ItemError : lists of different length or empty, masks or words missing.
    LanguageModelError : no masked model.
    """
    items = slots("LPBS", tokenizer, sentences, target_words, fill_words, mask_indices)
    return tensor_of(_values(LPBSMetric(), model, tokenizer, items))


def CBS(
    model: Any,
    tokenizer: Any,
    sentences: Sequence[str],
    target_words: Sequence[Sequence[str]],
    fill_words: Sequence[str],
    mask_indices: Sequence[int] | None,
) -> Tensor:
    """Categorical bias score of each sentence, its variance over groups: (sentences,), float64.

    See `metrics.cbs`. Arguments are those of `LPBS`, with any number of target words; the paper's
    CBS is the mean. Raises what `LPBS` raises.
    """
    items = slots("CBS", tokenizer, sentences, target_words, fill_words, mask_indices)
    return tensor_of(_values(CBSMetric(), model, tokenizer, items))


def MaskedPseudoLogLikelihood(
    model: Any, input_ids: Any, target_id: int, mask_id: int, cls_id: int, pad_id: int
) -> float:
    """Sum of the log-probabilities of a sentence's tokens but the target, each masked alone.

    Parameters
    ----------
    input_ids : of one sentence, with `cls_id` in front, a closing token and perhaps `pad_id`s.
    target_id : stays unmasked and is not scored, wherever it stands.

    Raises
    ------
    ItemError : more than one sentence, or nothing to score. LanguageModelError : no masked model.
    """
    row, positions = inner_positions(array_of(input_ids), cls_id, pad_id)
    scored = [position for position in positions if row[position] != target_id]
    return float(row_log_probabilities(model, row, scored, mask_id).sum())


def CPS(
    model: Any, tokenizer: Any, sentences: Sequence[str], target_words: Sequence[str]
) -> list[float]:
    """CrowS-Pairs score of single sentences: sum of log-probabilities of all but the target.

    See `metrics.pseudo_log_likelihood`; all tokens of all occurrences of the target stay unmasked.

    Raises
    ------
    ItemError : lists of different length or empty. LanguageModelError : no masked model.
    """
    same_length("CPS", sentences=sentences, target_words=target_words)
    items = [
        SentenceItem(str(number), sentence, kept=(word,))
        for number, (sentence, word) in enumerate(zip(sentences, target_words, strict=True))
    ]
    return _values(PseudoLogLikelihood(), model, tokenizer, items, "masked").tolist()


def UnMaskedPseudoLogLikelihood(model: Any, input_ids: Any, cls_id: int, pad_id: int) -> float:
    """Mean of the log-probabilities of a sentence's tokens with nothing masked.

    Arguments and errors are those of `MaskedPseudoLogLikelihood`.
    """
    row, positions = inner_positions(array_of(input_ids), cls_id, pad_id)
    return float(row_log_probabilities(model, row, positions).mean())


def AUL(model: Any, tokenizer: Any, sentences: Sequence[str]) -> list[float]:
    """All unmasked likelihood of each sentence: mean log-probability of its tokens.

    Raises
    ------
    ItemError : no sentence. LanguageModelError : no masked model.
    """
    same_length("AUL", sentences=sentences)
    items = [SentenceItem(str(number), sentence) for number, sentence in enumerate(sentences)]
    scored = _scored(model, tokenizer, items, "unmasked")
    _warn("AUL", (text.text_id for text in scored), (text.reason for text in scored))
    return [text.mean if text.status == "ok" else np.nan for text in scored]


def _scored(model: Any, tokenizer: Any, items: Sequence[Item], *need: str) -> list[ScoredText]:
    requests = [request for item in items for request in item.requests(*need)]
    return score_tokens(prepared_model(model, tokenizer), requests)


def _values(
    metric: ItemMetric, model: Any, tokenizer: Any, items: Sequence[Item], *need: str
) -> np.ndarray:
    scores = metric.scores(items, _scored(model, tokenizer, items, *need))
    _warn(scores.metric, scores.item_ids, scores.reasons)
    return scores.values


def _warn(metric: str, sentences: Iterable[str], reasons: Iterable[str | None]) -> None:
    """Name in the log the sentences that have no value."""
    for sentence, reason in zip(sentences, reasons, strict=True):
        if reason is not None:
            logger.warning("%s: sentence %s is not scored: %s", metric, sentence, reason)
