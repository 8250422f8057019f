"""A study's part of the page: its conclusions, tables, figures and details."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.products.figures import FIGURES, figure_module
from fairflow.products.report.chart import chart
from fairflow.products.report.deciding import DecidingItems, deciding
from fairflow.products.report.html_table import HtmlTable, Layout, html_table
from fairflow.products.report.layouts import layouts_of
from fairflow.products.report.leaders import LeaderTable, leader_tables
from fairflow.products.report.left_out import rows_left_out, tables_left_out, with_values
from fairflow.products.report.score_details import score_details
from fairflow.products.report.svg_image import SvgImage, svg_image
from fairflow.queries.query import subquery_label
from fairflow.studies.comparability import flagged
from fairflow.studies.findings.comparisons import lead_metric
from fairflow.studies.findings.finding import Finding
from fairflow.studies.findings.items import sample_texts


@dataclass(frozen=True)
class FigureOnPage:
    """An image with its title, a text for those who do not see it, and the name of its file."""

    name: str
    title: str
    alternative: str
    image: SvgImage


@dataclass(frozen=True, eq=False)
class StudySection:
    """What the template draws of a study.

    Attributes
    ----------
    findings : all, the most important first. leaders : a table for each metric that ranks.
    left_out : a sentence on tables without any value, "" without such.
    deciding : the items that decide the scores.
    chart : what the chart is drawn from. details : of every score. Both in plain values, for JSON.
    """

    study: Mapping[str, Any]
    findings: tuple[Finding, ...]
    leaders: tuple[LeaderTable, ...]
    at_a_glance: Mapping[str, str]
    tables: tuple[HtmlTable, ...]
    left_out: str
    deciding: tuple[DecidingItems, ...]
    figures: tuple[FigureOnPage, ...]
    chart: Mapping[str, Any]
    details: Mapping[str, Any]

    @property
    def leading(self) -> tuple[Finding, ...]:
        """The findings that stand beside the chart."""
        return tuple(one for one in self.findings if one.leads)

    @property
    def is_check(self) -> bool:
        """Whether it only checks a page of documentation, and is not the user's own."""
        return bool(self.study.get("checks")) and not self.study.get("own")


def study_section(
    study: Mapping[str, Any],
    findings: Sequence[Finding],
    frames: Mapping[str, pd.DataFrame],
    paths_to_figures: Mapping[str, str],
) -> StudySection:
    """Put together the part of one study.

    Parameters
    ----------
    study : as `fairflow.planning.run_description.run_description` tells of it; name, title,
        labels, models, metrics and criteria alone will do.
    findings : what the study found; none will do.
    frames : the study's tables by name: those of `STUDY_TABLES` that the report reads. What tables
        that are missing or empty would tell is left out; "scores" alone will do.
    paths_to_figures : SVG files by figure; none will do.
    """
    shown = {**frames, **_prepared(frames)}
    labels = flagged(study["labels"], frames["scores"])
    layouts = layouts_of(shown)
    is_headline = frames["scores"]["headline"]
    ranking = frames.get("ranking", pd.DataFrame())
    published = frames.get("published", pd.DataFrame())
    tables = [_table(shown[one.name], one, labels) for one in layouts]
    return StudySection(
        study=study,
        findings=tuple(findings),
        leaders=leader_tables(frames, labels, study.get("subject", "")),
        at_a_glance=at_a_glance(shown["scores"], published),
        tables=tuple(table for table in tables if table.rows),
        left_out=tables_left_out(shown, layouts),
        deciding=deciding(frames.get("deciding_items", pd.DataFrame()), study),
        figures=tuple(figure_on_page(n, study["title"], p) for n, p in paths_to_figures.items()),
        chart=chart(shown["scores"], ranking, {**study, "labels": labels}, lead_metric(frames)),
        details=score_details(shown["scores"], frames["scores"][~is_headline]),
    )


def _table(frame: pd.DataFrame, layout: Layout, labels: Mapping[str, str]) -> HtmlTable:
    """The rows with values, and under them why there are no others."""
    caption = " ".join(filter(None, (layout.caption, rows_left_out(frame, layout))))
    return html_table(with_values(frame, layout), replace(layout, caption=caption), labels)


