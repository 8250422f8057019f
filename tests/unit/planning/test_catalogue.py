"""The catalogue of models holds together, and a faulty entry is refused."""

from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import pytest
import yaml

from fairflow.planning.configuration import read_yaml, shape_problems
from fairflow.planning.models import Model

ROOT = Path(__file__).parents[3]
PATH = ROOT / "config" / "models.yaml"
SCHEMAS = ROOT / "workflow" / "schemas"
CATALOGUE = read_yaml(PATH)
FETCHED = {name: entry for name, entry in CATALOGUE.items() if "sources" in entry}


def addresses(entry) -> list[str]:
    return [source["url"] for source in entry["sources"] if "url" in source]


def file_names(entry) -> set[str]:
    """Names under which the sources give the file; a wheel's is its pin."""
    paths = [urlsplit(url).path for url in addresses(entry)]
    paths += [source["file"] for source in entry["sources"] if "file" in source]
    pins = {source["pypi"] for source in entry["sources"] if "pypi" in source}
    return {PurePosixPath(unquote(path)).name for path in paths} | pins


def problems_of(entry: str) -> list[str]:
    return shape_problems({"mine": yaml.safe_load(entry)}, "models", PATH, SCHEMAS)


def test_the_catalogue_has_the_shape_of_its_schema():
    assert shape_problems(CATALOGUE, "models", PATH, SCHEMAS) == []


@pytest.mark.parametrize("name", FETCHED)
def test_an_entry_says_whose_it_is_and_under_which_licence(name):
    assert FETCHED[name]["licence"]
    assert FETCHED[name]["citation"].strip() == FETCHED[name]["citation"]


@pytest.mark.parametrize("name", FETCHED)
def test_a_file_that_a_person_must_fetch_comes_with_what_to_do(name):
    entry = FETCHED[name]
    files = [source["file"] for source in entry["sources"] if "file" in source]
    assert bool(files) == ("obtain" in entry)
    for file in files:
        assert file.startswith("models/")
        assert file in entry["obtain"]
        assert "https://" in entry["obtain"]


def test_entries_that_share_a_download_agree_on_it_and_take_different_members():
    shared = {}
    for name, entry in FETCHED.items():
        shared.setdefault(*file_names(entry), []).append((name, entry))
    for file, entries in shared.items():
        for key in ("sources", "bytes", "checksum", "archive"):
            assert all(entry.get(key) == entries[0][1].get(key) for _, entry in entries), file
        members = [entry.get("member") for _, entry in entries]
        assert len(set(members)) == len(members), file
    assert sorted(len(entries) for entries in shared.values())[-2:] == [4, 4]


def test_a_pickle_is_named_only_with_its_sha256():
    pickles = [entry for entry in FETCHED.values() if entry["format"] == "gensim"]
    assert pickles
    assert all(entry["member_checksum"].startswith("sha256:") for entry in pickles)


WHOLE = "{sources: [{url: 'https://host/a.txt'}], format: glove-text}"
NPY = WHOLE.replace("glove-text", "npy")
SHA256 = "0" * 64
FAULTS = {
    "neither sources nor derive": (
        "{label: mine}",
        "mine: found {'label': 'mine'}, expected a model with sources and a format; or a "
        "model derived from another",
    ),
    "unknown key": (WHOLE.replace("format", "bites: 3, format"), "Did you mean 'bytes'?"),
    "no source": ("{sources: [], format: spacy}", "mine.sources: [] should be non-empty"),
    "unknown source": (
        "{sources: [{ulr: 'https://host/a.txt'}], format: spacy}",
        "mine.sources[0]: found {'ulr': 'https://host/a.txt'}, expected one of url (with "
        "parts, if there are several), pypi (name==version) and file",
    ),
    "http without a checksum": (
        WHOLE.replace("https", "http"), "expected an address of https, or a checksum in the entry"
    ),
    "pin without version": (
        f"{{sources: [{{pypi: wefe}}], checksum: 'sha256:{SHA256}', format: spacy}}", "one of url"
    ),
    "checksum without kind": (
        WHOLE.replace("format", f"checksum: '{SHA256}', format"), "mine.checksum: "
    ),
    "zip without member": (
        WHOLE.replace("format", "archive: zip, format"), "mine: the key 'member' is missing"
    ),
    "member without archive": (
        WHOLE.replace("format", "member: a, format"), "mine: the key 'archive' is missing"
    ),
    "words of a format that has words": (
        WHOLE.replace("format", "words: a, format"), "mine.format: found 'glove-text', expected npy"
    ),
    "subwords in a format without subwords": (
        WHOLE.replace("format", "subwords: true, format"),
        "mine.format: found 'glove-text', expected fasttext-bin",
    ),
    "words in no archive": (
        NPY.replace("format", "words_member: a, format"),
        "mine.words_member: 'a' is not allowed here: it names a file in the zip or tar of the "
        "vectors (archive and member); for a separate file use words",
    ),
    "words in two places": (
        NPY.replace("format", "archive: zip, member: a, words_member: b, words: c, format"),
        "mine.words: 'c' is not allowed here: words_member names the words already",
    ),
    "a column of no words": (
        WHOLE.replace("format", "words_column: a, format"), "expected words or words_member, to"
    ),
}  # fmt: skip


def test_the_entry_that_the_faults_spoil_is_whole():
    assert problems_of(WHOLE) == []
    assert problems_of(WHOLE.replace("}]", ", parts: 2}, {file: b}]")) == []
    pinned = WHOLE.replace("format", f"checksum: 'sha256:{SHA256}', format")
    assert problems_of(pinned.replace("https", "http")) == []


@pytest.mark.parametrize(("entry", "hint"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_entry_is_refused(entry, hint):
    (problem,) = problems_of(entry)
    assert problem.startswith(f"{PATH}: mine")
    assert hint in problem


WORDS_IN_AN_ARCHIVE = f"""
sources: [{{pypi: a==1}}]
checksum: sha256:{SHA256}
archive: zip
member: a/vectors.npy
format: npy
words_member: a/words.parquet
words_column: word
words_bytes: 30
words_checksum: sha256:{SHA256}
"""


def test_words_in_the_archive_of_the_vectors_have_a_size_and_a_checksum_of_their_own():
    assert problems_of(WORDS_IN_AN_ARCHIVE) == []
    model = Model("mine", yaml.safe_load(WORDS_IN_AN_ARCHIVE))
    assert model.word_files == []
    assert model.conversion["words"] == {
        "column": "word",
        "packing": {
            "archive": "zip",
            "member": "a/words.parquet",
            "size": 30,
            "checksum": f"sha256:{SHA256}",
        },
    }
