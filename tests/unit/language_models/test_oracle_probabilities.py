"""Every expected value of the shared oracle, on masked tokens: items, scores, metrics."""

from dataclasses import replace

import pytest
from with_torch import score_tokens

from fairflow.language_models.items.choice_items import CandidateItem
from fairflow.language_models.items.slot_item import SlotItem, template_of_masks
from fairflow.language_models.items.text_items import PairItem, SentenceItem
from fairflow.language_models.metrics.aul_preference import AULPreference
from fairflow.language_models.metrics.cbs import CBS
from fairflow.language_models.metrics.crows_pairs_score import CrowsPairsScore
from fairflow.language_models.metrics.lpbs import LPBS
from fairflow.language_models.metrics.pseudo_log_likelihood import PseudoLogLikelihood
from fairflow.language_models.metrics.stereoset import StereoSet
from fairflow.language_models.scoring.item_metric import ItemScores
from fairflow.language_models.slices.answers import ScoredTexts

from .language_oracle import LOGP, SUM, measures, near, needs_oracle, oracle

pytestmark = needs_oracle


def slot_item(case):
    template = template_of_masks(case["sentence"], case["mask_index"], "oracle")
    targets = tuple((word,) for word in case["targets"])
    return SlotItem("item", template, template, targets, case["fill"])


# The oracle has LPBS and CBS of the first token of a word as well, which fairflow has not.
def with_masks(expected):
    return {name.removeprefix("masks/"): own for name, own in expected.items() if "masks/" in name}


def slot_scores(model, metric, case, fill_masks, **options) -> ItemScores:
    item = slot_item(case)
    metric = metric(fill_masks=fill_masks, **options)
    return metric.scores([item], score_tokens(model, item.requests(fill_masks)))


@pytest.mark.parametrize("case", oracle("token_table"), ids=lambda case: case["sentence"])
def test_every_token_has_its_log_probability(case, oracle_models):
    item = SentenceItem("s", case["sentence"])
    texts = score_tokens(
        oracle_models["bert"], [*item.requests("masked"), *item.requests("unmasked")]
    )
    for text, column in zip(texts, ("masked_logp", "unmasked_logp"), strict=True):
        assert list(text.logp) == near([case[column][p] for p in text.positions], LOGP)
        assert list(text.token_ids) == [case["ids"][p] for p in text.positions]
    scores = PseudoLogLikelihood().scores([item], texts)
    assert scores.values[0] == near(case["pll"], SUM)
    assert scores.columns["perplexity"][0] == near(case["pseudo_perplexity"], SUM)


@pytest.mark.parametrize("case", oracle("lpbs"), ids=lambda case: "-".join(case["targets"]))
def test_lpbs_with_one_mask_for_the_fill_and_several(case, oracle_models):
    for variant, expected in with_masks(case["expected"]).items():
        scores = slot_scores(oracle_models["bert"], LPBS, case, variant)
        for number in (1, 2):
            for name in ("logp", "logp_prior"):
                found = scores.columns[f"{name}_{number}"][0]
                assert found == near(expected[name][number - 1], SUM)
        assert scores.values[0] == near(expected["score"], SUM)
        tokens = [scores.columns[f"n_tokens_{number}"][0] for number in (1, 2)]
        assert tokens == [len(case["pieces"][word]) for word in case["targets"]]


@pytest.mark.parametrize("case", oracle("cbs")["items"] if oracle("cbs") else [], ids=str)
def test_cbs_with_both_degrees_of_freedom(case, oracle_models):
    for variant, expected in with_masks(case["expected"]).items():
        for ddof in (0, 1):
            scores = slot_scores(oracle_models["bert"], CBS, case, variant, ddof=ddof)
            assert scores.values[0] == near(expected[f"var_ddof{ddof}"], SUM)


def test_cbs_of_all_items_is_their_mean(oracle_models):
    cases = oracle("cbs")
    items = [replace(slot_item(case), item_id=str(n)) for n, case in enumerate(cases["items"])]
    texts = [t for item in items for t in score_tokens(oracle_models["bert"], item.requests())]
    assert measures("cbs", "slot", items, texts)["mean"] == near(
        cases["mean_over_these_items"]["masks/one, ddof 1"], SUM
    )


@pytest.mark.parametrize("case", oracle("cps"), ids=lambda case: case["sentence"])
def test_cps_around_a_target(case, oracle_models):
    item = SentenceItem("s", case["sentence"], kept=(case["target"],))
    texts = score_tokens(oracle_models["bert"], item.requests("masked"))
    expected = case["expected"]
    assert list(texts[0].positions) == case["scored_positions"]
    assert list(texts[0].logp) == near(expected["logp"], LOGP)
    scores = PseudoLogLikelihood().scores([item], texts)
    if expected["target_found"]:
        assert scores.values[0] == near(expected["sum"], SUM)
        assert scores.columns["mean"][0] == near(expected["mean"], LOGP)
    else:
        assert scores.statuses == ("target_absent",)


@pytest.mark.parametrize("case", oracle("aul"), ids=lambda case: case["sentence"])
def test_aul_and_aula(case, oracle_models):
    item, expected = PairItem("s", *[case["sentence"]] * 2), case["expected"]
    texts = score_tokens(oracle_models["bert"], item.requests("unmasked"), attention=True)
    assert list(texts[0].logp) == near(expected["logp"], LOGP)
    assert list(texts[0].attention) == near(expected["attention_weight"], LOGP)
    for name, weighted in (("aul", False), ("aula", True)):
        found = AULPreference(weighted=weighted).side(item, "more", ScoredTexts(texts), "masked")
        assert found["score"] == near(expected[name], LOGP)
    assert texts[0].total == near(expected["sum"], SUM)


