"""Words of a matrix are in a text, a JSON list or a parquet column, perhaps in an archive."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import tarfile
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from fairflow.errors import FairflowError
from fairflow.vectors.convert import convert
from fairflow.vectors.npy import WordList
from fairflow.vectors.store import VectorStore

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
    names = [tmp_path / "model" / name for name in ("vectors", "index.sqlite", "card.json")]

    def write_and_convert(ending, name, contents, checksum=None):
        vectors = io.BytesIO()
        np.save(vectors, MATRIX)
        path = tmp_path / f"archive.{ending}"
        archive_of(path, {"a/vectors.npy": vectors.getvalue(), f"a/{name}": contents})
        packing = {"archive": ending, "member": f"a/{name}"}
        convert(
            path,
            "npy",
            *names,
            packing={"archive": ending, "member": "a/vectors.npy"},
            words={"packing": packing | ({"checksum": checksum} if checksum else {})},
        )
        return VectorStore(*names)

    return write_and_convert


@pytest.mark.parametrize("ending", ["zip", "tar"])
@pytest.mark.parametrize("name", KINDS)
def test_words_beside_the_vectors_in_an_archive_name_their_rows(convert_archive, ending, name):
    checksum = f"sha256:{hashlib.sha256(KINDS[name]).hexdigest()}"
    with convert_archive(ending, name, KINDS[name], checksum) as store:
        assert list(store.words()) == WORDS
        assert store.vectors(["null", "cat"]).tolist() == [[5, 6], [1, 2]]


def test_words_that_are_not_the_promised_ones_are_refused(convert_archive):
    changed = KINDS["words.txt"].replace(b"cat", b"cab")
    promised = hashlib.sha256(KINDS["words.txt"]).hexdigest()
    with pytest.raises(FairflowError) as caught:
        convert_archive("zip", "words.txt", changed, f"sha256:{promised}")
    assert str(caught.value).startswith("a/words.txt of ")
    assert f"has sha256 {hashlib.sha256(changed).hexdigest()}, expected {promised}" in str(
        caught.value
    )


def test_another_number_of_words_than_rows_names_both_and_their_files(convert_archive, tmp_path):
    with pytest.raises(FairflowError) as caught:
        convert_archive("zip", "words.json", b'["cat", "dog"]')
    archive = tmp_path / "archive.zip"
    assert str(caught.value) == (
        f"a/vectors.npy of {archive} has 3 rows, a/words.json of {archive} has 2 words; expected "
        "one word per row. Name the file with the words of these vectors"
    )
    assert list((tmp_path / "model").iterdir()) == []


def test_a_file_of_words_is_compared_with_its_checksum_and_size(tmp_path):
    good = {"file_size": 3, "file_checksum": f"md5:{hashlib.md5(b'cat').hexdigest()}"}
    assert read(tmp_path, "words.txt", b"cat", packing=good) == ["cat"]
    with pytest.raises(FairflowError, match=r"words\.txt has 4 bytes, expected 3"):
        read(tmp_path, "words.txt", b"cats", packing=good)
    with pytest.raises(FairflowError, match=r"words\.txt has md5 \w+, expected \w+"):
        read(tmp_path, "words.txt", b"cab", packing=good)


def test_a_column_is_named_where_there_are_several(tmp_path):
    columns = {"rank": [1, 2, 3], "word": WORDS}
    assert read(tmp_path, "words.parquet", parquet(columns), column="word") == WORDS


@pytest.mark.parametrize("kind", [pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
@pytest.mark.parametrize("rows", [1, 100])
def test_texts_of_any_kind_and_in_any_number_of_groups_are_read(tmp_path, kind, rows):
    contents = parquet({"word": pa.array(WORDS).cast(kind)}, row_group_size=rows)
    assert read(tmp_path, "words.parquet", contents) == WORDS


TWO = {"rank": [1, 2], "word": ["cat", "dog"]}
DAMAGED = parquet({"word": WORDS})
FAULTS = {
    "a column that is not there": (
        "words.parquet", parquet(TWO), "words",
        "has no column 'words', but rank, word. Did you mean 'word'?",
    ),
    "several columns and none named": (
        "words.parquet", parquet(TWO), None,
        "has the columns rank, word; name the one of the words as words_column",
    ),
    "no column": ("words.parquet", parquet({}), None, "has the columns none"),
    "a column of numbers": (
        "words.parquet", parquet(TWO), "rank", "column 'rank': expected texts, found int64"
    ),
    "a column of bytes": (
        "words.parquet", parquet({"word": [b"cat"]}), None, "expected texts, found binary"
    ),
    "rows without a word": (
        "words.parquet", parquet({"word": ["cat", None, None]}), None,
        "column 'word': 2 of 3 rows are empty, row 2 the first",
    ),
    "an empty word": ("words.parquet", parquet({"word": ["cat", ""]}), None, "row 2: expected a w"),
    "a cut parquet": ("words.parquet", DAMAGED[:-9], None, "is no whole parquet file: "),
    "an empty parquet": ("words.parquet", b"", None, "is no whole parquet file: "),
    "a parquet without its beginning": (
        "words.parquet", bytes(60) + DAMAGED[60:], None, "is no whole parquet file: "
    ),
    "a text that is called a parquet": ("words.parquet", b"cat\n", None, "is no whole parquet"),
    "texts that are not UTF-8": (
        "words.parquet", parquet({"word": WORDS}, compression="none").replace(b"cat", b"c\xe9t"),
        None, "is no whole parquet file: ",
    ),
    "no JSON": ("words.json", b"cat\n", None, "is not JSON: "),
    "a cut JSON": ("words.json", b'["cat", "do', None, "is not JSON: "),
    "JSON in latin-1": ("words.json", b'["caf\xe9"]', None, "is not JSON: "),
    "JSON of a thousand brackets": ("words.json", b"[" * 200_000, None, "is not JSON: "),
    "words and their rows": (
        "words.json", b'{"cat": 0}', None, "expected a JSON list of words, found '{\"cat\": 0}'"
    ),
    "a number among words": ("words.json", b'["one", 2]', None, "item 2: expected a word, found 2"),
    "half of a character": ("words.json", b'["\\ud83d"]', None, "item 1: expected a word, found h"),
    "an empty item": ("words.json", b'["cat", " "]', None, "item 2: expected a word of at most"),
    "a column of a text": ("words.txt", b"cat\n", "word", "words_column 'word' is only for"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "contents", "column", "sentence"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_in_one_sentence_with_its_file(tmp_path, name, contents, column, sentence):
    with pytest.raises(FairflowError) as caught:
        read(tmp_path, name, contents, column=column)
    assert sentence in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_that_reads_parquet_is_loaded_for_other_words(tmp_path):
    (tmp_path / "words.json").write_bytes(KINDS["words.json"])
    program = (
        f"import sys; sys.path[:] = {sys.path!r}; from pathlib import Path; "
        "from fairflow.vectors.npy import WordList; "
        f"WordList(Path({str(tmp_path / 'words.json')!r})).read(); "
        "print([name for name in ('pyarrow', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
