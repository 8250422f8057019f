"""A run of two small studies, with names that would be markup if they were not escaped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from fairflow.products.report.page import page
from fairflow.products.report.study_section import sections
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.associations import reproduced_claim
from fairflow.studies.claims.claim import Claim
from fairflow.studies.claims.page import study_page
from fairflow.studies.claims.study_claims import Stated
from fairflow.studies.claims.words import worded
from fairflow.studies.validity.grid import grid

SCRIPT = "<script>document.title = 'taken'</script>"
BREAKOUT = '</script><img src=x onerror="document.title=1">&'
MODELS = {"first": f"First {SCRIPT}", "second": "Second & last"}
METRICS = {"weat": "WEAT", "rnd": "RND"}
CRITERIA = {"Weather": ["rain", "snow"], "Sound": ["noise"]}
SVG = (
    '<?xml version="1.0"?>\n<svg xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns="http://www.w3.org/2000/svg" width="72pt" height="36pt" viewBox="0 0 72 36">'
    '<defs><path id="glyph" d="M 1.23456 2 \nL 3 4 \nz"/></defs>'
    '<use xlink:href="#glyph"/></svg>'
)


def study(name: str) -> dict[str, Any]:
    queries = [query for group in CRITERIA.values() for query in group]
    return {
        "name": name,
        "title": f"Study {name} {SCRIPT}",
        "models": list(MODELS),
        "metrics": list(METRICS),
        "criteria": CRITERIA,
        "aggregation": "abs_avg",
        "minimum_coverage": 0.5,
        "signed": ["weat"],
        "statistics": True,
        "families": ["criterion"],
        "labels": {**MODELS, **METRICS, **{query: f"{query} wrt mood" for query in queries}},
    }


def run_of(*names: str) -> dict[str, Any]:
    fact = {"origin": "sha256:0", "dims": 8, "vocabulary": 1234, "licence": SCRIPT}
    return {
        "seed": 1,
        "statistics": {"permutations": 100_000},
        "studies": [study(name) for name in names],
        "models": {
            name: {"label": label, "citation": None, "note": BREAKOUT, **fact}
            for name, label in MODELS.items()
        },
        "metrics": {
            name: {"label": label, "measure": name, "parameters": {}, "normalize": False}
            for name, label in METRICS.items()
        },
        "audited": ["first"],
        "figures": [f"{name}/score_bars" for name in names],
    }


def score(model: str, metric: str, criterion: str, query: str, place: int) -> dict[str, Any]:
    value = (place * 37 % 101) / 10 - 4
    values = [("Cats", "cat", value), ("Cats", BREAKOUT, -value), ("Dogs", "dog", float("nan"))]
    return {
        "model": model,
        "metric": metric,
        "criterion": criterion,
        "query": query,
        "subquery": f"{query} wrt mood",
        "query_label": f"{query} wrt mood",
        "subquery_digest": f"{query}{place}",
        "measure": metric,
        "is_primary": True,
        "value": value,
        "ci_low": value - 1,
        "ci_high": value + 1,
        "p_value": 10.0 ** -(place % 12),
        "p_bh": 0.5,
        "n_oov": 1,
        "oov_words": [SCRIPT],
        "status": "ok",
        "reason": None,
        "words": [
            {"set": of, "word": word, "measure": "association", "value": number}
            for of, word, number in values
        ],
    }


def scores(repeats: int = 1) -> pd.DataFrame:
    cells = [
        (model, metric, criterion, query)
        for model in MODELS
        for metric in METRICS
        for criterion, queries in CRITERIA.items()
        for query in queries
    ] * repeats
    rows = [score(*cell, place=place) for place, cell in enumerate(cells)]
    rows[0] |= {"value": float("nan"), "status": "lost_vocabulary", "reason": f"lost {SCRIPT}"}
    rows.append({**rows[1], "measure": "effect_size", "is_primary": False, "value": 0.25})
    return pd.DataFrame(rows)


def deciding_rows(metric: str = "weat") -> pd.DataFrame:
    """A pair of two hostile sentences, of a hostile type of bias."""
    item = {"model": "second", "metric": metric, "query": "rain", "category": f"age {SCRIPT}"}
    item |= {"side": "above 0", "place": 1, "item": BREAKOUT, "measure": "difference", "value": 0.5}
    texts = [("more stereotyping", f"Old {SCRIPT}", -2.0), ("less stereotyping", BREAKOUT, -2.5)]
    texts += [("completion 1", f"They said {BREAKOUT}", float("nan"))]
    return pd.DataFrame(
        [
            item | {"part": part, "text": text, "score": score, "words": f"age: {SCRIPT}"}
            for part, text, score in texts
        ]
    )


def frames(repeats: int = 1) -> dict[str, pd.DataFrame]:
    place = {"criterion": "Weather", "metric": "weat", "model": "first"}
    pair = {"source": "computed", "criterion": "Weather", "method": "kendall"}
    correlations = [
        {**pair, "metric_row": a, "metric_column": b, "correlation": 0.5, "n_models": 2}
        for a in METRICS
        for b in METRICS
    ]
    number = {"table": SCRIPT, "model": "first", "published_model": "First", "metric": "weat"}
    published = {"scope": "rain", "published": 1.5, "decimals": 2, "computed": 1.49876}
    published |= {"measure": "weat", "cause": ""}
    verdict = {"difference": -0.00124, "verdict": "match", "reason": None, "erratum": BREAKOUT}
    second = place | {"model": "second"}
    ranked = {"source": "computed", "status": "compared", "note": ""}
    return {
        "scores": scores(repeats),
        "coverage": pd.DataFrame(
            [{"model": "first", "word_set": BREAKOUT, "words": 2, "found": 1, "oov": 1}]
        ),
        "ranking": pd.DataFrame(
            [
                {**ranked, **place, "score": 1.0, "rank": 1.0, "n_queries": 2, "n_defined": 1},
                {**ranked, **second, "score": 2.0, "rank": 2.0},
            ]
        ),
        "controls": pd.DataFrame([{"model": "first", "query_label": BREAKOUT, "status": "fails"}]),
        "correlations": pd.DataFrame(correlations),
        "published": pd.DataFrame([{**number, **published, **verdict}]),
        "rank_probabilities": pd.DataFrame([{**place, "place": 1, "probability": 0.5}]),
        "pairwise": pd.DataFrame(
            [
                {**place, "other": "second", "p_fairer": 0.9, "difference": -1.0},
                {**second, "other": "first", "p_fairer": 0.1, "difference": 1.0},
            ]
        ).assign(p_value=0.2, p_bh=0.2, wilcoxon_holm=0.5, n_queries=2, n_groups=2),
        "quality": pd.DataFrame(
            [{"model": "first", "other": None, "value": 0.7, "n": 900, "difference": None}]
        ),
        "language_models": pd.DataFrame(
            [{"model": "second", "source": SCRIPT, "layer": -1, "tokens_per_word": 1.25}]
        ),
        "before_after": pd.DataFrame(
            [{"model": "second", "subquery": SCRIPT, "verdict": "smaller", "difference": -0.5}]
        ),
        "specification_curve": pd.DataFrame(
            [{"criterion": SCRIPT, "model": "first", "other": "second", "status": "counted"}]
        ).assign(
            more_biased="first",
            relative_difference=0.5,
            relative_difference_low=0.1,
            relative_difference_high=0.9,
        ),
        "category_scores": pd.DataFrame(
            [{"model": "second", "query": "rain", "category": SCRIPT, "measure": "lms", "value": 9}]
        ),
        "answers": pd.DataFrame(
            [
                {
                    "model": "second",
                    "query": "rain",
                    "category": SCRIPT,
                    "outcome": "read",
                    "share": 9,
                }
            ]
        ),
        "influential_items": deciding_rows(),
        "items": pd.DataFrame(
            [{"model": "second", "query": "rain", "item": BREAKOUT, "status": "too_long"}]
        ),
        **of_checks(),
        **of_texts(),
    }


def of_checks() -> dict[str, pd.DataFrame]:
    """The tables on what the numbers are worth."""
    query = {"model": "first", "criterion": "Weather", "query": "rain", "reason": BREAKOUT}
    of_concept = {"model": "first", "concept": SCRIPT, "n_words": 9}
    check = {"model": "first", "criterion": "", "query": "", "question": "ratings", "value": 0.41}
    check |= {"n": 2, "low": 0.3, "high": 0.5, "of": f"rated {SCRIPT}", "grade": "poor"}
    rows = {
        "checks": check | {"concept": SCRIPT, "reason": ""},
        "yardsticks": of_concept | {"norm_label": SCRIPT, "pearson": 0.5},
        "seed_swap": query | {"seeds": SCRIPT, "metric": "weat", "value": 0.5, "is_own": False},
        "eat_patterns": query | {"pattern": SCRIPT, "mean_xa": 0.1},
    }
    return {name: pd.DataFrame([row]) for name, row in rows.items()}


def of_texts() -> dict[str, pd.DataFrame]:
    """The tables of a corpus, of one subcorpus."""
    names = {"division": "parties", "subcorpus": "one", "label": SCRIPT, "query": "rain"}
    names |= {"subquery": "rain", "embedding": "counts", "metric": "log_odds_ratio", "reason": ""}
    ends = ("", "_words", "_all")
    numbers = {f"{end}{of}": 1.0 for end in ("low", "high") for of in ends}
    numbers |= {"value": 1.0, "ratio": 1.5, "smallest_effect": 0.5, "n_first": 9, "n_second": 9}
    numbers |= dict.fromkeys(("null_low", "null_high", "analytic_low", "analytic_high"), 0.5)
    numbers |= {f"share_{source}": 0.3 for source in ("documents", "seeds", "words")}
    numbers |= {"null_mean": 0.0, "excess": 1.0, "excess_low": 1.0, "excess_high": 1.0}
    contrast = {"kind": "difference", "contrast": "one minus other", "without": ""}
    contrast |= {"value": 1.0, "low": 0.5, "high": 1.5}
    word = {"role": "targets", "set": SCRIPT, "word": BREAKOUT, "count": 3, "per_million": 1.5}
    rows = (numbers, contrast, word | {"kind": "word"})
    return {"corpus_scores": pd.DataFrame([names | row for row in rows])}


def said_of(study: dict[str, Any], tables: dict[str, pd.DataFrame], *more: Claim) -> Stated:
    """That its two models are not told apart, a note, what is reproduced, and its checks."""
    labels, subject = study["labels"], study.get("subject", "")
    pair = {"subject": "second", "against": "first", "criterion": "Weather", "measure": "weat"}
    means = {"means": {"first": 1.0, "second": 2.0}}
    made = [*more]
    if "ranking" in tables:
        made += [Claim(kinds.COMPARISON, kinds.OPEN, **pair, p_adjusted=0.2, facts=means)]
    made += [Claim(kinds.NOT_MEASURED, "undated documents", n=3, facts={"division": BREAKOUT})]
    if "published" in tables:
        made += [reproduced_claim({"match": 1}, 0)]
    claims = worded(made, labels)
    checks = grid(tables.get("checks", pd.DataFrame()), [*MODELS])
    return Stated(claims, study_page(study["title"], claims, labels, checks, subject))


@pytest.fixture(scope="session")
def figure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SVG file with a glyph that is used once."""
    path = tmp_path_factory.mktemp("figures") / "score_bars.svg"
    path.write_text(SVG)
    return path