def _prepared(frames: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    scores = frames["scores"][frames["scores"]["headline"]]
    columns = (scores[name] for name in ("query", "subquery", "query_label"))
    labels = [subquery_label(*names) for names in zip(*columns, strict=True)]
    scores = scores.assign(subquery=scores["query"] + ": " + labels, sample=sample_texts(scores))
    prepared = {"scores": scores}
    if "ranking" in frames and "rank_uncertainty" in frames:
        joined = _with_uncertainty(frames["ranking"], frames["rank_uncertainty"])
        prepared["ranking"] = joined
    if "correlations" in frames:
        prepared["correlations"] = each_pair_once(frames["correlations"])
    return prepared


def _with_uncertainty(ranking: pd.DataFrame, uncertainty: pd.DataFrame) -> pd.DataFrame:
    """The ranking beside its uncertainty; notes are why there is no rank, or of the draws."""
    key = ["criterion", "metric", "model"]
    columns = ["expected_rank", "rank_low", "rank_high", "note"]
    computed = uncertainty[key + columns].assign(source="computed")
    joined = ranking.merge(computed, how="left", on=["source", *key], suffixes=("", "_of_draws"))
    if "note_of_draws" not in joined:
        return joined
    note = joined["note"].where(joined["note"].map(bool) & joined["note"].notna())
    return joined.assign(note=note.fillna(joined["note_of_draws"]))


def each_pair_once(correlations: pd.DataFrame) -> pd.DataFrame:
    """The rows of two different metrics, the second of a pair's two rows left out."""
    rows = correlations["metric_row"].map(str)
    columns = correlations["metric_column"].map(str)
    pair = [" ".join(sorted(names)) for names in zip(rows, columns, strict=True)]
    pairs = correlations[["source", "criterion", "method"]].assign(pair=pair)
    return correlations[(rows != columns) & ~pairs.duplicated()]


def at_a_glance(headline: pd.DataFrame, published: pd.DataFrame) -> dict[str, str]:
    """How many scores there are, how many have none, and what became of published numbers."""
    verdicts = {} if published.empty else published["verdict"].value_counts(sort=False)
    told = [f"{count} {verdict}" for verdict, count in verdicts.items()]
    return {
        "Scores": str(len(headline)),
        "Undefined": str(int(headline["value"].isna().sum())),
        "Published numbers": ", ".join(told) or "none",
    }


def figure_on_page(name: str, study_title: str, path: str) -> FigureOnPage:
    """A figure with the sentence that its module describes it by as alternative."""
    title = name.replace("_", " ").capitalize()
    published = " For the published models." if name.startswith("published_ranking") else ""
    sentence = _sentence(name) if name in FIGURES.names else title + "."
    alternative = (
        f"{sentence}{published} Study: {study_title}. "
        "The same numbers are in the tables of this study."
    )
    return FigureOnPage(name, title, alternative, svg_image(path))


def _sentence(name: str) -> str:
    spec = find_spec(figure_module(name))
    # Parsed, because importing it would load matplotlib.
    source = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
    return (ast.get_docstring(ast.parse(source)) or name).splitlines()[0]


def sections(
    run: Mapping[str, Any],
    findings: Sequence[Sequence[Finding]],
    frames: Mapping[tuple[str, str], pd.DataFrame],
    paths_to_figures: Mapping[str, str],
) -> list[StudySection]:
    """The part of each study of a run.

    Parameters
    ----------
    findings : in the order of the studies. frames : by study and table.
    paths_to_figures : by 'study/figure'.
    """
    return [
        study_section(
            study,
            found,
            {table: frame for (name, table), frame in frames.items() if name == study["name"]},
            {
                figure: path
                for study_figure, path in paths_to_figures.items()
                for name, figure in [study_figure.split("/", 1)]
                if name == study["name"]
            },
        )
        for study, found in zip(run["studies"], findings, strict=True)
    ]
