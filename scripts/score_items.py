"""Score one query of items on one language model with one metric variant."""

from typing import Any

from fairflow.files.atomic import write_rows
from fairflow.files.jobs import run
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.slices.slices import read_slice
from fairflow.scores.item_cell import ItemVariant, score_items
from fairflow.scores.records import write_records
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics


def score_item_query(
    path_to_item_set: str,
    path_to_slice: str,
    cell: dict[str, str],
    variant: dict[str, Any],
    model_kind: str,
    seed: int,
    statistics: dict[str, Any] | None,
    path_to_scores: str,
    path_to_item_scores: str,
) -> None:
    items = read_items(path_to_item_set)
    records, rows = score_items(
        items,
        read_slice(path_to_slice),
        ItemVariant(cell["metric"], **variant),
        Cell(**cell),
        model_kind,
        seed,
        Statistics(**statistics) if statistics else None,
    )
    write_records(records, path_to_scores)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    write_rows(rows, columns, path_to_item_scores)


if __name__ == "__main__":
    run(snakemake, score_item_query, cell=dict(snakemake.wildcards.items()))
