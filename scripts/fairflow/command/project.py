"""The configuration that a command reads: the working folder's, or what fairflow comes with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError
from fairflow.files.shipped import shipped_configuration, shipped_schemas
from fairflow.files.strict_yaml import read_yaml
from fairflow.planning.configuration_folder import configuration_folder

# Files that a configuration must have; all others may be absent.
_REQUIRED = ("models", "metrics", "lookups")


@dataclass(frozen=True)
class Project:
    """The files of a configuration, each read and checked when it is asked for.

    Attributes
    ----------
    folder : where they lie. main : contents of config.yaml.
    checked : whether files are compared with their schemas, which takes longer than reading them.
    """

    folder: Path
    main: Mapping[str, Any]
    checked: bool = True
    _known: dict[Path, dict[str, Any]] = field(default_factory=dict, repr=False)

    def contents(self, name: str) -> dict[str, Any]:
        """Those of the file NAME.yaml; of models also the further catalogues of config.yaml.

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

    def files(self, folder: str) -> dict[str, dict[str, Any]]:
        """The contents of the files of a folder, such as queries, by their stems."""
        paths = sorted((self.folder / folder).glob("*.yaml"))
        return {path.stem: self._read(path, folder) for path in paths}

    def entries(self, folder: str, key: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """(stem of the file, name, entry) of what stands below a key in the files of a folder."""
        for stem, contents in self.files(folder).items():
            for name, entry in contents[key].items():
                yield stem, name, entry

    def _read(self, path: Path, schema: str) -> dict[str, Any]:
        if path not in self._known:
            contents = read_yaml(path)
            if self.checked:
                from fairflow.planning.configuration import shape_problems

                if problems := shape_problems(contents, schema, path, shipped_schemas()):
                    raise ConfigurationError(problems)
            self._known[path] = contents
        return self._known[path]


def project_here(checked: bool = True) -> Project:
    """That of the working folder, or else the one that fairflow comes with."""
    shipped = shipped_configuration()
    own = Path("config/config.yaml")
    main = own if own.is_file() else shipped / "config.yaml"
    settings = read_yaml(main)
    if not isinstance(settings, dict):
        raise ConfigurationError([f"{main}: found no keys with values"])
    return Project(configuration_folder(settings, shipped.parent), settings, checked)
