"""Models trained from scratch: the same each time, and better than chance."""

import math

import numpy as np
import pytest

from fairflow.language_models.items.prompt import Prompt
from fairflow.language_models.items.sentence_item import SentenceItem
from fairflow.language_models.networks.tiny.generated_text import generated_sentences

SMALL = {"sentences": 600, "steps": 60, "layers": 1, "hidden": 32, "heads": 2, "vocabulary": 400}


@pytest.fixture(scope="session")
def trained(torch, tmp_path_factory):
    """A masked and a causal model, trained for a second or two."""
    from fairflow.language_models.networks.language_model import load_language_model
    from fairflow.language_models.networks.tiny.tiny_models import TinyModel, train_tiny_model

    folder, found = tmp_path_factory.mktemp("trained"), {}
    for kind in ("masked", "causal"):
        loss = train_tiny_model(TinyModel(kind, **SMALL), folder / kind)
        found[kind] = load_language_model(folder / kind, device="cpu"), loss, folder / kind
    return found


def test_sentences_do_not_depend_on_how_many_there_are():
    assert list(generated_sentences(5)) == list(generated_sentences(50))[:5]
    assert list(generated_sentences(5, seed=1)) != list(generated_sentences(5))
    assert all(s[0].isupper() and s.endswith(".") for s in generated_sentences(200))


def test_associations_are_in_the_sentences_by_rule():
    text = list(generated_sentences(6_000))
    women = sum(s.startswith("She ") and "nurse" in s for s in text)
    men = sum(s.startswith("He ") and "nurse" in s for s in text)
    assert women > 1.5 * men


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_training_lowers_the_loss_below_chance(kind, trained):
    model, loss, _ = trained[kind]
    assert model.kind == kind
    assert loss < 0.8 * math.log(model.network.config.vocab_size)


def test_training_again_gives_the_same_bytes_and_leaves_random_numbers_alone(
    trained, torch, tmp_path
):
    from fairflow.language_models.networks.tiny.tiny_models import TinyModel, train_tiny_model

    before = torch.get_rng_state()
    for kind in ("masked", "causal"):
        train_tiny_model(TinyModel(kind, **SMALL), tmp_path / kind)
        for path in sorted(trained[kind][2].iterdir()):
            assert (tmp_path / kind / path.name).read_bytes() == path.read_bytes(), path.name
    assert torch.equal(torch.get_rng_state(), before)


def test_a_kind_that_is_not_known_is_refused(torch):
    from fairflow.language_models.networks.tiny.tiny_models import TinyModel

    with pytest.raises(ValueError, match="kind must be one of masked, causal"):
        TinyModel("encoder")


def test_a_trained_model_goes_through_all_three_doors(trained):
    from fairflow.language_models.items.decoding import Decoding
    from fairflow.language_models.networks.complete_prompts import complete_prompts
    from fairflow.language_models.networks.embed_texts import embed_texts
    from fairflow.language_models.networks.score_tokens import score_tokens

    masked, causal = trained["masked"][0], trained["causal"][0]
    text = score_tokens(masked, [SentenceItem("s", "She is a librarian.").request("masked")])[0]
    assert (text.status, text.pieces[:3]) == ("ok", ("she", "is", "a"))
    assert len(text.pieces) > 5
    assert np.isfinite(embed_texts(causal, ["She is kind."], "last").rows).all()
    done = complete_prompts(causal, [Prompt("p", "She is")], Decoding(max_new_tokens=5))
    assert done[0].status == "ok"


def test_a_checkpoint_without_a_head_is_an_encoder_and_scores_nothing(trained, tmp_path):
    from fairflow.language_models.errors import LanguageModelError
    from fairflow.language_models.networks.embed_texts import embed_texts
    from fairflow.language_models.networks.language_model import load_language_model
    from fairflow.language_models.networks.score_tokens import score_tokens

    masked = trained["masked"][0]
    masked.network.base_model.save_pretrained(tmp_path)
    masked.pieces.tokenizer.save_pretrained(tmp_path)
    encoder = load_language_model(tmp_path, device="cpu")
    assert encoder.kind == "encoder"
    texts = ["She is kind.", "He"]
    vectors = [embed_texts(model, texts, "cls").rows for model in (encoder, masked)]
    np.testing.assert_array_equal(*vectors)
    with pytest.raises(LanguageModelError, match="needs a masked language model"):
        score_tokens(encoder, [SentenceItem("s", "She").request("masked")])


def test_facts_of_a_model_tell_its_casing_and_tokenizer(trained):
    from fairflow.language_models.networks.model_facts import model_facts

    masked, causal = (model_facts(trained[kind][0]) for kind in ("masked", "causal"))
    names = ("kind", "tokenizer", "lower_cases", "mask", "max_pieces", "layers")
    assert [masked[name] for name in names] == ["masked", "WordPiece", True, "[MASK]", 64, 1]
    assert [causal[name] for name in names] == ["causal", "BPE", False, None, 64, 1]
