"""What fairflow comes with, in a clone or in an installed package: its configuration, schemas."""

from __future__ import annotations

from pathlib import Path

from fairflow.errors import FairflowError

_PACKAGE = Path(__file__).parents[1]
_CLONE = _PACKAGE.parents[1]


def shipped_configuration() -> Path:
    """The folder config of the clone, or its copy in a wheel.

    Raises
    ------
    FairflowError : it is nowhere to be found.
    """
    return _found(_PACKAGE / "config", _CLONE / "config")


def shipped_schemas() -> Path:
    """The folder of NAME.schema.yaml, which say what a configuration may hold.

    Raises
    ------
    FairflowError : it is nowhere to be found.
    """
    return _found(_PACKAGE / "schemas", _CLONE / "workflow" / "schemas")


def version() -> str:
    """That of fairflow: a clone's is in its pyproject.toml, whatever is installed."""
    # Both are slow to load, and seldom asked.
    import tomllib
    from importlib import metadata

    project = _CLONE / "pyproject.toml"
    if project.is_file():
        return tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    return metadata.version("fairflow")


def _found(packed: Path, cloned: Path) -> Path:
    # A wheel holds the folder inside the package; a clone has it beside the scripts.
    for folder in (packed, cloned):
        if folder.is_dir():
            return folder
    raise FairflowError(
        f"no folder of the configuration: neither {packed} nor {cloned} exists. Install fairflow "
        "again, from its whole repository"
    )
