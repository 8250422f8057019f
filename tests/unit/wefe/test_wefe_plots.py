"""The plots of plain tables: everything labelled, nothing missing passes for small."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from fairflow.wefe.utils import plot_queries_results, plot_ranking, plot_ranking_correlations

LONG = "White last names and Hispanic last names wrt Pleasant words and Unpleasant words"
RESULTS = pd.DataFrame(
    [[0.5, -0.25, 0.375], [0.1, np.nan, 0.1]],
    index=pd.Index(["first", "second"], name="model_name"),
    columns=pd.Index(["A and B wrt C", LONG, "RND: all average score"], name="query_name"),
)
RANKING = pd.DataFrame(
    {"WEAT: Gender average score": [2.0, 3, 1], "MAC: Gender average score": [2.0, 1, np.nan]},
    index=pd.Index(["middle", "last", "gap"], name="model_name"),
)
CORRELATIONS = pd.DataFrame([[1, -0.8], [-0.8, 1]], index=["x", "y"], columns=["x", "y"])


def texts(figure: Figure) -> list[str]:
    """Visible texts; wrapped lines joined."""
    found = [text for text in figure.findobj(Text) if text.get_visible()]
    return [text.get_text().replace("\n", " ") for text in found if text.get_text()]


def bars(figure: Figure) -> list[tuple[float, str]]:
    """Width and colour of each bar."""
    patches = [patch for axes in figure.axes for box in axes.containers for patch in box]
    return [(patch.get_width(), to_hex(patch.get_facecolor())) for patch in patches]


def legend(figure: Figure) -> list[str]:
    (only,) = figure.legends
    return [text.get_text().replace("\n", " ") for text in only.get_texts()]


def is_whole(figure: Figure) -> bool:
    """Nothing reaches beyond the edges of the figure."""
    figure.draw_without_rendering()
    drawn, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    return min(drawn.min) > -0.01 and drawn.x1 < width + 0.01 and drawn.y1 < height + 0.01


@pytest.mark.parametrize(
    ("by", "groups", "series"),
    [
        ("query", ["A and B wrt C", LONG, "RND: all average score"], ["first", "second"]),
        ("model", ["first", "second"], ["A and B wrt C", LONG, "RND: all average score"]),
    ],
)
def test_results_are_grouped_on_an_axis_and_told_apart_in_the_legend(by, groups, series):
    figure = plot_queries_results(RESULTS, by=by)
    (axes,) = figure.axes
    labels = [label.get_text().replace("\n", " ") for label in axes.get_yticklabels()]
    assert labels == groups
    assert legend(figure) == [*series, "undefined"]
    assert sorted(width for width, _ in bars(figure)) == [-0.25, 0.1, 0.1, 0.375, 0.5]
    assert (axes.get_ylabel(), axes.get_xlabel()) == (by.capitalize(), "Bias measure")


def test_results_without_gaps_have_no_mark_for_them():
    assert legend(plot_queries_results(RESULTS.fillna(0))) == ["first", "second"]


def test_more_series_than_colours_still_look_different():
    table = pd.DataFrame([np.arange(1.0, 21)], index=["m"], columns=[f"q{i}" for i in range(20)])
    figure = plot_queries_results(table, by="model")
    (axes,) = figure.axes
    looks = [(p.get_facecolor(), p.get_hatch()) for box in axes.containers for p in box]
    assert len(set(looks)) == 20


def test_stacked_ranks_put_the_smallest_total_first_and_gaps_last():
    figure = plot_ranking(RANKING, title="Gender")
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["middle", "last", "gap"]
    assert "Gender" in texts(figure)
    assert any(text.startswith("n/a by ") for text in texts(figure))
    assert legend(figure) == [*RANKING.columns]


def test_facets_show_one_metric_each():
    figure = plot_ranking(RANKING, title="Gender", use_metric_as_facet=True)
    titles = [axes.get_title().replace("\n", " ") for axes in figure.axes]
    assert titles == list(RANKING.columns)
    assert [[width for width, _ in bars(figure)][i] for i in range(6)] == [2, 3, 1, 2, 1, 0]
    assert texts(figure).count("n/a") == 1
    assert "Gender" in texts(figure)


@pytest.mark.parametrize("method", ["", "kendall"])
def test_the_heat_map_spans_minus_one_to_one(method):
    matrix = CORRELATIONS.copy()
    matrix.attrs["method"] = method
    figure = plot_ranking_correlations(matrix, title="Gender")
    (mesh,) = figure.axes[0].findobj(QuadMesh)
    assert mesh.get_clim() == (-1, 1)
    label = figure.axes[1].get_ylabel()
    assert label == ("Kendall rank correlation" if method else "Rank correlation")
    assert {"Gender", "1.00", "\N{MINUS SIGN}0.80", "x", "y"} <= set(texts(figure))


WEFE_NAMES = [f"{m}: Gender Queries average of abs values score" for m in ("WEAT", "RND", "RNSB")]


@pytest.mark.parametrize(
    "draw",
    [
        lambda table: plot_queries_results(table),
        lambda table: plot_queries_results(table, by="model"),
        lambda table: plot_ranking(table, title="a title"),
        lambda table: plot_ranking(table, use_metric_as_facet=True),
        lambda table: plot_ranking_correlations(table.set_axis(WEFE_NAMES)),
    ],
)
def test_wefes_long_column_names_fit_on_the_page(draw):
    table = pd.DataFrame(np.eye(3), index=["one", "two", "three"], columns=WEFE_NAMES)
    figure = draw(table)
    assert figure.get_figwidth() <= 7
    assert is_whole(figure)


@pytest.mark.parametrize("draw", [plot_queries_results, plot_ranking, plot_ranking_correlations])
def test_an_empty_table_says_so_and_another_object_is_refused(draw):
    assert any(text.startswith("No ") for text in texts(draw(pd.DataFrame())))
    with pytest.raises(TypeError, match="must be a DataFrame"):
        draw([[1]])


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="by must be"):
        plot_queries_results(RESULTS, by="metric")
    with pytest.raises(ValueError, match="as rows and as columns"):
        plot_ranking_correlations(RANKING)


def test_matplotlib_is_not_loaded_before_a_plot_is_drawn():
    code = "import sys, fairflow.wefe.utils; sys.exit('matplotlib' in sys.modules)"
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    process = subprocess.run([sys.executable, "-c", code], env=environment, check=False)
    assert process.returncode == 0
