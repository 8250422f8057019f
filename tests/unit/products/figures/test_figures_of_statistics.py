"""Figures of uncertainty: values, intervals and ranks drawn where they belong, gaps explained."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from drawn import everything
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from fairflow.products.figures import draw, source_data
from fairflow.products.figures._drawing import UNDEFINED_GREY
from fairflow.products.figures._study_frames import StudyFrames, first_queries
from fairflow.products.figures.word_associations import poles
from fairflow.scores.ranked import PRIMARY
from fairflow.studies.aggregation import Rules
from fairflow.studies.model_comparison import ranked_models

MODELS = ("first", "second", "third")
SUBQUERIES = {"weat": 1, "rnd": 2}
CRITERIA = {"Gender": ("g1", "g2"), "Religion": ("r1",)}
TARGETS = {"Flowers": ("rose", "lily", "tulip"), "Insects": ("ant", "wasp")}
DIRECTIONS = {metric: {"signed": True, "larger_is_fairer": False} for metric in SUBQUERIES}


def words(random: np.random.Generator) -> list[dict]:
    return [
        {"set": name, "word": word, "measure": "association", "value": random.normal()}
        for name, group in TARGETS.items()
        for word in group
    ]


def scores(criteria: dict[str, tuple[str, ...]] = CRITERIA, subqueries: int = 2) -> pd.DataFrame:
    random = np.random.default_rng(0)
    rows = [
        {
            "model": model,
            "metric": metric,
            "criterion": criterion,
            "query": query,
            "subquery": f"{query} {part}",
            "subquery_digest": f"{query} {part}",
            "targets": [*TARGETS],
            "attributes": ["Pleasant", "Unpleasant"],
            "value": value,
            "draws": value + random.normal(0, 0.1, 50),
            "words": words(random) if metric == "weat" else [],
        }
        for model in MODELS
        for metric, count in {"weat": 1, "rnd": subqueries}.items()
        for criterion, queries in criteria.items()
        for query in queries
        for part, value in enumerate(random.normal(size=count))
    ]
    frame = pd.DataFrame(rows).assign(**{PRIMARY: True}, status="ok", n_words=50, n_oov=0)
    frame = frame.assign(query_label="Flowers and Insects wrt Pleasant and Unpleasant")
    ends = {"ci_low": -0.2, "ci_high": 0.3, "ci_low_both": -0.4, "ci_high_both": 0.5}
    frame = frame.assign(**{name: frame["value"] + shift for name, shift in ends.items()})
    frame = frame.assign(
        null_band_low=-0.6, null_band_high=0.7, ci_level=0.95, statistics_note=None
    )
    return frame.assign(statistics=np.where(frame["query"] == "g1", "few_words", "ok"))


def study(table: pd.DataFrame | None = None, **frames: pd.DataFrame) -> StudyFrames:
    table = scores() if table is None else table
    _, comparison = ranked_models(table, Rules("abs_avg", DIRECTIONS, 0.5))
    published = pd.DataFrame(
        {
            "metric": "weat",
            "scope": "g2",
            "model": "second",
            # A p-value of the same test is not on the axis of effect sizes.
            "measure": ["weat", "p_value"],
            PRIMARY: [True, False],
            "published": [1.23, 1e-7],
        }
    )
    coverage = pd.DataFrame(
        {
            "model": ["first", "first", "second"],
            "word_set": ["Insects", "Pleasant", "Insects"],
            "queries": ["g1 g2", "g1", "g1"],
            "oov_words": ["moth, gnat", "joy", "bee"],
        }
    )
    base = StudyFrames(scores=table, published=published, coverage=coverage, **comparison)
    return replace(base, **frames)


def undefined(model: str, query: str = "g2", metric: str = "weat") -> pd.DataFrame:
    """Scores, but for those of a model and query, whose words are lost."""
    table = scores()
    gone = (table["model"] == model) & (table["query"] == query) & (table["metric"] == metric)
    numbers = ["value", "ci_low", "ci_high", "ci_low_both", "ci_high_both", "null_band_low"]
    table.loc[gone, [*numbers, "null_band_high"]] = np.nan
    table.loc[gone, ["status", "n_oov"]] = ["lost_vocabulary", 30]
    table["words"] = [[] if lost else own for lost, own in zip(gone, table["words"], strict=True)]
    return table


def lines(axes: Axes, label: str) -> list[Line2D]:
    return [line for line in axes.get_lines() if line.get_label() == label]


def segments(axes: Axes, label: str) -> list[tuple[float, ...]]:
    found = [c for c in axes.collections if isinstance(c, LineCollection)]
    return sorted(
        tuple(segment.ravel())
        for c in found
        if c.get_label() == label
        for segment in c.get_segments()
    )


def marks(axes: Axes) -> dict[tuple[float, float], Line2D]:
    """Position -> line, of the models' marks."""
    return {
        (x, y): line
        for line in axes.get_lines()
        if line.get_marker() in ("o", "s", "^") and line.get_label() != "published"
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
        if np.isfinite(x)
    }


