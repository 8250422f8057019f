"""The format of a path is recognised by its content, and the file is then converted."""

import bz2
import gzip
import json
import pickle
import struct
import tarfile
import zipfile

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Word2Vec
from stores import converted

from fairflow.planning.catalogue import entry_packing, file_of, word_list_arguments
from fairflow.vectors.recognition import NAMES, UnknownFormat, recognise

WORDS = ["queen", "king", "New York"]
ROWS = np.array([[0.5, 1.5], [2, -3], [4, 0]], dtype=np.float32)
TEXT = b"queen 0.5 1.5\nking 2 -3\nNew York 4 0\n"
BINARY = b"3 2\n" + b"".join(
    word.encode() + b" " + row.tobytes() + b"\n"
    for word, row in zip([*WORDS[:2], "york"], ROWS, strict=True)
)


def keyed_vectors():
    model = KeyedVectors(2)
    model.add_vectors(WORDS, ROWS)
    return model


def npy_bytes(path):
    np.save(path, ROWS)
    return path.read_bytes()


def rows_by(recognised, folder):
    """What the entry that was recognised leads to: word -> vector."""
    entry = recognised.entry
    beside = {"packing": entry_packing(entry), "words": word_list_arguments(entry)}
    store = converted(file_of(entry), entry["format"], folder, **beside)
    words = list(store.words())
    return dict(zip(words, store.vectors(words).tolist(), strict=True))


@pytest.mark.parametrize("name", ["vectors.txt", "no ending", "wrong.bin"])
@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        (TEXT, "glove-text"),
        (b"\xef\xbb\xbf" + TEXT.replace(b"\n", b" \r\n"), "glove-text"),
        (b"3 2\n" + TEXT, "word2vec-text"),
        (BINARY, "word2vec-binary"),
        (gzip.compress(TEXT, mtime=0), "glove-text"),
        (bz2.compress(b"3 2\n" + TEXT), "word2vec-text"),
        (gzip.compress(BINARY, mtime=0), "word2vec-binary"),
    ],
    ids=["text", "marked", "headed", "binary", "text.gz", "headed.bz2", "binary.gz"],
)
def test_a_file_is_recognised_by_its_content_and_converted(tmp_path, contents, expected, name):
    (tmp_path / "a folder").mkdir()
    path = tmp_path / "a folder" / name
    path.write_bytes(contents)
    found = recognise(path)
    assert (found.format, found.entry["sources"]) == (expected, [{"file": str(path)}])
    assert list(rows_by(found, tmp_path).values()) == ROWS.tolist()
    assert str(path) in found.because
    assert expected in found.because


def test_keyed_vectors_of_gensim_are_recognised_with_an_array_beside_them_too(tmp_path):
    keyed_vectors().save(str(tmp_path / "one.kv"))
    keyed_vectors().save(str(tmp_path / "two.model"), sep_limit=0, separately=["vectors"])
    for name in ("one.kv", "two.model"):
        found = recognise(tmp_path / name)
        assert found.format == "gensim"
        assert rows_by(found, tmp_path) == dict(zip(WORDS, ROWS.tolist(), strict=True))


def test_a_native_fasttext_model_is_recognised(tmp_path):
    model = FastText([["a", "b", "c"]] * 9, vector_size=4, min_count=1, bucket=9, epochs=1)
    from gensim.models.fasttext import save_facebook_model

    save_facebook_model(model, str(tmp_path / "model"))
    found = recognise(tmp_path / "model")
    assert found.format == "fasttext-bin"
    assert sorted(rows_by(found, tmp_path)) == ["a", "b", "c"]


def test_a_whole_model_of_gensim_is_refused_with_the_line_that_saves_its_vectors(tmp_path):
    model = Word2Vec([["a", "b", "c"]] * 9, vector_size=4, min_count=1, epochs=1)
    model.save(str(tmp_path / "OLD"))
    with pytest.raises(UnknownFormat, match=r"Word2Vec\.load\(\"OLD\"\)\.wv\.save") as error:
        recognise(tmp_path / "OLD")
    assert "FORMAT=" not in str(error.value)
    Word2Vec.load(str(tmp_path / "OLD")).wv.save(str(tmp_path / "NEW.kv"))
    assert recognise(tmp_path / "NEW.kv").format == "gensim"


@pytest.mark.parametrize("ending", [".txt", ".json"])
def test_the_words_of_a_matrix_are_the_file_beside_it_with_one_for_each_row(tmp_path, ending):
    np.save(tmp_path / "matrix.npy", ROWS)
    (tmp_path / "readme.txt").write_text("two\nlines\n")
    words = tmp_path / f"words{ending}"
    words.write_text(json.dumps(WORDS) if ending == ".json" else "\n".join(WORDS))
    found = recognise(tmp_path / "matrix.npy")
    assert found.format == "npy"
    assert rows_by(found, tmp_path) == dict(zip(WORDS, ROWS.tolist(), strict=True))
    assert str(words) in found.because


def pipeline(folder):
    vocab = folder / "pipe-1.0" / "vocab"
    vocab.mkdir(parents=True)
    (vocab / "vectors").write_bytes(npy_bytes(folder / "matrix.npy"))
    (folder / "matrix.npy").unlink()
    for name in ("key2row", "strings.json"):
        (vocab / name).write_text("x")
    return vocab


