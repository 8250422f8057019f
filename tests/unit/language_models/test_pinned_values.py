"""Numbers that must not change: those of the pinned models, through the metrics.

`pinned_values` computed them by the plain formulas.
"""

import json
from pathlib import Path

import pytest

from fairflow.language_models.items.text_items import PairItem, SentenceItem
from fairflow.language_models.metrics.crows_pairs_score import CrowsPairsScore
from fairflow.language_models.metrics.pseudo_log_likelihood import PseudoLogLikelihood

from .language_oracle import SUM, measures, near

EXPECTED = json.loads((Path(__file__).parents[2] / "data/language_models.json").read_text("utf-8"))


@pytest.fixture
def given(torch):
    from . import pinned_values

    return pinned_values


def likelihoods(model, sentences, variant):
    from fairflow.language_models.inference.score_tokens import score_tokens

    items = [SentenceItem(str(n), text) for n, text in enumerate(sentences)]
    texts = score_tokens(model, [one for item in items for one in item.requests(variant)])
    return PseudoLogLikelihood(variant=variant).scores(items, texts).values.tolist()


def test_the_metrics_give_the_pinned_values(given, masked, causal):
    from fairflow.language_models.inference.score_tokens import score_tokens

    assert likelihoods(masked, given.SENTENCES, "masked") == near(EXPECTED["pll"], SUM)
    assert likelihoods(causal, given.SENTENCES, "causal") == near(EXPECTED["causal"], SUM)
    pair = PairItem("p", *given.PAIR)
    scores = CrowsPairsScore().scores([pair], score_tokens(masked, pair.requests()))
    found = [scores.columns[f"score_{side}"][0] for side in ("more", "less")]
    assert found == near(EXPECTED["pair"], SUM)
    preferred = EXPECTED["pair"][0] > EXPECTED["pair"][1]
    found = measures("crows_pairs_score", "pair", [pair], score_tokens(masked, pair.requests()))
    assert found["metric_score"] == 100 * preferred


def test_item_scores_can_be_resampled(given, masked):
    from fairflow.language_models.inference.score_tokens import score_tokens

    pairs = [PairItem("p", *given.PAIR, template_id="t"), PairItem("q", "", "He is here.")]
    requests = [request for pair in pairs for request in pair.requests()]
    scores = CrowsPairsScore().scores(pairs, score_tokens(masked, requests))
    assert len(scores.scored_values) == 1
    first, second = scores.rows()
    assert (first["template"], second["template"]) == ("t", "q")
    assert (first["status"], second["status"]) == ("ok", "empty")
    assert set(scores.columns) < set(first) == set(second)
