"""Figures: drawable from any study, honest about what is missing, the same bytes each time."""

from __future__ import annotations

import resource
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from fairflow.errors import FairflowError
from fairflow.products.figures import FIGURES, draw
from fairflow.products.figures._drawing import notes_of
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import StudyFrames

MODELS = ("first", "second", "third")
METRICS = ("weat", "rnd")
CRITERIA = {"Gender": ("g1", "g2"), "Religion": ("r1",)}


def scores() -> pd.DataFrame:
    random = np.random.default_rng(0)
    rows = [
        {"model": m, "metric": k, "criterion": c, "query": q, "subquery": f"{q} {s}"}
        for m in MODELS
        for k in METRICS
        for c, queries in CRITERIA.items()
        for q in queries
        for s in range(1 + (k == "rnd"))
    ]
    frame = pd.DataFrame(rows).assign(query_label="A and B wrt C and D", n_oov=0, status="ok")
    return frame.assign(value=random.normal(size=len(frame)))


def ranking(source: str, models: tuple[str, ...]) -> pd.DataFrame:
    rows = [
        {"source": source, "criterion": c, "metric": k, "model": m, "score": 0.1 * r, "rank": r}
        for c in (*CRITERIA, "Overall")
        for k in METRICS
        for r, m in enumerate(models, start=1)
    ]
    return pd.DataFrame(rows)


def correlations(source: str) -> pd.DataFrame:
    rows = [
        {"source": source, "criterion": c, "metric_row": a, "metric_column": b, "n_models": 3}
        for c in (*CRITERIA, "Overall")
        for a in METRICS
        for b in METRICS
    ]
    return pd.DataFrame(rows).assign(method="spearman", correlation=-0.5)


