"""A model that the command line names by its path is measured with a preset, as references are."""

from pathlib import Path

import pytest
from shipped import SCHEMAS, faults_of, shipped

from fairflow.files.configuration_files import read_yaml
from fairflow.planning.audit import audit_name, audit_place, print_environment, with_audit
from fairflow.planning.planner import make_plan
from fairflow.vectors.recognition import NAMES

TEXT = "man 1 2\nwoman 3 4\n"


def audited(path, **more):
    return with_audit(shipped(audit=str(path), **more))


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "my vectors.v2.txt"
    path.write_text(TEXT)
    return path


def test_without_a_path_the_configuration_is_what_it_was(configuration):
    assert with_audit(configuration) is configuration


def test_the_plan_has_the_model_and_the_references_alone(vectors):
    plan = make_plan(audited(vectors))
    (study,) = plan.studies.values()
    name = audit_name(vectors)
    assert study.models == (name, "word2vec-google-news-300-weat", "glove-6B-50d")
    assert (study.name, study.subject, plan.audited.model) == (name, name, name)
    assert len(study.queries) == 37
    model = plan.models[name]
    assert (model.file, model.entry["format"], model.entry["bytes"]) == (
        str(vectors),
        "glove-text",
        len(TEXT),
    )
    assert model.label == "my vectors.v2.txt"


def test_a_bundled_model_is_audited_by_its_name_and_compared_with_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = make_plan(audited(audit_place("glove")))
    (study,) = plan.studies.values()
    assert study.models == ("glove-6B-50d", "word2vec-google-news-300-weat")
    assert (study.name, plan.audited.model) == ("glove-6B-50d", "glove-6B-50d")
    (tmp_path / "glove").write_text(TEXT)
    assert audit_place("glove") == str(tmp_path / "glove")


def test_a_name_is_portable_and_no_two_folders_share_it(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = (audit_name(tmp_path / folder / "my vectors.v2.txt.gz") for folder in "ab")
    assert one != other
    assert one.startswith("my-vectors.v2-")
    monkeypatch.chdir(tmp_path / "a")
    assert audit_name(Path("my vectors.v2.txt.gz")) == one
    assert audit_name(Path("../b/my vectors.v2.txt.gz")) == other
    assert audit_name(tmp_path / "шш.vec").startswith("model-")


def test_every_fault_of_the_request_is_told_at_once(tmp_path):
    wrong = {"audit_preset": "audits", "audit_references": ["glove"]}
    told = faults_of(audited, tmp_path / "none.txt", **wrong)
    assert any("'audits' of presets.yaml. Did you mean 'audit'" in one for one in told)
    assert any("unknown model 'glove'" in one for one in told)
    assert any("none.txt: no such file" in one for one in told)


def test_a_pickle_that_the_user_names_needs_no_checksum(tmp_path):
    from gensim.models import KeyedVectors

    model = KeyedVectors(2)
    model.add_vectors(["man", "woman"], [[1, 2], [3, 4]])
    model.save(str(tmp_path / "vectors.kv"))
    plan = make_plan(audited(tmp_path / "vectors.kv"))
    assert plan.models[plan.audited.model].entry["format"] == "gensim"


def test_the_schema_knows_every_format():
    keys = read_yaml(SCHEMAS / "config.schema.yaml")["properties"]
    assert set(keys["audit_format"]["enum"]) == {*NAMES}


def test_the_environment_that_a_model_needs_is_printed(vectors, capsys):
    assert print_environment([str(vectors)]) == 0
    assert capsys.readouterr().out.split() == ["workflow"]
    assert print_environment([str(vectors) + "x"]) == 1
    assert "no such file" in capsys.readouterr().err
