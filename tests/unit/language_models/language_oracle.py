"""The shared oracle of language-model metrics, if there is one next to the checkout."""

import json
from pathlib import Path

import pytest
from given_texts import given_completions

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.text_items import Prompt
from fairflow.language_models.metrics import item_metric_class

FOLDER = Path(__file__).parents[4] / "shared/reference"
ORACLE = FOLDER / "lm-oracle.json"

# Of float32, as the oracle states them: log-probabilities and their means; sums and what follows.
LOGP, SUM = 5e-5, 5e-4

needs_oracle = pytest.mark.skipif(
    not ORACLE.is_file(), reason="the shared oracle of language models is not next to the checkout"
)


def oracle(key):
    """The cases under a key; none without the oracle, so that tests are collected all the same."""
    return json.loads(ORACLE.read_text("utf-8"))[key] if ORACLE.is_file() else []


def measures(metric, kind, items, slice_, model_kind="masked", **rest):
    """What the workflow makes of items: measure -> value.

    Parameters
    ----------
    rest : parameters of the metric, and groups, targets or lexicon of the items.
    """
    own = {name: rest.pop(name) for name in ("groups", "targets", "lexicon") if name in rest}
    found = item_metric_class(metric)(**rest)
    return found.measure(ItemSet(kind, tuple(items), **own), slice_, model_kind).measures


def of_texts(metric, texts, **rest):
    """The measures of a metric of generated texts, each text after a different prompt."""
    prompts = [Prompt(str(number), "A prompt") for number in range(len(texts))]
    completions = given_completions({str(n): [text] for n, text in enumerate(texts)})
    return measures(metric, "prompt", prompts, completions, "answers", **rest)


def near(expected, tolerance):
    """Equal within an absolute tolerance."""
    return pytest.approx(expected, rel=0, abs=tolerance)
