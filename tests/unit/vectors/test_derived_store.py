"""A derived model is served from its base's files, as if it were a separate store."""

import numpy as np
import pytest

from fairflow.errors import VectorFormatError
from fairflow.files.checksums import sha256
from fairflow.transforms.base_transform import BaseTransform
from fairflow.transforms.normalised import Normalised
from fairflow.vectors import store as store_module
from fairflow.vectors.convert import convert
from fairflow.vectors.derivation import Derivation, DerivedStore, derive, open_store
from fairflow.vectors.store import VectorStore
from fairflow.vectors.word_rows import word_rows

NAMES = ("vectors", "index", "card")
# A repeated word in the middle, a space within a word, a zero vector and a letter of two bytes.
TEXT = "he 3 4\nNew York 1 0\nhe 9 9\nmüll 0 -2\nnothing 0 0\n"
UNIT = {"he": [0.6, 0.8], "New York": [1, 0], "müll": [0, -1], "nothing": [0, 0]}


class Centred(BaseTransform):
    """Minus the mean of all words: learnt from all of the base."""

    def fit(self, base):
        return Derivation(offset=np.concatenate(list(base.blocks())).mean(axis=0))


class Marked(BaseTransform):
    """The rows of some words alone, as the base has another word."""

    def __init__(self, words, like):
        self.words, self.like = words, like

    def fit(self, base):
        (vector,) = base.vectors([self.like])
        return Derivation(rows=dict.fromkeys(self.words, vector), facts={"changed": self.words})


class Shortened(BaseTransform):
    def fit(self, base):
        return Derivation(matrix=[[1]])


@pytest.fixture(params=["glove-text", "npy"])
def base(tmp_path, request, monkeypatch):
    """A model of TEXT, in a text or a binary file, read in blocks of a word or two."""
    monkeypatch.setattr(store_module, "BLOCK", 16)
    return stored(tmp_path, request.param, TEXT)


def stored(folder, vector_format, text):
    folder.mkdir(exist_ok=True)
    source, words = folder / "source", None
    if vector_format == "npy":
        rows = [line.rsplit(" ", 2) for line in text.splitlines()]
        words = {"path": folder / "words"}
        (folder / "words").write_text("".join(f"{word}\n" for word, *_ in rows))
        with open(source, "wb") as file:
            np.save(file, np.array([row for _, *row in rows], dtype="<f4"))
    else:
        source.write_text(text)
    paths = {name: folder / "base" / name for name in NAMES}
    convert(source, vector_format, **paths, words=words)
    return paths


def contents(store):
    words = list(store.words())
    return dict(zip(words, store.vectors(words).tolist(), strict=True))


def derived(base, target, *changes):
    """The files of a model that is derived by several changes, one after the other."""
    files = {**base, "derivations": []}
    for number, change in enumerate(changes):
        path = target / f"{number}.npz"
        derive(change, path, **files)
        files["derivations"] = [*files["derivations"], path]
    return files


def test_it_has_the_words_of_its_base_with_changed_vectors(base, tmp_path):
    with open_store(**derived(base, tmp_path, Normalised())) as unit:
        assert contents(unit) == {word: np.float32(row).tolist() for word, row in UNIT.items()}
        assert list(unit.words()) == list(UNIT)
        assert (len(unit), unit.dims, unit.rows) == (4, 2, 5)
        assert ("he" in unit, "He" in unit) == (True, False)
        with pytest.raises(KeyError, match="He"):
            unit.vectors(["He"])


def test_vectors_in_memory_are_derived_and_closed_as_those_on_disk_are():
    held = word_rows(({"he": 0, "she": 1}, np.float32([[3, 4], [0, -2]])))
    with held, DerivedStore(held, Normalised().fit(held)) as unit:
        assert unit.vectors(["he"]).tolist() == np.float32([[0.6, 0.8]]).tolist()


def test_its_words_keep_their_rows_so_that_draws_by_rows_are_the_base_s(base):
    with VectorStore(**base) as one, DerivedStore(one, Normalised().fit(one)) as other:
        assert other.row_of("müll") == one.row_of("müll") == 3
        words, vectors = other.at_rows([0, 2, 3])
        assert words == one.at_rows([0, 2, 3])[0] == {0: "he", 3: "müll"}
    assert vectors.tolist() == np.float32([[0.6, 0.8], [0, -1]]).tolist()


