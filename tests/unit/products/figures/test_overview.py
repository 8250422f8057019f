"""The map of a study: every cell its value, and a mark for what is sure of it."""

import math
from itertools import product

import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from fairflow.products.figures import draw, source_data
from fairflow.products.figures._drawing import notes_of
from fairflow.products.figures._study_frames import StudyFrames
from fairflow.products.figures.overview import Overview

NAN = math.nan


def scores(models: int = 2, queries: int = 2, **columns: object) -> pd.DataFrame:
    rows = [
        {"model": f"model {m}", "criterion": f"criterion {q % 3}", "query": f"q{q}"}
        for q, m in product(range(queries), range(models))
    ]
    facts = {"metric": "es", "measure": "effect_size", "value": 0.5, "p_bh": 0.2, "status": "ok"}
    frame = pd.DataFrame(rows).assign(**facts, null_band_low=-1.0, null_band_high=1.0)
    frame["subquery"] = frame["query_label"] = "Sets of " + frame["query"] + " wrt Good and Bad"
    return frame.assign(**columns)


def shown(figure: Figure) -> list[str]:
    drawn = [text.get_text() for text in figure.findobj(Text) if text.get_text()]
    return drawn + notes_of(figure)


def marks(figure: Figure) -> dict[tuple[float, float], str]:
    """Cell (column, row) -> what its mark says of the null band."""
    lines = (line for axes in figure.axes for line in axes.lines if len(line.get_xdata()) == 1)
    return {(x.get_xdata()[0] // 1, x.get_ydata()[0] // 1): str(x.get_label()) for x in lines}


def test_what_survives_has_an_asterisk_and_a_mark_says_what_random_words_give():
    band = {"null_band_low": [-1, -1, NAN], "null_band_high": [1, 1, NAN]}
    table = scores(3, queries=1, value=[1.5, -0.5, 0.5], p_bh=[0.01, 0.2, 0.3], **band)
    figure = draw("overview", StudyFrames(scores=table))
    assert "1.50*" in shown(figure)
    assert "\N{MINUS SIGN}0.50" in shown(figure)
    assert marks(figure) == {(0, 0): "beyond", (1, 0): "within", (2, 0): "unbanded"}
    assert {"within 95% of\nrandom target sets"} < set(shown(figure))
    without = draw("overview", StudyFrames(scores=table.assign(null_band_low=NAN)))
    assert marks(without) == {}


def test_control_queries_are_named_and_what_decides_stands_in_the_figure():
    table = scores(queries=1, control_query=True, p_bh=NAN)
    figure = draw("overview", StudyFrames(scores=pd.concat([table, scores(queries=2).tail(2)])))
    names = dict.fromkeys(text for text in shown(figure) if text.startswith("Sets of"))
    assert ["(control query, not counted)" in name for name in names] == [True, False]
    below = " ".join(text.get_text().replace("\n", " ") for text in figure.texts)
    assert "(p < 0.05 after Benjamini-Hochberg's correction)" in below


def test_eighty_queries_do_not_exceed_a_page():
    figure = draw("overview", StudyFrames(scores=scores(queries=80)))
    assert figure.get_figheight() < 9.7
    assert any("There is room for" in text.get_text() for text in figure.texts)


def test_a_cell_without_value_is_hatched_and_says_in_the_legend_what_that_is():
    table = scores(queries=1, value=[NAN, 0.5], status=["lost_vocabulary", "ok"])
    figure = draw("overview", StudyFrames(scores=table))
    (hatched,) = (p for axes in figure.axes for p in axes.patches if p.get_hatch())
    assert (hatched.get_x(), hatched.get_y()) == (0, 0)
    assert "no value" in shown(figure)
    assert any("Without value: lost vocabulary (1)." in text for text in shown(figure))


@pytest.mark.parametrize(("measure", "limit"), [("effect_size", 2.0), ("weat", 3.5)])
def test_the_scale_is_symmetric(measure: str, limit: float):
    table = scores(queries=1, measure=measure, value=[-3.5, 1.0])
    figure = draw("overview", StudyFrames(scores=table))
    meshes = [mesh for axes in figure.axes for mesh in axes.collections if mesh.get_clim()[0]]
    assert {mesh.get_clim() for mesh in meshes} == {(-limit, limit)}


def test_the_first_metric_of_effect_sizes_is_shown():
    table = pd.concat([scores(metric="sum", measure="weat"), scores(metric="es")])
    assert set(Overview(StudyFrames(scores=table)).data()["metric"]) == {"es"}
    sums = StudyFrames(scores=table[table["metric"] == "sum"])
    assert set(Overview(sums).data()["metric"]) == {"sum"}


def test_the_axis_says_what_a_value_above_0_means():
    readings = {"es": {"of_pairs": True}}
    figure = draw("overview", StudyFrames(scores=scores(), readings=readings))
    assert {"first group\nwith first\nwords", "the other way\nround"} < set(shown(figure))
    assert "Sets of q0 \N{EN DASH} Good" not in shown(figure), "one set of targets makes no pairs"
    sets = {"targets": [["Cats", "Dogs"]] * 4, "attributes": [["Good", "Bad"]] * 4}
    two = scores().assign(query_label="Cats and Dogs wrt Good and Bad", **sets)
    names = shown(draw("overview", StudyFrames(scores=two, readings=readings)))
    assert any("Cats \N{EN DASH} Good,\nDogs \N{EN DASH} Bad" in name for name in names)


def test_rows_and_words_tell_how_much_is_sure():
    table = scores(value=[1.5, NAN, -0.5, 0.25], p_bh=[0.01, NAN, 0.2, 0.3])
    frames = StudyFrames(scores=table.assign(status="ok"), labels={"es": "Effect size"})
    assert list(source_data("overview", frames)["beyond"]) == [True, False, False, False]
    words = " ".join(notes_of(draw("overview", frames)))
    assert "2 tests x 2 models: 3 of 4 cells have a value." in words
    assert "1 of 3 associations is significant (p < 0.05 after Benjamini-Hochberg" in words
    assert "1 of 3 values with a null band of random words are outside it." in words


def test_what_random_words_reach_is_not_counted_as_the_claims_do_not():
    table = scores(queries=3, p_bh=0.001, value=0.5)
    bands = [(-1.0, 1.0), (-0.1, 0.1), (-0.1, 0.1)]
    table = table[table["model"] == table["model"].iloc[0]].head(3)
    table[["null_band_low", "null_band_high"]] = bands
    texts = [text.get_text() for text in draw("overview", StudyFrames(scores=table)).texts]
    assert "2 of 3 associations are significant; 1 more, but random words score as high" in texts
