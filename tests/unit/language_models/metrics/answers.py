"""Answers of no model: random log-probabilities, and what a metric makes of them."""

import numpy as np

from fairflow.language_models.cells.item_cell import ItemVariant, score_items
from fairflow.language_models.items.item_set import token_requests
from fairflow.language_models.metrics import item_metric_class
from fairflow.language_models.slices.answers import ScoredText
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics

FEW = Statistics(permutations=2_000, resamples=200, joint_draws=50)


def text_of(request, logp, shared=None):
    ids = tuple(range(len(logp)))
    return ScoredText(
        request.text_id, request.variant, request.text, len(ids), positions=ids, words=ids,
        token_ids=ids, tokens=("x",) * len(ids), logp=np.array(logp),
        shared=tuple(shared) if shared else None,
    )  # fmt: skip


def scored(items, name, model_kind, seed=0, **parameters):
    """What a metric needs of a model, at random."""
    return random_texts(items, item_metric_class(name)(**parameters).needs(model_kind), seed)


def random_texts(items, needs, seed=0):
    """Random log-probabilities; the first token of a text is the one that differs."""
    random = np.random.default_rng(seed)
    found = []
    for request in token_requests(items, needs):
        n = int(random.integers(2, 6))
        found.append(text_of(request, -5 * random.random(n), [False] + [True] * (n - 1)))
    return found


def measured(name, items, texts, model_kind="causal", **parameters):
    return item_metric_class(name)(**parameters).measure(items, texts, model_kind)


def records(name, items, texts, model_kind, measure):
    variant = ItemVariant(name, name, measure)
    cell = Cell("model", name, "query")
    found, _ = score_items(items, texts, variant, cell, model_kind, 1, FEW)
    return {record.measure: record for record in found}


def scores_of(texts, model_kind, shared):
    """(id, side) -> its score, by the definition."""
    scores = {}
    for text in texts:
        item, side = text.text_id.split("/")
        if model_kind == "causal":
            scores[item, side] = sum(text.logp)
        else:
            chosen = [p for p, s in zip(text.logp, text.shared, strict=True) if s == shared]
            scores[item, side] = sum(chosen) if shared else sum(chosen) / len(chosen)
    return scores
