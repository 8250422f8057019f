"""Score one query of items on one language model with one metric variant."""

from fairflow.files.atomic import write_rows
from fairflow.files.jobs import log_to
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.slices.slices import read_completions, read_tokens
from fairflow.scores.item_cell import score_items
from fairflow.scores.item_variant import ItemVariant
from fairflow.scores.records import write_records
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        how, cell = snakemake.params.how, Cell(**dict(snakemake.wildcards.items()))
        items = read_items(snakemake.input.item_set)
        read = read_completions if items.kind == "prompt" else read_tokens
        records, rows = score_items(
            items,
            read(snakemake.input.slice),
            ItemVariant(cell.metric, **how["variant"]),
            cell,
            how["model_kind"],
            how["seed"],
            Statistics(**how["statistics"]) if how["statistics"] else None,
        )
        write_records(records, snakemake.output.scores)
        columns = list(dict.fromkeys(name for row in rows for name in row))
        write_rows(rows, columns, snakemake.output.item_scores)
