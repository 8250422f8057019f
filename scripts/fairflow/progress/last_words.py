"""What a run found, at most three lines a study, and which files to open.

`python -m fairflow.progress.last_words [studies|language_studies [STUDY]]` prints this after a run,
in the root of the project.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from fairflow.files.atomic import read_json
from fairflow.files.configuration_files import read_yaml

COLUMNS = 100
# Figures that show all models and queries of a study, the best first.
OVERVIEWS = ("overview", "effect_sizes", "forest_plot")
# Files to open if they exist, and their content.
PAGES = {
    "studies": {
        "report.html": "everything on one page, for a browser",
        "ledger.md": "every published number next to ours",
    },
    "language_studies": {"report-lm.html": "everything on one page, for a browser"},
}
MAKE_REPORT = "'make report{}' writes everything on one page, results/report.html."


class Found(NamedTuple):
    """What a study found: its name and title, the answer, and what is reproduced, "" if nothing."""

    study: str
    title: str
    answer: str
    reproduced: str

    @property
    def lines(self) -> list[str]:
        """Its title and what was found."""
        texts = dict.fromkeys(filter(None, (self.answer, self.reproduced)))
        wrapped = (
            textwrap.wrap(one, COLUMNS, initial_indent="    ", subsequent_indent="      ")
            for one in texts
        )
        return [f"  {self.title}:", *(line for lines in wrapped for line in lines)]


def read_found(results: Path, studies: Iterable[str]) -> list[Found]:
    """What the studies found that have been computed, in the given order."""
    made = []
    for study in studies:
        path = results / "studies" / study / "claims.json"
        if path.is_file():
            page = read_json(path)["page"]
            made.append(Found(study, page["title"], page["answer"], page["reproduced"]))
    return made


def shows(page: Path, found: Iterable[Found]) -> bool:
    """Whether a file shows all these studies; an HTML page has a section for each."""
    if page.suffix != ".html":
        return True
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return all(f'<section id="{each.study}"' in text for each in found)


def last_words(results: Path, studies: Iterable[str], pages: Iterable[tuple[str, str]]) -> str:
    """Lines on what was found and what to open; empty if no study has claims.

    Parameters
    ----------
    results : the folder. studies : the most important first.
    pages : names of files in `results` and the content of each.
    """
    found = read_found(results, studies)
    pages = [(name, what) for name, what in pages if shows(results / name, found)]
    if not found:
        return ""
    of_first = found[0].study
    files = [(results / name, what) for name, what in pages]
    conclusions = results / "studies" / of_first / "conclusions.md"
    files.append((conclusions, "the answer, its table and its checks, one file per study"))
    files += [(image, "figures, one folder per study") for image in _image(results, of_first)]
    there = [(str(path), what) for path, what in files if path.is_file()]
    width = max(len(path) for path, _ in there)
    opened = [f"  {path:{width}}  {what}" for path, what in there]
    without = [c.study for c in found if not _image(results, c.study)]
    none = [f"These studies list no figures: {', '.join(without)}."] if without else []
    said = [line for one in found for line in one.lines]
    return "\n".join(["Found:", *said, "Open:", *opened, *none])


def _image(results: Path, study: str) -> list[Path]:
    """The figure of a study to look at first; [] if it has no figure."""
    images = sorted((results / "figures" / study).glob("*.png"))
    first = [path for name in OVERVIEWS for path in images if path.stem == name]
    return [*first, *images][:1]


if __name__ == "__main__":
    of = sys.argv[1] if sys.argv[1:] else "studies"
    main = read_yaml(Path("config/config.yaml"))
    words = last_words(Path("results"), sys.argv[2:] or main.get(of) or (), PAGES[of].items())
    missing = of == "studies" and "report.html" not in words
    advice = MAKE_REPORT.format("".join(f" STUDY={study}" for study in sys.argv[2:]))
    print("\n".join(filter(None, [words, advice * missing])))
