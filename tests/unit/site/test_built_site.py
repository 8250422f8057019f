"""The built site: its links work, and it loads nothing from other sites."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes that a browser follows by itself, and those that a reader does.
LOADED = {"src", "srcset", "poster", "data"}
OF_TAG = {"link": {"href"}, "use": {"href"}, "a": set()}
# What a link leads out of the site.
OUTSIDE = {"http", "https", "mailto"}


class Page(HTMLParser):
    """Anchors of a page, where its links lead, and what is loaded with it."""

    def __init__(self, text: str):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.without_text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        followed = LOADED | OF_TAG.get(tag, set())
        self.loaded += [value for name, value in given.items() if name in followed]
        if tag == "img" and not given.get("alt"):
            self.without_text.append(given.get("src", ""))


@cache
def page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def target(path: Path, link: str) -> tuple[Path, str]:
    """The file that a link of a page leads to, and the place in it."""
    parts = urlsplit(link)
    return (path.parent / unquote(parts.path) if parts.path else path), unquote(parts.fragment)


def test_every_link_leads_to_a_file_and_a_place_of_the_site(site: Path):
    lost = []
    for path in site.rglob("*.html"):
        for link in page(path).links:
            if urlsplit(link).scheme in OUTSIDE | {"javascript"}:
                continue
            file, place = target(path, link)
            if not file.is_file():
                lost.append(f"{path.relative_to(site)}: {link}")
            elif place and file.suffix == ".html" and place not in page(file.resolve()).anchors:
                lost.append(f"{path.relative_to(site)}: {link} (no such place)")
    assert not lost


def test_nothing_is_loaded_from_elsewhere(site: Path):
    asked = []
    for path in site.rglob("*.html"):
        asked += [
            f"{path.relative_to(site)}: {link}"
            for link in page(path).loaded
            if urlsplit(link).scheme not in ("", "data") or not target(path, link)[0].exists()
        ]
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        asked += re.findall(r"""(?:url\(|@import )["']?(https?:[^"')]+)""", text)
    assert not asked


def test_every_picture_has_a_text(site: Path):
    assert not [name for path in site.rglob("*.html") for name in page(path).without_text]


def test_formulas_are_mathml(site: Path):
    text = (site / "numbers/words.html").read_text(encoding="utf-8")
    assert "<mfrac>" in text
    assert not re.search(r"\\frac|\$\$", text)


def test_names_of_the_library_have_a_place_to_link_to(site: Path):
    assert "fairflow.metrics.weat.WEAT" in page(site / "api/metrics.html").anchors


def test_what_else_there_is_leads_there_and_is_no_parameter(site: Path):
    text = (site / "api/index.html").read_text(encoding="utf-8")
    assert "**See also" not in text
    links = re.findall(r"<strong>See also:</strong></p>\s*<ul>\s*<li><a [^>]*href=", text)
    assert len(links) == text.count("See also:</strong>") > 5
