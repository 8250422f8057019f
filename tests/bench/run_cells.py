"""Score cells with whichever library PYTHONPATH names; `bench_cells.py` runs it.

Takes a JSON file of cells, and writes the CPU seconds that computing each took to another.
"""

import json
import sys
import time
from pathlib import Path

from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors import query_vectors
from fairflow.vectors.random_words import RandomRows

try:
    from fairflow.scores.variant import Cell
    from fairflow.scores.word_cell import WordVariant, score_cell

    def score(vectors, metric, variant, model, query):
        cell = Cell(model, metric, query)
        return score_cell(vectors, WordVariant(metric, **variant), cell, 1, Statistics())

except ModuleNotFoundError:  # Before the library had rooms.
    from fairflow.scoring import Variant, score_cell

    def score(vectors, metric, variant, model, query):
        return score_cell(vectors, Variant(metric, **variant), model, query, 1, Statistics())


def readable_random_rows(account, vectors):
    """Random words as this library knows them: slices tell more of them today than they did."""
    known = {name: account[name] for name in account if name in RandomRows.__dataclass_fields__}
    named = {name: tuple(known[name]) for name in ("words", "of")}
    return RandomRows(**known | named, vectors=vectors)


def seconds(entry):
    """CPU seconds of one cell, its slice at hand."""
    vectors = query_vectors.read_slice(entry["slice"])
    start = time.process_time()
    score(vectors, entry["metric"], entry["variant"], entry["model"], entry["query"])
    return time.process_time() - start


if __name__ == "__main__":
    query_vectors._random_rows = readable_random_rows
    cells, found = map(Path, sys.argv[1:])
    found.write_text(json.dumps([seconds(entry) for entry in json.loads(cells.read_text())]))
