"""A derived model is a store of its own, of its base's words, whatever wrote the base."""

import json

import numpy as np
import pytest
from gensim.models import KeyedVectors

from fairflow.errors import VectorFormatError
from fairflow.files.atomic import sha256
from fairflow.transforms.base_transform import BaseTransform
from fairflow.transforms.normalised import Normalised
from fairflow.vectors import store as store_module
from fairflow.vectors.convert import convert
from fairflow.vectors.derive import derive
from fairflow.vectors.store import VectorStore

NAMES = ("vectors", "index", "card")
# A repeated word in the middle, a space within a word, a zero vector and a letter of two bytes.
TEXT = "he 3 4\nNew York 1 0\nhe 9 9\nmüll 0 -2\nnothing 0 0\n"
UNIT = {"he": [0.6, 0.8], "New York": [1, 0], "müll": [0, -1], "nothing": [0, 0]}


class Centred(BaseTransform):
    """Minus the mean of all words: two passes over the base."""

    def fit(self, base):
        self.mean = np.concatenate(list(base.blocks())).mean(axis=0)

    def change(self, words, vectors):
        return vectors - self.mean


class Marked(BaseTransform):
    """The rows of some words alone, as the base has another word."""

    def __init__(self, words, like):
        self.words, self.like = words, like

    def fit(self, base):
        (self.vector,) = base.vectors([self.like])

    def change(self, words, vectors):
        chosen = np.isin(words, self.words)
        return np.where(chosen[:, np.newaxis], self.vector, vectors)


class Shortened(BaseTransform):
    def change(self, words, vectors):
        return vectors[:, :1]


def paths(folder):
    return {name: folder / name for name in NAMES}


@pytest.fixture(params=["glove-text", "npy"])
def base(tmp_path, request, monkeypatch):
    """A model of TEXT, in a text or a binary file, read in blocks of a word or two."""
    monkeypatch.setattr(store_module, "BLOCK", 16)
    return stored(tmp_path, request.param, TEXT)


def stored(folder, vector_format, text):
    source, words = folder / "source", None
    if vector_format == "npy":
        rows = [line.rsplit(" ", 2) for line in text.splitlines()]
        words = folder / "words"
        words.write_text("".join(f"{word}\n" for word, *_ in rows))
        with open(source, "wb") as file:
            np.save(file, np.array([row for _, *row in rows], dtype="<f4"))
    else:
        source.write_text(text)
    convert(source, vector_format, **paths(folder / "base"), words=words)
    return paths(folder / "base")


def contents(store):
    with VectorStore(**store) as vectors:
        words = list(vectors.words())
        return dict(zip(words, vectors.vectors(words).tolist(), strict=True))


def test_it_has_the_words_of_its_base_with_changed_vectors(base, tmp_path):
    before = contents(base)
    derive(base, Normalised(), **paths(tmp_path / "unit"))
    unit = contents(paths(tmp_path / "unit"))
    assert list(unit) == list(UNIT)
    assert unit == {word: np.float32(row).tolist() for word, row in UNIT.items()}
    assert contents(base) == before


def numbered(store):
    return [
        pair for words, rows, _ in store.rows_in_blocks() for pair in zip(words, rows, strict=True)
    ]


def test_its_words_keep_their_rows_so_that_draws_by_rows_are_the_base_s(base, tmp_path):
    derive(base, Normalised(), **paths(tmp_path / "unit"))
    with VectorStore(**base) as one, VectorStore(**paths(tmp_path / "unit")) as other:
        assert numbered(one) == numbered(other)
        assert one.rows == other.rows == 5
        words, vectors = other.at_rows([0, 2, 3])
    assert words == {0: "he", 3: "müll"}
    assert vectors.tolist() == np.float32([[0.6, 0.8], [0, -1]]).tolist()


def test_gensim_opens_it_with_as_many_records_as_its_header_says(tmp_path):
    base = stored(tmp_path, "glove-text", TEXT.replace("New York", "NewYork"))
    derive(base, Normalised(), **paths(tmp_path / "unit"))
    opened = KeyedVectors.load_word2vec_format(str(tmp_path / "unit/vectors"), binary=True)
    assert opened.index_to_key == ["he", "NewYork", "müll", "nothing"]
    assert opened["müll"].tolist() == [0, -1]


def test_the_card_tells_base_and_source_and_what_else_is_given(base, tmp_path):
    card = derive(base, Normalised(), **paths(tmp_path / "unit"), facts={"transform": "normalised"})
    assert json.loads((tmp_path / "unit/card").read_text()) == card
    assert card["transform"] == "normalised"
    assert card["base_card_sha256"] == sha256(base["card"])
    assert card["source_sha256"] == sha256(tmp_path / "source")
    assert (card["words"], card["duplicates"], card["rows"]) == (4, 0, 5)
    # Of nothing there is no direction.
    assert (card["zero_vectors"], card["share_of_unit_length"]) == (1, 0.75)


def test_a_transform_may_read_the_whole_base_first(base, tmp_path):
    derive(base, Centred(), **paths(tmp_path / "centred"))
    # The mean of (3, 4), (1, 0), (0, -2) and (0, 0) is (1, 1/2).
    assert contents(paths(tmp_path / "centred")) == {
        "he": [2, 3.5], "New York": [0, -0.5], "müll": [-1, -2.5], "nothing": [-1, -0.5]
    }  # fmt: skip


def test_a_transform_may_change_some_words_by_the_vectors_of_others(base, tmp_path):
    derive(base, Marked(["he", "nothing"], "müll"), **paths(tmp_path / "marked"))
    assert contents(paths(tmp_path / "marked")) == {
        "he": [0, -2], "New York": [1, 0], "müll": [0, -2], "nothing": [0, -2]
    }  # fmt: skip


def test_a_derived_model_is_a_base_as_any_other(base, tmp_path):
    derive(base, Centred(), **paths(tmp_path / "one"))
    derive(paths(tmp_path / "one"), Normalised(), **paths(tmp_path / "two"))
    assert contents(paths(tmp_path / "two"))["New York"] == [0, -1]
    with VectorStore(**paths(tmp_path / "two")) as store:
        assert store.facts["base_card_sha256"] == sha256(tmp_path / "one/card")
        assert store.facts["source_sha256"] == sha256(tmp_path / "source")


@pytest.mark.parametrize("change", [Shortened(), Marked([], "unheard of")])
def test_a_change_that_fails_leaves_nothing_behind(base, tmp_path, change):
    with pytest.raises((VectorFormatError, KeyError)):
        derive(base, change, **paths(tmp_path / "new"))
    assert list((tmp_path / "new").iterdir()) == []


def test_another_shape_is_told_in_a_sentence(base, tmp_path):
    with pytest.raises(VectorFormatError, match="must change each row and keep their number and"):
        derive(base, Shortened(), **paths(tmp_path / "new"))


def test_a_damaged_base_is_refused(base, tmp_path):
    base["vectors"].write_bytes(base["vectors"].read_bytes()[:-1])
    with pytest.raises(VectorFormatError, match="not the vectors that the index and the card"):
        derive(base, Normalised(), **paths(tmp_path / "new"))
