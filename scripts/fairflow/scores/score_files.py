"""Score files: the cells of a metric and a model, kept up to date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.cell_arrays import contents_of
from fairflow.files.kept import Rows, digest, keep_up_to_date
from fairflow.scores.records import SCHEMA, plain_row
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.statistics.word_draws import kept_draws
from fairflow.vectors.query_vectors import read_slices


def keep_word_scores(
    path: str | Path,
    paths_to_slices: Sequence[str | Path],
    model: str,
    metric: str,
    how: Mapping[str, Any],
    code: str,
) -> int:
    """Score the queries of words whose cells are not right any more.

    Parameters
    ----------
    metric : the name of the variant. how : its definition as `variant`, `queries`, those that are
        `tested`, `seed` and `statistics`. code : a fingerprint of what computes.

    Returns
    -------
    The number of scored cells.
    """
    slices = read_slices(paths_to_slices)
    contents = {q: made for file in paths_to_slices for q, made in contents_of(file).items()}

    def compute(queries: list[str]) -> Iterator[tuple[str, Rows]]:
        variant = WordVariant(metric, **how["variant"])
        # Word sets that several queries share are resampled once.
        with kept_draws():
            for query in queries:
                cell, settings = Cell(model, metric, query), settings_of(how, query)
                yield (
                    query,
                    [*map(plain_row, score_cell(slices[model, query], variant, cell, *settings))],
                )

    return keep_up_to_date(path, SCHEMA, wanted_cells(how, contents, code, model, metric), compute)


def settings_of(how: Mapping[str, Any], query: str) -> tuple[int, Statistics | None]:
    """The seed of a cell and how it is tested."""
    return how["seed"], Statistics(**how["statistics"]) if query in how["tested"] else None


def wanted_cells(
    how: Mapping[str, Any], contents: Mapping[str, str], code: str, *identity: str
) -> dict[str, str]:
    """Query -> the digest of its cell."""
    about = how["variant"], how.get("model_kind"), code, *identity
    statistics = dict.fromkeys(how["tested"], how["statistics"])
    return {q: digest(contents[q], how["seed"], statistics.get(q), *about) for q in how["queries"]}
