"""A project: the configuration that a command reads, its names as users write them, new files.

The pages "Write your own" are the templates of `fairflow new`. Each shows files as code blocks
whose first line is a path, and then the command that runs them, `make run STUDY=NAME`; the new name
replaces NAME everywhere.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from fairflow.errors import ConfigurationError, FairflowError, nearest
from fairflow.files.atomic import write_text
from fairflow.files.configuration_files import (
    read_yaml,
    shipped_configuration,
    shipped_pages,
    shipped_schemas,
    with_entries,
)
from fairflow.planning.configuration import REQUIRED, configuration_folder, read_checked


@dataclass(frozen=True)
class Project:
    """The files of a configuration; each is read and checked on first use.

    Attributes
    ----------
    folder : with the files. main : contents of config.yaml.
    checked : whether files are compared with their schemas, which takes longer than reading them.
    """

    folder: Path
    main: Mapping[str, Any]
    checked: bool = True
    _known: dict[Path, dict[str, Any]] = field(default_factory=dict, repr=False)

    def contents(self, name: str) -> dict[str, Any]:
        """The contents of NAME.yaml; for models also the further catalogues of config.yaml.

        Raises
        ------
        ConfigurationError : the file is missing or not as its schema demands.
        """
        path = self.folder / f"{name}.yaml"
        found = self._read(path, name) if name in REQUIRED or path.is_file() else {}
        if name == "models":
            for catalogue in self.main.get("model_catalogues", ()):
                found = self._read(Path(catalogue), name) | found
        return found

    def named(self, what: str, given: str, *files: str) -> tuple[str, str, dict[str, Any]]:
        """The name that is meant, its file and its entry.

        Parameters
        ----------
        what, given : as `meant` takes them. files : as `contents` takes them.
        """
        found: dict[str, tuple[str, dict[str, Any]]] = {}
        for file in files:
            for name, entry in self.contents(file).items():
                found.setdefault(name, (file, entry))
        name = meant(what, given, found)
        return name, *found[name]

    def files(self, folder: str) -> dict[str, dict[str, Any]]:
        """The contents of the files of a folder, such as queries, by their stems."""
        paths = sorted((self.folder / folder).glob("*.yaml"))
        return {path.stem: self._read(path, folder) for path in paths}

    def entries(self, folder: str, key: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """(stem of the file, name, entry) of each entry below a key, in the files of a folder."""
        for stem, contents in self.files(folder).items():
            for name, entry in contents[key].items():
                yield stem, name, entry

    def _read(self, path: Path, schema: str) -> dict[str, Any]:
        if path not in self._known:
            try:
                read = read_checked(path, schema, shipped_schemas()) if self.checked else None
            except ConfigurationError:
                if schema in REQUIRED or read_yaml(path) is not None:
                    raise
                # An empty catalogue has no entries.
                return {}
            self._known[path] = read_yaml(path) if read is None else read
        return self._known[path]


def project_here(checked: bool = True) -> Project:
    """The project of the working folder, or else the configuration shipped with fairflow."""
    shipped = shipped_configuration()
    own = Path("config/config.yaml")
    main = own if own.is_file() else shipped / "config.yaml"
    settings = read_yaml(main)
    if not isinstance(settings, dict):
        raise ConfigurationError([f"{main}: found no keys with values"])
    return Project(configuration_folder(settings, shipped.parent), settings, checked)


def meant(what: str, given: str, names: Iterable[str]) -> str:
    """The name of a model, query or other entry that the user means.

    Case and punctuation may differ: `weat:6` is weat_6.

    Parameters
    ----------
    what : the kind of entry for the message, such as "query".

    Raises
    ------
    FairflowError : no name or several names fit; the message lists similar ones.
    """
    names = list(names)
    alike = [given] if given in names else [n for n in names if _plain(n) == _plain(given)]
    if len(alike) == 1:
        return alike[0]
    hint = f"Did you mean {' or '.join(alike)}?" if alike else nearest(given, names)
    plural = what[:-1] + "ies" if what.endswith("y") else what + "s"
    raise FairflowError(f"there is no {what} {given!r}. {hint} 'fairflow list {plural}' shows all")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


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
    there = [path for path, _ in shown if (folder / path).exists()]
    # Those with the entries of the whole project, as config/models.yaml.
    added = {path for path in there if Path(path).parent == Path("config")}
    taken = [path for path in there if path not in added]
    for path, text in shown:
        if path in added:
            known = read_yaml(folder / path) or {}
            taken += [f"{entry} of {path}" for entry in yaml.safe_load(text) if entry in known]
    if taken:
        raise FairflowError(f"{', '.join(taken)} exists already: choose another name")
    whole = [(with_entries(folder / p, t) if p in added else t, folder / p) for p, t in shown]
    for text, file in whole:
        write_text(text, file)
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
