"""Run rows of ids through a network in batches: log-probabilities of the tokens needed.

Each row and position is computed once, and a shared prefix of rows is computed once by a
network that reads from left to right.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from fairflow.language_models.checkpoints.model_folder import kind_of_architecture
from fairflow.language_models.inference.language_model import LanguageModel, evaluating
from fairflow.language_models.inference.network_parts import Head, attention_mask, states_at, tried

# Share of the positions of a batch that may be padding.
PADDING = 0.15


def cut_batches(lengths: Sequence[int], token_budget: int, padding: float = PADDING) -> list[slice]:
    """Cut rows of ascending lengths into batches of at most `token_budget` positions.

    Positions are rows times the longest. A batch ends before `padding` of it would be padding; a
    row longer than the budget is a batch by itself.
    """
    batches, start, total = [], 0, 0
    for end, length in enumerate(lengths):
        rows = end + 1 - start
        full = rows * length > token_budget or total + length < (1 - padding) * rows * length
        # A large batch of one length needs no padding and no mask at all.
        longer = length > lengths[end - 1] and total >= token_budget / 4
        if end > start and (full or longer):
            batches.append(slice(start, end))
            start, total = end, 0
        total += length
    if len(lengths) > start:
        batches.append(slice(start, len(lengths)))
    return batches


class PrefixCache:
    """Runs the body on what follows prefixes of equal length, which are computed once.

    To be used with gradients off.

    Parameters
    ----------
    starts : the prefixes; each row has one of them.
    """

    def __init__(self, model: LanguageModel, *starts: Sequence[int]) -> None:
        self._body, self._n = model.body, len(starts[0])
        ids = torch.tensor([list(start) for start in starts], device=model.device)
        self._kept = model.body(input_ids=ids, use_cache=True).past_key_values

    def __call__(
        self, ids: torch.Tensor, lengths: torch.Tensor, prefix_index: torch.Tensor
    ) -> torch.Tensor:
        """The last states of the rest of rows.

        Parameters
        ----------
        prefix_index : (rows,) the index of each row's prefix.
        """
        kept, mask = copy.deepcopy(self._kept), attention_mask(ids, lengths)
        kept.batch_select_indices(prefix_index)
        if mask is not None:
            mask = torch.cat([mask.new_ones(len(ids), self._n), mask], dim=1)
        return self._body(input_ids=ids, attention_mask=mask, past_key_values=kept)[0]


def can_cache_prefix(model: LanguageModel) -> bool:
    """Whether states after a cached prefix equal those of whole rows; tested once per network.

    On three rows with two starts, one of them padded.
    """
    whole = [[5, 3, 4, 2], [2, 4, 5, 3], [5, 3, 2, model.pad_id]]
    whole = torch.tensor(whole, device=model.device)
    lengths = torch.tensor([4, 4, 3], device=model.device)
    starts, mask = torch.tensor([0, 1, 0], device=model.device), attention_mask(whole, lengths)

    def rest(states: torch.Tensor) -> torch.Tensor:
        if states.shape[1] != 2:
            raise ValueError(f"{states.shape[1]} states of a rest of 2 tokens")
        return torch.cat([states[0], states[1], states[2, :1]])

    return tried(
        model,
        "states after a common start",
        lambda: rest(PrefixCache(model, (5, 3), (2, 4))(whole[:, 2:], lengths - 2, starts)),
        lambda: rest(model.body(input_ids=whole, attention_mask=mask)[0][:, 2:]),
    )


Row = tuple[int, ...]
# A row of ids, a position in it, and the token whose log-probability is wanted there.
Asked = tuple[Row, int, int]


def shared_prefixes(
    rows: Sequence[Row], first_wanted: Sequence[int]
) -> tuple[list[dict[Row, list[int]]], list[int]]:
    """The prefixes that rows share before the first position needed, and the other rows.

    Starts follow from the set of rows alone: those that only one row has, or that are empty, are
    no starts.

    Parameters
    ----------
    first_wanted : (rows,) the first position in each row whose state is needed.

    Returns
    -------
    Of each length of a start: start -> the numbers of the rows that begin with it.
    """
    by_prefix: dict[Row, list[int]] = {}
    for number, (row, first) in enumerate(zip(rows, first_wanted, strict=True)):
        by_prefix.setdefault(row[:first], []).append(number)
    shared = {start: own for start, own in by_prefix.items() if start and len(own) > 1}
    alone = {n for start, own in by_prefix.items() if start not in shared for n in own}
    in_order = sorted(shared, key=lambda start: (len(start), start))
    groups = [{start: shared[start] for start in same} for _, same in groupby(in_order, key=len)]
    return groups, sorted(alone)


def _members(
    groups: np.ndarray, chosen: Sequence[int], n_groups: int
) -> tuple[np.ndarray, np.ndarray]:
    """Members of the chosen groups, and for each the place of its group among the chosen."""
    place = np.full(n_groups, -1)
    place[chosen] = np.arange(len(chosen))
    members = np.flatnonzero(place[groups] >= 0)
    return members, place[groups[members]]


logger = logging.getLogger(__name__)

# Positions per batch that were fastest, on two CPU cores; a GPU wants more.
TOKEN_BUDGET = {"cpu": 4_000, "mps": 16_000, "cuda": 64_000}
# Logits that are looked at together: as many as stay in memory that is not given back each time.
LOGITS = {"cpu": 4_000_000, "mps": 64_000_000, "cuda": 256_000_000}


def in_batches(
    model: LanguageModel,
    rows: Sequence[Sequence[int]],
    token_budget: int | None,
    work: Callable[[list[int]], None],
    padding: float = PADDING,
) -> None:
    """Call `work` with the numbers of the rows of each batch.

    Batches follow from the set of rows alone. When the device has not enough memory, the rest is
    done with half the budget, and a warning says so.

    Parameters
    ----------
    token_budget : positions of a batch; None takes the device's own.
    padding : see `cut_batches`; with 0 the rows of a batch are equally long.

    Raises
    ------
    torch.OutOfMemoryError : a single row is too much.
    """
    token_budget = token_budget or TOKEN_BUDGET.get(model.device.type, TOKEN_BUDGET["cpu"])
    # By length and content: the same whatever order they came in.
    todo = sorted(range(len(rows)), key=lambda number: (len(rows[number]), rows[number]))
    while todo:
        lengths = [len(rows[number]) for number in todo]
        done = 0
        for batch in cut_batches(lengths, token_budget, padding):
            try:
                work(todo[batch])
            except torch.OutOfMemoryError:
                if batch.stop - batch.start == 1:
                    raise
                largest = (batch.stop - batch.start) * lengths[batch.stop - 1]
                token_budget = max(1, min(token_budget, largest) // 2)
                break
            done = batch.stop
        todo = todo[done:]
        if todo:
            logger.warning("out of memory: going on with %d positions per batch", token_budget)
            if torch.cuda.is_available():
                torch.cuda.empty_cache()


def on_device(
    model: LanguageModel, rows: Sequence[Sequence[int]]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows as a tensor, padded on the right, and their lengths: (rows, longest), (rows,)."""
    each = [torch.tensor(row, dtype=torch.long) for row in rows]
    ids = pad_sequence(each, batch_first=True, padding_value=model.pad_id)
    return ids.to(model.device), torch.tensor([len(row) for row in rows], device=model.device)


