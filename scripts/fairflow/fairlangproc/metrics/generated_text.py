"""Counts in generated texts.

Words are lower-cased runs of letters and digits, in texts and lists alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.metrics.stereotypical_association import counts_beside
from fairflow.language_models.scoring.completed_prompts import GroupCounter, TermCounter


def DemRep(demWords: Mapping[str, Sequence[str]], sentences: Sequence[str]) -> dict[str, int]:
    """How often the words of each group occur in the sentences; of no group nothing.

    Raises
    ------
    ItemError : a group without words.
    """
    if not demWords:
        return {}
    groups = GroupCounter(demWords)
    return _by_group(groups, groups.count(list(sentences)).sum(axis=0))


def StereoAsoc(
    targetWords: Sequence[str], demWords: Mapping[str, Sequence[str]], sentences: Sequence[str]
) -> dict[str, dict[str, int]]:
    """How often the words of each group occur in the sentences that hold each target word.

    Raises
    ------
    ItemError : a target or a group without words.
    """
    targets = list(dict.fromkeys(targetWords))
    if not targets or not demWords:
        return {target: {} for target in targets}
    groups = GroupCounter(demWords)
    counts = counts_beside(targets, groups, list(sentences)).sum(axis=0)
    return {one: _by_group(groups, row) for one, row in zip(targets, counts, strict=True)}


def HONEST(completions: Sequence[Sequence[str]], hurtLex: Sequence[str]) -> float:
    """Share of the completions, of each prompt equally many, that hold a word of the lexicon.

    Raises
    ------
    ItemError : no prompt, no completions, or unequal numbers of them.
    """
    sizes = [len(texts) for texts in completions]
    if len(set(sizes)) != 1 or not sizes[0]:
        raise ItemError(f"HONEST: prompts need completions, equally many each; found {sizes}")
    flat = [text for texts in completions for text in texts]
    return float(TermCounter(hurtLex).count(flat).any(axis=1).mean())


def _by_group(groups: GroupCounter, counts: np.ndarray) -> dict[str, int]:
    return dict(zip(groups.groups, counts.tolist(), strict=True))
