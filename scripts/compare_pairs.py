"""Compare the scores of a study in two models, on the same resampled words."""

from functools import cache

from fairflow.files.jobs import running
from fairflow.files.parquet import write_parquet_rows
from fairflow.scores.paired_cell import SCHEMA, compare_cell
from fairflow.scores.variant import Cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import read_slices

with running(snakemake) as job:
    how, read = job.params.how, cache(read_slices(job.input.slices).__getitem__)
    variants = {name: WordVariant(name, **told) for name, told in how["variants"].items()}
    drawn = how["seed"], Statistics(**how["statistics"])
    rows = [
        row
        for pair in (tuple(Cell(*names) for names in both) for both in how["cells"])
        for row in compare_cell(
            [read(cell.slice) for cell in pair], variants[pair[1].metric], pair, *drawn
        )
    ]
    write_parquet_rows(rows, SCHEMA, job.output.differences)
