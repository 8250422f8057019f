"""The files of config/word_sets that fairflow comes with."""

from __future__ import annotations

from typing import Any

from fairflow.files.shipped import shipped_configuration
from fairflow.files.strict_yaml import read_yaml


def entries(file: str) -> dict[str, dict[str, Any]]:
    """Every set of a file, as it is written there.

    Raises
    ------
    FairflowError : the folder of word sets is nowhere to be found.
    """
    return read_yaml(shipped_configuration() / "word_sets" / f"{file}.yaml")["sets"]


def word_sets(file: str) -> dict[str, list[str]]:
    """The sets of a file that are lists of words."""
    return {name: entry["words"] for name, entry in entries(file).items() if "words" in entry}


def rows_of_words(file: str) -> dict[str, list[list[str]]]:
    """The sets of a file that are rows of words which belong together."""
    return {name: entry["tuples"] for name, entry in entries(file).items() if "tuples" in entry}
