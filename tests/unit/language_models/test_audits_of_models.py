"""A language model that the command line names by its folder, or at a commit of the hub."""

import json

import pytest
from shipped import SCHEMAS, shipped

from fairflow.errors import ConfigurationError
from fairflow.files.configuration_files import read_yaml
from fairflow.language_models import audit as of_networks
from fairflow.language_models.checkpoints.model_folder import ASSUMED
from fairflow.language_models.slices.answers import POOLINGS
from fairflow.planning.audit import audit_name, print_environment, with_audit
from fairflow.planning.planner import make_plan
from fairflow.studies.audit_results import audited_model

NETWORK = {
    "facts": {
        "kind": "masked", "architecture": "BertForMaskedLM", "layers": 6, "hidden": 384,
        "vocabulary": 30_522, "parameters": 22_713_728, "tokenizer": "WordPiece",
        "pooling_source": ASSUMED, "context_templates": "",
    },
    "manifest": {
        "source": {"folder": "x"}, "files": {"config.json": "00", "model.safetensors": "cd34"},
    },
}  # fmt: skip


def audited(path, **more):
    return with_audit(shipped(audit=str(path), **more))


@pytest.fixture
def network(tmp_path):
    folder = tmp_path / "bert"
    folder.mkdir()
    said = {"architectures": ["BertForMaskedLM"], "model_type": "bert"}
    (folder / "config.json").write_text(json.dumps(said))
    (folder / "pytorch_model.bin").write_bytes(b"weights")
    return folder


def test_of_a_network_queries_of_thousands_of_words_are_left_out(network):
    plan = make_plan(audited(network))
    (study,) = plan.studies.values()
    assert plan.models[audit_name(network)].kind == "masked"
    assert len(study.queries) == 30
    assert "gender_sent_1" not in study.queries
    # What is kept of the references is not mistaken for that of the whole preset.
    assert plan.audited.preset == "audit.short"
    assert "with thousands of words are left out" in plan.audited.left_out


def test_a_network_is_pooled_as_asked(network):
    plan = make_plan(audited(network, audit_pooling="mean_inner"))
    assert plan.models[plan.audited.model].reading["pooling"] == "mean_inner"


COMMIT = "0123456789abcdef" * 2 + "01234567"


def test_a_model_of_the_hub_is_audited_at_its_commit(monkeypatch):
    said = {"architectures": ["BertModel"], "model_type": "bert"}
    asked = []
    monkeypatch.setattr(of_networks, "hub_configuration", lambda *of: asked.append(of) or said)
    plan = make_plan(audited(f"hf:org/small-bert@{COMMIT}"))
    assert asked == [("org/small-bert", COMMIT)]
    model = plan.models[plan.audited.model]
    assert (model.name, model.label) == ("small-bert-012345", "org/small-bert")
    assert (model.kind, model.entry["revision"]) == ("encoder", COMMIT)
    assert plan.studies[model.name].title == "Audit of org/small-bert"


@pytest.mark.parametrize("place", ["hf:org/bert", "hf:org/bert@main", f"hf:bert@{COMMIT}"])
def test_a_model_of_the_hub_without_a_commit_is_refused_before_any_download(place, capsys):
    with pytest.raises(ConfigurationError, match="only a commit says which model was audited"):
        audited(place)
    assert print_environment([place]) == 1
    assert "expected hf:ORG/NAME@COMMIT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "templates", "texts"),
    [("masked", "", "the word alone"), ("causal", "This is X. | I say X.", "each word in 2 short"),
     ("encoder", "", "the word alone")],
)  # fmt: skip
def test_a_language_model_is_identified_by_parameters_tokenizer_and_weights(kind, templates, texts):
    facts = NETWORK["facts"] | {"kind": kind, "context_templates": templates}
    said = {"label": "My model", "format": "transformers", "about": "", "left_out": ""}
    said |= {"language": "", "lists": "English"}
    model = audited_model(NETWORK | {"facts": facts}, [], said)
    assert model.short == (f"{kind} model, 23 M parameters",)
    assert model.facts["Tokenizer"] == "WordPiece, 30,522 tokens"
    assert model.facts["Size"] == "22,713,728 parameters, 6 layers of 384 dimensions"
    assert model.facts["Revision"] == "not stated by its files"
    assert model.facts["sha256"] == "model.safetensors cd34"
    assert texts in model.limits[-1]
    assert any("their mean is used" in note for note in model.notes)


def test_the_schema_knows_every_pooling():
    keys = read_yaml(SCHEMAS / "config.schema.yaml")["properties"]
    assert set(keys["audit_pooling"]["enum"]) == {*POOLINGS}


def test_the_environment_that_a_network_needs_is_printed(network, capsys):
    assert print_environment([str(network)]) == 0
    assert capsys.readouterr().out.split() == ["language-models"]
