"""Documents of folders, tables and archives; what is wrong with them is said with its place."""

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from fairflow.corpora.documents import Document, Note, read_documents
from fairflow.errors import ConfigurationError, FairflowError

ROWS = [
    {"text": "One, with a comma", "party": "Whig", "year": "1850"},
    {"text": 'Two\nlines, "quoted"', "party": "", "year": "1851"},
]
TEXTS = {"texts/b/1850.txt": "One", "texts/a.txt": "Two"}
METADATA = {"file": "m.csv", "key": "name"}


@pytest.fixture
def folder(tmp_path):
    """Write files by name and give their folder."""

    def write(files: dict[str, str | bytes]) -> Path:
        for name, text in files.items():
            path = tmp_path / "source" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return tmp_path / "source"

    return write


def csv_of(rows, separator: str = ",") -> bytes:
    return pd.DataFrame(rows).to_csv(index=False, sep=separator).encode()


def jsonl_of(rows) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def parquet_of(rows) -> bytes:
    buffer = io.BytesIO()
    pd.DataFrame(rows).to_parquet(buffer)
    return buffer.getvalue()


def zip_of(files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def tar_of(files) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


def found(path: Path, **definition) -> list[Document | Note]:
    return list(read_documents(path, definition))


def error(path: Path, **definition) -> str:
    with pytest.raises(FairflowError) as raised:
        found(path, **definition)
    return str(raised.value)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv", csv_of(ROWS)),
        ("t.csv", b"\xef\xbb\xbf" + csv_of(ROWS, ";")),
        ("t.tsv", csv_of(ROWS, "\t")),
        ("t.jsonl", jsonl_of(ROWS)),
        ("t.parquet", parquet_of(ROWS)),
        ("t.csv.gz", gzip.compress(csv_of(ROWS), mtime=0)),
        # A download has the name of its checksum.
        ("0a1b", jsonl_of(ROWS)),
        ("0a1b", gzip.compress(csv_of(ROWS), mtime=0)),
        ("0a1b", parquet_of(ROWS)),
    ],
)
def test_each_row_of_a_table_is_a_document(folder, name, data):
    documents = found(folder({name: data}) / name)

    assert [document.text for document in documents] == [row["text"] for row in ROWS]
    others = [{"party": row["party"], "year": row["year"]} for row in ROWS]
    assert [document.fields for document in documents] == others


@pytest.mark.parametrize(("pack", "name"), [(zip_of, "a.whl"), (tar_of, "a"), (None, "")])
def test_folders_and_archives_give_the_same_documents_in_the_order_of_their_paths(
    folder, pack, name
):
    path = folder({name: pack(TEXTS)} if pack else TEXTS) / name

    assert found(path) == [
        Document("Two", {"folder": "texts"}, "texts/a.txt"),
        Document("One", {"folder": "texts/b"}, "texts/b/1850.txt"),
    ]


def test_an_archive_may_hold_tables_and_a_pattern_chooses_among_its_files(folder):
    files = {"x/1.csv": csv_of(ROWS[:1]), "x/2.csv": csv_of(ROWS[1:]), "other.csv": "text\nno\n"}
    path = folder({"a.zip": zip_of(files)}) / "a.zip"

    documents = found(path, texts="x/*.csv")

    assert [(d.where, d.fields["folder"]) for d in documents] == [
        ("x/1.csv, line 2", "x"),
        ("x/2.csv, line 2", "x"),
    ]


@pytest.mark.parametrize("key", ["a", "a.txt", "texts/a", "texts/a.txt"])
def test_metadata_belong_to_the_text_of_that_name_or_path(folder, key):
    table = f"name,party\n{key},Whig\nb/1850,Whig\nnone,Whig\n"
    documents = found(folder({**TEXTS, "m.csv": table}), metadata=METADATA)

    fields = {"folder": "texts", "name": key, "party": "Whig"}
    assert documents == [
        Note("Row of m.csv without a text", "m.csv, line 3"),
        Note("Row of m.csv without a text", "m.csv, line 4"),
        Document("Two", fields, "texts/a.txt"),
        Note("Kept, without a row in m.csv", "texts/b/1850.txt"),
        Document("One", {"folder": "texts/b"}, "texts/b/1850.txt"),
    ]


def test_names_of_files_give_fields(folder):
    note, other, document = found(folder(TEXTS), names=r"^(?P<year>\d{4})$")

    assert note == Note("Kept, with a name that names does not match", "texts/a.txt")
    assert (other.fields, document.fields["year"]) == ({"folder": "texts"}, "1850")


