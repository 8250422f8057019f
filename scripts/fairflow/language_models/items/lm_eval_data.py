"""Readers of the items of lm-eval's samples files: the documents of CrowS-Pairs, BBQ, Winogender.

Ids and choices are those of `fairflow.language_models.slices.lm_eval_samples`, which reads what a
model answered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.choice_data import question
from fairflow.language_models.items.choice_items import N_ANSWERS, QuestionItem
from fairflow.language_models.items.data_files import Row, json_lines
from fairflow.language_models.items.item import InvalidItem, with_distinct_ids
from fairflow.language_models.items.pair_data import CROWS_COLUMNS, crows_pair, winogender_pairs
from fairflow.language_models.items.text_items import PairItem


def _documents(path: str | Path) -> Iterator[tuple[str, Row]]:
    """The doc_id and the document of each line; for a line without them, its place."""
    for line in json_lines(path):
        doc = line.cells.get("doc")
        problem = line.problem or (None if isinstance(doc, dict) else "it has no document (doc)")
        row = Row(line.place, {} if problem else doc, problem)
        yield str(line.cells.get("doc_id", line.place)), row


def _read(path: str | Path, make: Callable[[str, Row], Any], category: str, id_: str) -> list[Any]:
    found = []
    for doc_id, row in _documents(path):
        cells = defaultdict(lambda of=row.place: of, row.cells, doc_id=doc_id)
        named = str(row.cells.get(category, ""))
        one = row.made(make, id_.format_map(cells), named, f"{path}, ")
        found.append((f"{path}, {row.place}", one))
    return with_distinct_ids(found)


def read_lm_eval_pairs(path: str | Path) -> list[PairItem | InvalidItem]:
    """The pairs of a task crows_pairs_..., whose ids are doc_id.

    Raises
    ------
    ItemError : not UTF-8, or no line.
    """

    def make(doc_id: str, row: Row) -> PairItem:
        row.texts(*CROWS_COLUMNS)
        return crows_pair(doc_id, row)

    return _read(path, make, "bias_type", "{doc_id}")


def read_lm_eval_questions(path: str | Path) -> list[QuestionItem | InvalidItem]:
    """The questions of a task bbq..., with the ids of the publication.

    The answer of the stereotype is the one that lm-eval names (`biased_answers`); a question for
    which it names none or two is an invalid item.

    Raises
    ------
    ItemError : not UTF-8, or no line.
    """
    return _read(path, _question, "category", "{category}/{example_id}")


def _question(_: str, row: Row) -> QuestionItem:
    named = row.of_type("biased_answers", list)
    places = [place for place in range(N_ANSWERS) if row.cells.get(f"ans{place}") in named]
    if len(places) != 1:
        raise ItemError(f"lm-eval names {len(places)} of its answers as biased, 1 is expected")
    key = row.cells.get("category"), str(row.cells.get("example_id"))
    return question({key: str(places[0])}, _, row)


def read_lm_eval_winogender(
    path: str | Path, shares: str | Path | None = None
) -> list[PairItem | InvalidItem]:
    """The pairs of a task winogender_..., as `pair_data.read_winogender`; with its ids.

    Raises
    ------
    ItemError : not UTF-8, no line, or no sentence whose pronoun is that of an occupation.
    """
    return winogender_pairs((row for _, row in _documents(path)), path, shares)
