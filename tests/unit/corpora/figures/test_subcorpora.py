"""The figure of subcorpora: lines over dates, boxes side by side, gaps, counts, and its title."""

import numpy as np
import pandas as pd
import pytest
from corpus_tables import NAN, corpus_row, corpus_tables
from drawn import everything
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

from fairflow.products.figures import draw
from fairflow.products.figures._study_frames import StudyFrames

LABELS = {"weat_es": "WEAT effect size"}
PARTIES = {"parties": ["Democratic", "Republican"]}


def study(*rows: dict[str, object]) -> StudyFrames:
    table = pd.DataFrame([row | {"subcorpus": f"s{row['position']}"} for row in rows])
    return StudyFrames(corpus_scores=table, labels=LABELS)


def century(*values: float, **columns: object) -> list[dict[str, object]]:
    return [
        corpus_row(value, label=f"{year}-{year + 24}", position=year + 12.5, **columns)
        for year, value in zip(range(1800, 2000, 25), values, strict=False)
    ]


def ribbons(figure: Figure) -> int:
    return len(figure.axes[0].findobj(PolyCollection))


def test_dates_are_joined_by_a_band_and_other_fields_are_boxes():
    over_time = draw("subcorpora", study(*century(0.1, 0.5, 0.9)))
    assert ribbons(over_time) == 1, "shuffled words"
    assert [*over_time.axes[0].lines[1].get_xdata()] == [1812.5, 1837.5, 1862.5]
    side_by_side = draw("subcorpora", StudyFrames(labels=LABELS, **corpus_tables(["q"], PARTIES)))
    assert ribbons(side_by_side) == 0
    assert len(side_by_side.axes[0].patches) == 2
    assert "Democratic" in everything(side_by_side)


def test_a_subcorpus_between_two_without_a_value_keeps_its_interval_and_band():
    figure = draw("subcorpora", study(*century(NAN, 0.5, NAN, 0.2, 0.3)))
    assert ribbons(figure) == 1, "of the two neighbours"
    assert len(figure.axes[0].patches) == 1, "of the isolated one"
    (intervals,) = figure.axes[0].findobj(LineCollection)
    ends = [segment[:, 1] for segment in intervals.get_segments() if len(segment)]
    assert np.allclose(ends, [(0.1, 0.9), (-0.2, 0.6), (-0.1, 0.7)])
    crosses = [line for line in figure.axes[0].lines if line.get_marker() == "x"]
    assert [*crosses[0].get_xdata()] == [1812.5, 1862.5]
    assert "no value" in everything(figure)


def test_panels_have_the_log_odds_ratio_first_and_counts_last():
    rows = century(0.1, 0.2, embedding="sgns", metric="weat_es") + century(0.1, 0.2)
    figure = draw("subcorpora", study(*rows))
    labels = [axes.get_ylabel().replace("\n", " ") for axes in figure.axes]
    assert labels == ["log odds ratio", "WEAT effect size (sgns)", "tokens"]
    heights = [bar.get_height() for bar in figure.axes[-1].patches]
    assert heights == [234, 234, 5120, 5120]
    assert "5,120" in everything(figure)


def test_single_seeds_are_points():
    rows = century(0.1, 0.2) + century(0.3, 0.4, embedding="sgns", metric="weat_es")
    _, trained, _ = draw("subcorpora", study(*rows)).axes
    seeds = [line for line in trained.lines if line.get_label() == "single training seeds"]
    assert np.allclose(np.concatenate([line.get_ydata() for line in seeds]), [0.2, 0.5, 0.3, 0.6])


def test_every_period_is_labelled_and_the_sets_have_their_names():
    parts = {"q": {"targets": ["Women", "Men"], "attributes": ["Family", "Career"]}}
    tables = corpus_tables(["q"], {"decades": [f"{y}-{y + 9}" for y in range(1700, 1900, 10)]})
    figure = draw("subcorpora", StudyFrames(labels=LABELS, query_parts=parts, **tables))
    shown = everything(figure)
    assert all(f"{year}-{year + 9}" in shown for year in range(1700, 1900, 10))
    assert "tokens of Women" in shown
    assert "tokens of Men" in shown


@pytest.mark.parametrize(
    ("values", "title"),
    [
        ((0.1, 0.9, -0.9), "2 of 3 associations exceed those of shuffled texts"),
        ((0.1, NAN), "0 of 1 associations exceed those of shuffled texts"),
        ((NAN, NAN), "These texts give no interval"),
    ],
)
def test_the_title_counts_as_the_claims_do(values, title):
    assert title in everything(draw("subcorpora", study(*century(*values))))


def test_one_interval_of_many_that_excludes_0_is_none_with_the_correction_of_the_claims():
    rows = century(0.9, 0.1, 0.1)
    rows = [row | {"excess_p": 0.03 if row["value"] > 0.5 else 0.9} for row in rows]
    assert "0 of 3 associations exceed" in everything(draw("subcorpora", study(*rows)))


def test_the_legend_names_the_sets_that_go_together_where_there_is_one_query():
    sets = {"targets": ["Women", "Men"], "attributes": ["Family", "Career"]}
    rows = pd.DataFrame(century(0.1, 0.2)).assign(subcorpus=["a", "b"])

    def legend(*queries: str) -> str:
        table = pd.concat([rows.assign(query=query) for query in queries])
        parts = dict.fromkeys(queries, sets)
        return everything(draw("subcorpora", StudyFrames(corpus_scores=table, query_parts=parts)))

    assert "above 0: Women with Family" in legend("q")
    assert "above 0: first group with first words" in legend("q", "r")


def test_long_names_become_numbers_with_a_key():
    names = {"outlets": [f"An outlet with the long name {n}" for n in range(25)]}
    figure = draw("subcorpora", StudyFrames(labels=LABELS, **corpus_tables(["q"], names)))
    assert "25 An outlet with the long name 24" in everything(figure)
