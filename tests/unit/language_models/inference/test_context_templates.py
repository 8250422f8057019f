"""Context templates are for models whose first position tells nothing of the word."""

from dataclasses import replace

import numpy as np
import pytest
from one_cell import CELL, write_cell
from with_torch import embed_texts, model_facts, prepared

from fairflow import WEAT, Query, WordEmbeddingModel
from fairflow.language_models.item_tables import language_tables
from fairflow.language_models.slices.slices import embedding_table, read_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.vectors.word_frequency import WordFrequency

from ..language_oracle import LOGP, near

WORDS = Query([["nurse", "doctor"], ["actor", "engineer"]], [["he", "him"], ["she", "her"]])
SENTENCES = Query([["A nurse is here."], ["An actor is here."]], [["He is here."], ["She is."]])
TWO = ["The {word}", "A very {word}"]


@pytest.fixture(scope="module")
def starting(torch):
    """A causal model whose tokenizer puts a start in front, and words alike wherever they stand."""
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    from ..models import pin

    words = "<s> <unk> the word is they wrote another i thought of nurse doctor actor engineer "
    words += "he him she her flower music war peace The"
    vocabulary = {word: number for number, word in enumerate(words.split())}
    plain = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    plain.post_processor = processors.TemplateProcessing("<s> $A", None, [("<s>", 0)])
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain, bos_token="<s>", unk_token="<unk>"
    )
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=16, n_layer=2, n_head=2, n_positions=32,
        bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    return prepared(pin(transformers.GPT2LMHeadModel(config), 0.3), tokenizer)


def embedded(model, query=WORDS, **options):
    from fairflow.language_models.inference.embed_query import embed_query

    return embed_query(model, query, Lookup(), **options)


def state_at_end(model, text):
    """The last hidden state at the last token of a text."""
    import torch

    ids = torch.tensor([model.tokens.tokenizer(text)["input_ids"]])
    with torch.inference_mode():
        return model.body(input_ids=ids)[0][0, -1].numpy()


def test_which_models_cannot_read_bare_words_is_tried_out(masked, causal, starting):
    from fairflow.language_models.inference.embed_query import (
        FIRST_POSITION,
        bare_words_problem,
        templates_of,
    )

    assert bare_words_problem(masked) is None
    assert bare_words_problem(causal) == FIRST_POSITION
    assert bare_words_problem(starting) is None
    assert templates_of(masked, None) == templates_of(starting, None) == ()
    assert len(templates_of(causal, None)) == 4
    assert templates_of(masked, TWO) == tuple(TWO)


def test_other_tokens_at_the_start_of_a_text_are_a_problem_too(causal, monkeypatch):
    from fairflow.language_models.inference import embed_query

    monkeypatch.setattr(embed_query, "starts_bare", lambda _: False)
    assert embed_query.bare_words_problem(causal) == embed_query.OTHER_TOKENS


def test_whether_an_encoder_reads_from_left_to_right_is_tried_out(masked, causal):
    from fairflow.language_models.inference.embed_query import reads_left_to_right

    assert reads_left_to_right(replace(causal, kind="encoder"))
    assert not reads_left_to_right(replace(masked, kind="encoder"))


def test_a_causal_model_reads_words_at_the_end_of_carriers_and_takes_the_mean(causal):
    from fairflow.language_models.inference.embed_query import CONTEXT_TEMPLATES

    found = embedded(causal)
    assert found.context_templates == CONTEXT_TEMPLATES
    assert found.texts == ("nurse", "doctor", "actor", "engineer", "he", "him", "she", "her")
    assert set(found.statuses) == {"ok"}
    for word in ("nurse", "her"):
        states = [
            state_at_end(causal, template.format(word=word)) for template in CONTEXT_TEMPLATES
        ]
        expected = np.mean(states, axis=0)
        assert found.vectors([word])[0].tolist() == near(expected.tolist(), LOGP)


def test_any_model_can_be_given_carriers_and_pools_the_positions_of_the_word(masked):
    import torch

    found = embedded(masked, context_templates=["The {word} is here."], pooling="mean")
    ids = torch.tensor([masked.tokens.tokenizer("The receptionist is here.")["input_ids"]])
    query = Query([["receptionist"], ["doctor"]], [["he"], ["she"]])
    found = embedded(masked, query, context_templates=["The {word} is here."], pooling="mean")
    with torch.inference_mode():
        states = masked.body(input_ids=ids)[0][0].numpy()
    expected = states[2:-4].mean(axis=0)
    assert found.n_tokens[0] == len(states[2:-4]) > 1
    assert found.vectors(["receptionist"])[0].tolist() == near(expected.tolist(), LOGP)


