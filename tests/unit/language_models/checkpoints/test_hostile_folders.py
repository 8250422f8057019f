"""A folder that cannot be run is refused in one sentence that names the file, what was found and
what was expected: before any job starts where its files tell, else when it is loaded."""

import json
import shutil

import pytest
from with_torch import load_language_model

from fairflow.language_models.checkpoints.model_files import model_files
from fairflow.language_models.checkpoints.model_folder import (
    ModelFolderError,
    folder_problem,
    read_max_length,
)
from fairflow.language_models.errors import LanguageModelError

OWN_CODE = {"AutoConfig": "theirs.Config", "AutoModelForCausalLM": "theirs.Network"}
OF_WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
TOKENIZER = ("tokenizer.json", "vocab.json", "merges.txt", "tokenizer_config.json")


def says(**changed):
    """config.json says something else."""

    def change(folder):
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changed))

    return change


def holds(name, content):
    """A file holds something else; a number is how many of its bytes are left."""

    def change(folder):
        path = folder / name
        data = path.read_bytes()[:content] if isinstance(content, int) else content
        path.write_bytes(data if isinstance(data, bytes) else data.encode())

    return change


def lacks(*names):
    return lambda folder: [(folder / name).unlink(missing_ok=True) for name in names]


def both(*changes):
    return lambda folder: [change(folder) for change in changes]


def index_of(places):
    return both(
        lambda folder: (folder / OF_WEIGHTS).rename(folder / "a.safetensors"),
        holds(INDEX, json.dumps({"weight_map": places})),
    )


AT_PLANNING = {
    "deep config": (holds("config.json", "[" * 100_000), "config.json is no JSON"),
    "config that is not UTF-8": (holds("config.json", b'{"a": "\xff"}'), "config.json is no JSON"),
    "config of a list": (holds("config.json", "[]"), "must hold a JSON object, got list"),
    "architectures of numbers": (says(architectures=[5]), "architectures is [5], expected a list"),
    "no weights": (lacks(OF_WEIGHTS), "has no weights: neither *.safetensors nor *.bin"),
    "settings of a list": (holds("tokenizer_config.json", "[1]"), "must hold a JSON object, got l"),
    "an adapter": (holds("adapter_config.json", "{}"), "merge_and_unload()"),
    "tokens of sentencepiece": (
        both(lacks("tokenizer.json"), holds("tokenizer.model", "x")),
        "holds tokenizer.model and no tokenizer.json",
    ),
    "own code": (says(model_type="theirs", auto_map=OWN_CODE), "code in its folder is never run"),
    "T5": (says(model_type="t5", is_encoder_decoder=True), "an encoder and a decoder (as T5"),
    "CLIP": (says(model_type="clip", vision_config={}), "A network of pictures and texts"),
    "Mamba": (says(model_type="mamba"), "carries a state from token to token"),
    "bitsandbytes": (
        says(quantization_config={"load_in_4bit": True}),
        "quantization_config of bitsandbytes. Quantised weights need the code of that method",
    ),
    "GPTQ": (says(quantization_config={"quant_method": "gptq"}), "quantization_config of gptq"),
}  # fmt: skip
AT_LOADING = {
    "weights without a place": (
        holds(OF_WEIGHTS, b"\x0f" + b"\0" * 7 + b'{"a": {"b": 0}}'),
        "its weights cannot be loaded",
    ),
    "weight_map of a number": (index_of(5), "its weights cannot be loaded"),
    "weights cut off": (holds(OF_WEIGHTS, 5_000), "its weights cannot be loaded"),
    "a header of 2**64 bytes": (holds(OF_WEIGHTS, b"\xff" * 8), "its weights cannot be loaded"),
    "weight_map of no file": (index_of({"a": "b.safetensors"}), "its weights cannot be loaded"),
    "unknown network": (says(model_type="nosuch"), "config.json cannot be loaded"),
    "other shapes": (says(n_inner=24), "c_fc.bias is (64,) in the weights, expected (24,) by c"),
    "heads that do not divide": (says(n_head=5), "with its weights cannot be loaded by"),
    "more layers": (says(n_layer=9), "the weights of a GPT2LMHeadModel lack transformer.h.2"),
    "no tokenizer": (lacks(*TOKENIZER), "its tokenizer has 0 tokens, expected 1 to"),
    "broken tokenizer": (holds("tokenizer.json", "{"), "its tokenizer cannot be loaded"),
    "weights of no type": (says(dtype="float7"), "config.json cannot be loaded"),
}  # fmt: skip