def log_probabilities(
    model: LanguageModel,
    asked: Sequence[Asked],
    token_budget: int | None = None,
    attention: bool = False,
) -> tuple[np.ndarray, np.ndarray | None]:
    """Natural log-probability of each token over the whole vocabulary: (asked,), float64.

    And with `attention` the attention paid to its position: (asked,), float64. Equal rows are
    computed once, the head runs once at a position.
    """
    rows, slots, wants, numbers = {}, {}, {}, []
    for row, position, token in asked:
        number = rows.setdefault(row, len(rows))
        slot = slots.setdefault((number, position), len(slots))
        numbers.append(wants.setdefault((slot, token), len(wants)))
    rows, slots, wants = list(rows), np.array(list(slots)), np.array(list(wants))
    logp = np.full(len(wants), np.nan)
    weights = np.full(len(wants), np.nan) if attention else None
    with evaluating(model), _eager_attention(model) if attention else nullcontext():
        at = logits_at(model)

        def read(members: Sequence[int], skipped: int = 0, after: Any = None) -> None:
            chosen, lines = _members(slots[:, 0], members, len(rows))
            ids, lengths = on_device(model, [rows[number][skipped:] for number in members])
            parts = at(ids, lengths, lines, slots[chosen, 1] - skipped, attention, after)
            for part, logits, paid in parts:
                own, places = _members(wants[:, 0], chosen[part], len(slots))
                # Faster than logsumexp, which goes through the logits more often.
                every = torch.log_softmax(logits.float(), dim=-1)
                where = torch.from_numpy(np.stack([places, wants[own, 1]])).to(every.device)
                logp[own] = every[where[0], where[1]].cpu().double().numpy()
                if paid is not None:
                    weights[own] = paid[places]

        sharing, alone = _with_shared_prefix(model, rows, slots, attention)
        in_batches(
            model,
            [rows[number] for number in alone],
            token_budget,
            lambda members: read([alone[member] for member in members]),
        )
        for rows_of in sharing:
            _read_after_prefixes(model, rows, rows_of, token_budget, read)
    return logp[numbers], None if weights is None else weights[numbers]


