"""Score the items of each category by themselves, and tell which items decide the scores."""

from pathlib import Path

from fairflow.files.jobs import log_to
from fairflow.files.tables import write_table
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.slices.slices import read_completions, read_tokens
from fairflow.scores.item_cell import category_records
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.item_tables import (
    ScoredItems,
    category_scores,
    deciding_items,
    read_item_scores,
)

if __name__ == "__main__":
    inputs, how = snakemake.input, snakemake.params.how
    with log_to(str(snakemake.log)):
        named = zip(how["queries"], inputs.item_sets, strict=True)
        items = {query: read_items(path) for query, path in named}
        paths = dict(zip(map(tuple, how["slices"]), inputs.slices, strict=True))
        texts = {
            slice_: read_completions(path)
            for slice_, path in paths.items()
            if items[slice_[1]].kind == "prompt"
        }
        records, scored = [], []
        for (place, seed, statistics), path in zip(how["cells"], inputs.item_scores, strict=True):
            cell = Cell(*place)
            slice_ = cell.model, cell.query
            records += category_records(
                items[cell.query],
                texts[slice_] if slice_ in texts else read_tokens(paths[slice_]),
                how["variants"][cell.metric],
                cell,
                how["kinds"][cell.model],
                seed,
                Statistics(**statistics) if statistics else None,
            )
            scored.append(
                ScoredItems(
                    *(cell.model, cell.metric, cell.query),
                    values=read_item_scores(path),
                    items=items[cell.query],
                    completions=texts.get(slice_, ()),
                    counted=how["counted"][cell.metric],
                )
            )
        tables = {
            "category_scores": category_scores(records, how["ability"]),
            "deciding_items": deciding_items(scored),
        }
        for path in snakemake.output:
            write_table(tables[Path(path).stem], path)