def crosses(axes: Axes) -> list[tuple[float, float]]:
    """Positions of the marks of lanes without value."""
    drawn = [line for line in axes.get_lines() if line.get_marker() == "x"]
    return [place for line in drawn for place in zip(*line.get_data(), strict=True)]


def test_without_statistics_a_sentence_says_what_is_missing():
    table = scores()
    numbers = [name for name in table if name.startswith(("ci_", "null_band_"))]
    off = study(table.drop(columns="draws").assign(**dict.fromkeys(numbers, np.nan)))
    shown = everything(draw("rank_probabilities", off))
    assert "No rank probabilities in this study: the scores hold no draws." in shown
    wordless = replace(off, scores=off.scores.drop(columns="words"))
    assert "No metric of this study" in everything(draw("word_associations", wordless))
    assert "no interval over target words" in everything(draw("forest_plot", off))


def test_the_marks_without_a_band_are_counted_of_each_metric():
    table = scores().query("metric == 'weat'")
    table.loc[table["model"] == "first", "null_band_low"] = np.nan
    both = pd.concat([table, table.assign(metric="weat_es")], ignore_index=True)
    told = "Each of weat and weat_es: no band of random target sets of first (3 of 9 marks)."
    assert told in everything(draw("forest_plot", replace(study(scores()), scores=both)))


def test_long_reasons_are_short_in_the_source():
    table = scores().assign(
        value=np.nan, reason=f"Cats lost 8 of 8 words ({', '.join('abcdefgh')})"
    )
    rows = source_data("forest_plot", StudyFrames(scores=table))
    assert set(rows["reason"]) == {"Cats lost 8 of 8 words"}


def test_forest_plot_draws_both_intervals_the_value_and_the_band_in_the_lane_of_the_model():
    frames = study()
    axes = draw("forest_plot", frames).axes[0]
    rows = frames.scores.query("metric == 'weat' and criterion == 'Gender'")
    for low, high in (("ci_low", "ci_high"), ("ci_low_both", "ci_high_both")):
        drawn = segments(axes, low)
        assert [s[0] for s in drawn] == pytest.approx(sorted(rows[low]))
        assert [s[2] for s in drawn] == pytest.approx(sorted(rows[high]))
        lanes = {round(s[1], 9): (s[0] + s[2]) / 2 for s in drawn}
        shift = (rows[low] + rows[high]).iloc[0] / 2 - rows["value"].iloc[0]
        for x, y in marks(axes):
            assert lanes[round(y, 9)] == pytest.approx(x + shift)
    assert sorted(x for x, _ in marks(axes)) == pytest.approx(sorted(rows["value"]))
    bands = [patch for patch in axes.patches if patch.get_width() == pytest.approx(1.3)]
    assert {patch.get_x() for patch in bands} == {-0.6}
    assert len(bands) == len(rows)


@pytest.mark.parametrize("table", [scores, lambda: undefined("second")])
def test_forest_plot_puts_the_published_value_in_the_lane_of_its_model(table: Callable):
    axes = draw("forest_plot", study(table())).axes[0]
    (line,) = lines(axes, "published")
    assert line.get_xdata() == [1.23]
    assert line.get_ydata() == [pytest.approx(1.0)]
    assert line.get_markerfacecolor() == "none"


def test_forest_plot_marks_an_undefined_score_outside_the_axis_and_says_why_in_the_caption():
    figure = draw("forest_plot", study(undefined("first")))
    axes = figure.axes[0]
    (cross,) = crosses(axes)
    lanes = {round(y, 6) for _, y in marks(axes)}
    assert cross[0] > 1, "a mark on the axis would be read as a value"
    assert 0.5 < cross[1] < 1
    assert round(cross[1], 6) not in lanes
    assert len(lanes) == 5
    assert not axes.texts
    assert "No value (x): first in 1 of 9 (lost 30/50 words)." in everything(figure)


