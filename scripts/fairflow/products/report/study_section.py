"""A study's part of the page: its conclusions, tables, figures and details."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from fairflow.capabilities import extensions
from fairflow.products.figures import FIGURES, caption_in, sentences
from fairflow.products.report.html_tables import (
    HtmlTable,
    has_values,
    html_table,
    layouts_of,
)
from fairflow.products.report.leaders import LeaderTable, leader_tables
from fairflow.products.report.score_details import chart, score_details
from fairflow.queries.query import subquery_label
from fairflow.scores.ranked import PRIMARY, ranked_rows
from fairflow.studies.claims.comparisons import lead_metric
from fairflow.studies.claims.page import Page
from fairflow.studies.claims.study_claims import Stated
from fairflow.studies.comparability import flagged
from fairflow.studies.score_table import sample_texts

# The group of the tables below the grid of checks.
OF_CHECKS = "Tables of the checks"


class FigureOnPage(NamedTuple):
    """A figure with its title, a text for those who do not see it, and the name of its file.

    Attributes
    ----------
    svg : the text of the file. width, height : in CSS pixels.
    """

    name: str
    title: str
    alternative: str
    caption: str
    svg: str
    width: int
    height: int


@dataclass(frozen=True, eq=False)
class StudySection:
    """What the template draws of a study.

    Attributes
    ----------
    said : its claims and its page. leaders : a table for each metric that ranks.
    chart : the data of the chart. details : of every score. Both in plain values, for JSON.
    """

    study: Mapping[str, Any]
    said: Stated
    leaders: tuple[LeaderTable, ...]
    at_a_glance: Mapping[str, str]
    tables: tuple[HtmlTable, ...]
    figures: tuple[FigureOnPage, ...]
    chart: Mapping[str, Any]
    details: Mapping[str, Any]

    @property
    def page(self) -> Page:
        """The five parts of every study."""
        return self.said.page

    @property
    def tables_of_checks(self) -> tuple[HtmlTable, ...]:
        """The tables that the grid is made from."""
        of_checks = (table for table in self.tables if table.layout.group == OF_CHECKS)
        return tuple(of_checks) if self.page.checks else ()

    @property
    def groups(self) -> Mapping[str, tuple[HtmlTable, ...]]:
        """The heading of a group -> its tables; those that are in none are the last."""
        groups: dict[str, list[HtmlTable]] = {}
        for table in sorted(self.tables, key=lambda one: not one.layout.group):
            if table not in self.tables_of_checks:
                groups.setdefault(table.layout.group or "Tables", []).append(table)
        return {heading: tuple(tables) for heading, tables in groups.items()}

    @property
    def leading_figures(self) -> tuple[FigureOnPage, ...]:
        """Those that answer the question of a study themselves, which are above all tables."""
        leading = {name for one in extensions("report") for name in one.LEADING_FIGURES}
        return tuple(figure for figure in self.figures if figure.name in leading)

    @property
    def is_check(self) -> bool:
        """Whether it only checks a page of documentation, and is not the user's own."""
        return bool(self.study.get("checks")) and not self.study.get("own")


def study_section(
    study: Mapping[str, Any],
    said: Stated,
    frames: Mapping[str, pd.DataFrame],
    paths_to_figures: Mapping[str, str],
) -> StudySection:
    """Make the section of one study.

    Parameters
    ----------
    study : of `fairflow.planning.jobs.run_description`; it needs name, title, labels, models,
        metrics and criteria.
    said : its claims and its page.
    frames : the study's tables by name: those of `STUDY_TABLES` that the report reads. It needs
        "scores"; the page omits what missing or empty tables would show.
    paths_to_figures : SVG files by figure; may be empty.
    """
    shown = {**frames, **_prepared(frames)}
    labels = flagged(study["labels"], frames["scores"])
    layouts = [one for one in layouts_of(shown) if has_values(shown[one.name], one)]
    ranking = frames.get("ranking", pd.DataFrame())
    published = frames.get("published", pd.DataFrame())
    return StudySection(
        study=study,
        said=said,
        leaders=leader_tables(frames, labels, study.get("subject", "")),
        at_a_glance=at_a_glance(shown["scores"], published),
        tables=tuple(html_table(shown[one.name], one, labels) for one in layouts),
        figures=tuple(figure_on_page(n, study["title"], p) for n, p in paths_to_figures.items()),
        chart=chart(shown["scores"], ranking, {**study, "labels": labels}, lead_metric(frames)),
        details=score_details(shown["scores"], frames["scores"][~frames["scores"][PRIMARY]]),
    )


