"""The metrics with the names and arguments of FairLangProc's documentation, the papers' values.

Where FairLangProc 0.1.9 returns something else, the papers are followed; its numbers are not to be
had here. A sentence that cannot be scored gives NaN, and a warning is logged that says why.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from fairflow.fairlangproc.contextual_weat import WEAT, BertWEAT
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.sentence_item import SentenceItem
from fairflow.language_models.items.slot_item import SlotItem, template_of_masks
from fairflow.language_models.items.spans import NEUTRAL_MASK
from fairflow.language_models.metrics.aul import aul
from fairflow.language_models.metrics.cbs import cbs
from fairflow.language_models.metrics.honest import hurtful
from fairflow.language_models.metrics.lpbs import lpbs
from fairflow.language_models.metrics.pseudo_log_likelihood import pseudo_log_likelihood
from fairflow.language_models.metrics.stereotypical_association import counts_beside
from fairflow.language_models.networks.language_model import prepared
from fairflow.language_models.networks.score_tokens import score_tokens
from fairflow.language_models.scoring.item_scores import ItemScores
from fairflow.language_models.scoring.word_counts import GroupCounter

__all__ = ["AUL", "CBS", "CPS", "HONEST", "LPBS", "WEAT", "BertWEAT", "DemRep", "StereoAsoc"]

logger = logging.getLogger(__name__)


def LPBS(
    model: Any,
    tokenizer: Any,
    sentences: Sequence[str],
    target_words: Sequence[Sequence[str]],
    fill_words: Sequence[str],
    mask_indices: Sequence[int] | None = None,
) -> torch.Tensor:
    """Log-probability bias score of each sentence: (sentences,), float64.

    See `metrics.lpbs`. A target of several pieces gets as many masks, the fill one mask in the
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
    items = _slots("LPBS", tokenizer, sentences, target_words, fill_words, mask_indices)
    requests = [request for item in items for request in item.requests()]
    scores = lpbs(items, score_tokens(prepared(model, tokenizer), requests))
    return torch.from_numpy(_told(scores).values)


def CBS(
    model: Any,
    tokenizer: Any,
    sentences: Sequence[str],
    target_words: Sequence[Sequence[str]],
    fill_words: Sequence[str],
    mask_indices: Sequence[int] | None = None,
) -> torch.Tensor:
    """Categorical bias score of each sentence, its variance over groups: (sentences,), float64.

    See `metrics.cbs`. Arguments are those of `LPBS`, with any number of target words; the paper's
    CBS is the mean. Raises what `LPBS` raises.
    """
    items = _slots("CBS", tokenizer, sentences, target_words, fill_words, mask_indices)
    requests = [request for item in items for request in item.requests()]
    scores = cbs(items, score_tokens(prepared(model, tokenizer), requests))
    return torch.from_numpy(_told(scores).values)


def CPS(
    model: Any, tokenizer: Any, sentences: Sequence[str], target_words: Sequence[str]
) -> list[float]:
    """CrowS-Pairs score of single sentences: sum of log-probabilities of all but the target.

    See `metrics.pseudo_log_likelihood`; all pieces of all occurrences of the target stay unmasked.

    Raises
    ------
    ItemError : lists of different length or empty. LanguageModelError : no masked model.
    """
    _same_length("CPS", sentences=sentences, target_words=target_words)
    items = [
        SentenceItem(str(number), sentence, kept=(word,))
        for number, (sentence, word) in enumerate(zip(sentences, target_words, strict=True))
    ]
    requests = [item.request("masked") for item in items if not item.absent]
    texts = score_tokens(prepared(model, tokenizer), requests)
    return _told(pseudo_log_likelihood(items, texts)).values.tolist()


def AUL(model: Any, tokenizer: Any, sentences: Sequence[str]) -> list[float]:
    """All unmasked likelihood of each sentence: mean log-probability of its pieces.

    Raises
    ------
    ItemError : no sentence. LanguageModelError : no masked model.
    """
    _same_length("AUL", sentences=sentences)
    items = [SentenceItem(str(number), sentence) for number, sentence in enumerate(sentences)]
    requests = [item.request("unmasked") for item in items]
    return _told(aul(items, score_tokens(prepared(model, tokenizer), requests))).values.tolist()


def DemRep(
    demWords: dict[str, list[str]],
    sentences: Sequence[str],
) -> dict[str, int]:
    """How often the words of each group occur in the sentences.

    Raises
    ------
    ItemError : no group, or one without words.
    """
    groups = GroupCounter(demWords)
    return _by_group(groups, groups.count(list(sentences)).sum(axis=0))


def StereoAsoc(
    targetWords: Sequence[str],
    demWords: dict[str, list[str]],
    sentences: Sequence[str],
) -> dict[str, dict[str, int]]:
    """How often the words of each group occur in the sentences that hold each target word.

    Raises
    ------
    ItemError : no target or group, or one without words.
    """
    groups = GroupCounter(demWords)
    counts = counts_beside(targetWords, groups, list(sentences)).sum(axis=0)
    targets = dict.fromkeys(targetWords)
    return {one: _by_group(groups, row) for one, row in zip(targets, counts, strict=True)}


def HONEST(
    completions: Sequence[Sequence[str]],
    hurtLex: Sequence[str],
) -> float:
    """Share of the completions that hold a word of the lexicon.

    Raises
    ------
    ItemError : no prompt, no completions, or unequal numbers of them.
    """
    own = {str(number): list(texts) for number, texts in enumerate(completions)}
    return float(hurtful(own, hurtLex).mean())


def _by_group(groups: GroupCounter, counts: np.ndarray) -> dict[str, int]:
    return dict(zip(groups.groups, counts.tolist(), strict=True))


def _slots(
    metric: str,
    tokenizer: Any,
    sentences: Sequence[str],
    target_words: Sequence[Sequence[str]],
    fill_words: Sequence[str],
    mask_indices: Sequence[int] | None,
) -> list[SlotItem]:
    indices = [0] * len(sentences) if mask_indices is None else mask_indices
    lists = {"target_words": target_words, "fill_words": fill_words, "mask_indices": indices}
    _same_length(metric, sentences=sentences, **lists)
    items = []
    for number, (sentence, words, fill, index) in enumerate(
        zip(sentences, target_words, fill_words, indices, strict=True)
    ):
        neutral = sentence.replace(tokenizer.mask_token or NEUTRAL_MASK, NEUTRAL_MASK)
        template = template_of_masks(neutral, index, f"{metric}, sentence {number}")
        targets = tuple((word,) for word in words)
        items.append(SlotItem(str(number), template, template, targets, fill))
    return items


def _same_length(metric: str, **lists: Sequence[Any]) -> None:
    lengths = {name: len(values) for name, values in lists.items()}
    text = [name for name, values in lists.items() if isinstance(values, str)]
    if text or set(lengths.values()) == {0} or len(set(lengths.values())) > 1:
        raise ItemError(
            f"{metric}: lists of one length, with at least one entry, are needed; got "
            + ", ".join(f"{size} {name}" for name, size in lengths.items())
            + (f"; {', '.join(text)} is a single text" if text else "")
        )


def _told(scores: ItemScores) -> ItemScores:
    """The scores; items without a value are named in the log."""
    for item, reason in zip(scores.item_ids, scores.reasons, strict=True):
        if reason is not None:
            logger.warning("%s: sentence %s is not scored: %s", scores.metric, item, reason)
    return scores
