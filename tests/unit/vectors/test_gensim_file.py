"""gensim's own files are read as data: the vectors come out, and no code of theirs is run."""

import io
import os
import pickle
import sys
import warnings
import zipfile
from functools import partial

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Word2Vec
from gensim.test.utils import datapath
from gensim.utils import unpickle
from stores import converted

from fairflow.errors import VectorFormatError

WORDS = ["cat", "naïve", "ice cream"]
ROWS = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)


@pytest.fixture
def store_of(tmp_path):
    return partial(converted, vector_format="gensim", folder=tmp_path / "model")


@pytest.fixture
def saved(tmp_path):
    """A function that saves the vectors with the installed gensim: name, options -> path."""

    def save(name="model.kv", rows=ROWS, words=WORDS, **options):
        vectors = KeyedVectors(rows.shape[1], dtype=rows.dtype)
        vectors.add_vectors(words, rows)
        vectors.set_vecattr(words[0], "count", 7)
        vectors.save(str(tmp_path / name), **options)
        return tmp_path / name

    return save


def assert_holds(store, words=WORDS, rows=ROWS):
    with store:
        np.testing.assert_array_equal(store.vectors(words), rows)
        assert len(store) == len(words)


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_every_protocol_of_the_installed_gensim_keeps_its_vectors_bit_by_bit(
    saved, store_of, protocol
):
    assert_holds(store_of(saved(pickle_protocol=protocol)))


def test_an_array_in_a_file_of_its_own_is_read_from_beside(saved, store_of):
    path = saved(sep_limit=0)
    assert [file.name for file in path.parent.glob("model.kv.vectors.*")]
    assert_holds(store_of(path))


def test_an_array_of_its_own_is_read_from_the_same_archive(saved, store_of, tmp_path):
    path = saved(sep_limit=0)
    with zipfile.ZipFile(tmp_path / "model.zip", "w") as archive:
        archive.write(path, "a/model.kv")
        archive.write(f"{path}.vectors.npy", "a/model.kv.vectors.npy")
        archive.write(path, "b/model.kv")
    packing = {"archive": "zip", "member": "a/model.kv"}
    assert_holds(store_of(tmp_path / "model.zip", packing=packing))
    with pytest.raises(VectorFormatError, match=r"b/model\.kv\.vectors\.npy, is missing"):
        store_of(tmp_path / "model.zip", packing=packing | {"member": "b/model.kv"})


@pytest.mark.parametrize("kind", ["float16", "float64", ">f4"])
def test_other_floats_become_single_ones(saved, store_of, kind):
    rows = np.array([[1, 2], [3, 0.5]]).astype(kind)
    assert_holds(store_of(saved(rows=rows, words=["a", "b"])), ["a", "b"], [[1, 2], [3, 0.5]])


def test_a_file_of_gensim_3_2_gives_what_gensim_gives(store_of):
    # Written by gensim 3.2.0, with its classes and in protocol 2; of gensim's own test data.
    with warnings.catch_warnings(action="ignore"):
        expected = KeyedVectors.load(datapath("old_keyedvectors_320.dat"))
    store = store_of(datapath("old_keyedvectors_320.dat"))
    assert_holds(store, expected.index_to_key, expected.vectors)


def test_a_file_of_the_fasttext_of_gensim_3_6_gives_what_its_array_holds(store_of):
    # gensim 4 opens it no more, for the hashes of the parts of words; words need none.
    expected = vars(unpickle(datapath("ft_kv_3.6.0.model.gz")))
    store = store_of(datapath("ft_kv_3.6.0.model.gz"))
    assert_holds(store, expected["index2word"], expected["vectors"])


@pytest.mark.parametrize("bucket", [0, 50])
def test_vectors_of_fasttext_are_composed_of_parts_of_words_as_gensim_does(
    tmp_path, store_of, bucket
):
    vectors = FastText([["cat", "naïve"]] * 9, vector_size=3, min_count=1, bucket=bucket).wv
    vectors.save(str(tmp_path / "model.kv"))
    assert_holds(store_of(tmp_path / "model.kv"), vectors.index_to_key, vectors.vectors)


def old_style(tmp_path, module, name, **attributes):
    """A pickle of an object of a class that need not exist any more."""
    state = pickle.dumps(attributes, 2).removeprefix(b"\x80\x02").removesuffix(b".")
    data = b"\x80\x02c" + f"{module}\n{name}\n".encode() + b")\x81" + state + b"b."
    (tmp_path / "old.kv").write_bytes(data)
    return tmp_path / "old.kv"


@pytest.mark.parametrize(
    ("module", "name", "vectors"),
    [
        ("gensim.models.keyedvectors", "KeyedVectors", "syn0"),
        ("gensim.models.keyedvectors", "Word2VecKeyedVectors", "vectors"),
        ("gensim.models.deprecated.keyedvectors", "KeyedVectors", "syn0"),
        ("gensim.models.fasttext", "FastTextKeyedVectors", "vectors"),
    ],
)
def test_the_classes_and_attributes_of_earlier_versions_are_known(
    tmp_path, store_of, module, name, vectors
):
    attributes = {vectors: ROWS, "index2word": WORDS, "vector_size": 4, "vocab": {}}
    assert_holds(store_of(old_style(tmp_path, module, name, **attributes)))


