"""Entries of models that no run could use are refused by file and key, with what to write."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from fairflow.planning.configuration import shape_problems
from fairflow.planning.model_checks import local_faults
from fairflow.planning.models import models_of
from fairflow.planning.study import Entries

SCHEMAS = Path(__file__).parents[3] / "workflow" / "schemas"
MD5 = "md5:" + "a" * 32
ONE, OTHER = (f"sha256:{digit * 64}" for digit in "ab")
UNPINNED = {"sources": [{"pypi": "pkg==1"}], "format": "glove-text"}
URL = {"sources": [{"url": "https://host/a.txt"}], "format": "glove-text"}
NPY = {"sources": [{"file": "a.npy"}], "format": "npy"}


def test_words_that_are_not_there_are_told_before_a_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.npy").touch()
    models = models_of({"a": {"sources": [{"file": "a.npy"}], "format": "npy", "words": "a.txt"}})
    asked = SimpleNamespace(main={}, stated={}), Entries(models, {}, {})
    study = SimpleNamespace(models=["a"], queries=[])
    (fault,) = local_faults(*asked, [study])
    sentence = "there is no file a.txt: put it there, or correct the path"
    assert fault == ("models.yaml", "a.words", sentence)
    Path("a.txt").touch()
    assert not [*local_faults(*asked, [study])]


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        ({"a b": URL}, "found 'a b', expected a name of letters, digits and . + _ - alone"),
        ({"a": URL | {"checksum": ONE.upper()}}, "expected md5:, sha1: or sha256: and its"),
        ({"a": URL | {"format": "spaCy"}}, "Did you mean 'spacy'?"),
        ({"a": URL | {"language": False}}, "or a list of several. YAML reads an unquoted no"),
        ({"a": URL | {"sources": "a.txt"}}, "a.sources: found 'a.txt', expected a list"),
        ({"a": {"derive": ["b", "leace"]}}, "a.derive: found ['b', 'leace'], expected keys with"),
        (
            {"a": {"derive": {"from": "b", "transform": "leace", "parameters": {"x": 1}}}},
            "a.derive: 'parameters' is not allowed here: parameters of a transform are keys",
        ),
        (
            {"a": NPY},
            "expected a file with the words of its rows, since a .npy file contains no words",
        ),
        ({"a": UNPINNED}, "a: the key 'checksum' is missing"),
        ({"a": UNPINNED | {"checksum": MD5}}, "expected sha256: and the digits that pip checks"),
    ],
)
def test_what_is_expected_is_said_in_words(contents, sentence):
    (problem,) = shape_problems(contents, "models", Path("models.yaml"), SCHEMAS)
    assert sentence in problem
