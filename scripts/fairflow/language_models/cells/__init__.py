"""Cells of items: one metric on one query and one language model, as rows of score files."""
