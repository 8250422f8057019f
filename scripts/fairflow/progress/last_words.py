"""What a run found, in three sentences, and which files to open.

`python -m fairflow.progress.last_words [studies|language_studies [STUDY]]` prints this after a run,
in the root of the project.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.files.atomic import read_json
from fairflow.files.configuration_files import read_yaml

# The statements to choose from, in the order of a reader's questions: can scores be interpreted,
# which model is more biased, does debiasing work, which associations are strong, do random words
# score as high, and are the published numbers reproduced? What the texts of a corpus show and how
# it changes comes first where the first study is of a corpus, else last.
STRONGEST = "strongest_associations"
QUESTIONS = (
    *("failing_controls", "headline", "associations_reduced", STRONGEST, "random_words"),
    "published_numbers",
)
SENTENCES = 3
OF_TEXTS = ("associations_in_texts", "trends_in_texts")
# The statement that follows those of its study.
TRUST = "how_far_trusted"
# Letters of a sentence that are shown; its file has the rest.
LONG = 240
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


@dataclass(frozen=True)
class Conclusions:
    """The findings of a study: its name and title, and the kind and sentence of each in order."""

    study: str
    title: str
    findings: tuple[tuple[str, str], ...]


def read_conclusions(results: Path, studies: Iterable[str]) -> list[Conclusions]:
    """The conclusions of the studies that have been computed, in the given order."""
    made = []
    for study in studies:
        path = results / "studies" / study / "conclusions.json"
        if path.is_file():
            data = read_json(path)
            found = tuple((one["about"], _said(one)) for one in data["findings"])
            made.append(Conclusions(study, data["title"], found))
    return made


def _said(finding: Mapping[str, Any]) -> str:
    """The sentence of a finding; after the number of associations the strongest one."""
    evidence = finding.get("evidence", ()) if finding["about"] == STRONGEST else ()
    return " ".join([finding["sentence"], *evidence[:1]])


def telling(conclusions: Sequence[Conclusions]) -> list[tuple[str, str]]:
    """At most `SENTENCES` pairs of a study's title and a sentence, and how far to trust the first.

    For each question the answer of the first study that has no sentence yet, or else of the first
    study. If these are too few, the first sentence of each study follows.
    """
    chosen: dict[tuple[str, str], None] = {}
    of_first = {about for one in conclusions[:1] for about, _ in one.findings}
    texts_first = not of_first.isdisjoint(OF_TEXTS)
    for question in (*OF_TEXTS, *QUESTIONS) if texts_first else (*QUESTIONS, *OF_TEXTS):
        answers = [
            (c.title, said) for c in conclusions for about, said in c.findings if about == question
        ]
        titles = {title for title, _ in chosen}
        if answers:
            chosen[min(answers, key=lambda answer: answer[0] in titles)] = None
    first = [(c.title, c.findings[0][1]) for c in conclusions if c.findings]
    pairs = list(dict.fromkeys([*chosen, *first]))[:SENTENCES]
    trust = {c.title: said for c in conclusions for about, said in c.findings if about == TRUST}
    trusted = [(title, trust[title]) for title, _ in pairs if title in trust]
    return list(dict.fromkeys([*pairs, *trusted[:1]]))


def shows(page: Path, conclusions: Iterable[Conclusions]) -> bool:
    """Whether a file shows all these studies; an HTML page has a section for each."""
    if page.suffix != ".html":
        return True
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return all(f'<section id="{each.study}"' in text for each in conclusions)


def last_words(results: Path, studies: Iterable[str], pages: Iterable[tuple[str, str]]) -> str:
    """Lines on what was found and what to open; empty if no study has conclusions.

    Parameters
    ----------
    results : the folder. studies : the most important first.
    pages : names of files in `results` and the content of each.
    """
    conclusions = read_conclusions(results, studies)
    pages = [(name, what) for name, what in pages if shows(results / name, conclusions)]
    if not conclusions:
        return ""
    found: dict[str, list[str]] = {}
    for title, text in telling(conclusions):
        found.setdefault(f"  {title}:", []).append(f"    {_shortened(text)}")
    said = [line for title, texts in found.items() for line in (title, *texts)]
    of_first = conclusions[0].study
    files = [(results / name, what) for name, what in pages]
    statements = results / "studies" / of_first / "conclusions.md"
    files.append((statements, "all findings, one file per study"))
    files += [(image, "figures, one folder per study") for image in _image(results, of_first)]
    there = [(str(path), what) for path, what in files if path.is_file()]
    width = max(len(path) for path, _ in there)
    opened = [f"  {path:{width}}  {what}" for path, what in there]
    without = [c.study for c in conclusions if not _image(results, c.study)]
    none = [f"These studies list no figures: {', '.join(without)}."] if without else []
    return "\n".join(["Found:", *said, "Open:", *opened, *none])


def _image(results: Path, study: str) -> list[Path]:
    """The figure of a study to look at first; [] if it has no figure."""
    images = sorted((results / "figures" / study).glob("*.png"))
    first = [path for name in OVERVIEWS for path in images if path.stem == name]
    return [*first, *images][:1]


def _shortened(statement: str) -> str:
    """A sentence without its last clauses if it is long."""
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
