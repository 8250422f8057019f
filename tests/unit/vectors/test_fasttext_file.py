"""Native fastText models become word2vec format; words that they do not list can be composed."""

import json

import numpy as np
import pytest
from gensim.models import FastText
from gensim.models.fasttext import load_facebook_vectors, save_facebook_model
from one_cell import read_slice, write_slice
from own_process import output_of
from stores import converted

from fairflow.errors import VectorFormatError
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.studies.score_table import coverage
from fairflow.transforms.normalised import Normalised
from fairflow.vectors.derivation import DerivedStore
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

from .bad_vector_files import fasttext

SENTENCES = [["cat", "dog", "sun", "naïve", "Übermut"], ["dog", "ice", "cat", "日本語", "x"]] * 3
UNLISTED = ["cats", "doggy", "Sonnenschein", "naïveté", "日本", "🙂ice", "of the", "y"]


@pytest.fixture
def store_of(tmp_path):
    return lambda path, form="fasttext-bin", **how: converted(path, form, tmp_path, **how)


@pytest.fixture
def trained(tmp_path):
    """A function that writes a small model; its path."""

    def write(**options):
        options = {"vector_size": 4, "min_count": 1, "epochs": 1, "bucket": 50} | options
        path = tmp_path / "model.bin"
        save_facebook_model(FastText(SENTENCES, seed=1, workers=1, **options), str(path))
        return path

    return write


@pytest.mark.parametrize("letters", [(3, 6), (1, 2), (2, 9), (0, 0)])
def test_words_have_the_vectors_that_gensim_gives_them(trained, store_of, letters):
    path = trained(min_n=letters[0], max_n=letters[1])
    known = load_facebook_vectors(str(path))
    with store_of(path) as store:
        assert list(store.words()) == known.index_to_key
        np.testing.assert_allclose(store.vectors(known.index_to_key), known.vectors, rtol=1e-6)


@pytest.mark.parametrize("letters", [(3, 6), (1, 2), (2, 9)])
def test_words_that_are_not_listed_are_composed_as_gensim_composes_them(trained, store_of, letters):
    path = trained(min_n=letters[0], max_n=letters[1])
    known = load_facebook_vectors(str(path))
    with store_of(path, subwords=True) as store:
        made = [word for word in UNLISTED if store.composes(word)]
        assert set(UNLISTED) - set(made) <= {"y"}
        assert not any(word in store for word in made)
        words = [*made[:3], "cat", *made[3:], "ice"]
        expected = np.array([known[word] for word in words])
        np.testing.assert_allclose(store.vectors(words), expected, rtol=1e-6, atol=1e-9)
        assert list(store.words()) == known.index_to_key
        (block,) = store.blocks()
        np.testing.assert_array_equal(block, store.vectors(known.index_to_key))


def test_a_word_without_parts_is_not_composed(trained, store_of):
    with store_of(trained(min_n=5, max_n=6), subwords=True) as store:
        assert store.composes("cats")
        assert not store.composes("up")
        with pytest.raises(KeyError, match="up"):
            store.vectors(["cat", "up"])


def test_a_listed_form_is_preferred_and_what_is_composed_is_told(trained, store_of, tmp_path):
    query = Query([["CAT", "dog", "Doggy"]], [["sun", "qx"]], ["pets"], ["sky"])
    lookup = Lookup(preprocessors=[{}, {"lowercase": True}])
    with store_of(trained(), subwords=True) as store:
        found = WordEmbeddingModel(store).look_up(query, lookup)
        write_slice(found, tmp_path / "slice.parquet")
        assert read_slice(tmp_path / "slice.parquet").forms == ("cat", "dog", "Doggy", "sun", "qx")
        np.testing.assert_array_equal(found.vectors[2], store.vectors(["Doggy"])[0])
    rows = coverage([("model", "query", read_slice(tmp_path / "slice.parquet"))])
    assert rows["composed_words"].tolist() == ["Doggy", "qx"]
    assert rows["found"].tolist() == [3, 2]


def test_a_derived_model_changes_composed_vectors_too(trained, store_of):
    store = store_of(trained(), subwords=True)
    with DerivedStore(store, Normalised().fit(store)) as derived:
        assert derived.composes("doggy")
        vector = store.vectors(["doggy"])[0]
        expected = vector / np.linalg.norm(vector)
        np.testing.assert_allclose(derived.vectors(["doggy"])[0], expected, rtol=1e-6)


@pytest.mark.parametrize("source", ["a model without parts", "another format"])
def test_parts_that_are_not_there_are_asked_for_in_vain(trained, tmp_path, store_of, source):
    path, vector_format = trained(min_n=0, max_n=0), "fasttext-bin"
    if source == "another format":
        path, vector_format = tmp_path / "glove.txt", "glove-text"
        path.write_text("cat 1 2\n")
    with pytest.raises(VectorFormatError, match=r"no vectors of subword n-grams.*remove subwords"):
        store_of(path, vector_format, subwords=True)


def test_memory_does_not_grow_with_the_parts_of_words(trained, tmp_path):
    path = trained(bucket=400_000, vector_size=40)
    assert path.stat().st_size > 64e6
    code = (
        "import resource, sys\n"
        "from fairflow.vectors.convert import convert\n"
        "import fairflow.vectors.fasttext_file\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "convert(sys.argv[1], 'fasttext-bin', *sys.argv[2:], subwords=True)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    names = [tmp_path / name for name in ("v", "i", "c")]
    assert int(output_of(code, path, *names)) < 30_000
    assert json.loads((tmp_path / "c").read_text())["parts"]["rows"] == 400_000


def test_letters_that_are_no_utf8_are_taken_as_they_are(tmp_path, store_of):
    (tmp_path / "model.bin").write_bytes(fasttext(words=(b"c\xff\xfet", b"dog")))
    with store_of(tmp_path / "model.bin") as store:
        assert list(store.words()) == ["c\ufffd\ufffdt", "dog"]


def test_a_model_cut_anywhere_is_truncated(tmp_path, store_of):
    whole = fasttext()
    for end in range(64, len(whole)):
        (tmp_path / "model.bin").write_bytes(whole[:end])
        with pytest.raises(VectorFormatError, match=r"ends within its .*: it is truncated"):
            store_of(tmp_path / "model.bin")