@pytest.fixture(scope="session")
def sound(tmp_path_factory, causal):
    """The folder of a model that can be run."""
    folder = tmp_path_factory.mktemp("sound")
    causal.network.save_pretrained(folder)
    causal.tokens.tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def folder(sound, tmp_path):
    """The same for tests to spoil."""
    return shutil.copytree(sound, tmp_path / "model")


@pytest.mark.parametrize("kind", ["causal", "encoder"])
def test_a_sound_folder_is_refused_by_nobody(kind, folder, torch):
    assert folder_problem(folder, kind) is None
    assert load_language_model(folder, "cpu").kind == "causal"


@pytest.mark.parametrize(("spoil", "message"), AT_PLANNING.values(), ids=AT_PLANNING.keys())
def test_what_files_tell_is_refused_before_any_job_starts_and_where_it_is_loaded(
    spoil, message, folder, torch
):
    spoil(folder)
    model_files(folder)
    problem = folder_problem(folder, "causal")
    assert problem.startswith(str(folder))
    assert message in problem
    assert "\n" not in problem
    with pytest.raises(LanguageModelError) as refused:
        load_language_model(folder, "cpu")
    assert message in str(refused.value)


@pytest.mark.parametrize(("spoil", "message"), AT_LOADING.values(), ids=AT_LOADING.keys())
def test_what_only_the_network_tells_is_a_sentence_of_the_job(spoil, message, folder, torch):
    spoil(folder)
    assert folder_problem(folder, "causal") is None
    with pytest.raises(LanguageModelError) as refused:
        load_language_model(folder, "cpu")
    assert str(refused.value).startswith(str(folder))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_code_of_a_model_runs_whatever_stands_on_stdin(folder, torch, monkeypatch):
    ran = folder.parent / "ran"
    for name in ("configuration_theirs", "modeling_theirs"):
        code = f"open({str(ran)!r}, 'w')\nConfig = Network = type('X', (), {{}})\n"
        (folder / f"{name}.py").write_text(code)
    own = {"AutoConfig": "configuration_theirs.Config", "AutoModelForCausalLM": "modeling_theirs.X"}
    says(model_type="theirs", auto_map=own)(folder)
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    # As where transformers cannot be looked at.
    monkeypatch.setattr(
        "fairflow.language_models.checkpoints.model_folder.find_spec", lambda _: None
    )
    assert folder_problem(folder, "causal") is None
    with pytest.raises(LanguageModelError, match="trust_remote_code"):
        load_language_model(folder, "cpu")
    assert not ran.exists()


BERT = {"model_type": "bert", "architectures": ["BertForMaskedLM"]}


def folder_of(tmp_path, configuration=BERT, name="model.safetensors"):
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
    assert (
        folder_problem(folder_of(tmp_path, BERT | {"architectures": [architecture]}), kind) is None
    )


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
    problem = folder_problem(folder_of(tmp_path, BERT | {"architectures": architectures}), kind)
    assert problem.startswith(f"{tmp_path}: ")
    assert message in problem


def test_weights_that_are_no_safetensors_are_judged_by_config_json_alone(tmp_path):
    assert folder_problem(folder_of(tmp_path, name="model.bin"), "masked") is None


@pytest.mark.parametrize(("said", "length"), [({"max_seq_length": 256}, 256), ({}, None)])
def test_how_long_a_text_may_be_is_that_of_its_file(said, length, tmp_path):
    assert read_max_length(tmp_path) is None
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps(said))
    assert read_max_length(tmp_path) == length
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 2.5}')
    with pytest.raises(ModelFolderError, match="expected a number of tokens"):
        read_max_length(tmp_path)
