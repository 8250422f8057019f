"""The command `fairflow new`: the files that a page of "Write your own" shows, under another name.

The pages are the templates. Each shows files as code blocks whose first line is a path, and then
the command that runs them, `make run STUDY=NAME`; the new name replaces NAME everywhere.
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path

import yaml

from fairflow.errors import FairflowError
from fairflow.files.atomic import write_text
from fairflow.files.configuration_files import read_yaml, shipped_pages, with_entries

KINDS = ("query", "metric", "study", "transform")
_BLOCK = re.compile(r"```(?:yaml|python)\n# (\S+)\n(.*?)```", re.DOTALL)
_COMMAND = re.compile(r"```sh\n(make run STUDY=(\w+))\n```")


def new_files(kind: str, name: str, folder: Path) -> list[str]:
    """Write the files of a kind into a project; entries are added to the project's catalogues.

    Returns
    -------
    Lines that say what was written and which command runs it.

    Raises
    ------
    FairflowError : the folder is no project, the name is no identifier, or a file or entry exists.
    """
    if not (folder / "config/models.yaml").is_file():
        raise FairflowError(
            f"{folder.absolute()} has no config/models.yaml: call fairflow new in the folder of a "
            "clone, where the Snakefile is"
        )
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise FairflowError(
            f"{name!r} is no name for a {kind}: use letters, digits and _, beginning with a letter"
        )
    shown, command = template(kind, name)
    added = {path for path, text in shown if (folder / path).exists() and _is_catalogue(path)}
    taken = [path for path, _ in shown if (folder / path).exists() and path not in added]
    for path, text in shown:
        if path in added:
            known = read_yaml(folder / path) or {}
            taken += [f"{entry} of {path}" for entry in yaml.safe_load(text) if entry in known]
    if taken:
        raise FairflowError(f"{', '.join(taken)} exists already: choose another name")
    whole = [(with_entries(folder / p, t) if p in added else t, folder / p) for p, t in shown]
    for text, path in whole:
        write_text(text, path)
    told = [f"{'Added an entry to' if path in added else 'Wrote'} {path}" for path, _ in shown]
    return [*told, f"Edit them, then run: {command}"]


def template(kind: str, name: str) -> tuple[list[tuple[str, str]], str]:
    """The files of a page under another name, with their texts, and the command that runs them."""
    page = (shipped_pages() / f"{kind}.md").read_text(encoding="utf-8")
    found = _COMMAND.search(page)
    if found is None:
        raise FairflowError(f"the page {kind}.md shows no command make run STUDY=NAME")
    # An underscore separates words, too: my_distance contains the name distance.
    old = re.compile(rf"(?<![A-Za-z0-9]){re.escape(found[2])}(?![A-Za-z0-9])")
    blocks = _BLOCK.findall(page, 0, found.end())
    files = [(old.sub(name, path), old.sub(name, text)) for path, text in blocks]
    return files, old.sub(name, found[1])


def _is_catalogue(path: str) -> bool:
    """Whether a file has the entries of the whole project, as config/models.yaml does."""
    return Path(path).parent == Path("config")
