"""Every public name of FairLangProc 0.1.9's metrics and data sets is there, in its module.

`INTERFACE` holds names, order and defaults of the parameters: facts of that package's interface.
"""

import inspect
from importlib import import_module

import pytest

NONE = inspect.Parameter.empty
MASKED = ("model", "tokenizer", "sentences", "target_words")
INTERFACE = {
    "metrics.embedding": {
        "WEAT": ["model", "tokenizer", ("device", "cuda")],
        "BertWEAT": ["model", "tokenizer", ("device", "cuda")],
        "WEAT.get_embeddings": ["words"],
        "WEAT.cosine_similarity": ["x", "y"],
        "WEAT.effect_size": ["X", "Y", "A", "B"],
        "WEAT.p_value": ["X", "Y", "A", "B", ("n_perm", 10_000)],
        "WEAT.metric": [
            *("W1_words", "W2_words", "A1_words", "A2_words", ("n_perm", 10_000), ("pval", True)),
        ],
    },
    "metrics.generated_text": {
        "DemRep": ["demWords", "sentences"],
        "StereoAsoc": ["targetWords", "demWords", "sentences"],
        "HONEST": ["completions", "hurtLex"],
    },
    "metrics.probability": {
        "MaskProbability": [*MASKED, "mask_indices", ("how_many", 2)],
        "MaskProbabilityQuotient": [*MASKED, "fill_words", "mask_indices"],
        "LPBS": [*MASKED, "fill_words", ("mask_indices", None)],
        "CBS": [*MASKED, "fill_words", "mask_indices"],
        "MaskedPseudoLogLikelihood": [
            *("model", "input_ids", "target_id", "mask_id", "cls_id", "pad_id"),
        ],
        "CPS": [*MASKED],
        "UnMaskedPseudoLogLikelihood": ["model", "input_ids", "cls_id", "pad_id"],
        "AUL": ["model", "tokenizer", "sentences"],
    },
    "datasets.fairness_datasets": {
        "FairLLMBenchmarkLoader": [("benchmark_path", None)],
        "FairLLMBenchmarkLoader.get_datasets": [],
        "FairLLMBenchmarkLoader.run_process_and_download": ["name"],
        "FairLLMBenchmarkLoader.load_dataset": ["dataset", ("config", None)],
        "CustomDataset": ["dataframe"],
        "CustomDataset.__getitem__": ["index"],
        "BiasDataLoader": [
            *(("dataset", None), ("config", None), ("format", "hf"), ("benchmark_path", None)),
        ],
    },
}
TOP = {
    "metrics": ["WEAT", "BertWEAT", "DemRep", "StereoAsoc", "HONEST", "LPBS", "CBS", "CPS", "AUL"],
    "datasets": ["BiasDataLoader"],
}

pytestmark = pytest.mark.usefixtures("torch")


def member(module, name):
    found = import_module(f"fairflow.fairlangproc.{module}")
    for part in name.split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, own in INTERFACE.items() for name in own]
)
def test_a_call_of_theirs_fits_ours(module, name):
    expected = [one if isinstance(one, tuple) else (one, NONE) for one in INTERFACE[module][name]]
    parameters = inspect.signature(member(module, name)).parameters.values()
    usual = [(p.name, p.default) for p in parameters if p.name not in ("self", "kwargs")]
    assert usual[: len(expected)] == expected
    further = usual[len(expected) :]
    assert NONE not in [default for _, default in further], "ours must have defaults"


@pytest.mark.parametrize("module", TOP)
def test_names_stand_at_the_top_of_their_package(module):
    package = import_module(f"fairflow.fairlangproc.{module}")
    assert set(TOP[module]) == set(package.__all__)
    for name in TOP[module]:
        assert hasattr(package, name)


def test_weat_is_for_subclasses_and_bertweat_is_one():
    base = member("metrics.embedding", "WEAT")
    assert issubclass(member("metrics.embedding", "BertWEAT"), base)
    assert base.__abstractmethods__ == {"_get_embedding"}


def test_an_import_of_an_algorithm_says_what_to_use_instead():
    with pytest.raises(ImportError, match=r"measures models.*SentenceDebias"):
        import_module("fairflow.fairlangproc.algorithms.preprocessors")
