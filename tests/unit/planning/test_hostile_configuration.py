"""Every faulty file of a configuration is refused in one sentence, with file, place and remedy.

A new case is one line in a table.
"""

import shutil
from pathlib import Path

import pytest
from shipped import CONFIG, faults_of, shipped

from fairflow.files.configuration_files import read_yaml
from fairflow.planning.planner import make_plan
from fairflow.studies.published.published_file import FILE_COLUMNS, published_problems

# What is wrong: the bytes of a YAML file, and what the sentence after its name says.
YAML = {
    "a NUL character": (b"a: \0", "the character 0x0000 at position 3 is not allowed in YAML"),
    "latin-1": ("a: 1\nb: Müller".encode("latin-1"), "line 2: not UTF-8 (byte 0xfc)"),
    "a list as a key": (b"a: 1\n? [b, c]\n: 2", "line 2: a key must be a name, not a list"),
    "a key twice": (b"a: 1\nb: 2\na: 3", "line 3: the name 'a' is given twice"),
    "an unknown alias": (b"a: *b", "line 1: found undefined alias"),
    "an unknown tag": (b"a: !!python/object:os.system {}", "could not determine a constructor"),
    "a number of 5,000 digits": (b"a: 1\nb: " + b"9" * 5000, "line 2: '9999"),
    "a date of month 13": (b"a:\n  b: 2020-13-45", "line 2: '2020-13-45' is no date that can be"),
}


@pytest.mark.parametrize(("contents", "sentence"), YAML.values(), ids=YAML)
def test_a_file_that_is_no_sound_yaml_is_refused(tmp_path, contents, sentence):
    path = tmp_path / "models.yaml"
    path.write_bytes(contents)
    (problem,) = faults_of(read_yaml, path)
    assert problem.startswith(str(path))
    assert sentence in problem


def model(**keys):
    entry = {"sources": [{"file": "v.txt"}], "format": "glove"} | keys
    return "".join(f"  {key}: {value}\n" for key, value in entry.items())


SUBSET = "word2vec-google-news-300-weat"
LONG = "m" * 101
# What is wrong: file, what is replaced (all of it for None), by what, and what the sentence says.
SPOILT = {
    "an empty file": ("models.yaml", None, "", "the file is empty"),
    "a list for a mapping": ("models.yaml", None, "[a]", "found ['a'], expected keys with values"),
    "a model derived from itself": (
        "models.yaml",
        f"    from: {SUBSET}\n",
        f"    from: {SUBSET}-normalised\n",
        f"{SUBSET}-normalised.derive.from: {SUBSET}-normalised from {SUBSET}-normalised: a circle",
    ),
    "a name too long for a file": ("models.yaml", f"{SUBSET}:\n  label", f"{LONG}:\n  label", LONG),
    "a threshold that is no number": (
        "lookups.yaml",
        "lost_vocabulary_threshold: 0.2",
        "lost_vocabulary_threshold: .nan",
        "lost_vocabulary_threshold: found nan, expected a finite number",
    ),
}


@pytest.fixture
def folder(tmp_path):
    ignored = shutil.ignore_patterns("weathub_*", "french.yaml")
    return Path(shutil.copytree(CONFIG, tmp_path / "config", ignore=ignored))


def problems(folder, **main):
    return faults_of(lambda: make_plan(shipped(folder, **main)))


@pytest.mark.parametrize(("file", "old", "new", "sentence"), SPOILT.values(), ids=SPOILT)
def test_a_spoilt_configuration_is_refused(folder, file, old, new, sentence):
    text = (folder / file).read_text(encoding="utf-8")
    assert old is None or old in text
    (folder / file).write_text(new if old is None else text.replace(old, new, 1), encoding="utf-8")
    assert any(p.startswith(str(folder / file)) and sentence in p for p in problems(folder))


@pytest.mark.parametrize("catalogues", [5, "more.yaml", [5], {"a": 1}])
def test_further_catalogues_of_a_wrong_type_are_refused(folder, catalogues):
    (problem,) = problems(folder, model_catalogues=catalogues)
    assert "model_catalogues" in problem


def test_a_model_is_converted_or_derived_and_neither_in_an_archive(folder):
    plan = make_plan(shipped(folder))
    of_subset = ("normalised", "hard-debiased", "multiclass-debiased", "hsr", "leace")
    assert plan.derived == (
        *(f"{SUBSET}-{how}" for how in of_subset),
        "word2vec-google-news-300-bolukbasi-hard-debiased",
        "fr-core-news-md-without-gender",
    )
    assert SUBSET in plan.convertible
    assert {*plan.convertible, *plan.derived} == {*plan.stores}
    archived = make_plan(shipped(folder, archive=True))
    assert archived.convertible == archived.derived == ()


SOUND = dict.fromkeys(FILE_COLUMNS, "") | {
    "paper": "P",
    "place": "T1",
    "model": "m",
    "metric": "weat",
    "scope": "q",
    "measure": "weat",
    "value": "0.5",
    "decimals": "2",
    "reproducible": "yes",
}
# What is wrong: cells of a row of published numbers, and what the sentence says.
ROWS = {
    "a formula": ({"value": "=1+1"}, "value '=1+1' is no finite number; leave it empty for none"),
    "a comma": ({"value": '"0,5"'}, "value '0,5' is no finite number"),
    "negative decimals": ({"decimals": "-3"}, "decimals '-3' must be a whole number from 0 to 30"),
    "no decimals": ({"decimals": ""}, "decimals are missing"),
    "a negative tolerance": ({"tolerance": "-1"}, "tolerance '-1' must be a number from 0"),
    "neither yes nor no": ({"reproducible": "Yes"}, "must be yes or no, found 'Yes'"),
    "no cause": ({"reproducible": "no"}, "needs a cause, one of list, ddof"),
    "an unknown cause": ({"reproducible": "no", "cause": "unseeded"}, "found 'unseeded'"),
    "a cell too many": ({"note": "a,b"}, "16 cells, expected 15"),
    "an open quote": ({"note": '"a'}, "unexpected end of data: close the quotes"),
    "a NUL character": ({"note": "\0"}, "a CSV file cannot contain a NUL character"),
}


def written(path, row):
    path.write_text(",".join(FILE_COLUMNS) + "\n" + ",".join(row.values()) + "\n")
    return path


@pytest.mark.parametrize(("cells", "sentence"), ROWS.values(), ids=ROWS)
def test_a_faulty_row_of_published_numbers_is_refused_before_the_run(folder, cells, sentence):
    path = written(folder / "published/mine.csv", SOUND | cells)
    (problem,) = problems(folder)
    assert problem.startswith(f"{path}, line 2: ")
    assert sentence in problem


# The bytes of a whole file of published numbers, and what the sentence says.
FILES = {
    "empty": (b"", "the columns must be paper, place"),
    "latin-1": (b"paper\nM\xfcller", "line 2: not UTF-8 (byte 0xfc): save it as UTF-8"),
    "repeated columns": (",".join([*FILE_COLUMNS, "note"]).encode(), "cause, note, note"),
    "an unknown column": (",".join([*FILE_COLUMNS, "rank"]).encode(), "cause, note, rank"),
}


@pytest.mark.parametrize(("contents", "sentence"), FILES.values(), ids=FILES)
def test_a_file_that_holds_no_published_numbers_is_refused(tmp_path, contents, sentence):
    path = tmp_path / "mine.csv"
    path.write_bytes(contents)
    (problem,) = published_problems(path)
    assert sentence in problem
