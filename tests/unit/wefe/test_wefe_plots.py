"""Plots of plain tables are figures of plotly: all is named, nothing missing passes for small."""

import sys

import numpy as np
import pandas as pd
import pytest
from own_process import output_of

from fairflow.errors import FairflowError
from fairflow.wefe.utils import plot_queries_results, plot_ranking, plot_ranking_correlations

RESULTS = pd.DataFrame(
    [[0.5, -0.25, 0.375], [0.1, np.nan, 0.1]],
    index=pd.Index(["first", "second"], name="model_name"),
    columns=pd.Index(["A and B wrt C", "A wrt D", "RND: all score"], name="query_name"),
)
RANKING = pd.DataFrame(
    {"WEAT: Gender average score": [2.0, 3, 1], "MAC: Gender average score": [2.0, 1, np.nan]},
    index=pd.Index(["middle", "last", "gap"], name="model_name"),
)
CORRELATIONS = pd.DataFrame([[1, -0.8], [-0.8, 1]], index=["x", "y"], columns=["x", "y"])


@pytest.fixture
def figures():
    return pytest.importorskip("plotly.graph_objects")


@pytest.mark.parametrize(
    ("by", "groups", "series"),
    [
        ("query", ["A and B wrt<br> C", "A wrt<br> D", "RND: all score"], ["first", "second"]),
        ("model", ["first", "second"], [*RESULTS.columns]),
    ],
)
def test_results_are_grouped_on_an_axis_and_told_apart_in_the_legend(figures, by, groups, series):
    figure = plot_queries_results(RESULTS, by=by)
    assert isinstance(figure, figures.Figure)
    assert [bars.name for bars in figure.data] == series
    assert list(figure.data[0].x) == groups
    assert figure.layout.barmode == "group"
    assert figure.layout.xaxis.title.text == by.capitalize()
    assert figure.layout.yaxis.title.text == "Bias measure"


def test_a_notebook_may_change_a_figure_as_it_does_those_of_wefe(figures):
    figure = plot_queries_results(RESULTS)
    figure.update_xaxes(tickangle=45).add_trace(figures.Scatter(x=[0], y=[1]))
    assert len(figure.data) == 3
    assert "</html>" in figure.to_html()


def test_stacked_ranks_put_the_smallest_total_on_top_and_mark_gaps(figures):
    figure = plot_ranking(RANKING, title="Gender")
    assert figure.layout.barmode == "stack"
    assert figure.layout.title.text == "Gender"
    # Plotly draws the first category at the bottom.
    assert list(figure.data[0].y) == ["gap", "last", "middle"]
    assert list(figure.data[0].x) == [1, 3, 2]
    assert [(note.text, note.y) for note in figure.layout.annotations] == [("n/a", "gap")]


def test_facets_show_one_metric_each(figures):
    figure = plot_ranking(RANKING, use_metric_as_facet=True)
    assert [bars.xaxis for bars in figure.data] == ["x", "x2"]
    assert {note.text for note in figure.layout.annotations} == {*RANKING.columns, "n/a"}


def test_the_heat_map_spans_minus_one_to_one(figures):
    figure = plot_ranking_correlations(CORRELATIONS, title="Gender")
    (heat_map,) = figure.data
    assert (heat_map.zmin, heat_map.zmax) == (-1, 1)
    assert np.array_equal(heat_map.z, CORRELATIONS)
    assert figure.layout.title.text == "Gender"


@pytest.mark.parametrize("draw", [plot_queries_results, plot_ranking, plot_ranking_correlations])
def test_an_empty_table_is_an_empty_figure_and_another_object_is_refused(figures, draw):
    assert isinstance(draw(pd.DataFrame()), figures.Figure)
    with pytest.raises(TypeError, match="must be a DataFrame"):
        draw([[1]])


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="by must be"):
        plot_queries_results(RESULTS, by="metric")
    with pytest.raises(ValueError, match="as rows and as columns"):
        plot_ranking_correlations(RANKING)


def test_a_sentence_names_plotly_where_it_lacks(monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(FairflowError, match="pip install plotly"):
        plot_queries_results(RESULTS)


def test_nothing_that_draws_is_loaded_before_a_plot_is_drawn():
    code = "import sys, fairflow.wefe.utils; print({'matplotlib', 'plotly'} & {*sys.modules})"
    assert output_of(code) == "set()\n"