def test_all_its_vectors_are_read_in_the_blocks_of_its_base(base):
    with VectorStore(**base) as one, DerivedStore(one, Normalised().fit(one)) as other:
        blocks = list(other.rows_in_blocks())
        assert [block[:2] for block in blocks] == [block[:2] for block in one.rows_in_blocks()]
        assert len(blocks) > 1
        unit = np.float32(list(UNIT.values())).tolist()
        assert np.concatenate([vectors for *_, vectors in blocks]).tolist() == unit
        assert np.concatenate(list(other.blocks())).tolist() == unit


def test_a_transform_may_read_the_whole_base_first(base, tmp_path):
    # The mean of (3, 4), (1, 0), (0, -2) and (0, 0) is (1, 1/2).
    with open_store(**derived(base, tmp_path, Centred())) as store:
        assert contents(store) == {
            "he": [2, 3.5], "New York": [0, -0.5], "müll": [-1, -2.5], "nothing": [-1, -0.5]
        }  # fmt: skip


def test_a_derived_model_is_a_base_as_any_other_down_to_its_listed_words(base, tmp_path):
    # The second is fitted to the first, in which müll is (-1, -2.5).
    files = derived(base, tmp_path, Centred(), Marked(["he", "no word"], "müll"), Normalised())
    length = np.hypot(1, 2.5)
    with open_store(**files) as store:
        rows = contents(store)
    assert rows["New York"] == [0, -1]
    assert rows["he"] == rows["müll"] == np.float32([-1 / length, -2.5 / length]).tolist()


def test_equal_bases_and_changes_give_equal_bytes(base, tmp_path):
    for folder in ("one", "other"):
        derived(base, tmp_path / folder, Centred(), Marked(["he", "b"], "müll"))
    for file in ("0.npz", "1.npz"):
        assert sha256(tmp_path / "one" / file) == sha256(tmp_path / "other" / file)


def test_words_that_a_change_names_get_the_prefix_of_the_vocabulary(tmp_path):
    base = stored(tmp_path, "glove-text", "/c/he 3 4\n/c/she 1 0\n/c/it 7 7\n")
    change = Marked(["he"], "she")
    derive(change, tmp_path / "d.npz", **base, prefix="/c/")
    with open_store(**base, derivations=[tmp_path / "d.npz"]) as store:
        assert contents(store) == {"/c/he": [1, 0], "/c/she": [1, 0], "/c/it": [7, 7]}
        assert store.at_rows([0])[1].tolist() == [[1, 0]]


@pytest.mark.parametrize("change", [Shortened(), Marked([], "unheard of")])
def test_a_change_that_fails_leaves_nothing_behind(base, tmp_path, change):
    with pytest.raises((VectorFormatError, KeyError)):
        derive(change, tmp_path / "new/d.npz", **base)
    assert not (tmp_path / "new").exists()


def test_a_derivation_for_vectors_of_another_length_is_told_in_a_sentence(base, tmp_path):
    with pytest.raises(
        VectorFormatError,
        match="needs vectors of 1 numbers, but the model has 2",
    ):
        derive(Shortened(), tmp_path / "d.npz", **base)


def test_a_damaged_base_is_refused(base, tmp_path):
    files = derived(base, tmp_path, Normalised())
    base["vectors"].write_bytes(base["vectors"].read_bytes()[:-1])
    for use in (lambda: open_store(**files), lambda: derive(Normalised(), tmp_path / "n", **base)):
        with pytest.raises(VectorFormatError, match="not the vectors that the index and the card"):
            use()


def test_a_derivation_of_what_has_changed_since_is_refused_in_whatever_place(base, tmp_path):
    files = derived(base, tmp_path, Centred(), Normalised())
    other = stored(tmp_path / "other", "glove-text", TEXT.replace("-2", "-3"))
    with pytest.raises(VectorFormatError, match=r"0\.npz: derived from another model than"):
        open_store(**{**files, **other})
    derive(Marked(["he"], "müll"), files["derivations"][0], **base)
    with pytest.raises(
        VectorFormatError, match=r"1\.npz: derived .* Delete it; the next run makes"
    ):
        open_store(**files)
