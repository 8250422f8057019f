"""Every key of the configuration: config/README.md as an index and one page per file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

# The page that explains a subject, by the heading of its section; the index has the other sections.
_PAGE_OF = {
    "A model of your own": "models",
    "A model derived from another": "models",
    "Models that are not there": "models",
    "Measures of one model": "queries",
    "Models before and after": "studies",
    "By every way to measure": "studies",
    "The conventions of a publication on your model": "presets",
    "A language model of your own": "language_models",
    "A benchmark of your own": "language_queries",
}
_KEYS, _NAMES = "Every key", "Every name"


def configuration_pages(root: Path) -> dict[str, str]:
    """Path on the site -> text of each page.

    Parameters
    ----------
    root : the project; the headings and links of its config/README.md decide what is where.
    """
    text = (root / "config/README.md").read_text(encoding="utf-8")
    front, *sections = _parts(text.replace("](../workflow/site/pages/", "](../"), "## ")
    bodies: dict[str, list[str]] = {"index": []}
    for title, body in sorted(sections, key=lambda section: section[0] != _KEYS):
        if title == _KEYS:
            for file, keys in _parts(body, "### ")[1:]:
                bodies[_name(file)] = [f"# {file}\n\n## Keys\n{_nested(keys)}"]
        elif title == _NAMES:
            bodies["names"] = [f"# {title}\n{re.sub('^###', '##', body, flags=re.M)}"]
        else:
            bodies[_PAGE_OF.get(title, "index")].append(f"## {title}\n{body}")
    bodies["index"].insert(0, "\n".join([front[1], _contents(bodies)]))
    pages = {name: "\n".join(parts) for name, parts in bodies.items()}
    return {f"configuration/{name}.md": text for name, text in _linked(pages).items()}


def _parts(text: str, mark: str) -> list[tuple[str, str]]:
    """The text before the first heading with this mark, then each heading with its body."""
    front, *others = re.split(rf"^{mark}", text, flags=re.M)
    split = (other.partition("\n") for other in others)
    return [("", front), *((title, body) for title, _, body in split)]


def _name(file: str) -> str:
    """The page of a file: `models` for config/models.yaml, `queries` for config/queries/*.yaml."""
    return file.removeprefix("config/").removesuffix("/*.yaml").removesuffix(".yaml")


def _nested(keys: str) -> str:
    """A list of keys whose levels are four spaces apart, as Python-Markdown demands, not two."""
    return re.sub(r"^( +)- ", r"\1\1- ", keys, flags=re.M)


def _contents(bodies: dict[str, list[str]]) -> str:
    """A table of the pages: each file, and the subjects that its page explains."""
    rows = ["## Every key", "", "| file | its page also explains |", "| --- | --- |"]
    for name, (first, *others) in bodies.items():
        if name not in ("index", "names"):
            title = first.partition("\n")[0].removeprefix("# ")
            subjects = [other.partition("\n")[0].removeprefix("## ") for other in others]
            links = ", ".join(f"[{subject}](#{_slug(subject)})" for subject in subjects)
            rows.append(f"| [`{title}`]({name}.md) | {links} |")
    names = "[Every name](names.md) lists figures, metrics, formats of items and variants."
    return "\n".join([*rows, "", names, ""])


def _linked(pages: dict[str, str]) -> dict[str, str]:
    """The pages, whose links to a heading lead to the page where it is."""
    homes = {place: name for name, text in pages.items() for place in _places(text)}

    def to_page(found: re.Match[str]) -> str:
        home = homes.get(found[1], "")
        return f"]({home}.md#{found[1]})" if home else found[0]

    return {name: re.sub(r"\]\(#([\w-]+)\)", to_page, text) for name, text in pages.items()}


def _places(text: str) -> Iterator[str]:
    return (_slug(title) for title in re.findall(r"^##+ (.+)$", text, flags=re.M))


def _slug(title: str) -> str:
    """The anchor that Markdown gives a heading."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())
