"""How much more probable a fill makes each target of a slot item."""

from __future__ import annotations

import numpy as np

from fairflow.language_models.errors import Invalid
from fairflow.language_models.items.slot_item import SlotItem, slot_variants
from fairflow.language_models.slices.scored_text import ScoredTexts


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