def test_the_first_queries_are_taken_in_turn_from_each_criterion():
    every = {"a": ["a1", "a2", "a3"], "b": ["b1"], "c": ["c1", "c2"]}
    assert first_queries(every, 4) == {"a": ["a1", "a2"], "b": ["b1"], "c": ["c1"]}
    assert first_queries(every, 2) == {"a": ["a1"], "b": ["b1"]}


def test_rank_probabilities_are_stacked_to_one_with_the_expected_rank_beside_them():
    frames = study()
    axes = draw("rank_probabilities", frames).axes[0]
    own = frames.rank_probabilities.query("criterion == 'Gender' and metric == 'weat'")
    for y, model in enumerate(MODELS):
        shares = own[own["model"] == model].sort_values("place")["probability"]
        bars = [p for p in axes.patches if p.get_y() + p.get_height() / 2 == pytest.approx(y)]
        assert [bar.get_width() for bar in bars] == pytest.approx(list(shares))
        assert [bar.get_x() for bar in bars] == pytest.approx(list(shares.cumsum() - shares))
    facts = frames.ranking.query("criterion == 'Gender' and metric == 'weat'")
    beside = [text.get_text().split(" ")[0] for text in axes.texts if text.get_position()[0] > 1]
    assert beside == [f"{rank:.2f}" for rank in facts["expected_rank"]]


def test_what_is_not_compared_is_told_below_and_takes_no_panel():
    vectors, incomparable = {"third": "first"}, {"rnd": "grows_with_length"}
    how = {"vectors": vectors, "incomparable": incomparable}
    _, comparison = ranked_models(scores(), Rules("abs_avg", DIRECTIONS, 0.5, **how))
    frames = study(**comparison, labels={"first": "Model One"})
    figure = draw("rank_probabilities", frames)
    shown = everything(figure)
    assert "not ranked by rnd: values grow with the length of vectors" in shown
    assert "not ranked: third: the same vectors as Model One, which is compared" in shown
    assert "rnd" not in {axes.get_title("left") for axes in figure.axes}
    assert "third" not in {t.get_text() for axes in figure.axes for t in axes.get_yticklabels()}


