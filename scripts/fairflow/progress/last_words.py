"""What a run found, in three sentences, and which files to open.

Run as `python -m fairflow.progress.last_words` in the root of the project, after a run, with
`language_studies` behind it after one of language models, and behind that the study that was run
alone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairflow.files.atomic import read_json
from fairflow.files.configuration_files import read_yaml

# What findings are about, in the order in which a reader asks: which model is more biased, whether
# debiasing makes associations smaller, whether random words score as high, what is reproduced.
QUESTIONS = (
    *("failing_controls", "headline", "associations_reduced", "random_words"),
    "published_numbers",
)
SENTENCES = 3
# Letters of a sentence; the rest stands in its file.
LONG = 240
# Figures that show all models and queries of a study, the one to look at first before the others.
OVERVIEWS = ("overview", "ranking_bars", "forest_plot")
# What is worth opening, where it is there, and what it holds.
PAGES = {
    "studies": {
        "report.html": "all of it in one page, in a browser",
        "ledger.md": "every published number beside ours",
    },
    "language_studies": {"report-lm.html": "all of it in one page, in a browser"},
}
MAKE_REPORT = "'make report{}' joins all of it in one page, results/report.html."


@dataclass(frozen=True)
class Conclusions:
    """What a study found: its name, its title, what each finding is about and says, in order."""

    study: str
    title: str
    findings: tuple[tuple[str, str], ...]


def read_conclusions(results: Path, studies: Iterable[str]) -> list[Conclusions]:
    """Those of the studies that have been made, in the given order."""
    made = []
    for study in studies:
        path = results / "studies" / study / "conclusions.json"
        if path.is_file():
            data = read_json(path)
            found = tuple((one["about"], one["sentence"]) for one in data["findings"])
            made.append(Conclusions(study, data["title"], found))
    return made


def telling(conclusions: Sequence[Conclusions]) -> list[tuple[str, str]]:
    """The title of a study and a statement of it, `SENTENCES` at most.

    To each of `QUESTIONS` in turn what a study says that answers it: the first study of which
    nothing is told yet, or else the first. Where these are too few, what each study states first.
    """
    told: dict[tuple[str, str], None] = {}
    for question in QUESTIONS:
        answers = [
            (c.title, said) for c in conclusions for about, said in c.findings if about == question
        ]
        titles = {title for title, _ in told}
        if answers:
            told[min(answers, key=lambda answer: answer[0] in titles)] = None
    first = [(c.title, c.findings[0][1]) for c in conclusions if c.findings]
    return list(dict.fromkeys([*told, *first]))[:SENTENCES]


def shows(page: Path, conclusions: Iterable[Conclusions]) -> bool:
    """Whether a file tells of every one of these studies; a page in HTML has a section for each."""
    if page.suffix != ".html":
        return True
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return all(f'<section id="{each.study}"' in text for each in conclusions)


def last_words(results: Path, studies: Iterable[str], pages: Iterable[tuple[str, str]]) -> str:
    """What was found and what to open, as lines; empty where no study has conclusions.

    Parameters
    ----------
    results : their folder. studies : the most important first.
    pages : names of files in `results` and what each holds.
    """
    conclusions = read_conclusions(results, studies)
    pages = [(name, what) for name, what in pages if shows(results / name, conclusions)]
    if not conclusions:
        return ""
    found = [f"  {title}:\n    {_shortened(text)}" for title, text in telling(conclusions)]
    of_first = conclusions[0].study
    files = [(results / name, what) for name, what in pages]
    statements = results / "studies" / of_first / "conclusions.md"
    files.append((statements, "all statements, a file for each study"))
    files += [(image, "figures, a folder for each study") for image in _image(results, of_first)]
    there = [(str(path), what) for path, what in files if path.is_file()]
    width = max(len(path) for path, _ in there)
    opened = [f"  {path:{width}}  {what}" for path, what in there]
    without = [c.study for c in conclusions if not _image(results, c.study)]
    none = [f"Without figures, as their files name none: {', '.join(without)}."] if without else []
    return "\n".join(["Found:", *found, "Open:", *opened, *none])


def _image(results: Path, study: str) -> list[Path]:
    """The figure of a study to look at first; none where it has none."""
    images = sorted((results / "figures" / study).glob("*.png"))
    first = [path for name in OVERVIEWS for path in images if path.stem == name]
    return [*first, *images][:1]


def _shortened(statement: str) -> str:
    """A statement without its last clauses, if it is long."""
    if len(statement) <= LONG:
        return statement
    clauses = re.split(r"(?<=[;,:]) ", statement[:LONG])
    return " ".join(clauses[:-1] or clauses).rstrip(";,:") + " ..."


if __name__ == "__main__":
    of = sys.argv[1] if sys.argv[1:] else "studies"
    main = read_yaml(Path("config/config.yaml"))
    words = last_words(Path("results"), sys.argv[2:] or main.get(of) or (), PAGES[of].items())
    missing = of == "studies" and "report.html" not in words
    advice = MAKE_REPORT.format("".join(f" STUDY={study}" for study in sys.argv[2:]))
    print("\n".join(filter(None, [words, advice * missing])))
