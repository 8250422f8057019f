"""Files of one cell of answers."""

from one_cell import CELL

from fairflow.language_models.slices.slices import (
    COMPLETION_SCHEMA,
    TOKEN_SCHEMA,
    completion_rows,
    keep_answers,
    read_kept_answers,
    token_rows,
)


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
    return read_kept_answers([path])[CELL].read()
