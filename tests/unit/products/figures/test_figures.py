"""Figures of ranks: honest about what is missing; and their files, the same bytes each time."""

import math
import resource
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from drawn import everything, texts
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from fairflow.errors import FairflowError
from fairflow.products.figures import _save_figure, draw
from fairflow.products.figures._drawing import paper_style
from fairflow.products.figures._save_figure import give_letters, save_figure
from fairflow.products.figures._study_frames import StudyFrames

MODELS = ("first", "second", "third")
METRICS = ("weat", "rnd")
RANKS = ("ranking_bars", "ranking_facets", "correlation_heatmaps")
CRITERIA = {"Gender": ("g1", "g2"), "Religion": ("r1",)}


def ranking(source: str) -> pd.DataFrame:
    rows = [
        {"source": source, "criterion": c, "metric": k, "model": m, "score": 0.1 * r, "rank": r}
        for c in (*CRITERIA, "Overall")
        for k in METRICS
        for r, m in enumerate(MODELS, start=1)
    ]
    return pd.DataFrame(rows)


def correlations(source: str) -> pd.DataFrame:
    rows = [
        {"source": source, "criterion": c, "metric_row": a, "metric_column": b, "n_models": 3}
        for c in (*CRITERIA, "Overall")
        for a in METRICS
        for b in METRICS
    ]
    return pd.DataFrame(rows).assign(method="spearman", correlation=-0.5, smallest_p=math.nan)


def full() -> StudyFrames:
    return StudyFrames(
        ranking=ranking("computed"),
        correlations=correlations("computed"),
        labels={"weat": "WEAT", "first": "the first model"},
    )


def with_gaps() -> StudyFrames:
    frames = full()
    frames.ranking.loc[frames.ranking["model"] == "second", ["rank", "score"]] = np.nan
    frames.correlations.loc[frames.correlations["metric_row"] == "rnd", "correlation"] = np.nan
    return frames