def published() -> pd.DataFrame:
    rows = [
        ("first", "weat", "Gender", 0.5, 0.5, "match"),
        ("first", "weat", "Religion", 0.5, 0.52, "within tolerance"),
        ("first", "rnd", "Gender", 0.5, 0.9, "differs"),
        ("first", "rnd", "Religion", 0.5, np.nan, "not computed"),
        (None, "rnd", "Gender", 0.7, np.nan, "not computed"),
    ]
    columns = ["model", "metric", "scope", "published", "computed", "verdict"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.assign(table="a table", published_model="theirs", decimals=1, reason="why")


def coverage() -> pd.DataFrame:
    rows = [
        {"model": m, "word_set": s, "words": 4, "found": 4 - lost, "oov": lost}
        for m in MODELS
        for lost, s in enumerate(("A", "B", "C"))
    ]
    return pd.DataFrame(rows)


def before_after() -> pd.DataFrame:
    rows = scores()
    first = rows[rows["model"] == "first"].set_index(["metric", "subquery"])["value"]
    after = rows[rows["model"] != "first"]
    before = first[pd.MultiIndex.from_frame(after[["metric", "subquery"]])].to_numpy()
    values = {"before": before, "after": after["value"]}
    ends = {
        f"{side}_{name}": value + step
        for side, value in values.items()
        for name, step in (
            ("low", -0.2),
            ("high", 0.2),
            ("null_band_low", -1),
            ("null_band_high", 1),
        )
    }
    verdicts = ["smaller", "not distinguishable"] * (len(after) // 2)
    return after.assign(**values, **ends, before_model="first", ci_level=0.95, verdict=verdicts)


def full() -> StudyFrames:
    return StudyFrames(
        scores=scores(),
        ranking=pd.concat([ranking("computed", MODELS), ranking("published", ("p", "q", "r"))]),
        correlations=pd.concat([correlations("computed"), correlations("published")]),
        published=published(),
        coverage=coverage(),
        before_after=before_after(),
        labels={"weat": "WEAT", "first": "the first model"},
    )


def with_gaps() -> StudyFrames:
    frames = full()
    frames.scores.loc[frames.scores["model"] == "second", "value"] = np.nan
    frames.before_after.loc[frames.before_after["metric"] == "rnd", "after"] = np.nan
    frames.ranking.loc[frames.ranking["model"] == "second", ["rank", "score"]] = np.nan
    frames.correlations.loc[frames.correlations["metric_row"] == "rnd", "correlation"] = np.nan
    return frames


def empty() -> StudyFrames:
    return StudyFrames(*(pd.DataFrame() for _ in range(6)))


def texts(figure: Figure) -> list[Text]:
    return [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


def all_words(figure: Figure) -> str:
    """What is written in the picture and in its caption."""
    return " ".join(" ".join([*(t.get_text() for t in texts(figure)), *notes_of(figure)]).split())


@pytest.mark.parametrize("frames", [full, with_gaps, empty])
@pytest.mark.parametrize("name", FIGURES.names)
def test_every_figure_is_drawn_in_print_size_with_legible_text(name, frames, tmp_path: Path):
    figure = draw(name, frames())
    assert figure.get_figwidth() <= 7.09
    assert figure.get_figheight() <= 9.5
    assert min(text.get_fontsize() for text in texts(figure)) >= 6.5
    save_figure(figure, [tmp_path / f"{name}.png"])


def test_bars_get_thinner_rather_than_leave_the_page():
    rows = [
        {"model": f"m{m}", "metric": "weat", "criterion": f"c{q % 3}", "query": f"q{q}"}
        for m in range(5)
        for q in range(25)
    ]
    frame = pd.DataFrame(rows).assign(query_label="A wrt B", value=0.5, n_oov=0, status="ok")
    assert draw("score_bars", StudyFrames(scores=frame)).get_figheight() <= 9.3


@pytest.mark.parametrize("name", FIGURES.names)
def test_a_study_without_results_says_so(name):
    assert any(text.get_text().startswith("No ") for text in texts(draw(name, empty())))


def test_saving_twice_gives_the_same_bytes_and_leaves_nothing_else(tmp_path: Path):
    formats = ("pdf", "svg", "png")
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        save_figure(draw("score_bars", full()), [tmp_path / folder / f"f.{x}" for x in formats])
    for suffix in formats:
        one, two = (tmp_path / folder / f"f.{suffix}" for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert len(list(tmp_path.rglob("*.*"))) == 6


def test_a_format_looks_the_same_whichever_others_are_written_before_it(tmp_path: Path):
    for name, formats in {"all": ("png", "pdf", "svg"), "alone": ("svg",)}.items():
        save_figure(draw("score_bars", full()), [tmp_path / f"{name}.{x}" for x in formats])
    assert (tmp_path / "all.svg").read_bytes() == (tmp_path / "alone.svg").read_bytes()


def test_a_figure_is_laid_out_once_for_all_formats(tmp_path: Path):
    figure = draw("score_bars", full())
    turns = []
    engine = figure.get_layout_engine()
    lay_out = engine.execute
    engine.execute = lambda one: (turns.append(one), lay_out(one))
    save_figure(figure, [tmp_path / f"f.{suffix}" for suffix in ("pdf", "svg", "png")])
    assert turns == [figure]


@pytest.mark.parametrize("suffix", ["pdf", "svg", "png"])
def test_a_figure_that_finds_no_room_says_so_and_leaves_nothing(tmp_path: Path, suffix):
    figure = draw("score_bars", full())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(FairflowError, match=rf"f\.{suffix}: no room is left on its disk"):
            save_figure(figure, [tmp_path / f"f.{suffix}"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [*tmp_path.iterdir()] == []


def test_a_format_that_is_not_known_is_named(tmp_path: Path):
    with pytest.raises(ValueError, match=r"f\.gif: a figure is written as one of \.pdf"):
        save_figure(draw("score_bars", full()), [tmp_path / "f.gif"])


@pytest.mark.parametrize("name", ["correlation_heatmaps", "published_correlation_heatmaps"])
def test_heat_maps_run_from_minus_one_to_one(name):
    images = [image for axes in draw(name, full()).axes for image in axes.get_images()]
    images += [mesh for axes in draw(name, full()).axes for mesh in axes.collections]
    limits = {image.get_clim() for image in images if image.get_array() is not None}
    assert limits == {(-1.0, 1.0)}


def test_heat_maps_print_negative_numbers_and_name_what_is_undefined():
    shown = {
        text.get_text().replace("\N{MINUS SIGN}", "-")
        for text in texts(draw("correlation_heatmaps", with_gaps()))
    }
    assert {"-0.50", "n/a"} <= shown


def test_heat_maps_of_metrics_that_agree_with_themselves_alone_are_a_sentence():
    frames = full()
    table = frames.correlations
    between = table["metric_row"] != table["metric_column"]
    table.loc[between, "correlation"] = np.nan
    table.loc[between, "reason"] = "fewer than 5 models: so few agree by chance too often"
    (shown,) = texts(draw("correlation_heatmaps", frames))
    assert shown.get_text().replace("\n", " ") == (
        "No computed rank correlations in this study: fewer than 5 models: so few agree by chance "
        "too often."
    )


def test_a_model_without_rank_is_marked_not_rewarded():
    for name in ("ranking_bars", "ranking_facets"):
        shown, none = (texts(draw(name, frames())) for frames in (with_gaps, full))
        assert any("n/a" in text.get_text() for text in shown)
        assert not any("n/a" in text.get_text() for text in none)


def test_a_model_without_rank_has_no_bar_and_comes_last():
    gender = draw("ranking_bars", with_gaps()).axes[0]
    assert [label.get_text() for label in gender.get_yticklabels()][-1] == "second"
    assert {round(bar.get_y() + bar.get_height() / 2) for bar in gender.patches} == {0, 1}
    assert "n/a by WEAT and rnd: no sum" in [text.get_text() for text in gender.texts]


def test_metrics_and_models_that_are_not_ranked_are_named_and_not_drawn():
    frames = full()
    own = frames.ranking["source"] == "computed"
    grows, same = frames.ranking["metric"] == "rnd", frames.ranking["model"] == "first"
    table = frames.ranking.assign(status="compared", note="")
    table.loc[own & same, ["status", "note", "rank"]] = ["same_vectors", "as second", np.nan]
    table.loc[own & grows, ["status", "note", "rank"]] = ["grows_with_length", "it grows", np.nan]
    for name in ("ranking_bars", "ranking_facets"):
        figure = draw(name, replace(frames, ranking=table))
        shown = all_words(figure)
        assert "No ranks by rnd: values grow with the length of vectors" in shown
        assert "another model here is the same vectors: the first model." in shown
        assert "n/a" not in shown
        assert "the first model" not in {
            label.get_text() for axes in figure.axes for label in axes.get_yticklabels()
        }
        nobody = table.assign(rank=table["rank"].where(~own))
        shown = [text.get_text() for text in texts(draw(name, replace(frames, ranking=nobody)))]
        assert "No computed ranking in this study: No ranks by rnd" in " ".join(shown[0].split())


def test_ranks_of_every_model_are_drawn_with_what_speaks_against_them():
    every = ranking("every model", MODELS).assign(status="derived", note="", rank=2.0)
    every.loc[every["metric"] == "rnd", "status"] = "scales_with_dimension"
    table = correlations("every model").assign(correlation=0.5, smallest_p=1 / 3)
    frames = replace(full(), ranking=pd.concat([full().ranking, every]), correlations=table)
    for name in ("ranking_bars", "ranking_facets"):
        shown = all_words(draw(name, frames))
        assert "Every model is ranked by every metric" in shown
        assert "Ranks say little by rnd: values depend on the number of dimensions" in shown
        assert "Ranked, although they are derived from another model here: the first" in shown
    assert "says little: it can take only a few values, and p is at least 0.33." in all_words(
        draw("correlation_heatmaps", frames)
    )


@pytest.mark.parametrize(
    ("status", "marked"),
    [("fails", True), ("unknown", True), ("passes", False), ("none", False)],
)
@pytest.mark.parametrize("name", ["ranking_bars", "ranking_facets"])
def test_a_model_of_which_a_control_query_does_not_come_out_is_marked(name, status, marked):
    frames = full()
    own = (frames.ranking["model"] == "first") & (frames.ranking["source"] == "computed")
    table = frames.ranking.assign(
        control_status=np.where(own, status, "passes"), control="weat_1 (Insects)"
    )
    figure = draw(name, replace(frames, ranking=table))
    labels = {text.get_text() for axes in figure.axes for text in axes.get_yticklabels()}
    assert ("the first model \N{DAGGER}" in labels) == marked
    assert "second" in labels
    shown = all_words(figure)
    assert ("does not come out (the first model: weat_1 (Insects))" in shown) == marked


def test_undefined_scores_are_in_the_legend():
    def legend(frames: StudyFrames) -> str:
        return " ".join(text.get_text() for text in texts(draw("score_bars", frames)))

    assert "undefined" in legend(with_gaps())
    assert "undefined" not in legend(full())


def test_computed_and_published_rankings_are_drawn_apart():
    computed = {text.get_text() for text in texts(draw("ranking_bars", full()))}
    printed = {text.get_text() for text in texts(draw("published_ranking_bars", full()))}
    assert {"the first model", "second"} <= computed
    assert {"p", "q", "r"} <= printed
    assert not printed & {"the first model", "second", "third"}


def test_negative_sentiment_is_drawn_by_word_against_the_uniform_share():
    words = [
        {"set": "N", "word": word, "measure": "negative_probability", "value": value}
        for word, value in (("irish", 0.3), ("dutch", 0.1))
    ]
    cells = {"metric": "rnsb", "criterion": "Origin", "query": "q", "value": 0.1}
    rows = [
        cells | {"model": "a", "words": words, "reason": None},
        cells | {"model": "b", "words": [], "reason": "Origin lost 2 of 2 words"},
    ]
    share = {"table": "t", "model": "a", "scope": "q", "item": "dutch", "published": 0.4}
    printed = pd.DataFrame([share | {"measure": "negative_share"}])
    figure = draw("negative_sentiment", StudyFrames(scores=pd.DataFrame(rows), published=printed))
    (bars,) = figure.axes
    assert [bar.get_height() for bar in bars.patches] == pytest.approx([0.75, 0.25])
    assert list(bars.lines[0].get_ydata()) == [0.5, 0.5]
    assert list(bars.lines[1].get_ydata()) == [0.4]
    assert "No value: b, Origin: Origin lost 2 of 2 words." in all_words(figure)
    other = printed.assign(measure="rnsb")
    without = draw("negative_sentiment", StudyFrames(pd.DataFrame(rows), published=other))
    assert [len(axes.lines) for axes in without.axes] == [1]
