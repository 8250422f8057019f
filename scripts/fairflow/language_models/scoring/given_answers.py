"""Answers of a file and the items of a query: what is missing, doubled or of another query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError
from fairflow.language_models.errors import MISSING
from fairflow.language_models.items.asking import QUESTION_ID, item_digest, query_digest
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.lm_eval_data import (
    given_likelihoods,
    is_samples_file,
    read_samples,
)
from fairflow.language_models.slices.answer_files import GivenAnswer, read_answers
from fairflow.language_models.slices.answers import Completion

# Unknown ids that are reported, and counts.
EXAMPLES = 3
TOLD = (
    "rows",
    "answered",
    "missing",
    "doubled",
    "unknown",
    "of_other_queries",
    "left_out",
    "by_item",
)
# What a completion takes from an answer.
SAME = ("text", "ended", "status", "reason", "likelihoods")


def answer_rows(path: str | Path, id: str = "id", text: str = "text") -> Iterator[GivenAnswer]:
    """The answers of a file: of `read_answers`, or of a samples file of lm-eval, by item."""
    if not is_samples_file(path):
        return read_answers(path, id, text)
    samples = read_samples(path)
    texts = [(one.item_id, one.text, None) for one in samples if one.text is not None]
    scored = [(name, None, given) for name, given in given_likelihoods(samples).items()]
    return (GivenAnswer(*row, where=f"{path}, item {row[0]}") for row in [*texts, *scored])


def taken(
    items: ItemSet, query: str, answers: Iterable[GivenAnswer], by_item: bool = False
) -> tuple[list[Completion], dict[str, Any]]:
    """The answers to the items of a query, and what became of the rows of the file.

    Of several rows with one id of a question the first counts that is no error of the provider: a
    question may have been asked again. Draws that another item has and one lacks are `MISSING`.

    Parameters
    ----------
    by_item : whether ids of items are read as well; then equal ids are draws of one item.

    Returns
    -------
    Completions, item by item and rank by rank; and rows, answered, missing, doubled and unknown
    rows, those of other queries, and examples of unknown ids, and the models that rows name.

    Raises
    ------
    FairflowError : an answer to this query as it was with other items, which no sample leaves out,
        or no answer to it at all.
    """
    id_of = {item_digest(query, item): item.item_id for item in items.items}
    known, prefix = {*id_of.values()}, query_digest(query)
    found: dict[tuple[str, int], GivenAnswer] = {}
    ranks: Counter[str] = Counter()
    account: Counter[str] = Counter()
    models: set[str] = set()
    unknown: list[str] = []
    stale: list[GivenAnswer] = []
    last = None
    for last in answers:
        account["rows"] += 1
        models.add(last.model)
        asked = QUESTION_ID.fullmatch(last.id)
        if asked and asked[1] == prefix:
            # A request may have had several answers.
            place = id_of.get(asked[2]), int(asked[3]) + (last.rank or 0)
        elif by_item and not asked and last.id in known:
            place = last.id, ranks[last.id] if last.rank is None else last.rank
            ranks[last.id] += 1
            account["by_item"] += 1
        else:
            left_out = by_item and last.id in items.left_out
            account["of_other_queries" if asked else "left_out" if left_out else "unknown"] += 1
            unknown += [] if asked or left_out else [last.id]
            continue
        if place[0] is None:
            stale.append(last)
        elif place in found and found[place].status != MISSING:
            account["doubled"] += 1
        else:
            found[place] = last
    left_out = {QUESTION_ID.fullmatch(one.id)[2] for one in stale}
    if found and len(left_out) <= len(items.left_out):
        # Another study asks more of the query's items than this sample has.
        account["left_out"] += len(stale)
    elif stale:
        raise FairflowError(
            f"{stale[0].where}: {len(stale)} answers are to questions that query {query!r} does "
            f"not ask now, the first {stale[0].id!r}: its items, or their number (`items` of the "
            "study), have changed since `fairflow ask`. Ask again, or go back to those items"
        )
    examples = unknown[:EXAMPLES]
    if last is None:
        raise FairflowError(f"there is no answer to query {query!r}: the file is empty")
    if not found:
        others = account["of_other_queries"]
        ids = f"unknown ids, such as {', '.join(map(repr, examples))}"
        raise FairflowError(
            f"{last.where.partition(', line')[0]}: no answer to query {query!r} in "
            f"{account['rows']} rows, but {f'{others} answers to other queries' if others else ids}"
            ". Ids are those of `fairflow ask`, or, where the entry names the file under "
            f"{query}, of items, such as {items.item_ids[0]!r}"
        )
    completions = [*_in_order(items, found, by_item)]
    account["missing"] = sum(one.status == MISSING for one in completions)
    account["answered"] = len(completions) - account["missing"]
    told = {name: account[name] for name in TOLD}
    return completions, told | {"examples": examples, "models": sorted(models - {""})}


def _in_order(
    items: ItemSet, found: dict[tuple[str, int], GivenAnswer], by_item: bool
) -> Iterator[Completion]:
    """The answers item by item; draws that only other items have are missing."""
    own: dict[str, list[int]] = {}
    for item, rank in sorted(found):
        own.setdefault(item, []).append(rank)
    every = sorted({rank for _, rank in found})
    why = "there is no answer to this question in the file"
    lacking = GivenAnswer("", None, status=MISSING, reason=why)
    for item in items.item_ids:
        for rank in own.get(item, [0]) if by_item else every:
            one = found.get((item, rank), lacking)
            same = {name: getattr(one, name) for name in SAME}
            yield Completion(item, rank, **same)