@pytest.fixture(scope="session")
def make_page(figure: Path) -> Callable[..., str]:
    """A function from the number of repeats of the scores to the page of two studies.

    Its further arguments are entries of the study "other".
    """

    def made(repeats: int = 1, **other: Any) -> str:
        run = run_of("toy", "other")
        run["studies"][1] |= other
        tables = {
            (name, table): frame
            for name, times in (("toy", repeats), ("other", 1))
            for table, frame in frames(times).items()
        }
        found = [said_of(one, frames()) for one in run["studies"]]
        paths = {name: str(figure) for name in run["figures"]}
        audit = {"model": "first", "vocabulary": 1234, "dims": 8, "mean_norm": 2.5}
        audit |= {"n_sharing": 1200, "n_distinct": 100}
        return page(run, sections(run, found, tables, paths), pd.DataFrame([audit]))

    return made


@pytest.fixture(scope="session")
def make_small_page() -> Callable[..., str]:
    """A function from names of tables to the page of one study that has these alone.

    Its further arguments are entries of the study.
    """

    def made(*tables: str, **mine: Any) -> str:
        run = run_of("mine")
        run["studies"][0] |= mine
        known = {("mine", name): table for name, table in frames().items() if name in tables}
        tables_of = {name: frame for (_, name), frame in known.items()}
        found = said_of(run["studies"][0], tables_of)
        return page(run, sections(run, [found], known, {}), pd.DataFrame())

    return made


@pytest.fixture(scope="session")
def text_of_corpus(figure: Path) -> str:
    """The page of a study of a corpus, with two figures."""
    run, tables = run_of("mine"), frames()
    (study,) = run["studies"]
    facts = {"where": "In 1790", "embedding": ""}
    here = Claim(
        kinds.IN_TEXTS, "beyond", query="rain", measure="log_odds_ratio", value=1.0, facts=facts
    )
    of_study = {("mine", name): table for name, table in tables.items()}
    paths = {f"mine/{name}": str(figure) for name in ("score_bars", "subcorpora")}
    parts = sections(run, [said_of(study, tables, here)], of_study, paths)
    return page(run, parts, pd.DataFrame())


@pytest.fixture(scope="session")
def text(make_page: Callable[..., str]) -> str:
    """The page of the two studies."""
    return make_page()
