"""Shares of women, men and ethnic groups in the occupations of the census of the United States.

The two files are those of Garg et al. (2018), data repository nikhgarg/EmbeddingDynamicStereotypes,
at one fixed commit. Without `folder` and $FAIRFLOW_CENSUS_FOLDER they are downloaded at the first
use into the user's cache. Nobody has published their checksums, so the first download is believed,
and any later change of the files is an error.
"""

from __future__ import annotations

import csv
import os
from functools import partial
from pathlib import Path
from typing import Literal

from fairflow.errors import DownloadError, FairflowError
from fairflow.files.downloads.cache import cache_folder, trusted_on_first_use

Order = Literal["highest", "lowest"]

GROUPS = ("white", "black", "asian", "hispanic")
BASE_URL = (
    "https://raw.githubusercontent.com/nikhgarg/EmbeddingDynamicStereotypes/"
    "2d65785eed7635a03d9c0ed7045d93a5b5c8318f/data"
)
GENDER_FILE = "occupation_percentages_gender_occ1950.csv"
RACE_FILE = "occupation_percentages_race_occ1950.csv"
_COLUMNS = {
    GENDER_FILE: {"Census year", "Occupation", "Female", "Male"},
    RACE_FILE: {"Census year", "Occupation", *GROUPS},
}


def given_folder(folder: str | Path | None) -> Path | None:
    """The folder where a user has put the files: the argument, else $FAIRFLOW_CENSUS_FOLDER."""
    chosen = folder or os.environ.get("FAIRFLOW_CENSUS_FOLDER")
    return Path(chosen) if chosen else None


def occupations_by_gender(year: int, folder: str | Path | None = None) -> dict[str, list[str]]:
    """Occupations with at least as many men as women, and the others, in the file's order.

    Raises
    ------
    FairflowError : the file has no such year; the years are named.
    DownloadError : the file is not at hand and cannot be fetched.
    """
    rows = _rows(GENDER_FILE, year, folder)
    sides: dict[str, list[str]] = {"male_occupations": [], "female_occupations": []}
    for row in rows:
        side = "male" if float(row["Male"]) >= float(row["Female"]) else "female"
        sides[f"{side}_occupations"].append(row["Occupation"])
    return sides


def occupations_by_group(
    year: int, count: int, order: Order, folder: str | Path | None = None
) -> dict[str, list[str]]:
    """For each ethnic group the occupations where its share is highest, or lowest.

    Equal shares are in alphabetical order, also where the last place falls among them.

    Raises
    ------
    FairflowError : the file has no such year, or fewer occupations in it.
    DownloadError : the file is not at hand and cannot be fetched.
    """
    rows = _rows(RACE_FILE, year, folder)
    if count > len(rows):
        raise FairflowError(f"{count} occupations asked for; the year {year} has {len(rows)}")
    sign = -1 if order == "highest" else 1
    return {
        f"occupations_{group}": [
            name for _, name in sorted((sign * float(r[group]), r["Occupation"]) for r in rows)
        ][:count]
        for group in GROUPS
    }


def _rows(name: str, year: int, folder: str | Path | None) -> list[dict[str, str]]:
    path = _located(name, given_folder(folder))
    _check(path, _COLUMNS[name])
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    of_year = [row for row in rows if row["Census year"] == str(year)]
    if not of_year:
        years = ", ".join(sorted({row["Census year"] for row in rows}))
        raise FairflowError(f"{name} has no year {year}. Years: {years}")
    return of_year


def _located(name: str, folder: Path | None) -> Path:
    if folder is None:
        return _downloaded(name)
    path = folder / name
    if not path.is_file():
        raise FairflowError(
            f"no file {path}. The census folder must hold {GENDER_FILE} and {RACE_FILE}"
        )
    return path


def _downloaded(name: str) -> Path:
    check = partial(_check, columns=_COLUMNS[name])
    try:
        return trusted_on_first_use(f"{BASE_URL}/{name}", cache_folder() / "census" / name, check)
    except DownloadError as error:
        raise DownloadError(
            f"{error}. To place the census files by hand, save {BASE_URL}/{GENDER_FILE} and "
            f"{BASE_URL}/{RACE_FILE} in one folder, and name it in census_folder= or in the "
            "environment variable FAIRFLOW_CENSUS_FOLDER"
        ) from error


def _check(path: Path, columns: set[str]) -> None:
    """Refuse a file that is not the one meant, such as the page of a proxy."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        header = next(csv.reader(file), [])
    missing = sorted(columns - set(header))
    if missing:
        raise FairflowError(f"{path} is not the census file: no column {', '.join(missing)}")