def test_models_that_can_read_bare_words_and_sentences_of_any_model_stay_as_they_are(
    masked, causal, starting
):
    assert embedded(masked).context_templates == embedded(starting).context_templates == ()
    found = embedded(causal, SENTENCES, context_templates=TWO)
    assert found.context_templates == ()
    assert set(found.statuses) == {"ok"}
    expected = state_at_end(causal, "She is.")
    assert found.vectors(["She is."])[0].tolist() == near(expected.tolist(), LOGP)


def test_bare_words_of_such_a_model_have_no_vector_and_say_why(causal):
    found = embedded(causal, context_templates=[], random_words=40)
    assert set(found.statuses) == {"first_position"}
    assert np.isnan(found.rows).all()
    assert "puts nothing in front of a text" in found.reasons[0]
    assert "give context_templates" in found.reasons[0]
    looked_up = WordEmbeddingModel(found).look_up(WORDS, Lookup())
    assert looked_up.rejected[0] == "lost_vocabulary"


def test_words_beside_sentences_are_bare_words(causal):
    found = embedded(causal, Query([["A nurse is here."], ["actor"]], [["U.S."], ["She is."]]))
    assert found.context_templates == ()
    assert found.statuses == ("ok", "first_position", "first_position", "ok")


@pytest.fixture
def listed(monkeypatch):
    """A list of frequencies of the words given, which replaces that of a language."""
    from fairflow.language_models.inference import embed_query

    def listing(words):
        shares = tuple(1 / (100 + place) for place in range(len(words)))
        frequency = WordFrequency("wordfreq 3, en", tuple(words), shares)
        monkeypatch.setattr(embed_query, "_frequency_of", lambda *_, **__: frequency)

    return listing


def test_random_words_stand_in_the_same_context_templates(causal, listed):
    listed([f"the{letter}" for letter in "abcdefghijklmnopqrst"])
    found = embedded(causal, random_words=8, context_templates=TWO, language="en")
    word = found.random.words[0]
    expected = np.mean(
        [state_at_end(causal, template.format(word=word)) for template in TWO], axis=0
    )
    assert found.random.vectors[0].tolist() == near(expected.tolist(), LOGP)


def templates_of(texts):
    """The table of what each context template alone would give."""
    return language_tables({}, {"model": {}}, [("model", "query", texts)])["items"]


def test_what_each_carrier_alone_would_give_is_kept(causal, tmp_path):
    both = embedded(causal, context_templates=TWO)
    path = write_cell(embedding_table(*CELL, both), tmp_path / "both.parquet")
    again = read_embeddings([path])[CELL]
    assert (again.context_templates, again.effects) == (tuple(TWO), both.effects)
    table = templates_of(again).set_index("item")["value"]
    for template in TWO:
        alone = embedded(causal, context_templates=[template])
        found = WEAT().run_query(WORDS, WordEmbeddingModel(alone, "m"))
        assert table[template] == near(found["effect_size"], 1e-6)


def test_the_audit_tells_a_sink_at_the_first_position(causal, torch):
    from fairflow.language_models.inference.model_facts import first_position

    def ratio(scale):
        table = causal.body.wpe.weight
        before = table.detach().clone()
        with torch.no_grad():
            table[0] *= scale
        try:
            return first_position(causal, ["nurse", "doctor", "kind"])
        finally:
            with torch.no_grad():
                table.copy_(before)

    assert ratio(1)[0] < 3
    large, layer = ratio(1000)
    assert large > 100
    assert layer == 0


def test_the_audit_tells_how_far_random_words_point_one_way(causal):
    from fairflow.language_models.inference.tokens import tokens_of, whole_words

    words = whole_words(tokens_of(causal.tokens.tokenizer))
    assert 2 < len(words) <= 200
    rows = embed_texts(causal, [f"The {word}" for word in words]).rows.astype(float)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = (rows @ rows.T)[np.triu_indices(len(words), 1)]
    found = model_facts(causal, context_templates=["The {word}"])
    assert found["anisotropy"] == pytest.approx(cosines.mean(), abs=1e-3)
    assert found["context_templates"] == "The {word}"
    assert "puts nothing in front" in found["bare_words"]
