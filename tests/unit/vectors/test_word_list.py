"""Words of a matrix are in a text, a JSON list or a parquet column, perhaps in an archive."""

import hashlib
import io
import json
import tarfile
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from stores import converted

from fairflow.errors import FairflowError
from fairflow.vectors.npy import WordList

WORDS = ["cat", "naïve dog", "null"]
MATRIX = np.asfortranarray([[1, 2], [0.1, -4], [5, 6]], np.float32)


def parquet(columns: dict, **options) -> bytes:
    file = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), file, **options)
    return file.getvalue()


KINDS = {
    "words.txt": "\n".join(WORDS).encode(),
    "words.json": json.dumps(WORDS).encode(),
    "words.PARQUET": parquet({"word": WORDS}),
}


def read(tmp_path, name: str, contents: bytes, **how) -> list[str]:
    (tmp_path / name).write_bytes(contents)
    return WordList(tmp_path / name, **how).read()


@pytest.mark.parametrize("name", KINDS)
def test_the_ending_of_the_name_tells_how_words_are_written(tmp_path, name):
    assert read(tmp_path, name, KINDS[name]) == WORDS


def archive_of(path, files: dict[str, bytes]) -> None:
    if path.suffix == ".tar":
        with tarfile.open(path, "w") as archive:
            for name, contents in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(contents)
                archive.addfile(info, io.BytesIO(contents))
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, contents in files.items():
                archive.writestr(name, contents)


@pytest.fixture
def convert_archive(tmp_path):
    def write_and_convert(ending, name, contents, checksum=None):
        vectors = io.BytesIO()
        np.save(vectors, MATRIX)
        path = tmp_path / f"archive.{ending}"
        archive_of(path, {"a/vectors.npy": vectors.getvalue(), f"a/{name}": contents})
        packing = {"archive": ending, "member": f"a/{name}"}
        words = {"packing": packing | ({"checksum": checksum} if checksum else {})}
        packing = {"archive": ending, "member": "a/vectors.npy"}
        return converted(path, "npy", tmp_path / "model", packing=packing, words=words)

    return write_and_convert


@pytest.mark.parametrize("ending", ["zip", "tar"])
@pytest.mark.parametrize("name", KINDS)
def test_words_beside_the_vectors_in_an_archive_name_their_rows(convert_archive, ending, name):
    checksum = f"sha256:{hashlib.sha256(KINDS[name]).hexdigest()}"
    with convert_archive(ending, name, KINDS[name], checksum) as store:
        assert list(store.words()) == WORDS
        assert store.vectors(["null", "cat"]).tolist() == [[5, 6], [1, 2]]


TWO = {"rank": [1, 2], "word": ["cat", "dog"]}
DAMAGED = parquet({"word": WORDS})
FAULTS = {
    "a column that is not there": (
        "words.parquet", parquet(TWO), "words",
        "has the columns rank, word; name the one of the words as words_column",
    ),
    "several columns and none named": (
        "words.parquet", parquet(TWO), None,
        "has the columns rank, word; name the one of the words as words_column",
    ),
    "a column of numbers": (
        "words.parquet", parquet(TWO), "rank", "row 1: expected a word, found 1"
    ),
    "rows without a word": (
        "words.parquet", parquet({"word": ["cat", None, None]}), None,
        "row 2: expected a word, found None",
    ),
    "an empty word": ("words.parquet", parquet({"word": ["cat", ""]}), None, "row 2: expected a w"),
    "a cut parquet": ("words.parquet", DAMAGED[:-9], None, "is no whole parquet file: "),
    "a text that is called a parquet": ("words.parquet", b"cat\n", None, "is no whole parquet"),
    "texts that are not UTF-8": (
        "words.parquet", parquet({"word": WORDS}, compression="none").replace(b"cat", b"c\xe9t"),
        None, "is no whole parquet file: ",
    ),
    "no JSON": ("words.json", b"cat\n", None, "is not JSON: "),
    "JSON of a thousand brackets": ("words.json", b"[" * 200_000, None, "is not JSON: "),
    "a number among words": ("words.json", b'["one", 2]', None, "item 2: expected a word, found 2"),
    "a column of a text": ("words.txt", b"cat\n", "word", "words_column 'word' is only for"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "contents", "column", "sentence"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_in_one_sentence_with_its_file(tmp_path, name, contents, column, sentence):
    with pytest.raises(FairflowError) as caught:
        read(tmp_path, name, contents, column=column)
    assert sentence in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)
    assert "\n" not in str(caught.value)
