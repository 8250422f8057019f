"""Sentences with masks, and rows of ids, as what the metrics are asked about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.slot_item import SlotItem, template_of_masks
from fairflow.language_models.items.spans import NEUTRAL_MASK
from fairflow.language_models.items.token_request import TokenRequest


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


def hidden_words(
    tokenizer: Any,
    sentences: Sequence[str],
    words: Sequence[str],
    mask_indices: Sequence[int],
    how_many: int,
) -> list[TokenRequest]:
    """One request per sentence: its word in place of one mask, to be read there.

    Raises
    ------
    ItemError : another number of masks than `how_many`, or no such mask.
    """
    mask = tokenizer.mask_token or NEUTRAL_MASK
    requests = []
    for number, (sentence, word, given) in enumerate(
        zip(sentences, words, mask_indices, strict=True)
    ):
        parts = sentence.replace(NEUTRAL_MASK, mask).split(mask)
        index = 0 if how_many == 1 else int(given)
        if len(parts) != how_many + 1 or not 0 <= index < how_many:
            raise ItemError(
                f"sentence {number}: {sentence!r} has {len(parts) - 1} masks, {how_many} are "
                f"expected (how_many); the word's is number {index}, from 0"
            )
        before, after = mask.join(parts[: index + 1]), mask.join(parts[index + 1 :])
        span = len(before), len(before) + len(word)
        text = f"{before}{word}{after}"
        requests.append(TokenRequest(str(number), text, "posterior", word=span))
    return requests


def inner_positions(input_ids: np.ndarray, cls_id: int, pad_id: int) -> tuple[list[int], list[int]]:
    """The ids of one sentence without padding, and where its own pieces stand.

    Those are all behind the opening pieces but the last, which closes the sentence.

    Raises
    ------
    ItemError : more than one sentence, or none of its own pieces.
    """
    rows = np.atleast_2d(input_ids)
    if len(rows) != 1:
        raise ItemError(f"input_ids hold {len(rows)} sentences; give one at a time")
    row = rows[0].tolist()
    while row and row[-1] == pad_id:
        row.pop()
    first = next((position for position, piece in enumerate(row) if piece != cls_id), len(row))
    positions = list(range(first, len(row) - 1))
    if not positions:
        raise ItemError("input_ids hold no piece between an opening and a closing one")
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