def _with_shared_prefix(
    model: LanguageModel, rows: Sequence[Row], slots: np.ndarray, attention: bool
) -> tuple[list[dict[Row, list[int]]], list[int]]:
    """Rows whose beginning can be read once for several of them, and the numbers of the others."""
    as_they_are = [], list(range(len(rows)))
    if attention or model.kind != "causal":
        return as_they_are
    first = np.array([len(row) for row in rows])
    np.minimum.at(first, slots[:, 0], slots[:, 1])
    sharing, alone = shared_prefixes(rows, first.tolist())
    possible = sharing and can_cache_prefix(model) and Head(model).fits(model)
    return (sharing, alone) if possible else as_they_are


def _read_after_prefixes(
    model: LanguageModel,
    rows: Sequence[Row],
    rows_of: Mapping[Row, list[int]],
    token_budget: int | None,
    read: Callable[..., None],
) -> None:
    """Read the rows of starts, as many starts at a time as the budget has room for their rows."""
    starts = list(rows_of)
    most = max(len(own) * max(len(rows[number]) for number in own) for own in rows_of.values())

    def work(members: list[int]) -> None:
        batch = [starts[member] for member in members]
        after = PrefixCache(model, *batch)
        sizes = [len(rows_of[start]) for start in batch]
        place = torch.from_numpy(np.repeat(np.arange(len(batch)), sizes)).to(model.device)
        numbers = [number for start in batch for number in rows_of[start]]
        read(numbers, len(batch[0]), lambda ids, lengths: after(ids, lengths, place))

    in_batches(model, [start + (0,) * (most - len(start)) for start in starts], token_budget, work)


@contextmanager
def _eager_attention(model: LanguageModel) -> Iterator[None]:
    """Inside the block the network computes its attention in the way that can be returned."""
    usual = model.network.config._attn_implementation
    model.network.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.network.set_attn_implementation(usual)


def logits_at(model: LanguageModel) -> Callable[..., Iterator[tuple[slice, Any, Any]]]:
    """A function that gives logits at (line, position), some of them at a time.

    It yields which of them, their logits (n, vocabulary), and the attention paid to each or None.
    Given what runs the body `after` a start, ids and positions are those behind it.
    """
    head = Head(model)
    whole = not head.fits(model)

    def at(
        ids: torch.Tensor,
        lengths: torch.Tensor,
        lines: np.ndarray,
        positions: np.ndarray,
        attention: bool = False,
        after: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] | None = None,
    ) -> Iterator[tuple[slice, torch.Tensor, np.ndarray | None]]:
        where = torch.from_numpy(lines).to(ids.device), torch.from_numpy(positions).to(ids.device)
        paid = None
        if after is not None:
            states = after(ids, lengths)[where]
        elif not whole or attention:
            states, paid = states_at(model, ids, lengths, *where, attention=attention)
            paid = None if paid is None else paid.float().cpu().double().numpy()
        if whole:
            everything = model.network(input_ids=ids, attention_mask=attention_mask(ids, lengths))
            states = everything.logits[where]
        step = max(1, LOGITS.get(ids.device.type, LOGITS["cpu"]) // model.network.config.vocab_size)
        for start in range(0, len(lines), step):
            part = slice(start, start + step)
            logits = states[part] if whole else head.logits(states[part])
            yield part, logits, None if paid is None else paid[part]

    return at


def row_log_probabilities(
    network: Any, row: Sequence[int], positions: Sequence[int], mask_id: int | None = None
) -> np.ndarray:
    """Of the tokens at these positions, each masked alone or, without a mask, none: (positions,).

    Raises
    ------
    LanguageModelError : no masked model.
    """
    # Nothing is padded: there is one row, or all are equally long.
    tokens = SimpleNamespace(tokenizer=SimpleNamespace(pad_token_id=None))
    kind = kind_of_architecture(type(network).__name__)
    model = LanguageModel(network, network.base_model, kind, tokens)
    model.require("masked", "a pseudo-log-likelihood")
    asked = []
    for position in positions:
        shown = list(row)
        if mask_id is not None:
            shown[position] = mask_id
        asked.append((tuple(shown), position, row[position]))
    return log_probabilities(model, asked)[0]
