"""How figures of any size look: letters, widths, edges, and labels that do not touch."""

from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from drawn import texts
from matplotlib import font_manager
from matplotlib.figure import Figure

from fairflow.capabilities import CAPABILITIES
from fairflow.products.figures import FIGURES, caption, caption_in, draw, source_data
from fairflow.products.figures._drawing import paper_style
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import StudyFrames

WIDTHS = (3.46, 7.08)
LEAST_LETTERS = 6.5
METRICS = ("weat_es", "rnd")
CRITERIA = ("Gender", "Religion", "Age")
# Tables of capabilities, which are planted where their tests are.
_FILES = [Path(__file__).parents[2] / name / "figures/planted.py" for name in CAPABILITIES]
PLANTED = [
    import_module(f"tests.unit.{file.parents[1].name}.figures.planted").planted
    for file in _FILES
    if file.is_file()
]


def study(models: int, queries: int, missing: bool = False) -> StudyFrames:
    """Tables of a study of this size; `missing`: without any value."""
    random = np.random.default_rng(0)
    scores = pd.DataFrame(
        [
            {
                "model": f"model-{m}",
                "metric": metric,
                "measure": "effect_size" if metric == "weat_es" else "rnd",
                "criterion": CRITERIA[q % len(CRITERIA)],
                "query": f"query_{q}",
                "subquery": f"query_{q}",
                "query_label": f"Male terms {q} and Female terms {q} wrt Career and Family",
            }
            for m in range(models)
            for metric in METRICS
            for q in range(queries)
        ]
    )
    value = np.full(len(scores), np.nan) if missing else random.normal(size=len(scores))
    ends = {"ci_low": -0.3, "ci_high": 0.3, "ci_low_both": -0.5, "ci_high_both": 0.5}
    scores = scores.assign(value=value, **{name: value + step for name, step in ends.items()})
    scores = scores.assign(null_band_low=-0.6, null_band_high=0.6, ci_level=0.95, n_words=8)
    scores = scores.assign(n_oov=8 * missing, p_value=0.01, p_holm=0.02, statistics="ok")
    scores = scores.assign(status="lost_vocabulary" if missing else "ok", statistics_note="")
    ranking = scores.groupby(["criterion", "metric", "model"], as_index=False)["value"].mean()
    ranking = ranking.assign(score=ranking.pop("value").abs(), source="computed", status="compared")
    rank = ranking.groupby(["criterion", "metric"])["score"].rank()
    ranking = ranking.assign(rank=rank, note="", control_status="passes", control="")
    after = scores[scores["model"] != "model-0"]
    sides = {f"{side}{end}": value[: len(after)] for side in ("before", "after") for end in _ENDS}
    coverage = scores.drop_duplicates(["model", "query"])[["model"]].assign(words=8, oov=1)
    coverage = coverage.assign(
        word_set=[f"A set of words {i % queries}" for i in range(len(coverage))]
    )
    size = (
        [f"model-{m}" for m in range(models)],
        [(CRITERIA[q % len(CRITERIA)], f"query_{q}") for q in range(queries)],
    )
    return StudyFrames(
        scores=scores,
        ranking=ranking,
        coverage=coverage,
        before_after=after.assign(**sides, before_model="model-0", verdict="smaller"),
        labels={f"model-{m}": f"word2vec no. {m}, hard-debiased" for m in range(models)}
        | {"weat_es": "WEAT effect size", "rnd": "RND"},
        readings={"weat_es": {"of_pairs": True}},
        **{name: table for one in PLANTED for name, table in one(*size, missing).items()},
    )


_ENDS = ("", "_low", "_high", "_null_band_low", "_null_band_high")
# Models, queries, and whether no score has a value.
CASES = [(1, 2, False), (12, 2, False), (2, 12, False), (3, 3, True)]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", FIGURES.names)
def test_a_figure_of_any_size_is_legible_and_inside_its_edges_and_no_labels_touch(
    name: str, case: tuple[int, int, bool], tmp_path
):
    figure = draw(name, study(*case))
    save_figure(figure, [tmp_path / "figure.png"])
    assert round(figure.get_figwidth(), 2) in WIDTHS
    assert figure.get_figheight() < 9.7, "higher than a page"
    assert min(text.get_fontsize() for text in texts(figure)) >= LEAST_LETTERS
    drawn, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(drawn.x0, drawn.y0) > -0.02
    assert drawn.x1 < width + 0.02
    assert drawn.y1 < height + 0.02
    for axes in figure.axes:
        for labels in (axes.get_xticklabels(which="both"), axes.get_yticklabels()):
            shown = [label for label in labels if label.get_text() and label.get_visible()]
            boxes = [label.get_window_extent() for label in shown]
            for one, other in pairwise(boxes):
                across = min(one.x1, other.x1) - max(one.x0, other.x0)
                along = min(one.y1, other.y1) - max(one.y0, other.y0)
                # Pixels at 300 dpi: letters have some room above and below in their box.
                apart = across < 2 or along < 9
                assert apart, f"labels touch: {[label.get_text() for label in shown]}"


def test_the_fonts_are_those_of_the_project_on_every_machine():
    with paper_style():
        found = [font_manager.findfont(font_manager.FontProperties(weight=w)) for w in (400, 700)]
    assert [Path(path).name for path in found] == [
        "LiberationSans-Regular.ttf",
        "LiberationSans-Bold.ttf",
    ]
    assert all("products/figures/fonts" in Path(path).as_posix() for path in found)


@pytest.mark.parametrize("name", FIGURES.names)
def test_a_caption_is_in_the_svg_and_has_no_names_of_code(name: str, tmp_path: Path):
    frames = study(3, 4)
    figure = draw(name, frames)
    text = caption(name, frames, figure)
    save_figure(figure, [tmp_path / "figure.svg"], text)
    assert caption_in(tmp_path / "figure.svg") == text
    assert "model-" not in text
    assert "weat_es" not in text


@pytest.mark.parametrize("name", FIGURES.names)
def test_a_study_without_results_says_so(name: str):
    figure = draw(name, StudyFrames())
    assert any(text.get_text().startswith("No ") for text in texts(figure))
    assert source_data(name, StudyFrames()).empty
    assert "nothing to show" in caption(name, StudyFrames(), figure)


def test_a_file_alone_is_a_figure_whose_rows_and_caption_are_those_of_scores(tmp_path: Path):
    file = tmp_path / "a_new_figure.py"
    file.write_text(
        "from fairflow.products.figures.base_figure import BaseFigure\n"
        "class ANewFigure(BaseFigure):\n"
        "    def plot(self): ...\n"
    )
    frames, bare = study(1, 1), Figure()
    assert source_data(str(file), frames).equals(source_data("forest_plot", frames))
    assert caption(str(file), frames, bare) == caption("forest_plot", frames, bare)
