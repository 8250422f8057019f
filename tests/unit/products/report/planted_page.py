"""A run of two small studies, with names that would be markup if they were not escaped."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tables_of_scores import score as row_of_scores

from fairflow.products.report.html_tables import LAYOUTS, Layout
from fairflow.products.report.page import page
from fairflow.products.report.study_section import sections
from fairflow.scores.ranked import PRIMARY
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.associations import reproduced_claim
from fairflow.studies.claims.claim import Claim
from fairflow.studies.claims.grid import GridCell, GridRow
from fairflow.studies.claims.page import study_page
from fairflow.studies.claims.study_claims import Stated
from fairflow.studies.claims.words import worded

SCRIPT = "<script>document.title = 'taken'</script>"
BREAKOUT = '</script><img src=x onerror="document.title=1">&'
MODELS = {"first": f"First {SCRIPT}", "second": "Second & last"}
METRICS = {"weat": "WEAT", "rnd": "RND"}
# A row of the grid of checks.
POOR = GridCell("poor", 0.41, 0.3, 0.5, 2, ".41 [.30, .50]")
CHECK = GridRow("a check", SCRIPT, f"{SCRIPT}: do scores agree?", {"first": POOR}, "Find out why.")
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
        "figures": [f"{name}/forest_plot" for name in names],
    }


def score(model: str, metric: str, criterion: str, query: str, place: int) -> dict[str, Any]:
    value = (place * 37 % 101) / 10 - 4
    values = [("Cats", "cat", value), ("Cats", BREAKOUT, -value), ("Dogs", "dog", float("nan"))]
    words = [{"set": s, "word": w, "measure": "association", "value": n} for s, w, n in values]
    told = {"metric": metric, "criterion": criterion, "measure": metric, "words": words}
    told |= dict.fromkeys(("subquery", "query_label"), f"{query} wrt mood")
    told |= {"subquery_digest": f"{query}{place}", "p_value": 10.0 ** -(place % 12), "p_bh": 0.5}
    return row_of_scores(model, query, value, n_oov=1, oov_words=[SCRIPT], **told)


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
    rows.append({**rows[1], "measure": "effect_size", PRIMARY: False, "value": 0.25})
    return pd.DataFrame(rows)


def of_layout(layout: Layout) -> pd.DataFrame:
    """A row with markup in each column of text, and a number in each other."""
    row: dict[str, Any] = {}
    for column in layout.columns:
        if column.kind == "interval":
            row |= {column.end("low"): 0.25, column.end("high"): 0.75}
        else:
            row[column.name] = 0.5 if column.numeric else BREAKOUT
    return pd.DataFrame([row])


def frames(repeats: int = 1) -> dict[str, pd.DataFrame]:
    place = {"criterion": "Weather", "metric": "weat", "model": "first"}
    second = place | {"model": "second"}
    ranked = {"source": "computed", "status": "compared", "note": ""}
    ranked |= {"n_queries": 2, "n_defined": 1, "value": 1.5, "score_low": 0.5, "score_high": 2.5}
    number = {"table": SCRIPT, "model": "first", "published_model": "First", "metric": "weat"}
    number |= {"scope": "rain", "published": 1.5, "decimals": 2, "computed": 1.49876}
    number |= {"measure": "weat", "cause": "", "difference": -0.00124, "verdict": "match"}
    ranks = [ranked | place | {"score": 1.0, "rank": 1.0}]
    ranks += [ranked | second | {"score": 2.0, "rank": 2.0}]
    specification = {"criterion": SCRIPT, "model": "first", "other": "second", "status": "counted"}
    specification |= {"more_biased": "first", "lists": "mine", "relative_difference": 0.5}
    specification |= {"relative_difference_low": 0.1, "relative_difference_high": 0.9}
    rows = {
        "ranking": ranks,
        "published": [number | {"reason": None, "erratum": BREAKOUT}],
        "rank_probabilities": [place | {"place": 1, "probability": 0.5}],
        "specification_curve": [specification],
    }
    made = {layout.name: of_layout(layout) for layout in LAYOUTS}
    made["correlations"] = made["correlations"].assign(source="computed", metric_row="weat")
    # The rows of a corpus's table are laid out in three parts.
    kinds_of_rows = {"corpus_scores": float("nan"), "corpus_trends": "difference"}
    kinds_of_rows |= {"corpus_words": "word"}
    kinds_of_rows = {name: kind for name, kind in kinds_of_rows.items() if name in made}
    parts = [made.pop(name).assign(kind=kind) for name, kind in kinds_of_rows.items()]
    made |= {"corpus_scores": pd.concat(parts, ignore_index=True)} if parts else {}
    known = {name: pd.DataFrame(own) for name, own in rows.items()}
    return made | known | {"scores": scores(repeats)}


def said_of(study: dict[str, Any], tables: dict[str, pd.DataFrame], *more: Claim) -> Stated:
    """That its two models are not told apart, a note, what is reproduced, and its checks."""
    labels, subject = study["labels"], study.get("subject", "")
    pair = {"subject": "second", "against": "first", "criterion": "Weather", "measure": "weat"}
    means = {"means": {"first": 1.0, "second": 2.0}}
    made = [*more]
    if "ranking" in tables:
        made += [Claim(kinds.COMPARISON, kinds.OPEN, **pair, p_adjusted=0.2, facts=means)]
    shared = {"set": BREAKOUT, "words": 5, "vectors": 4}
    made += [Claim(kinds.NOT_MEASURED, "one vector", "second", n=3, value=2, facts=shared)]
    if "published" in tables:
        made += [reproduced_claim({"match": 1}, 0)]
    claims = worded(made, labels)
    checks = [CHECK] if "published" in tables else []
    return Stated(claims, study_page(study["title"], claims, labels, checks, subject))


@pytest.fixture(scope="session")
def figure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SVG file with a glyph that is used once."""
    path = tmp_path_factory.mktemp("figures") / "forest_plot.svg"
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
def text(make_page: Callable[..., str]) -> str:
    """The page of the two studies."""
    return make_page()
