"""The results that WEFE's metrics hand out: dictionaries of numpy's numbers, printed as WEFE's."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from fairflow.wefe.former_names import present_name

# Entries that WEFE's results do not have. They come last, and only who asks for one sees it.
FURTHER = frozenset(
    [
        "status",
        "reason",
        "audit",
        "permutation_test",
        "n_pairs",
        "mac_difference",
        "rnsb_of_mean",
        "rnsb_sd",
        "rnsb_between_sets",
    ]
)
# One object, so that a dictionary with it equals another: NaN equals itself alone, as an object.
NOT_A_NUMBER = np.float64("nan")


class Entries(dict[str, Any]):
    """A dictionary that prints numpy's numbers as plain ones."""

    def __repr__(self) -> str:
        return repr(_plain(self._shown()))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """As `repr`, broken into lines where IPython has too little room."""
        printer.text("{...}") if cycle else printer.pretty(_plain(self._shown()))

    def _shown(self) -> dict[str, Any]:
        return dict(self)


class Result(Entries):
    """WEFE's entries in WEFE's order, then `FURTHER` ones, which are there but are not printed."""

    def _shown(self) -> dict[str, Any]:
        return {name: value for name, value in self.items() if name not in FURTHER}

    def __missing__(self, name: str) -> Any:
        """What WEFE 0.2 has under another name."""
        if (new := present_name("results", name)) in self:
            return self[new]
        raise KeyError(name)


class WordValues(Entries):
    """Word -> number. A DataFrame of it has a row per word: the word and its number.

    The manual's chapter on RNSB makes such a table: `DataFrame(values, columns=[..., ...])`. Of
    any other dictionary of numbers that is an empty table, and without `columns` an error.
    """

    def keys(self) -> Any:
        """The words; the two columns where pandas makes a table."""
        return self._columns() or super().keys()

    def values(self) -> Any:
        """The numbers; the contents of the columns where pandas makes a table."""
        if self._columns():
            return [self[0], self[1]]
        return super().values()

    def __missing__(self, name: Any) -> Any:
        """Columns 0 and 1 of the table; no word is a number."""
        if name not in (0, 1):
            raise KeyError(name)
        return list(super().values() if name else super().keys())

    def _columns(self) -> list[Any] | None:
        """The two columns of the table that pandas is making of this dictionary, if it is.

        It asks every dictionary in the same way and has no hook: the call can only be recognised.
        """
        caller = sys._getframe(2)
        for _ in range(3):  # pandas 2 asks through a Series
            if caller is None:
                return None
            table = caller.f_locals
            if caller.f_code.co_name == "dict_to_mgr" and table.get("data") is self:
                columns = table["columns"]
                columns = [0, 1] if columns is None else list(columns)
                return columns if table["index"] is None and len(columns) == 2 else None
            caller = caller.f_back
        return None


def as_result(entries: Mapping[str, Any]) -> Result:
    """The entries of a result as WEFE hands them out, floats as numpy's.

    Parameters
    ----------
    entries : a result of a metric of `fairflow`, in WEFE's order but for the `FURTHER` ones.
    """
    ordered = sorted(entries, key=lambda name: name in FURTHER)
    return Result({name: _numpy(entries[name]) for name in ordered})


def _numpy(value: Any) -> Any:
    if isinstance(value, (float, np.floating)):
        return np.float64(value) if value == value else NOT_A_NUMBER
    if isinstance(value, dict):
        values = {key: _numpy(item) for key, item in value.items()}
        numbers = bool(values) and all(isinstance(item, np.floating) for item in values.values())
        return WordValues(values) if numbers else Entries(values)
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    return value
