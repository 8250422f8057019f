"""The files of config/word_sets, read from the source tree or from the installed package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError
from fairflow.files.strict_yaml import read_yaml

# A wheel holds the folder inside the package; in the source tree it is the configuration's.
_FOLDERS = (
    Path(__file__).parents[2] / "word_sets",
    Path(__file__).parents[4] / "config" / "word_sets",
)


def entries(file: str) -> dict[str, dict[str, Any]]:
    """Every set of a file, as it is written there.

    Raises
    ------
    FairflowError : the folder of word sets is nowhere to be found.
    """
    for folder in _FOLDERS:
        if folder.is_dir():
            return read_yaml(folder / f"{file}.yaml")["sets"]
    raise FairflowError(
        f"no folder of word sets: neither {_FOLDERS[0]} nor {_FOLDERS[1]} exists. Install fairflow "
        "again, from its whole repository"
    )


def word_sets(file: str) -> dict[str, list[str]]:
    """The sets of a file that are lists of words."""
    return {name: entry["words"] for name, entry in entries(file).items() if "words" in entry}


def rows_of_words(file: str) -> dict[str, list[list[str]]]:
    """The sets of a file that are rows of words which belong together."""
    return {name: entry["tuples"] for name, entry in entries(file).items() if "tuples" in entry}