def test_saving_twice_gives_the_same_bytes_and_leaves_nothing_else(tmp_path: Path):
    formats = ("pdf", "svg", "png")
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        save_figure(draw("ranking_facets", full()), [tmp_path / folder / f"f.{x}" for x in formats])
    for suffix in formats:
        one, two = (tmp_path / folder / f"f.{suffix}" for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert len(list(tmp_path.rglob("*.*"))) == 6


def test_the_last_digit_of_a_place_that_the_layout_finds_is_in_no_file(tmp_path: Path, monkeypatch):
    """Its solver orders terms by their places in memory, so that sums differ from run to run."""
    save_figure(draw("ranking_facets", full()), [tmp_path / "one.svg", tmp_path / "one.pdf"])
    usual = ConstrainedLayoutEngine.execute

    def another_order(engine: ConstrainedLayoutEngine, figure: Figure) -> None:
        usual(engine, figure)
        for axes in figure.axes:
            place = [math.nextafter(side, 2) for side in axes.get_position(original=True).bounds]
            axes.set_position(place, which="original")

    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", another_order)
    save_figure(draw("ranking_facets", full()), [tmp_path / "two.svg", tmp_path / "two.pdf"])
    for suffix in ("svg", "pdf"):
        one, two = ((tmp_path / f"{name}.{suffix}").read_bytes() for name in ("one", "two"))
        assert one == two


def test_a_format_looks_the_same_whichever_others_are_written_before_it(tmp_path: Path):
    for name, formats in {"all": ("png", "pdf", "svg"), "alone": ("svg",)}.items():
        save_figure(draw("ranking_facets", full()), [tmp_path / f"{name}.{x}" for x in formats])
    assert (tmp_path / "all.svg").read_bytes() == (tmp_path / "alone.svg").read_bytes()


@pytest.mark.parametrize("suffix", ["pdf", "svg", "png"])
def test_a_figure_that_finds_no_room_says_so_and_leaves_nothing(tmp_path: Path, suffix):
    figure = draw("ranking_facets", full())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(FairflowError, match=rf"f\.{suffix}: no room is left on its disk"):
            save_figure(figure, [tmp_path / f"f.{suffix}"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [*tmp_path.iterdir()] == []


def test_heat_maps_print_negative_numbers_and_name_what_is_undefined():
    shown = {
        text.get_text().replace("\N{MINUS SIGN}", "-")
        for text in texts(draw("correlation_heatmaps", with_gaps()))
    }
    assert {"-0.50", "n/a"} <= shown


def test_a_model_without_rank_has_no_bar_and_comes_last():
    gender = draw("ranking_bars", with_gaps()).axes[0]
    assert [label.get_text() for label in gender.get_yticklabels()][-1] == "second"
    assert {round(bar.get_y() + bar.get_height() / 2) for bar in gender.patches} == {0, 1}
    assert "n/a by WEAT and rnd: no sum" in [text.get_text() for text in gender.texts]


def test_titles_of_ranks_say_who_is_first_and_how_often_metrics_agree():
    title = {name: draw(name, full()).get_suptitle().replace("\n", " ") for name in RANKS}
    least = "the first model has the smallest sum of ranks on Gender, Religion and Overall"
    assert title["ranking_bars"] == least
    assert title["ranking_facets"] == "the first model has the weakest association in 6 of 6 cases"
    agree = "In 0 of 3 cases two metrics rank the models in the same order"
    assert title["correlation_heatmaps"] == agree


def test_metrics_and_models_that_are_not_ranked_are_named_and_not_drawn():
    frames = full()
    grows, same = frames.ranking["metric"] == "rnd", frames.ranking["model"] == "first"
    table = frames.ranking.assign(status="compared", note="")
    table.loc[same, ["status", "note", "rank"]] = ["same_vectors", "as second", np.nan]
    table.loc[grows, ["status", "note", "rank"]] = ["grows_with_length", "it grows", np.nan]
    for name in ("ranking_bars", "ranking_facets"):
        figure = draw(name, replace(frames, ranking=table))
        shown = everything(figure)
        assert "No ranks by rnd: values grow with the length of vectors" in shown
        assert "another model here is the same vectors: the first model." in shown
        assert "n/a" not in shown
        assert "the first model" not in {
            label.get_text() for axes in figure.axes for label in axes.get_yticklabels()
        }
        nobody = table.assign(rank=np.nan)
        shown = [text.get_text() for text in texts(draw(name, replace(frames, ranking=nobody)))]
        assert "No computed ranking in this study: No ranks by rnd" in " ".join(shown[0].split())


def test_ranks_of_every_model_are_drawn_with_what_speaks_against_them():
    every = ranking("every model").assign(status="derived", note="", rank=2.0)
    every.loc[every["metric"] == "rnd", "status"] = "scales_with_dimension"
    table = correlations("every model").assign(correlation=0.5, smallest_p=1 / 3)
    frames = replace(full(), ranking=pd.concat([full().ranking, every]), correlations=table)
    for name in ("ranking_bars", "ranking_facets"):
        shown = everything(draw(name, frames))
        assert "Every model is ranked by every metric" in shown
        assert "Ranks say little by rnd: values depend on the number of dimensions" in shown
        assert "Ranked, although they are derived from another model here: the first" in shown
    assert "says little: it can take only a few values, and p is at least 0.33." in everything(
        draw("correlation_heatmaps", frames)
    )


@pytest.mark.parametrize(
    ("status", "marked"),
    [("fails", True), ("unknown", True), ("passes", False), ("none", False)],
)
@pytest.mark.parametrize("name", ["ranking_bars", "ranking_facets"])
def test_a_model_of_which_a_control_query_does_not_come_out_is_marked(name, status, marked):
    frames = full()
    own = frames.ranking["model"] == "first"
    table = frames.ranking.assign(
        control_status=np.where(own, status, "passes"), control="weat_1 (Insects)"
    )
    figure = draw(name, replace(frames, ranking=table))
    labels = {text.get_text() for axes in figure.axes for text in axes.get_yticklabels()}
    assert ("the first model \N{DAGGER}" in labels) == marked
    assert "second" in labels
    shown = everything(figure)
    assert ("does not come out (the first model: weat_1 (Insects))" in shown) == marked


ARABIC, UNASSIGNED = "حرية", "\U0003fff0"


def labelled(*words: str) -> Figure:
    """A figure with words at its ticks, in Liberation Sans alone."""
    with paper_style(), matplotlib.rc_context({"font.family": "Liberation Sans"}):
        figure = Figure(layout="constrained")
        figure.subplots().set_yticks(range(len(words)), words)
    return figure


def test_words_that_no_font_can_draw_are_named(monkeypatch):
    assert give_letters(labelled(f"a {UNASSIGNED}b", ARABIC)) == [f"{UNASSIGNED}b"]
    monkeypatch.setattr(_save_figure, "_other_fonts", list)
    assert give_letters(labelled("freedom", ARABIC)) == [ARABIC]


@pytest.mark.filterwarnings("error")
def test_the_caption_says_which_words_are_boxes(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(_save_figure, "_other_fonts", list)
    words = [f"{ARABIC}{letter}" for letter in "abcdef"]
    save_figure(labelled(*words), [tmp_path / "a.svg"], "Associations.")
    told = f"has the letters of {', '.join(words[:5])} and 1 more: they are drawn as boxes."
    assert told in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert told in caplog.text