@pytest.fixture(scope="module")
def pairs():
    return [
        PairItem(str(n), c["sent_more"], c["sent_less"], c["stereo_antistereo"], c["bias_type"])
        for n, c in enumerate(oracle("crows_pairs")["items"])
    ]


def both_sides(cases, name):
    return [case[f"{name}_{side}"] for case in cases for side in ("more", "less")]


def of_both_sides(scores, column="score"):
    more, less = scores.columns[f"{column}_more"], scores.columns[f"{column}_less"]
    return [value for pair in zip(more, less, strict=True) for value in pair]


def summary_of(expected):
    return {name: value for name, value in expected.items() if name != "n"}


def without_preference(found):
    """The measures that the oracle has: of nine pairs one ties, and counts half in `preference`."""
    assert found["neutral"] == 1
    assert found["preference"] == near(found["metric_score"] + 50 / 9 - 50, 1e-9)
    return {name: value for name, value in found.items() if name != "preference"}


def test_crows_pairs_score(pairs, oracle_models):
    expected = oracle("crows_pairs")
    requests = [r for pair in pairs for r in pair.requests(scope="all")]
    texts = score_tokens(oracle_models["bert"], requests)
    positions = [
        [p for p, shared in zip(text.positions, text.shared, strict=True) if shared]
        for text in texts
    ]
    assert positions == both_sides(expected["items"], "unmodified")
    scores = CrowsPairsScore().scores(pairs, texts)
    assert of_both_sides(scores) == near(both_sides(expected["items"], "score"), SUM)
    found = measures("crows_pairs_score", "pair", pairs, texts)
    assert without_preference(found) == near(summary_of(expected["summary_cps"]), 1e-9)
    differing = CrowsPairsScore(form="differing").scores(pairs, texts)
    for side in ("more", "less"):
        for number, case in enumerate(expected["items"]):
            wanted = case[f"modified_mean_{side}"]
            if differing.statuses[number] == "ok":
                assert differing.columns[f"score_{side}"][number] == near(wanted, LOGP)


def test_crows_pairs_score_scores_only_what_it_needs(pairs, oracle_models):
    texts = score_tokens(oracle_models["bert"], [r for pair in pairs for r in pair.requests()])
    expected = oracle("crows_pairs")["items"]
    assert [list(t.positions) for t in texts] == both_sides(expected, "unmodified")


def test_aul_of_pairs(pairs, oracle_models):
    expected = oracle("crows_pairs")
    texts = score_tokens(oracle_models["bert"], [r for p in pairs for r in p.requests("unmasked")])
    scores = AULPreference().scores(pairs, texts)
    assert of_both_sides(scores) == near(both_sides(expected["items"], "aul"), LOGP)
    found = measures("aul_preference", "pair", pairs, texts)
    assert without_preference(found) == near(summary_of(expected["summary_aul"]), 1e-9)


def test_crows_pairs_of_a_causal_model(pairs, oracle_models):
    expected = oracle("crows_pairs")
    requests = [r for pair in pairs for r in pair.requests("causal_start_once")]
    texts = score_tokens(oracle_models["gpt2"], requests)
    scores = CrowsPairsScore(form="likelihood").scores(pairs, texts)
    assert of_both_sides(scores) == near(both_sides(expected["items"], "gpt2_mean_logp"), LOGP)
    found = measures("crows_pairs_score", "pair", pairs, texts, "causal", form="likelihood")
    assert without_preference(found) == near(summary_of(expected["summary_gpt2"]), 1e-9)


@pytest.mark.parametrize(
    ("model", "kind", "name", "variant"),
    [("bert", "masked", "mlm", "prefix"), ("gpt2", "causal", "gpt2", "causal_start_once")],
)
def test_stereoset(model, kind, name, variant, oracle_models):
    expected = oracle("stereoset")
    labels = ("stereotype", "anti-stereotype", "unrelated")
    items = [
        CandidateItem(
            case["id"],
            case["target"],
            case["bias_type"],
            case["context"],
            {label: case[label] for label in labels},
        )
        for case in expected["items"]
    ]
    texts = score_tokens(
        oracle_models[model], [r for item in items for r in item.requests(variant)]
    )
    scores = StereoSet().scores(items, texts, kind)
    for number, (item, case) in enumerate(zip(items, expected["items"], strict=True)):
        for label in labels:
            wanted = case["scores"][label]
            assert scores.columns[label.replace("-", "_")][number] == near(wanted[name], LOGP)
            start, end = item.word_span(label)
            assert item.sentences[label][start:end] == wanted["word"]
    if variant == "prefix":
        tokens = [case["scores"][label]["pieces"] for case in expected["items"] for label in labels]
        assert [list(text.tokens) for text in texts] == tokens
    summary = expected[f"summary_{name}"]
    assert (int(scores.ok.sum()), len({item.target for item in items})) == (
        summary["count"],
        summary["terms"],
    )
    found = measures("stereoset", "candidate", items, texts, kind)
    assert [found[k] for k in ("lms", "ss", "icat")] == near(
        [summary[k] for k in ("lms", "ss", "icat")], 1e-9
    )
