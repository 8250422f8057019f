"""A network that computes NaN answers nothing: no item has a score, and the model is said to be
broken."""

import math

import numpy as np
import pytest
from rule_scripts import run_script
from with_torch import embed_texts, model_facts, score_tokens

from fairflow.language_models.cells.item_cell import ItemVariant, score_items
from fairflow.language_models.items.choice_items import (
    LABELS,
    CandidateItem,
    ContinuationItem,
    QuestionItem,
)
from fairflow.language_models.items.item_set import ItemSet, token_requests, with_attention
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.items.text_items import PairItem, SentenceItem
from fairflow.language_models.metrics import item_metric_class
from fairflow.queries.query_file import write_words
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics

FEW = Statistics(permutations=50, resamples=50, joint_draws=10)
WORDS = dict(zip(LABELS, ("he", "she", "kid"), strict=True))
ITEMS = {
    "pair": [PairItem(f"{n}", f"He is {n}.", f"She is {n}.", category="1") for n in ("a", "b")],
    "slot": [SlotItem("s", "t", "{target} is a {fill}.", (("he",), ("she",)), "nurse")],
    "candidate": [
        CandidateItem.from_row("c", {"target": "man", "context": "BLANK is here."} | WORDS)
    ],
    "continuation": [
        ContinuationItem.from_row("q", {"target": "man", "context": "John is here."} | WORDS)
    ],
    "question": [
        QuestionItem(
            "q", "He and she.", "Who?", ("He", "She", "Not known"), 2, 2, 0, "neg", "ambiguous"
        )
    ],
    "sentence": [SentenceItem("a", "He is here.", cluster="he", template_id="t")],
}  # fmt: skip
ASKED = [
    ("masked", "pair", "crows_pairs_score", {}),
    ("masked", "pair", "crows_pairs_score", {"form": "differing"}),
    ("causal", "pair", "crows_pairs_score", {"form": "likelihood"}),
    ("masked", "pair", "aul_preference", {"weighted": True}),
    ("masked", "pair", "pair_likelihood", {}),
    ("causal", "pair", "pair_likelihood", {}),
    ("masked", "slot", "lpbs", {}),
    ("masked", "slot", "cbs", {}),
    ("masked", "candidate", "stereoset", {}),
    ("causal", "candidate", "stereoset", {}),
    ("causal", "continuation", "stereoset_intersentence", {}),
    ("causal", "question", "bbq", {}),
    ("masked", "sentence", "pseudo_log_likelihood", {}),
]


@pytest.fixture(params=[math.nan, math.inf], ids=["NaN", "infinite"])
def broken(request, torch):
    """Kind -> a model with a weight of the last norm, which all answers pass, that is no number."""
    from .models import causal_model, masked_model

    models = {"masked": masked_model(), "causal": causal_model(positions=128)}
    norms = {
        "masked": models["masked"].network.cls.predictions.transform.LayerNorm,
        "causal": models["causal"].network.transformer.ln_f,
    }
    with torch.no_grad():
        for norm in norms.values():
            norm.weight[3] = request.param
    return models


@pytest.mark.parametrize(("kind", "items", "metric", "parameters"), ASKED)
def test_no_metric_has_a_value_of_a_broken_model_and_each_item_says_why(
    kind, items, metric, parameters, broken
):
    asked = ItemSet(items, tuple(ITEMS[items]))
    chosen = item_metric_class(metric)(**parameters)
    needs = chosen.needs(kind)
    texts = score_tokens(
        broken[kind], token_requests(asked, needs), attention=with_attention(needs)
    )
    variant = ItemVariant(metric, metric, chosen.measure_names[0], parameters=parameters)
    found, rows = score_items(asked, texts, variant, Cell("tiny", metric, "q"), kind, 1, FEW)

    assert {row["status"] for row in rows} == {"not_finite"}
    assert all("the model is broken" in row["reason"] for row in rows)
    assert all(math.isnan(record.value) for record in found)
    assert {record.reason for record in found} == {
        f"tiny is broken: what it computes is NaN or infinite for {len(rows)} of {len(rows)} items"
    }
    assert all(math.isnan(record.uncertainty.p_value) for record in found)


def test_a_broken_model_has_no_vectors_and_its_facts_can_still_be_told(broken):
    found = embed_texts(broken["causal"], ["He is here.", "She"], "mean")
    assert found.statuses == ("not_finite", "not_finite")
    assert np.isnan(found.rows).all()
    assert model_facts(broken["causal"], "mean")["anisotropy"] is None


def test_an_audit_of_a_broken_model_ends_in_a_sentence_that_names_it(
    broken, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(
        "fairflow.language_models.inference.language_model.load_language_model",
        lambda *_, **__: broken["causal"],
    )
    sets = {"targets": {"men": ["he"], "women": ["she"]}, "attributes": {"a": ["nurse"]}}
    write_words({"q": sets}, tmp_path / "words.json")
    (tmp_path / "manifest.json").touch()
    reading = {"pooling": "mean", "layer": -1, "unit_length": None, "context_templates": None}
    how = {"model": "m", "queries": {"q": "as_written"}, "lookups": {"as_written": {}}}
    how |= {"random": [], "random_words": 0, "seed": 0, "language": None, "token_budget": None}
    how |= {"device": "cpu", "loading": {}, "reading": reading, "audited": True}
    read = {name: tmp_path / f"{name}.json" for name in ("manifest", "words")} | {"folder": "mine"}
    made = tmp_path / "made/words.parquet"
    with pytest.raises(SystemExit):
        run_script("language_models/embed_texts", read, {"embeddings": made}, how)
    assert "mine is broken: the vectors of 3 of 3 words of q" in capsys.readouterr().err
    assert not made.exists()


def test_a_model_of_which_one_token_is_broken_loses_the_texts_that_hold_it_and_has_no_score(torch):
    from .models import causal_model

    # Without a copy of the embeddings in its head, which every answer would see.
    model = causal_model()
    model.network.lm_head.weight = torch.nn.Parameter(model.network.lm_head.weight.clone())
    token = model.tokens.encode([" nurse"])[0].ids[0]
    with torch.no_grad():
        model.body.wte.weight[token] = math.nan
    pairs = [PairItem("nurse", "The nurse was he.", "The nurse was."),
             PairItem("man", "The man was he.", "The man was.")]  # fmt: skip
    asked = ItemSet("pair", tuple(pairs))
    texts = score_tokens(model, token_requests(asked, ["causal"]))
    variant = ItemVariant("m", "pair_likelihood", "preference")
    found, rows = score_items(asked, texts, variant, Cell("tiny", "m", "q"), "causal", 1, FEW)
    assert [row["status"] for row in rows] == ["not_finite", "ok"]
    assert {record.status for record in found} == {"not_finite"}
    assert "is NaN or infinite for 1 of 2 items" in found[0].reason
