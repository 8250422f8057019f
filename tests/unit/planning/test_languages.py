"""An audit of vectors of another language has the tests of that language."""

import pytest
from shipped import CONFIG, shipped

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