@pytest.mark.parametrize("named", [".", "pipe-1.0", "pipe-1.0/vocab", "pipe-1.0/vocab/vectors"])
def test_a_pipeline_of_spacy_is_found_in_its_package(tmp_path, named):
    vocab = pipeline(tmp_path)
    found = recognise(tmp_path / named)
    assert found.entry == {"sources": [{"file": str(vocab / "vectors")}], "format": "spacy"}


def test_the_folder_of_a_network_is_recognised_and_in_a_folder_or_archive_too(tmp_path):
    folder = tmp_path / "package" / "model"
    (folder / "1_Pooling").mkdir(parents=True)
    for name in ("config.json", "model.safetensors", "1_Pooling/config.json"):
        (folder / name).write_text("{}")
    expected = {"folder": str(folder)}
    for path in (folder, folder.parent):
        found = recognise(path)
        assert (found.format, found.entry, found.is_network) == ("transformers", expected, True)
    with zipfile.ZipFile(tmp_path / "model.whl", "w") as archive:
        for name in ("config.json", "model.safetensors"):
            archive.write(folder / name, f"inner/{name}")
    keys = {"archive": "zip", "member": "inner"}
    expected = {"sources": [{"file": str(tmp_path / "model.whl")}]} | keys
    assert recognise(tmp_path / "model.whl").entry == expected
    with pytest.raises(UnknownFormat, match=f"Name its folder: {folder}"):
        recognise(folder / "model.safetensors")


def test_a_quantised_network_is_recognised_by_its_first_bytes(tmp_path):
    (tmp_path / "model").write_bytes(b"GGUF" + bytes(99))
    found = recognise(tmp_path / "model")
    assert (found.format, found.is_network) == ("gguf", True)


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_the_one_model_in_an_archive_is_found_and_one_of_several_may_be_named(tmp_path, kind):
    files = {"readme.md": b"# Vectors\n", "a/small.txt": TEXT, "a/large.bin": BINARY}

    def write(path, names):
        if kind == "zip":
            with zipfile.ZipFile(path, "w") as archive:
                for name in names:
                    archive.writestr(name, files[name])
            return
        with tarfile.open(path, "w:gz") as archive:
            for name in names:
                (tmp_path / "member").write_bytes(files[name])
                archive.add(tmp_path / "member", name)

    write(tmp_path / "one", ["readme.md", "a/small.txt"])
    found = recognise(tmp_path / "one")
    assert found.entry["member"] == "a/small.txt"
    assert list(rows_by(found, tmp_path)) == WORDS
    write(tmp_path / "two", files)
    with pytest.raises(UnknownFormat, match=r"holds 2 models .*small.txt.* Name one of them"):
        recognise(tmp_path / "two")
    found = recognise(tmp_path / "two" / "a" / "large.bin")
    assert (found.entry["member"], found.format) == ("a/large.bin", "word2vec-binary")
    with pytest.raises(UnknownFormat, match=r"two holds no 'a/smal.txt'. Did you mean 'a/small"):
        recognise(tmp_path / "two" / "a" / "smal.txt")


HOSTILE = {
    "empty": (b"", "it is empty"),
    "page": (b"<!DOCTYPE html><p>", "it is a web page"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
    "pickle": (pickle.dumps(struct.Struct), "a pickle of _struct.Struct; it could hold code"),
    "counts": (b"the 23\nof 12\n", "Known formats: glove-text, "),
    "noise": (bytes(range(256)) * 9, "FORMAT=NAME after make audit, --model-format NAME with"),
    "header": (b"3 2\nIt was dark\n", "unknown format"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_holds_no_vectors_is_refused_with_what_was_found(tmp_path, name):
    contents, says = HOSTILE[name]
    (tmp_path / name).write_bytes(contents)
    with pytest.raises(UnknownFormat, match=says) as error:
        recognise(tmp_path / name)
    assert str(tmp_path / name) in str(error.value)


def test_paths_without_a_model_are_refused_with_what_lies_there(tmp_path):
    (tmp_path / "vectors.txt").write_bytes(TEXT)
    with pytest.raises(UnknownFormat, match=r"vectors.tx: no such file. Did you mean 'vec"):
        recognise(tmp_path / "vectors.tx")
    other = tmp_path / "photos"
    other.mkdir()
    (other / "holiday.jpg").write_bytes(b"\xff\xd8\xff\xe0" * 40)
    with pytest.raises(UnknownFormat, match=r"no model is recognised in it, which holds holiday"):
        recognise(other)
    (other / "config.json").write_text("{}")
    with pytest.raises(UnknownFormat, match=r"config.json and weights"):
        recognise(other)


def test_a_format_that_is_stated_is_taken_whatever_the_content_tells(tmp_path):
    (tmp_path / "counts").write_bytes(b"the 23\nof 12\n")
    found = recognise(tmp_path / "counts", "glove-text")
    assert rows_by(found, tmp_path) == {"the": [23], "of": [12]}
    assert found.because.endswith("is read as glove-text, because you say so")
    with pytest.raises(UnknownFormat, match=r"'glove' is no format of vectors. Did you mean 'glo"):
        recognise(tmp_path / "counts", "glove")
    assert {"gguf", "transformers", "spacy"} < {*NAMES}
