"""The gallery shows what a run drew, and without one says how to get there."""

import io
from pathlib import Path

import pandas as pd
import pytest
from building.gallery import gallery_pages
from building.thumbnails import FOLDER, WIDTH, thumbnail
from matplotlib.figure import Figure
from PIL import Image
from tables_of_scores import as_table, score

from fairflow.files.tables import write_table
from fairflow.planning.result_files import tables_of_study
from fairflow.products.figures import FIGURES, figure_module
from fairflow.studies.tables import KINDS

ROOT = Path(__file__).parents[3]
STUDY = "garg_2018"
NAMES = dict.fromkeys(("criterion", "query_label", "subquery"), "Religion")
SCORES = score("glove-6B-50d", "rel_1", 0.25, metric="rnsb_100", measure="rnsb", **NAMES)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The project without results."""
    for folder in ("config", "scripts", "workflow"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    return tmp_path


@pytest.fixture
def after_a_run(clone: Path) -> Path:
    """The project with one score and its figure."""
    write_tables(clone, STUDY, KINDS, SCORES)
    figures = clone / "results/figures" / STUDY
    figures.mkdir(parents=True)
    (figures / "forest_plot.svg").write_text("<svg/>")
    Image.new("RGB", (2000, 1000), "white").save(figures / "forest_plot.png")
    return clone


def write_tables(root: Path, study: str, kinds: tuple[str, ...], row: dict[str, object]) -> None:
    """The tables of a study that figures read: one row in those in parquet, none elsewhere."""
    for path in map(root.joinpath, tables_of_study("figures", study, *kinds).values()):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_table(as_table(path, [row] * (path.suffix == ".parquet")), path)


def test_every_figure_has_a_page_with_the_code_that_draws_it(clone: Path):
    pages = gallery_pages(clone)
    for name in FIGURES.names:
        assert f"]({name}.md)" in pages["gallery/index.md"]
        path = f"scripts/{figure_module(name).replace('.', '/')}.py"
        assert f"What draws it: {path}" in pages[f"gallery/{name}.md"]


def test_in_a_bare_clone_every_figure_has_a_thumbnail_and_all_are_small(clone: Path):
    pages = gallery_pages(clone)
    for name in FIGURES.names:
        assert f"]({name}-small.png)" in pages["gallery/index.md"], "make thumbnails"
    assert sum(path.stat().st_size for path in (ROOT / FOLDER).iterdir()) < 1e6
    assert {path.stem for path in (ROOT / FOLDER).iterdir()} == {*FIGURES.names}


def test_a_thumbnail_is_the_first_panel_with_its_labels_and_without_the_title():
    figure = Figure(figsize=(7, 3), layout="constrained")
    left, _ = figure.subplots(1, 2)
    left.set_ylabel("a label")
    figure.suptitle("A title")
    picture = Image.open(io.BytesIO(thumbnail(figure)))
    assert picture.width == WIDTH
    assert picture.width / picture.height == pytest.approx(3.5 / 2.75, abs=0.1)


def test_in_a_bare_clone_a_figure_without_picture_names_the_command_that_computes_it(clone: Path):
    pages = gallery_pages(clone)
    assert "`make run` computes `weat_replication`" in pages["gallery/ranking_facets.md"]
    assert "needs 3 models that are not derived" in pages["gallery/ranking_facets.md"]
    assert "`make run-lm` computes `language_models_items`" in pages["gallery/bias_and_ability.md"]
    assert "gallery/ranking_facets.csv" not in pages


def test_after_a_run_a_figure_has_its_picture_its_numbers_and_its_study(
    after_a_run: Path,
):
    pages = gallery_pages(after_a_run)
    page = pages["gallery/forest_plot.md"]
    assert "](forest_plot.png)" in page
    assert f"snakemake --cores 1 results/figures/{STUDY}/forest_plot.svg" in page
    assert (ROOT / f"config/studies/{STUDY}.yaml").read_text().splitlines()[-1] in page
    numbers = pd.read_csv(io.BytesIO(pages["gallery/forest_plot.csv"]))
    assert numbers["value"].tolist() == [0.25]
    assert pages["gallery/forest_plot.svg"] == b"<svg/>"
