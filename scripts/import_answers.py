"""Take answers that were given elsewhere for the items of a query."""

from itertools import chain

from fairflow.files.jobs import run
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.scoring.given_answers import rows_of, taken
from fairflow.language_models.slices.slices import write_completions


def import_answers(
    path_to_item_set: str,
    paths_to_files: list[str],
    query: str,
    by_item: bool,
    path_to_completions: str,
    id: str = "id",
    text: str = "text",
) -> None:
    rows = chain.from_iterable(rows_of(path, id, text) for path in paths_to_files)
    completions, account = taken(read_items(path_to_item_set), query, rows, by_item)
    write_completions(completions, path_to_completions, account)


if __name__ == "__main__":
    run(snakemake, import_answers)
