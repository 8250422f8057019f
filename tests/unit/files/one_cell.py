"""Files of one cell, such as a slice."""

from fairflow.files.kept import keep_up_to_date
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