def test_links_to_folders_and_hidden_files_are_skipped(folder):
    root = folder({"b/a.txt": "One", "b/._a.txt": b"\0\xff"})
    (root / "b" / "back").symlink_to(root)
    (root / "b" / "gone.txt").symlink_to(root / "nowhere")

    assert found(root) == [
        Note("Skipped, a hidden file", "b/._a.txt"),
        Document("One", {"folder": "b"}, "b/a.txt"),
        Note("Skipped, a link to a folder or to no file", "b/back"),
        Note("Skipped, a link to a folder or to no file", "b/gone.txt"),
    ]


@pytest.mark.parametrize(
    ("data", "encoding", "guess"),
    [
        ("ok\nun café noir\n".encode("cp1252"), "utf-8", "cp1252"),
        ("ok\nun café noir\n".encode(), "ascii", "utf-8"),
    ],
)
@pytest.mark.parametrize("name", ["t.txt", "t.csv"])
def test_a_wrong_encoding_names_the_line_and_what_to_declare(folder, data, encoding, guess, name):
    data = data if name == "t.txt" else data.replace(b"ok", b"text")
    message = error(folder({name: data}) / name, encoding=encoding)

    assert f"{name}, line 2: not {encoding}" in message
    assert "café noir" in message
    assert f"encoding: {guess}" in message
    assert found(folder({name: data}) / name, encoding=guess)[-1].text.strip()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("t.csv", "txt,party\na,b\n", "line 2 (text): no field 'text', but txt, party. Did you"),
        ("t.jsonl", '{"body": "a"}\n', "line 1 (text): no field 'text', but body. Valid: body"),
        ("t.csv", "text,party\na,b\na, b, c\n", "line 3: 3 fields, expected 2"),
        ("t.csv", "text,party\na\n", "line 2: 1 fields, expected 2"),
        ("t.csv", "text,x,x\na,b,c\n", "line 1: several columns are named 'x'"),
        ("t.csv", 'text\nfine\n"a\nb\n', "line 3: unexpected end of data. Perhaps a double quote"),
        ("t.jsonl", '{"text": "a"}\n["a"]\n', "line 2: '[\"a\"]\\n', expected one JSON object"),
        ("t.jsonl", '{"text": "a"}\n{"text": \n', "line 2: '{\"text\": \\n', expected one"),
        ("t.jsonl", '{"text": ["a"]}\n', "line 1: the field 'text' holds \"['a']\", expected a"),
        ("t.parquet", "PAR1nothing", "t.parquet is no whole parquet file"),
        ("0a1b", gzip.compress(b"text", mtime=0)[:20], "0a1b is not a whole gz archive"),
    ],
)
def test_a_bad_file_is_named_with_its_line(folder, name, data, message):
    assert message in error(folder({name: data}) / name)


@pytest.mark.parametrize(
    ("files", "definition", "message"),
    [
        ({"a.md": "", "b.md": "", "c": ""}, {}, "Found: .md (2), no ending (1). Set texts to"),
        (
            {"a.txt": "a", "m.csv": "id\na\n"},
            {"metadata": METADATA},
            "(metadata.key): no field 'name', but id",
        ),
        ({"a.txt": "a"}, {"metadata": METADATA}, "the folder of the texts has no 'm.csv'"),
        (
            {"a.txt": "a", "m.csv": "name\na\na\n"},
            {"metadata": METADATA},
            "m.csv, line 3: 'a' fits a.txt, or has an earlier row",
        ),
        (
            {"x/a.txt": "a", "y/a.txt": "a", "m.csv": "name\na\n"},
            {"metadata": METADATA},
            "'a' fits x/a.txt and y/a.txt, or",
        ),
        ({"a\n.txt": "a"}, {}, "rename it"),
    ],
)
def test_a_folder_that_does_not_fit_the_definition(folder, files, definition, message):
    assert message in error(folder(files), **definition)


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ({"encoding": "utf-99"}, "encoding: 'utf-99' is no encoding"),
        ({"names": "(?P<year"}, "is no regular expression"),
        ({"names": r"\d+"}, "has no named group"),
    ],
)
def test_a_definition_that_cannot_be_used(folder, definition, message):
    with pytest.raises(ConfigurationError) as raised:
        found(folder(TEXTS), **definition)
    assert message in str(raised.value)
