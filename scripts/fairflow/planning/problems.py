"""Faults of a configuration, gathered so that all are told at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fairflow.errors import ConfigurationError, nearest


class Problems:
    """Sentences with file and key.

    Parameters
    ----------
    folder : of the configuration. told : sentences that are there from the start.
    """

    def __init__(self, folder: Path, told: Iterable[str] = ()) -> None:
        self._folder = folder
        self._sentences = list(told)

    def report(self, file: str, key: str, sentence: str) -> None:
        """Add a fault of a file below the folder."""
        self._sentences.append(f"{self._folder / file}: {key}: {sentence}")

    def extend(self, sentences: Iterable[str]) -> None:
        """Add sentences that name their file themselves."""
        self._sentences += sentences

    def check_names(self, key: str, file: str, names: Iterable[str], valid: Iterable[str]) -> None:
        """Add each name that is not valid, with the nearest one that is."""
        valid = list(valid)
        for name in names:
            if name not in valid:
                self.report(file, key, f"unknown name {name!r}. {nearest(name, valid)}")

    def raise_all(self) -> None:
        """End if there is any fault.

        Raises
        ------
        ConfigurationError : listing all of them.
        """
        if self._sentences:
            raise ConfigurationError(self._sentences)