class Trap:
    """A pickle that calls something when it is opened as one."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def named(module, name, argument):
    """A pickle that calls what a module calls by a name, in protocol 4, which follows dots."""
    text = b"".join(b"\x8c" + bytes([len(t)]) + t.encode() for t in (module, name))
    return b"\x80\x04" + text + b"\x93\x8c" + bytes([len(argument)]) + argument.encode() + b"\x85R."


CLASS = b"cgensim.models.keyedvectors\nKeyedVectors\n"
MARK = "sprung"
TRAPS = {
    "function": pickle.dumps(Trap(os.mkdir, MARK)),
    "import of a module": b"ctrap_module\nanything\n.",
    "function behind a dot": named("gensim.utils", "os.mkdir", MARK),
    "method of an admitted class": named("numpy", "ndarray.tofile", MARK),
    "old instance": b"(Vtouch sprung\nios\nsystem\n.",
    "within the state": b"\x80\x02" + CLASS + b")\x81}U\1aUx" + b"cos\nsystem\n(Vx\ntRsb.",
    "as a setter of state": b"\x80\x02" + CLASS + b")\x81cos\nsystem\nb.",
    "change of a class": b"\x80\x02" + CLASS + b"N}U\1aK\1s\x86b.",
    "change of a function": b"\x80\x02cnumpy.core.multiarray\nscalar\nN}U\1aK\1s\x86b.",
    "array of objects as values": b"\x80\x02cnumpy.core.multiarray\nscalar\n"
    b"cnumpy\ndtype\nU\2O8\x85RU\x08aaaaaaaa\x86R.",
}  # fmt: skip


@pytest.fixture
def sprung(tmp_path, monkeypatch):
    """Whether any trap went off: a file in the current directory, or an import."""
    (tmp_path / "trap_module.py").write_text(f"open({MARK!r}, 'w')\nanything = print\n")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return lambda: os.listdir() != [] or "trap_module" in sys.modules


@pytest.mark.parametrize("data", TRAPS.values(), ids=TRAPS)
def test_no_instruction_of_a_pickle_is_run(tmp_path, store_of, sprung, data):
    path = tmp_path / "model.kv"
    path.write_bytes(data)
    with pytest.raises(VectorFormatError, match=r"model\.kv is not a readable file of Keyed"):
        store_of(path)
    assert not sprung()
    assert list((tmp_path / "model").iterdir()) == []


def test_the_traps_do_go_off_where_pickles_are_trusted(sprung):
    pickle.loads(TRAPS["function"])
    assert sprung()


def test_no_code_is_run_of_an_array_beside(saved, store_of, sprung):
    path = saved(sep_limit=0)
    objects = np.array([Trap(open, MARK, "w")], dtype=object)
    np.save(f"{path}.vectors.npy", objects, allow_pickle=True)
    with pytest.raises(VectorFormatError, match="Object arrays cannot be loaded"):
        store_of(path)
    assert not sprung()


def kept(**attributes):
    """A pickle of KeyedVectors with these attributes."""
    file = io.BytesIO()
    vectors = KeyedVectors(2)
    vectors.__dict__ = {
        "vectors": np.ones((2, 2), "f4"), "index_to_key": ["a", "b"], "vector_size": 2
    } | attributes  # fmt: skip
    pickle.dump(vectors, file, 4)
    return file.getvalue()


NO_FILE = r"model\.kv is not a readable file of KeyedVectors: "
FAULTS = {
    # What is wrong: the file, the sentence.
    "text": (b"cat 1 2\n", NO_FILE),
    "cut": (kept()[:-20], NO_FILE),
    "dict": (pickle.dumps({"a": 1}), "it holds a dict, not KeyedVectors"),
    "whole model": (
        pickle.dumps(Word2Vec(vector_size=2)),
        r"it holds gensim\.models\.word2vec\.Word2Vec, which does not belong .* model\.wv\.save",
    ),
    "parts of words by other hashes": (
        kept(vectors=None, vectors_vocab=np.ones((2, 2)), vectors_ngrams=np.ones((2, 2))),
        "its vectors of subword n-grams are from a gensim before 3.8",
    ),
    "no vectors": (kept(vectors=None), "the arrays vectors, syn0 and"),
    "no words": (kept(index_to_key=None), "it has no list of words, index_to_key"),
    "other things than words": (kept(index_to_key=["a", None]), "does not hold only words"),
    "fewer words": (kept(index_to_key=["a"]), "it has 1 words and 2 vectors"),
    "whole numbers": (kept(vectors=np.ones((2, 2), int)), r"are an array \(2, 2\) of int64"),
    "objects": (kept(vectors=np.array([["a", 1]] * 2, object)), "are an array .* of object"),
    "array cut off": (kept().replace(b"K\2K\2\x86", b"K\2K\3\x86"), "buffer size does not match"),
    "array in another file": (
        kept(vectors=None, __numpys=["vectors"]), r"model\.kv\.vectors\.npy, is missing"
    ),
    "place beyond any memory": (b"\x80\x02Nr\xff\xff\xff\x7f.", "it holds a NoneType, not"),
    "bytes beyond any memory": (b"\x80\x05\x96" + b"\xff" * 7 + b"\x00.", NO_FILE),
    "recursion": (b"\x80\x02" + b"(" * 100_000 + b".", NO_FILE),
}  # fmt: skip


@pytest.mark.parametrize(("data", "sentence"), FAULTS.values(), ids=FAULTS)
def test_a_file_that_holds_no_vectors_of_gensim_is_named_with_what_is_wrong(
    tmp_path, store_of, data, sentence
):
    path = tmp_path / "model.kv"
    path.write_bytes(data)
    with pytest.raises(VectorFormatError, match=sentence) as error:
        store_of(path)
    assert str(path) in str(error.value)
    assert list((tmp_path / "model").iterdir()) == []
