"""Pages of the site, and the files that they tell a reader to write."""

from pathlib import Path

from site_cells import cells, files

from project import ROOT

FOLDER = ROOT / "workflow/site/pages"


def page(name: str) -> str:
    """The Markdown of a page."""
    return (FOLDER / name).read_text(encoding="utf-8")


def block(name: str, language: str, containing: str) -> str:
    """The one code block of a page in that language that holds a text."""
    texts = [cell.text for cell in cells(page(name)) if cell.language == language]
    (found,) = [text for text in texts if containing in text]
    return found


def follow(name: str, folder: Path) -> list[str]:
    """Write the files of a page, or add to those that are there; their paths in that order."""
    texts = [cell.with_file for cell in cells(page(name)) if cell.language in ("yaml", "python")]
    shown = [(path, text) for one in texts for path, _, text in files(one)]
    for path, text in shown:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with open(folder / path, "a", encoding="utf-8") as file:
            file.write(text)
    return [path for path, _ in shown]


def commands(name: str) -> list[str]:
    """The lines of a page's shell cells that run one study."""
    texts = [cell.text for cell in cells(page(name)) if cell.language == "sh"]
    return [line for text in texts for line in text.splitlines() if "STUDY=" in line]
