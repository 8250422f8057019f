"""The tables of a study: the one list from which rules, figures, report and paper take theirs.

A new table is an entry of `tables.yaml` and a function of this room, called in `tabulate.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fairflow.capabilities import files_of_capabilities
from fairflow.files.configuration_files import read_yaml

# Who reads tables: the target `rankings`, every figure, the report's page; and, of the tables that
# only some studies have, the conclusions.
RANKINGS, FIGURES, REPORT, CONCLUSIONS = "rankings", "figures", "report", "conclusions"

# Which studies have a table: every one, and those that compare models before and after.
# Capabilities have further kinds.
EVERY, COMPARING = "every study", "before and after"


@dataclass(frozen=True)
class StudyTable:
    """A table in the folder of a study.

    Attributes
    ----------
    columns : in their order, as text: see `tables.yaml`. rows : the class that has further ones.
    readers : which of those above. formats : of its files, the one that is read first.
    of : which studies have it.
    label : what Snakemake's report calls it; its name where empty.
    """

    name: str
    columns: str = ""
    rows: str = ""
    readers: Sequence[str] = (REPORT,)
    formats: Sequence[str] = ("csv",)
    of: str = EVERY
    label: str = ""

    @property
    def about(self) -> str:
        """Its columns and what they mean, for readers."""
        return ", ".join(filter(None, (f"those of {self.rows}" * bool(self.rows), self.columns)))

    @property
    def own_columns(self) -> list[str]:
        """The names of its columns, those that not every study has with a ? at the end."""
        return re.sub(r" \([^)]*\)", "", self.columns).split(", ") if self.columns else []

    @property
    def files(self) -> list[str]:
        """Names of its files."""
        return [f"{self.name}.{suffix}" for suffix in self.formats]

    @property
    def file(self) -> str:
        """The one that is read."""
        return self.files[0]


_LISTS = [Path(__file__).with_name("tables.yaml"), *files_of_capabilities("tables.yaml")]
STUDY_TABLES = tuple(
    StudyTable(name, **entry) for file in _LISTS for name, entry in read_yaml(file).items()
)
KINDS = tuple(dict.fromkeys(table.of for table in STUDY_TABLES if table.of != EVERY))


def study_tables(reader: str | None = None, *kinds: str) -> list[StudyTable]:
    """The tables that a reader takes, or all: those of every study and of these kinds of studies.

    Parameters
    ----------
    kinds : of `KINDS`.
    """
    return [
        table
        for table in STUDY_TABLES
        if (reader is None or reader in table.readers) and table.of in (EVERY, *kinds)
    ]


def columns_of(name: str) -> list[str]:
    """The columns of a table in their order, for the function that makes it."""
    return next(one.own_columns for one in STUDY_TABLES if one.name == name)
