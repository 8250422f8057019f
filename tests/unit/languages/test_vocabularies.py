"""The language of a file, and what an audit and `fairflow score` ask in it."""

import json
import unicodedata

import numpy as np
import pytest
import yaml
from shipped import CONFIG, shipped

from fairflow.command.parser import main
from fairflow.errors import ConfigurationError, FairflowError
from fairflow.files.configuration_files import read_yaml
from fairflow.planning.audit import with_audit
from fairflow.planning.languages import preset_in
from fairflow.planning.planner import make_plan

FRENCH = read_yaml(CONFIG / "word_sets/weathub_fr.yaml")["sets"]


def audited(path, **more):
    return with_audit(shipped(audit=str(path), audit_references=[], **more))


def written(path, words):
    path.write_text("".join(f"{word} 1 2\n" for word in words), encoding="utf-8")
    return path


@pytest.fixture
def french(tmp_path):
    words = [w for one in FRENCH.values() for w in one.get("words", ()) if " " not in w]
    return written(tmp_path / "my.txt", dict.fromkeys([*words, *(f"x{i}" for i in range(500))]))


def test_french_vectors_are_asked_in_french(french):
    configuration = audited(french)
    plan = make_plan(configuration)
    (study,) = plan.studies.values()
    assert {name.rpartition("_")[0] for name in study.queries} == {"weathub_fr"}
    assert plan.models[plan.audited.model].entry["language"] == "fr"
    assert configuration.audited.language.startswith("The language is French (fr): the")


def test_a_language_without_tests_is_a_problem_of_the_audit(french):
    with pytest.raises(ConfigurationError, match="audit_language: there are no queries in fi"):
        audited(french, audit_language="fi")


def test_a_language_without_tests_is_refused_with_those_that_have_some():
    queries = {"mine": {"language": "nl", "lookup": "lowercase", "queries": {"nl_1": {}}}}
    preset = {"metrics": ["weat"], "criteria": {"WEAT": ["weat_1"]}, "lookup": "as_written"}
    assert preset_in("en", preset, queries) == preset
    made = preset_in("nl", preset, queries)
    assert (made["criteria"], made["lookup"]) == ({"WEAT": ["nl_1"]}, "lowercase")
    assert preset_in("NL-be", preset, queries) == made
    with pytest.raises(FairflowError, match=r"Thai \(th\), only in English \(en\), Dutch \(nl\)"):
        preset_in("th", preset, queries)


def test_the_tests_are_those_of_the_language_of_the_words(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sets = yaml.safe_load((CONFIG / "word_sets/weathub_fr.yaml").read_text())["sets"]
    words = [w for one in sets.values() for w in one.get("words", ()) if " " not in w]
    # In decomposed letters, which a look-up finds, too.
    forms = dict.fromkeys(unicodedata.normalize("NFD", word) for word in words)
    forms |= dict.fromkeys(f"x{number}" for number in range(500))
    rows = np.random.default_rng(6).standard_normal((len(forms), 3)).round(4)
    lines = (f"{w} {' '.join(map(str, row))}\n" for w, row in zip(forms, rows, strict=True))
    (tmp_path / "my.txt").write_text("".join(lines))
    assert main(["score", "my.txt", "--no-statistics", "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert "fairflow: The language is French (fr): the" in printed.err
    rows = json.loads(printed.out)
    assert {row["query"].rpartition("_")[0] for row in rows} == {"weathub_fr"}
    (row,) = (row for row in rows if row["query"] == "weathub_fr_weat2")
    assert all(" " in word for word in str(row["oov_words"]).split(", "))
    assert main(["score", "my.txt", "--no-statistics", "--language", "de", "--format", "json"]) == 0
    named = json.loads(capsys.readouterr().out)
    assert {row["query"].rpartition("_")[0] for row in named} == {"weathub_de"}
