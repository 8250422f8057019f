"""A cell: one metric on one query and one model, as rows of a score file."""
