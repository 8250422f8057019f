"""How positions become one vector: as the model's own files say, and not by a guess."""

import json

import numpy as np
import pytest
from with_torch import embed_texts, load_language_model, model_facts, pooling_of

from fairflow import Query
from fairflow.language_models.checkpoints.model_files import (
    link_folder,
    model_files,
    write_manifest,
)
from fairflow.language_models.checkpoints.model_folder import read_pooling_config

TYPES = "sentence_transformers.models."
MEAN = {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}
TEXTS = ["The man was here.", "A receptionist", "He"]
QUERY = Query([["nurse", "doctor"], ["actor", "engineer"]], [["he", "him"], ["she", "her"]])


def write(folder, pooling=MEAN, modules=("Transformer", "Pooling", "Normalize")):
    """A folder with the files of an encoder of sentences."""
    places = {"Pooling": "1_Pooling", "Normalize": "2_Normalize", "Dense": "2_Dense"}
    listed = [{"type": TYPES + kind, "path": places.get(kind, "")} for kind in modules]
    (folder / "modules.json").write_text(json.dumps(listed))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling/config.json").write_text(json.dumps(pooling))
    return folder


@pytest.mark.parametrize(
    ("pooling", "mode"),
    [
        (MEAN, "mean"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, "mean_sqrt_len"),
        ({"pooling_mode_weightedmean_tokens": True}, "weightedmean"),
        ({"pooling_mode_lasttoken": True, "include_prompt": True}, "lasttoken"),
        ({"pooling_mode": "mean"}, "mean"),
        ({"pooling_mode": ["lasttoken"]}, "lasttoken"),
    ],
)
def test_every_pooling_of_the_format_is_known(pooling, mode, tmp_path):
    stated = read_pooling_config(write(tmp_path, pooling))
    assert (stated.pooling, stated.unit_length, stated.problem) == (mode, True, None)
    assert stated.stated_by == "1_Pooling/config.json"


@pytest.mark.parametrize(
    ("pooling", "modules", "problem"),
    [
        (MEAN | {"pooling_mode_cls_token": True}, None, "says cls_token and mean_tokens"),
        ({"pooling_mode_cls_token": False}, None, "says no pooling"),
        ({"pooling_mode": "attention"}, None, "says attention, which is unknown here"),
        ([], None, "1_Pooling/config.json must hold a JSON object"),
        (MEAN, ("Transformer", "Pooling", "Dense"), "modules that are not known: Dense"),
    ],
)
def test_what_cannot_be_followed_is_a_problem_and_no_guess(pooling, modules, problem, tmp_path):
    write(tmp_path, pooling, *([modules] if modules else []))
    stated = read_pooling_config(tmp_path)
    assert stated.pooling is None
    assert problem in stated.problem
    assert str(tmp_path) not in stated.problem


@pytest.mark.parametrize("content", ["{", "{}", "[1]", '[{"type": 3, "path": ""}]'])
def test_a_list_in_another_format_is_a_problem(content, tmp_path):
    (tmp_path / "modules.json").write_text(content)
    problem = read_pooling_config(tmp_path).problem
    assert problem == "modules.json is not a list of modules with type and path"


def test_a_module_outside_of_the_folder_is_not_read(tmp_path):
    listed = [{"type": TYPES + "Pooling", "path": "../elsewhere"}]
    (tmp_path / "modules.json").write_text(json.dumps(listed))
    assert (
        "'../elsewhere', which is not a folder of the model"
        in read_pooling_config(tmp_path).problem
    )


def test_the_files_of_modules_belong_to_the_model(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for name in ("config.json", "model.safetensors", ".gitattributes"):
        (source / name).write_text("{}")
    write(source)
    (source / "onnx").mkdir()
    (source / "onnx/config.json").write_text("{}")
    link_folder(source, tmp_path / "linked")
    write_manifest(tmp_path / "linked", {}, tmp_path / "manifest.json")
    listed = json.loads((tmp_path / "manifest.json").read_text())["files"]
    names = ["1_Pooling/config.json", "config.json", "model.safetensors", "modules.json"]
    assert [path.relative_to(source).as_posix() for path in model_files(source)] == names
    assert sorted(listed) == names
    assert read_pooling_config(tmp_path / "linked").pooling == "mean"


@pytest.fixture(scope="module")
def encoder(masked, tmp_path_factory):
    """A network without head, loaded from a folder that says nothing of pooling."""
    folder = tmp_path_factory.mktemp("encoder")
    masked.body.save_pretrained(folder)
    masked.tokens.tokenizer.save_pretrained(folder)
    return load_language_model(folder, device="cpu")


@pytest.fixture
def stated(encoder):
    """The same with a list of modules: mean, then unit length."""
    write(encoder.folder)
    yield encoder
    (encoder.folder / "modules.json").unlink()
    (encoder.folder / "1_Pooling/config.json").unlink()


def test_a_text_that_is_longer_than_the_files_of_the_model_allow_has_a_reason(encoder):
    stated = encoder.folder / "sentence_bert_config.json"
    stated.write_text(json.dumps({"max_seq_length": 5}))
    short = load_language_model(encoder.folder, device="cpu")
    stated.unlink()
    found = embed_texts(short, ["a man", "a man or a woman or a man"], "mean")
    assert found.statuses == ("ok", "too_long")
    assert found.reasons[1].endswith("tokens, the model takes 5")
    assert encoder.tokens.max_tokens > 5


def test_vectors_are_those_that_the_files_of_the_model_say(stated):
    found = embed_texts(stated, TEXTS)
    plain = embed_texts(stated, TEXTS, "mean", unit_length=False)
    lengths = np.linalg.norm(plain.rows, axis=1, keepdims=True)
    np.testing.assert_allclose(found.rows, plain.rows / lengths, atol=1e-6)
    assert found.pooling == "mean"


def test_the_configuration_goes_before_the_files_of_the_model(stated):
    by_file, by_hand = pooling_of(stated), pooling_of(stated, "cls", False)
    assert (by_file.pooling, by_file.unit_length) == ("mean", True)
    assert by_file.stated_by == "1_Pooling/config.json"
    assert (by_hand.pooling, by_hand.unit_length) == ("cls", False)
    assert by_hand.stated_by == "configuration"


def test_whoever_tells_so_may_take_the_mean_of_an_encoder_of_which_nothing_says_it(
    encoder, masked, causal
):
    from fairflow.language_models.checkpoints.model_folder import ASSUMED

    assumed = pooling_of(encoder, or_mean=True)
    assert (assumed.pooling, assumed.stated_by) == ("mean", ASSUMED)
    assert pooling_of(encoder, "cls", or_mean=True) == pooling_of(encoder, "cls")
    assert [pooling_of(model, or_mean=True) for model in (masked, causal)] == [
        pooling_of(model) for model in (masked, causal)
    ]


def test_the_facts_of_an_encoder_of_which_nothing_says_it_tell_so(encoder):
    facts = model_facts(encoder)
    assert facts["pooling"] is None
    assert facts["pooling_source"].startswith("nothing says how")
