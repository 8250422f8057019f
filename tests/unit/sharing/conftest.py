"""A study of planted scores: a model with a hostile label, and scores that have no value."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tables_of_scores import score as scored

from fairflow.planning.study import Entries, Study
from fairflow.scores.word_variant import WordVariant
from fairflow.sharing.exports import ExportedStudy
from fairflow.statistics.outcome import Reading
from fairflow.studies.claims.claim import Results
from fairflow.studies.comparability import IS_CONTROL

NAN = float("nan")
LABEL = 'Größe | <b>二</b>\n"x" [y](javascript:z)'
TITLE = "A study: <i>planted</i>"
READINGS = {
    "stereoset": Reading(0, "stereotypes are more probable", published_shift=50),
    "likelihood": Reading(says="larger: more probable sentences"),
}


class OfItems(WordVariant):
    """A variant of a metric that measures no words."""

    of_words = False

    def reading_of(self, measure: str) -> Reading:
        """What a value says."""
        return READINGS[self.name] if measure == self.measure else Reading()


METRICS = {
    "weat_es": WordVariant("weat_es", "weat", "effect_size", label="WEAT effect size"),
    "stereoset": OfItems("stereoset", "weat", "preference", label="StereoSet ss - 50"),
    "likelihood": OfItems("likelihood", "weat", "mean", label="CPS"),
}
QUERIES = {
    name: SimpleNamespace(name=name, label=label, citation="", kind="words", entry={})
    for name, label in {"careers": "A and B wrt C and D", "blanks": "Blanks | <i>"}.items()
}
# 1,000 draws with a mean of 0 and a standard deviation of 8.
DRAWS = np.resize([-8.0, 8.0], 1000)


def score(ranked: bool = True, **more: Any) -> dict[str, Any]:
    """A StereoSet score of 66.7 with an interval from 48.4 to 82.3."""
    names = {"metric": "stereoset", "measure": "preference", "criterion": "Blanks"}
    names |= {"query_label": "Blanks | <i>", "subquery_digest": "0123456789abcdef"}
    names |= {"test_id": "m1", "family": "all", "words": [], "oov_words": []}
    numbers = {"ci_low": -1.6, "ci_high": 32.3, "ci_level": 0.95, "draws": 16.7 + DRAWS}
    numbers |= {"p_value": 0.076, "p_bh": 0.31, "p_holm": 0.31, "fair": 0.0, "n_resamples": 5000}
    numbers |= {"n_words": 48, "n_found": 48, "n_items": 48.0, "n_clusters": 16.0}
    of_tests = {"sampled_from": 2106.0, "ci_method": "bca", "p_method": "exact"}
    return scored("large", "blanks", 16.7, ranked, **names | numbers | of_tests) | more


WORDS = {"metric": "weat_es", "query": "careers", "subquery": "A and B wrt C and D"}
WORDS |= {"query_label": "A and B wrt C and D", "measure": "effect_size"}
WORDS |= {"control_status": "passes", "control": "passes"}
WORDS |= {"n_items": NAN, "n_clusters": NAN, "sampled_from": NAN, "n_words": 32, "n_found": 31}
WORDS |= {"value": -0.5, "ci_low": -0.9, "ci_high": -0.1, "draws": -0.5 + DRAWS / 40}
LOST = "Careers lost 3 of 8 words (wage, boss, office)"
SCORES = [
    score(),
    score(measure="lms", ranked=False, value=93.8, p_value=NAN, p_bh=NAN),
    score(measure="icat", ranked=False, value=NAN),
    score(**WORDS, test_id="m2"),
    score(**WORDS | {"value": 1.2, "query": "flowers", IS_CONTROL: True}),
    score(metric="likelihood", measure="mean", value=-35.5, test_id="m3")
    | dict.fromkeys(("fair", "p_value", "p_bh"), NAN),
    score(**WORDS | {"value": NAN, "ci_low": NAN, "ci_high": NAN, "p_value": NAN, "p_bh": NAN})
    | {"model": "small", "reason": LOST, "status": "lost_vocabulary", "draws": []},
    score(**WORDS | {"model": "noise", "control_status": "fails", "control": "weat_1 (0.10)"}),
]


@pytest.fixture
def with_scores(planted: ExportedStudy) -> Callable[..., ExportedStudy]:
    """The study with other scores, each as it differs from `score`."""

    def made(*rows: dict[str, Any]) -> ExportedStudy:
        frames = {"scores": pd.DataFrame([score(**row) for row in rows])}
        return replace(planted, results=replace(planted.results, frames=frames))

    return made


@pytest.fixture
def planted() -> ExportedStudy:
    """The study: a model with three scores, one without a value, one that fails its control."""
    names = ("large", "small", "noise")
    models = {
        "large": {"label": LABEL, "licence": "MIT"},
        "small": {"label": "Small", "sources": "given answers"},
        "noise": {"label": "Noise"},
    }
    kinds = {
        "large": SimpleNamespace(kind="causal", is_given=False, entry={"hub": "org/large"}),
        "small": SimpleNamespace(kind="answers", is_given=True, entry={}),
        "noise": SimpleNamespace(kind="words", is_given=False, entry={}),
    }
    labels = {name: facts["label"] for name, facts in models.items()}
    labels |= {name: one.label for name, one in METRICS.items()}
    labels |= {name: one.label for name, one in QUERIES.items()}
    of_others = [name for name, one in METRICS.items() if not one.of_words]
    signed = [name for name, one in METRICS.items() if one.direction["signed"]]
    settings = {"of_others": of_others, "signed": signed}
    settings["readings"] = {name: one.reading.facts for name, one in METRICS.items()}
    entries = Entries(kinds, METRICS, QUERIES)
    criteria = {"Words": ("careers",), "Blanks": ("blanks",)}
    return ExportedStudy(
        datetime(2026, 11, 26, 8, tzinfo=UTC),
        {"fairflow": "0.2.0", "configuration_sha256": "ab12", "seed": "2020"},
        Results({"scores": pd.DataFrame(SCORES)}, labels, **settings),
        Study("planted", TITLE, names, tuple(METRICS), criteria, "avg", (), entries),
        models,
        [{"name": "Ada Lovelace", "orcid": "https://orcid.org/0000-0002-1825-0097"}],
    )
