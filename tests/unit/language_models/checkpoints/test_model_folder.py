"""A model is of the kind that its entry says, or is refused before any job starts."""

import json

import pytest

from fairflow.language_models.checkpoints.model_folder import (
    ModelFolderError,
    folder_problem,
    read_max_length,
)

BERT = {"model_type": "bert", "architectures": ["BertForMaskedLM"]}


def folder(tmp_path, configuration=BERT, name="model.safetensors"):
    tmp_path.joinpath("config.json").write_text(json.dumps(configuration))
    tmp_path.joinpath(name).write_bytes(b"weights")
    return tmp_path


@pytest.mark.parametrize(
    ("architecture", "kind"),
    [
        ("BertForMaskedLM", "masked"),
        ("BertForPreTraining", "masked"),
        ("BertModel", "encoder"),
        ("BertForMaskedLM", "encoder"),
        ("GPT2LMHeadModel", "causal"),
        ("LlamaForCausalLM", "causal"),
    ],
)
def test_an_architecture_may_be_of_its_kind_or_an_encoder(architecture, kind, tmp_path):
    assert folder_problem(folder(tmp_path, BERT | {"architectures": [architecture]}), kind) is None


@pytest.mark.parametrize(
    ("architectures", "kind", "message"),
    [
        (["BertModel"], "masked", "config.json says BertModel, a model without a head that scores"),
        (["BertModel"], "causal", "kind causal cannot be had, write kind: encoder"),
        (["BertForMaskedLM"], "causal", "a masked model: kind causal cannot be had, write kind: m"),
        (["GPT2LMHeadModel"], "masked", "a causal model: kind masked cannot be had"),
        (["BertForSequenceClassification"], "masked", "write kind: encoder"),
        ([], "masked", "config.json names no architecture"),
        (None, "causal", "config.json names no architecture"),
    ],
)
def test_another_architecture_is_refused_with_the_kind_that_it_is(
    architectures, kind, message, tmp_path
):
    problem = folder_problem(folder(tmp_path, BERT | {"architectures": architectures}), kind)
    assert problem.startswith(f"{tmp_path}: ")
    assert message in problem


def test_weights_that_are_no_safetensors_are_judged_by_config_json_alone(tmp_path):
    assert folder_problem(folder(tmp_path, name="model.bin"), "masked") is None


@pytest.mark.parametrize(("said", "length"), [({"max_seq_length": 256}, 256), ({}, None)])
def test_how_long_a_text_may_be_is_that_of_its_file(said, length, tmp_path):
    assert read_max_length(tmp_path) is None
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps(said))
    assert read_max_length(tmp_path) == length
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 2.5}')
    with pytest.raises(ModelFolderError, match="expected a number of tokens"):
        read_max_length(tmp_path)
