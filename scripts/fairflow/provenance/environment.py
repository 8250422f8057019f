"""The versions of Python and of the packages that the workflow imports."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def environment(requirements: Iterable[str | Path]) -> dict[str, object]:
    """Versions of Python and of each package of requirements.in files, as installed here.

    A package that is not installed has None.
    """
    names = {name for path in requirements for name in required(path)}
    if "transformers" in names:
        # In no such file, because it is not locked; see the Makefile.
        names.add("torch")
    return {"python": platform.python_version(), "packages": installed(sorted(names))}


def required(requirements: str | Path) -> list[str]:
    """The packages that a requirements.in file names, sorted."""
    lines = Path(requirements).read_text(encoding="utf-8").splitlines()
    names = (re.match(r"[A-Za-z0-9][\w.-]*", line) for line in lines)
    return sorted(name[0] for name in names if name)


def installed(packages: list[str]) -> dict[str, str | None]:
    """The version of each package."""
    return {name: _version(name) for name in packages}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
