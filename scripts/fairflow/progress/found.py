"""What a run found: the whole page of one study or a row for each of several; and files to open.

`python -m fairflow.progress.found [studies|language_studies [STUDY]]` prints it, in the root of
the project.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size

from fairflow.files.configuration_files import read_yaml
from fairflow.files.text_table import table_lines
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.associations import SCORES
from fairflow.studies.claims.page import as_lines
from fairflow.studies.claims.study_claims import Stated, read_stated

# Files to open if they exist, and their content.
LEDGER = "ledger.md"
PAGES = {
    "studies": {
        "report.html": "everything on one page, for a browser",
        LEDGER: "every published number next to ours",
    },
    "language_studies": {"report-lm.html": "everything on one page, for a browser"},
}
MAKE_REPORT = "'make report{}' writes everything on one page, results/report.html."
HEAD = ("Study", "Reproduced", "Answer")


def last_words(
    results: Path,
    figures: Mapping[str, Sequence[str]],
    pages: Iterable[tuple[str, str]],
    columns: int,
) -> str:
    """What was found, and what to open; empty if no study has claims.

    Parameters
    ----------
    results : the folder. figures : study -> its figures in their order, the most important first.
    pages : names of files in `results` and the content of each. columns : of the terminal.
    """
    claims = {name: results / "studies" / name / "claims.json" for name in figures}
    found = {name: read_stated(path) for name, path in claims.items() if path.is_file()}
    if not found:
        return ""
    first = next(iter(found))
    printed = any(one.kind == kinds.REPRODUCED for said in found.values() for one in said.claims)
    files = [(results / name, what) for name, what in pages if printed or name != LEDGER]
    conclusions = results / "studies" / first / "conclusions.md"
    files.append((conclusions, "the answer, its table and its checks, one file per study"))
    images = [results / "figures" / first / f"{name}.png" for name in figures[first]]
    made = [image for image in images if image.is_file()]
    files += [(image, "figures, one folder per study") for image in made[:1]]
    opened = table_lines([(str(path), what) for path, what in files if path.is_file()], columns)
    said = _whole(found[first], columns) if len(found) == 1 else _rows(found.values(), columns)
    return "\n".join([*said, "Open:", *(line for lines in opened for line in lines)])


def _whole(said: Stated, columns: int) -> list[str]:
    """The page of one study."""
    page = said.page
    return [page.title, "", *as_lines(page, columns, len(page.rows)), ""]


def _rows(found: Iterable[Stated], columns: int) -> list[str]:
    """A table with a row for each study."""
    table = table_lines([HEAD, *map(_row, found)], columns)
    # A line between studies where an answer takes several.
    between = [""] * any(len(lines) > 1 for lines in table)
    return [line for lines in table for line in (*lines, *between)]


def _row(said: Stated) -> tuple[str, str, str]:
    """The title, how many published numbers are reproduced, the answer, and what has no score."""
    published = next((one for one in said.claims if one.kind == kinds.REPRODUCED), None)
    reproduced = "-"
    if published:
        n = published.n
        reproduced = f"{published.facts['agree']} of {n}" if n else published.short
    also = [one.sentence for one in said.claims if one.kind == kinds.OWN]
    lacking = [(kinds.NOT_MEASURED, SCORES)]
    also += [f"{one.short}." for one in said.claims if (one.kind, one.verdict) in lacking]
    return said.page.title, reproduced, " ".join((said.page.answer, *also))


def configured_figures(folder: Path, study: str) -> Sequence[str]:
    """The figures of a study in the order of its file; () without a file of this name.

    Parameters
    ----------
    folder : of the files of studies.
    """
    path = folder / f"{study}.yaml"
    return (read_yaml(path).get("figures") or ()) if path.is_file() else ()


if __name__ == "__main__":
    of = sys.argv[1] if sys.argv[1:] else "studies"
    main = read_yaml(Path("config/config.yaml"))
    asked = sys.argv[2].split(",") if sys.argv[2:] else main.get(of) or ()
    names = [name.strip() for name in asked]
    figures = {name: configured_figures(Path("config/studies"), name) for name in names}
    width = get_terminal_size((100, 24)).columns
    words = last_words(Path("results"), figures, PAGES[of].items(), width)
    missing = of == "studies" and "report.html" not in words
    advice = MAKE_REPORT.format("".join(f" STUDY={study}" for study in sys.argv[2:]))
    print("\n".join(filter(None, [words, advice * missing])))
