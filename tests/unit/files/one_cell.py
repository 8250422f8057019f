"""Files of one cell: of a slice, of embeddings, of answers."""

from fairflow.files.kept import keep_up_to_date
from fairflow.language_models.slices.slices import (
    COMPLETION_SCHEMA,
    TOKEN_SCHEMA,
    completion_rows,
    keep_answers,
    read_answers,
    token_rows,
)
from fairflow.vectors.query_vectors import read_slices, slice_table

CELL = "model", "query"


def write_cell(table, path):
    """Write the rows of a cell, and return the path."""
    keep_up_to_date(path, table.schema, {CELL[1]: "1"}, lambda _: [(CELL[1], table)])
    return path


def write_slice(found, path):
    """Write a slice, and return the path."""
    return write_cell(slice_table(*CELL, found), path)


def read_slice(path):
    """The slice of such a file."""
    return read_slices([path])[CELL]


def _keep(answers, rows, schema, path):
    told = {CELL[1]: answers}
    keep_answers(path, CELL[0], told, lambda _, some: rows(some), schema, lambda _: None)
    return path


def write_tokens(texts, path):
    """Write scored texts, and return the path."""
    return _keep(texts, token_rows, TOKEN_SCHEMA, path)


def write_completions(completions, path):
    """Write completions, and return the path."""
    return _keep(completions, completion_rows, COMPLETION_SCHEMA, path)


def read_texts(path):
    """The texts or completions of such a file."""
    return read_answers([path])[CELL].read()
