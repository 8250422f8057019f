"""A cell knows its path and what it is measured on; nobody takes a path apart."""

from fairflow.scores.variant import Cell, Slice

CELL = Cell("glove", "weat_es", "weat_1")


def test_the_path_of_a_cell_and_of_its_slice_are_those_of_their_files():
    assert CELL.path == "glove/weat_es/weat_1"
    assert CELL.slice == Slice("glove", "weat_1")
    assert CELL.slice.path == "glove/weat_1"


def test_a_cell_is_its_three_names_in_the_order_of_the_path():
    model, metric, query = CELL
    assert (model, metric, query) == ("glove", "weat_es", "weat_1")
    assert Cell(**{"query": "weat_1", "metric": "weat_es", "model": "glove"}) == CELL
