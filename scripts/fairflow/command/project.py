"""The configuration that a command reads, and its names as users may write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError, FairflowError
from fairflow.files.configuration_files import read_yaml, shipped_configuration, shipped_schemas
from fairflow.planning.configuration import configuration_folder

# Files that a configuration must have; all others may be absent.
_REQUIRED = ("models", "metrics", "lookups")


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
        found = self._read(path, name) if name in _REQUIRED or path.is_file() else {}
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
            contents = read_yaml(path)
            if contents is None and schema not in _REQUIRED:
                # An empty catalogue has no entries.
                return {}
            if self.checked:
                from fairflow.planning.configuration import shape_problems

                if problems := shape_problems(contents, schema, path, shipped_schemas()):
                    raise ConfigurationError(problems)
            self._known[path] = contents
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


MOST_HINTS = 3


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
    near = alike or _near(given, names)
    hint = f"Did you mean {' or '.join(near)}?" if near else "Nothing has a name like it."
    plural = what[:-1] + "ies" if what.endswith("y") else what + "s"
    raise FairflowError(f"there is no {what} {given!r}. {hint} 'fairflow list {plural}' shows all")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


def _near(given: str, names: list[str]) -> list[str]:
    by_plain = {_plain(name): name for name in names}
    close = get_close_matches(_plain(given), by_plain, n=MOST_HINTS, cutoff=0.6)
    # A part of a name is often all that is remembered.
    parts = [plain for plain in by_plain if _plain(given) in plain]
    return [by_plain[plain] for plain in dict.fromkeys([*close, *parts])][:MOST_HINTS]
