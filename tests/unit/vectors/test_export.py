"""A whole model in word2vec format, which gensim opens."""

import logging

import numpy as np
import pytest
from gensim.models import KeyedVectors
from own_process import output_of
from stores import converted

from fairflow.errors import VectorFormatError
from fairflow.transforms.normalised import Normalised
from fairflow.vectors import store as store_module
from fairflow.vectors.derivation import DerivedStore
from fairflow.vectors.store import write_word2vec

KILLED = """
import os, signal, sys
import numpy as np
from fairflow.vectors.store import write_word2vec


class Store:
    dims = 300

    def rows_in_blocks(self):
        yield [f"w{i}" for i in range(9_000)], None, np.ones((9_000, 300), dtype=np.float32)
        os.kill(os.getpid(), signal.SIGKILL)


write_word2vec(Store(), sys.argv[1])
"""
TEXT = "he 3 4\nhe 9 9\nmüll 0 -2\nnothing 0 0\n"


@pytest.fixture
def unit(tmp_path, monkeypatch):
    """What makes a model of a text, at unit length, which is read in blocks of a word or two."""
    monkeypatch.setattr(store_module, "BLOCK", 16)

    def stored(text):
        (tmp_path / "source").write_text(text)
        store = converted(tmp_path / "source", "glove-text", tmp_path)
        return DerivedStore(store, Normalised().fit(store))

    return stored


def test_gensim_opens_it(unit, tmp_path):
    assert write_word2vec(unit(TEXT), tmp_path / "whole") == 3
    opened = KeyedVectors.load_word2vec_format(str(tmp_path / "whole"), binary=True)
    assert opened.index_to_key == ["he", "müll", "nothing"]
    assert opened.vectors.tolist() == np.float32([[0.6, 0.8], [0, -1], [0, 0]]).tolist()


def test_words_with_a_space_which_the_format_cannot_hold_are_told(unit, tmp_path, caplog):
    caplog.set_level(logging.WARNING)
    assert write_word2vec(unit(TEXT + "New York 1 0\n"), tmp_path / "whole") == 3
    opened = KeyedVectors.load_word2vec_format(str(tmp_path / "whole"), binary=True)
    assert opened.index_to_key == ["he", "müll", "nothing"]
    assert caplog.messages == ["1 words with a space are left out: 'New York'"]


def test_a_model_that_proves_damaged_on_the_way_leaves_nothing_behind(unit, tmp_path):
    store = unit(TEXT)
    data = (tmp_path / "vectors").read_bytes()
    (tmp_path / "vectors").write_bytes(data.replace(b"0 -2", b"0 xx"))
    with pytest.raises(VectorFormatError, match="no vectors of 2 numbers after byte"):
        write_word2vec(store, tmp_path / "new/whole")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_process_that_is_killed_on_the_way_leaves_no_model_and_the_next_one_no_rest(
    unit, tmp_path
):
    whole = tmp_path / "new/whole"
    output_of(KILLED, whole, killed=True)
    assert not whole.exists()
    assert write_word2vec(unit(TEXT), whole) == 3
    assert list(whole.parent.iterdir()) == [whole]