def names_of(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def test_word_associations_are_sorted_and_coloured_by_set_with_lost_words_in_grey_at_the_end():
    frames = study()
    axes = draw("word_associations", frames).axes[0]
    entries = {entry["word"]: entry for entry in frames.scores["words"].iloc[0]}
    ranked = sorted(entries, key=lambda word: -entries[word]["value"])
    assert names_of(axes) == [*ranked, "moth", "gnat"]
    drawn = {y: (x, line) for (x, y), line in marks(axes).items()}
    colours = {}
    for y, word in enumerate(ranked):
        x, line = drawn[y]
        assert x == entries[word]["value"]
        colours.setdefault(entries[word]["set"], set()).add(line.get_color())
    assert all(len(used) == 1 for used in colours.values())
    assert colours["Flowers"] != colours["Insects"]
    labels = axes.get_yticklabels()
    grey = [label.get_text() for label in labels if label.get_color() == UNDEFINED_GREY]
    assert grey == ["moth", "gnat"]


def test_word_associations_name_the_poles_of_their_axis():
    figure = draw("word_associations", study())
    first = figure.axes[0]
    assert [text.get_text() for text in figure.texts[:3]] == [
        "Flowers and Insects [g1]",
        "\N{LEFTWARDS ARROW} Unpleasant",
        "Pleasant \N{RIGHTWARDS ARROW}",
    ]
    left, right = (text.get_position()[0] for text in figure.texts[1:3])
    assert left < first.get_position().x0 < right


def test_a_word_of_both_groups_is_white_and_the_figure_names_its_model_and_axis():
    table = scores({"Gender": ("g1",)})
    for entries in table["words"]:
        twice = [{"set": "Insects", "word": "rose", "measure": "association", "value": 0.1}]
        entries.extend(twice * bool(entries))
    figure = draw("word_associations", study(table))
    faces = {to_hex(line.get_markerfacecolor()) for line in figure.axes[0].lines}
    assert {"#d55e00", "#0072b2", "#ffffff"} <= faces, "red is the first group"
    shown = everything(figure)
    assert "white: word of both groups" in shown
    assert "In first, words of the first group lie nearer to the first words than those" in shown
    assert "mean cosine similarity with the first attribute set less that with the second" in shown


def test_ranks_say_how_often_they_are_settled_and_what_stands_beside_a_bar():
    frames = study()
    cases = frames.rank_probabilities[["criterion", "metric"]].drop_duplicates().to_dict("records")
    # Of the first case one model is clearly below both others, of the second only below one.
    tests = [
        {**case, "model": model, "other": other, "difference": sign * 0.1, "p_bh": p}
        for case, p in zip(cases, (0.01, 0.2), strict=False)
        for model, other, sign in (("first", "second", -1), ("second", "first", 1))
    ]
    tests += [
        {**case, "model": model, "other": other, "difference": sign * 0.1, "p_bh": 0.01}
        for case in cases[:2]
        for model, other, sign in (("first", "third", -1), ("third", "first", 1))
    ]
    shown = everything(draw("rank_probabilities", replace(frames, pairwise=pd.DataFrame(tests))))
    told = f"In 1 of {len(cases)} cases, the model with the weakest association is clearly below"
    assert len(cases) > 1
    assert told in shown
    assert "expected place, and its 95% interval" in shown


def test_a_title_counts_intervals_of_metrics_that_say_what_is_above_0_and_names_them():
    readings = {"weat": {"fair": 0, "above": "pairs"}, "rnd": {"fair": 0, "above": ""}}
    shown = everything(draw("forest_plot", replace(study(), readings=readings)))
    assert "weat: 6 of 9 intervals over target words exclude zero" in shown


def test_the_poles_of_a_negative_probability_are_the_other_way_round():
    sets = "Positive words", "Negative words"
    assert poles(sets, "association") == ("Negative words", "Positive words")
    assert poles(sets, "negative_probability") == ("Positive words", "Negative words")
    assert poles(["Jobs"], "association") == ()


def test_word_associations_take_the_first_model_that_defines_a_query_and_name_the_others():
    table = undefined("first", "g2")
    gone = table["query"] == "r1"
    table["words"] = [[] if lost else own for lost, own in zip(gone, table["words"], strict=True)]
    table["query_label"] = table["query"].map("the query {}".format)
    shown = everything(draw("word_associations", study(table)))
    assert "weat on first." in shown
    assert "On the first model that defines them: the query g2 (second)." in shown


def item_panel(**columns):
    """The axes of one metric of items, of one model and query."""
    row = dict.fromkeys(("query", "subquery"), "q") | {"model": "m", "metric": "k", "category": ""}
    row |= {"criterion": "c", "query_label": "Pairs"}
    row |= {"value": 5.0, "ci_low": 3.0, "ci_high": 7.0, "ci_level": 0.95}
    row |= {"status": "ok", "statistics": "ok", "n_items": 40} | columns
    return draw("item_scores", StudyFrames(scores=pd.DataFrame([row]))).axes[0]


def test_a_sample_of_items_stands_beside_its_score():
    (label,) = item_panel(sampled_from=112).get_yticklabels()
    assert label.get_text() == "Pairs\n40 of 112 items"
    (label,) = item_panel().get_yticklabels()
    assert label.get_text() == "Pairs"


def test_the_scores_of_all_models_on_one_query_stand_next_to_each_other():
    row = {"metric": "k", "criterion": "c", "status": "ok", "value": 1.0, "category": ""}
    cells = [(m, q) for m in "ab" for q in ("late", "early")]
    row |= {"statistics": "few_words"}
    rows = [row | {"model": m, "query": q, "subquery": q, "query_label": q} for m, q in cells]
    axes = draw("item_scores", StudyFrames(scores=pd.DataFrame(rows))).axes[0]
    assert [one.get_text() for one in axes.get_yticklabels()] == ["late", "early"]
    legend = [text.get_text() for text in axes.get_figure(root=True).legends[0].get_texts()]
    assert legend[-1] == "white: few units or words, a rough value"


def test_parts_of_a_query_stand_below_its_name():
    rows = [{"model": "m", "subquery": f"q: {part}", "category": part} for part in ("age", "race")]
    table = pd.DataFrame(rows).assign(metric="k", criterion="c", status="ok", value=1.0, query="q")
    table = table.assign(query_label="Pairs", statistics="ok")
    axes = draw("item_scores", StudyFrames(scores=table)).axes[0]
    labels = axes.get_yticklabels()
    assert [(one.get_text(), one.get_fontweight()) for one in labels] == [
        ("Pairs", "bold"),
        ("age", "normal"),
        ("race", "normal"),
    ]
