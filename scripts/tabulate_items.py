"""Score the items of each category by themselves, and tell which items decide the scores."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import read_scores, write_tables
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.slices.answers import Completion
from fairflow.language_models.slices.slices import given_account, read_slice
from fairflow.scores.item_cell import category_records
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.item_tables import (
    ScoredItems,
    answer_outcomes,
    category_scores,
    influential_items,
    read_item_scores,
    with_wordings,
)


def tabulate_items(
    paths_to_item_sets: list[str],
    paths_to_slices: list[str],
    paths_to_item_scores: list[str],
    paths_to_scores: list[str],
    how: dict[str, Any],
    paths_to_tables: list[str],
) -> None:
    items = dict(zip(how["queries"], map(read_items, paths_to_item_sets), strict=True))
    slices = dict(zip(map(tuple, how["slices"]), paths_to_slices, strict=True))
    accounts = {slice_: given_account(path) for slice_, path in slices.items()}
    records: dict[str, list[dict[str, Any]]] = {"category": [], "wording": []}
    scored = []
    for (place, seed, statistics), path in zip(how["cells"], paths_to_item_scores, strict=True):
        cell = Cell(*place)
        answers = read_slice(slices[cell.model, cell.query])
        for by, rows in records.items():
            rows += category_records(
                items[cell.query],
                answers,
                how["variants"][cell.metric],
                cell,
                how["kinds"][cell.model],
                seed,
                Statistics(**statistics) if statistics else None,
                by,
            )
        scored.append(
            ScoredItems(
                *(cell.model, cell.metric, cell.query),
                values=read_item_scores(path),
                items=items[cell.query],
                completions=[one for one in answers if isinstance(one, Completion)],
                counted=how["counted"][cell.metric],
                by_item=bool(accounts[cell.model, cell.query].get("by_item")),
            )
        )
    by_category, by_wording = (category_scores(rows, how["ability"]) for rows in records.values())
    tables = {
        "category_scores": with_wordings(by_category, by_wording),
        "answers": answer_outcomes(read_scores(paths_to_scores), accounts),
        "influential_items": influential_items(scored),
    }
    write_tables(tables, paths_to_tables)


if __name__ == "__main__":
    run(snakemake, tabulate_items)
