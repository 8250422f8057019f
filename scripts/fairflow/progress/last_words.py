"""What a run found, at most three lines a study, and which files to open.

`python -m fairflow.progress.last_words [studies|language_studies [STUDY]]` prints this after a run,
in the root of the project.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from fairflow.files.atomic import read_json
from fairflow.files.configuration_files import read_yaml

COLUMNS = 100
# Files to open if they exist, and their content.
PAGES = {
    "studies": {
        "report.html": "everything on one page, for a browser",
        "ledger.md": "every published number next to ours",
    },
    "language_studies": {"report-lm.html": "everything on one page, for a browser"},
}
MAKE_REPORT = "'make report{}' writes everything on one page, results/report.html."


def last_words(results: Path, studies: Iterable[str], pages: Iterable[tuple[str, str]]) -> str:
    """Lines on what was found and what to open; empty if no study has claims.

    Parameters
    ----------
    results : the folder. studies : the most important first.
    pages : names of files in `results` and the content of each.
    """
    claims = {name: results / "studies" / name / "claims.json" for name in studies}
    found = {n: read_json(path)["page"] for n, path in claims.items() if path.is_file()}
    if not found:
        return ""
    said = []
    for page in found.values():
        said.append(f"  {page['title']}:")
        for text in dict.fromkeys(filter(None, (page["answer"], page["reproduced"]))):
            said += textwrap.wrap(text, COLUMNS, initial_indent="    ", subsequent_indent="      ")
    first = next(iter(found))
    files = [(results / name, what) for name, what in pages]
    conclusions = results / "studies" / first / "conclusions.md"
    files.append((conclusions, "the answer, its table and its checks, one file per study"))
    images = sorted((results / "figures" / first).glob("*.png"))
    files += [(image, "figures, one folder per study") for image in images[:1]]
    there = [(str(path), what) for path, what in files if path.is_file()]
    width = max(len(path) for path, _ in there)
    opened = [f"  {path:{width}}  {what}" for path, what in there]
    return "\n".join(["Found:", *said, "Open:", *opened])


if __name__ == "__main__":
    of = sys.argv[1] if sys.argv[1:] else "studies"
    main = read_yaml(Path("config/config.yaml"))
    words = last_words(Path("results"), sys.argv[2:] or main.get(of) or (), PAGES[of].items())
    missing = of == "studies" and "report.html" not in words
    advice = MAKE_REPORT.format("".join(f" STUDY={study}" for study in sys.argv[2:]))
    print("\n".join(filter(None, [words, advice * missing])))
