"""Entries of language models, for `fairflow list` and `fairflow show`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MODELS, METRICS, QUERIES = "language_models", "language_metrics", "language_queries"
# Behind the line of each metric and query; and what is said of a query that words are needed of.
FOR = "for language models"
NOT_OF_WORDS = (
    "asks about sentences or items, which only a language model can answer: name it in a study "
    "and run 'make run-lm'"
)


def model_line(entry: Mapping[str, Any]) -> str:
    """What a model is that is not derived."""
    return f"{entry['kind']} language model"


def metric_class(name: str) -> type:
    """The class of a metric."""
    # Late, because listing needs it not.
    from fairflow.language_models.metrics import item_metric_class

    return item_metric_class(name)


def named() -> dict[str, list[str]]:
    """Title -> a line for each name that the reference of the configuration has."""
    from fairflow.language_models.items.query_entry import FORMATS

    lines = [f"- `{name}`: items of kind {one.kind}" for name, one in FORMATS.items()]
    return {"Formats of items, for `format` of a query of language models": lines}
