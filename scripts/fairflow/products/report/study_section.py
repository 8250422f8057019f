"""A study's part of the page: its conclusions, tables, figures and details."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from fairflow.products.report.score_details import chart, score_details
from fairflow.products.report.standings import (
    Column,
    ModelsTable,
    columns_of_study,
    models_table,
)
from fairflow.queries.query import subquery_label
from fairflow.scores.ranked import PRIMARY, ranked_rows
from fairflow.studies.claims.claim import REPRODUCED, Claim
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

    @property
    def without_glyphs(self) -> str:
        """The SVG without the shapes of letters, see `shared_glyphs`."""
        return _GLYPH.sub("", self.svg)


class Reproduced(NamedTuple):
    """How many published numbers of a study are equal, differ for a known reason or for none.

    Attributes
    ----------
    absent : numbers whose models are not in the run.
    """

    agree: int
    explained: int
    unexplained: int
    absent: int

    @classmethod
    def of(cls, claim: Claim) -> Reproduced:
        """By a claim of the kind `REPRODUCED`."""
        differ, unexplained = claim.facts["differ"], claim.facts["unexplained"]
        return cls(claim.facts["agree"], differ - unexplained, unexplained, claim.facts["absent"])

    @property
    def computed(self) -> int:
        """All that have a value in the run."""
        return self.agree + self.explained + self.unexplained

    @property
    def parts(self) -> Iterator[tuple[str, int, int]]:
        """Of a bar of `computed` units: name, start and width."""
        start = 0
        for name in ("agree", "explained", "unexplained"):
            yield name, start, getattr(self, name)
            start += getattr(self, name)

    @property
    def spoken(self) -> str:
        """The counts as one text."""
        texts = "equal", "different for a known reason", "for no known reason", "not computed here"
        return ", ".join(f"{n} {text}" for n, text in zip(self, texts, strict=True) if n)


@dataclass(frozen=True, eq=False)
class StudySection:
    """What the template draws of a study.

    Attributes
    ----------
    said : its claims and its page. labels : of models and metrics, flagged where they are alone.
    columns : of the table of models.
    chart : the data of the chart. details : of every score. Both in plain values, for JSON.
    """

    study: Mapping[str, Any]
    said: Stated
    labels: Mapping[str, str]
    columns: tuple[Column, ...]
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
    def models(self) -> ModelsTable:
        """Its own columns, all of them."""
        return models_table(self.columns, self.labels, most=len(self.columns))

    @property
    def reproduced(self) -> Reproduced | None:
        """The published numbers of the study, None without."""
        return next(
            (Reproduced.of(one) for one in self.said.claims if one.kind == REPRODUCED), None
        )

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
        labels=labels,
        columns=columns_of_study(frames, said.claims, study, labels),
        at_a_glance=at_a_glance(shown["scores"], published),
        tables=tuple(html_table(shown[one.name], one, labels) for one in layouts),
        figures=tuple(figure_on_page(n, study["title"], p) for n, p in paths_to_figures.items()),
        chart=chart(shown["scores"], ranking, {**study, "labels": labels}, lead_metric(frames)),
        details=score_details(
            shown["scores"],
            frames["scores"][~frames["scores"][PRIMARY]],
            study.get("explained", ()),
        ),
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
    """The SVG file that matplotlib wrote, with places to a tenth of a point and without comments.

    The page shows it as an image, not as elements, whose ids other figures could have, too.
    """
    text = Path(path).read_text(encoding="utf-8")
    _, *box, _ = re.split(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text, maxsplit=1)
    # matplotlib's unit is the point: an inch has 72 points and 96 CSS pixels.
    width, height = (round(float(length) * 96 / 72) for length in box)
    for pattern in (_COMMENT, _UNUSED):
        text = pattern.sub("", text)
    return _PLACES.sub(lambda part: _DIGITS.sub("", part[0]), text), width, height


_COMMENT = re.compile("<!--.*?-->|<metadata>.*?</metadata>|<!DOCTYPE.*?>", re.DOTALL)
# Ids that nothing refers to: of groups and of lines.
_UNUSED = re.compile(r"(?<=<g) id=\"[^\"]*\"|(?<= )\n|(?<=>)\n +(?=<)")
_PLACES = re.compile(r' (?:d|x|y)="[^"]*"|translate\([^)]*\)')
_DIGITS = re.compile(r"(?<=\.\d)\d+")
_GLYPH = re.compile(r'<path id="(LiberationSans[\w-]*)".*?/>', re.DOTALL)


def shared_glyphs(figures: Iterable[FigureOnPage]) -> dict[str, str]:
    """The shapes of letters in the figures of a page, by their id: the page has each once."""
    return {shape[1]: shape[0] for one in figures for shape in _GLYPH.finditer(one.svg)}


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
