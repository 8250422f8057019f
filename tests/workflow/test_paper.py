"""The paper: planned from the studies, the same bytes from any build, and LaTeX prints it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from project import Project

pytestmark = pytest.mark.workflow

PAPER = {
    "print_toy": 1,
    "write_article": 1,
    "record_checksums": 1,
    "paper": 1,
}
TOOLS = ("pdflatex", "pdftoppm", "pdfinfo", "pdffonts")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]
# Points that a line may stick out: a hair.
MOST_OVERFULL = 2.0


def test_only_the_papers_jobs_are_planned_and_a_title_writes_it_again(finished: Project):
    assert finished.planned("paper") == PAPER
    finished.run("paper")
    assert finished.planned("paper") == {}
    finished.edit("config/studies/toy.yaml", "title: Toy", "title: Another toy")
    assert finished.planned("paper").keys() & {"score_queries", "print_toy"} == {"print_toy"}


def test_another_study_adds_its_own_products(finished: Project):
    study = finished.folder / "config/studies/toy.yaml"
    text = study.read_text().replace("metrics: [weat, rnd, rnsb]", "metrics: [weat]")
    (study.parent / "second.yaml").write_text(text.replace("[rank_probabilities]", "[]"))
    finished.edit("config/config.yaml", "studies: [toy]", "studies: [toy, second]")
    planned = finished.planned("paper")
    assert planned["print_toy"] == planned["print_second"] == 1
    assert "score_queries" not in planned
    alone = finished.planned("--config", "studies=[second]", "--", "paper")
    assert "print_second" in alone
    assert "print_toy" not in alone


def test_clean_builds_on_one_core_and_on_two_have_the_same_files(fresh: Project, finished: Project):
    fresh.run("paper", "--cores", "1")
    finished.run("paper")  # its study was built on two
    assert fresh.contents("results/paper") == finished.contents("results/paper")


def latex(folder: Path, name: str) -> str:
    """Compile three times, for the widths of long tables and the references; the last log."""
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
    for _ in range(3):
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
    return (folder / f"{name}.log").read_text(errors="replace")


def output_of(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def hostile(finished: Project) -> Project:
    """The toy project with names that LaTeX would take for commands, and with more figures."""
    for file, label in (
        ("models", "'[A] & 50% of_{\\tom} ~^ é *'"),
        ("metrics", "'p < 1 | q >= 2 --'"),
    ):
        config = finished.folder / f"config/{file}.yaml"
        name, _ = config.read_text().split(":", 1)
        finished.edit(f"config/{file}.yaml", f"{name}:\n", f"{name}:\n  label: {label}\n")
    study = finished.folder / "config/studies/toy.yaml"
    text = study.read_text().replace("title: Toy", "title: 'Toy #1 & \"100%\" of_it, $x^2$ \\end'")
    study.write_text(
        text.replace("[rank_probabilities]", "[rank_probabilities, forest_plot, coverage]")
    )
    finished.run("paper")
    return finished


@pytest.mark.skipif(
    bool(MISSING),
    reason=f"LaTeX is not checked without {', '.join(MISSING)} (Debian: texlive-latex-base, "
    "texlive-latex-recommended, poppler-utils)",
)
def test_latex_prints_the_article_as_it_is_meant(hostile: Project):
    folder = hostile.folder / "results/paper"
    log = latex(folder, "article")
    overfull = [float(points) for points in re.findall(r"Overfull \\[hv]box \(([\d.]+)pt", log)]
    assert max(overfull, default=0.0) <= MOST_OVERFULL
    for trouble in ("Missing character", "undefined", "multiply", "Float too large", "Rerun"):
        assert trouble not in log, trouble
    check_pages(folder / "article.pdf", at_least=3, at_most=12)


def check_pages(path: Path, at_least: int, at_most: int) -> None:
    """The number of pages, no blank one, and all fonts embedded as outlines."""
    pages = int(re.search(r"Pages: +(\d+)", output_of("pdfinfo", path))[1])
    assert at_least <= pages <= at_most
    output_of("pdftoppm", "-r", "40", "-png", path, path.with_suffix(""))
    images = list(path.parent.glob(f"{path.stem}-*.png"))
    assert len(images) == pages
    for image in images:
        with Image.open(image) as page:
            assert page.convert("L").getextrema()[0] < 128, f"{image.name} is blank"
    for font in output_of("pdffonts", path).splitlines()[2:]:
        assert "Type 3" not in font
        assert re.search(r" yes (yes|no) +(yes|no) +\d+ +\d+$", font), font