def _prepared(frames: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    scores = ranked_rows(frames["scores"])
    columns = (scores[name] for name in ("query", "subquery", "query_label"))
    labels = [subquery_label(*names) for names in zip(*columns, strict=True)]
    scores = scores.assign(subquery=scores["query"] + ": " + labels, sample=sample_texts(scores))
    prepared = {"scores": scores}
    if "draws_note" in frames.get("ranking", ()):
        # Why there is no rank, or else what is to be known of resamples.
        ranking = frames["ranking"]
        note = ranking["note"].where(ranking["note"].map(bool) & ranking["note"].notna())
        prepared["ranking"] = ranking.assign(note=note.fillna(ranking["draws_note"]))
    for one in extensions("report"):
        prepared |= one.prepared(frames)
    if "correlations" in frames:
        prepared["correlations"] = each_pair_once(frames["correlations"])
    return prepared


def each_pair_once(correlations: pd.DataFrame) -> pd.DataFrame:
    """The rows of two different metrics, without the second row of each pair."""
    rows, columns = (correlations[f"metric_{side}"].map(str) for side in ("row", "column"))
    pair = [" ".join(sorted(names)) for names in zip(rows, columns, strict=True)]
    pairs = correlations[["source", "criterion", "method"]].assign(pair=pair)
    return correlations[(rows != columns) & ~pairs.duplicated()]


def at_a_glance(headline: pd.DataFrame, published: pd.DataFrame) -> dict[str, str]:
    """The number of scores, of undefined scores, and of published numbers by verdict."""
    verdicts = {} if published.empty else published["verdict"].value_counts(sort=False)
    told = [f"{count} {verdict}" for verdict, count in verdicts.items()]
    return {
        "Scores": str(len(headline)),
        "Undefined": str(int(headline["value"].isna().sum())),
        "Published numbers": ", ".join(told) or "none",
    }


def figure_on_page(name: str, study_title: str, path: str) -> FigureOnPage:
    """A figure, with the first sentence of its module's description as alternative text."""
    title = name.replace("_", " ").capitalize()
    sentence = sentences(name)[0] if name in FIGURES.names else title + "."
    same = "The same numbers are in the tables of this study."
    alternative = f"{sentence} Study: {study_title}. {same}"
    return FigureOnPage(name, title, alternative, caption_in(path), *svg_image(path))


def svg_image(path: str | Path) -> tuple[str, int, int]:
    """The SVG file that matplotlib wrote.

    The page shows it as an image, not as elements, whose ids other figures could have, too.
    """
    text = Path(path).read_text(encoding="utf-8")
    _, *box, _ = re.split(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text, maxsplit=1)
    # matplotlib's unit is the point: an inch has 72 points and 96 CSS pixels.
    width, height = (round(float(length) * 96 / 72) for length in box)
    return text, width, height


def sections(
    run: Mapping[str, Any],
    said: Sequence[Stated],
    frames: Mapping[tuple[str, str], pd.DataFrame],
    paths_to_figures: Mapping[str, str],
) -> list[StudySection]:
    """The part of each study of a run.

    Parameters
    ----------
    said : in the order of the studies. frames : by study and table.
    paths_to_figures : by 'study/figure'.
    """
    parts = []
    for study, own_words in zip(run["studies"], said, strict=True):
        own = {table: frame for (name, table), frame in frames.items() if name == study["name"]}
        places = (key.split("/", 1) for key in paths_to_figures)
        figures = {n: paths_to_figures[f"{of}/{n}"] for of, n in places if of == study["name"]}
        parts.append(study_section(study, own_words, own, figures))
    return parts
