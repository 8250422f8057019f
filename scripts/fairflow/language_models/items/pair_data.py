"""Readers of published pairs: CrowS-Pairs, WinoBias and Winogender."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable
from functools import partial
from itertools import zip_longest
from pathlib import Path

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.data_files import Row, table_rows, text_of, whole_rows
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.text_items import SIDES, PairItem

CROWS_COLUMNS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")


def read_crows_pairs(path: str | Path) -> list[PairItem | InvalidItem]:
    """The pairs of a file, in its order; ids are numbers from 0.

    A row with an empty sentence, an unknown direction or too few cells is an invalid item.

    Raises
    ------
    ItemError : a column missing; with the line.
    """
    rows = enumerate(table_rows(path, csv.excel, CROWS_COLUMNS))
    return [row.made(crows_pair, str(number), row.text("bias_type")) for number, row in rows]


def crows_pair(number: str, row: Row) -> PairItem:
    """The pair of a row with `CROWS_COLUMNS`, texts; raises ItemError for an empty one."""
    if empty := [name for name in CROWS_COLUMNS if not row.text(name)]:
        raise ItemError(f"{', '.join(empty)} is empty")
    more, less, direction, category = (row.cells[name] for name in CROWS_COLUMNS)
    return PairItem(number, more, less, direction.strip(), category.strip())


PRONOUNS = ("he/she", "him/her", "his/her", "his/hers", "himself/herself")
PARTNERS = frozenset(frozenset(pair.split("/")) for pair in PRONOUNS)
TOKEN = re.compile(r"\w+|[^\w\s]")


def problem_of_versions(one: str, other: str) -> str | None:
    """Why two sentences are no versions of one, or None if pronouns alone tell them apart."""
    tokens = [TOKEN.findall(text) for text in (one, other)]
    if len(tokens[0]) == len(tokens[1]):
        unlike = [pair for pair in zip(*tokens, strict=True) if pair[0] != pair[1]]
        others = [pair for pair in unlike if frozenset(map(str.lower, pair)) not in PARTNERS]
        if not unlike:
            return f"both versions are {one!r}"
        if not others:
            return None
        what = ", ".join(f"{a!r} and {b!r}" for a, b in others)
    else:
        what = f"{len(tokens[0])} words and signs, and {len(tokens[1])}"
    return f"{one!r} and {other!r} differ in more than a pronoun ({what})"


NUMBERED = re.compile(r"(\d+)\s+(\S.*)")
PREFIX = re.compile(r"^(pro|anti)_stereotyped_")
# Table 1 of the paper.
OCCUPATION = re.compile(
    r"\b(driver|supervisor|janitor|cook|mover|laborer|construction worker|chief|developer|"
    r"carpenter|manager|lawyer|farmer|salesperson|physician|guard|analyst|mechanic|sheriff|CEO|"
    r"attendant|cashier|teacher|nurse|assistant|secretary|auditor|cleaner|receptionist|clerk|"
    r"counselor|designer|hairdresser|writer|housekeeper|baker|accountant|editor|librarian|tailor)\b",
    re.IGNORECASE,
)


def read_winobias(*paths: str | Path) -> list[PairItem | InvalidItem]:
    """The pairs of one or several splits, each two files: pro-stereotyped, anti-stereotyped.

    A pair is the sentence of one line in both files, without its brackets; `more` is the
    pro-stereotyped one. The category is what the file is named after "pro_stereotyped_", up to the
    first dot (type1, type2), the cluster the two occupations. A line without number, or with
    another one than its counterpart, and sentences that differ in more than pronouns, are invalid
    items.

    Raises
    ------
    ItemError : a name that says the contrary, or a file that is not UTF-8.
    """
    items: list[PairItem | InvalidItem] = []
    for pro, anti in zip(paths[::2], paths[1::2], strict=True):
        for path, expected in ((pro, "pro"), (anti, "anti")):
            found = PREFIX.match(Path(path).name)
            if found and found[1] != expected:
                raise ItemError(f"{path}: the {expected}-stereotyped sentences are expected here")
        split = PREFIX.sub("", Path(pro).name)
        category = split.partition(".")[0]
        lines = zip_longest(*(text_of(path).splitlines() for path in (pro, anti)), fillvalue="")
        for number, (more, less) in enumerate(lines, start=1):
            if more.strip() or less.strip():
                row = Row(f"line {number}", {"category": category, "more": more, "less": less})
                items.append(row.made(_winobias_pair, f"{split}:{number}", category, f"{pro}, "))
    return items


def _winobias_pair(item_id: str, line: Row) -> PairItem:
    found = []
    for side in SIDES:
        match = NUMBERED.fullmatch(line.text(side))
        if match is None:
            raise ItemError(f"{line.text(side)!r} is no number with a sentence behind it")
        found.append(match.groups())
    numbers, texts = zip(*found, strict=True)
    if numbers[0] != numbers[1]:
        raise ItemError(f"the numbers {numbers[0]} and {numbers[1]} differ")
    more, less = (" ".join(re.sub(r"[\[\]]", "", text).split()) for text in texts)
    if problem := problem_of_versions(more, less):
        raise ItemError(problem)
    named = sorted({word.lower() for word in OCCUPATION.findall(more)})
    return PairItem(item_id, more, less, category=line.cells["category"], cluster=" / ".join(named))


WINOGENDER_COLUMNS = ("sentid", "sentence")
SHARES = ("occupation", "bls_pct_female")
# occupation.participant.answer.gender.txt; the answer is 0 if the pronoun is the occupation's.
SENTENCE_ID = re.compile(r"([^.]+)\.([^.]+)\.([01])\.(male|female|neutral)(?:\.txt)?")
VERSIONS = ("female", "male")


def read_winogender(*paths: str | Path) -> list[PairItem | InvalidItem]:
    """The pairs of all_sentences.tsv, with the shares of women of occupations-stats.tsv.

    A pair is a sentence with a feminine pronoun (`more`) and the same with a masculine one, where
    the pronoun is that of the occupation: its unit, whose share of women in the United States is
    the pair's `value`. What it is not made of is left out, as nothing in it is of a gender or of an
    occupation: sentences with "they", and those whose pronoun is the other participant's.

    A sentence without a name of the published form or without its counterpart, one that differs
    from that in more than a pronoun, and one of an occupation without share, are invalid items.

    Parameters
    ----------
    paths : the sentences and, perhaps, the shares; without these values are None.

    Raises
    ------
    ItemError : a column missing, or no sentence whose pronoun is that of an occupation.
    """
    rows = table_rows(paths[0], csv.excel_tab, WINOGENDER_COLUMNS)
    return winogender_pairs(rows, *paths)


def winogender_pairs(
    rows: Iterable[Row], path: str | Path, shares_path: str | Path | None = None
) -> list[PairItem | InvalidItem]:
    """The pairs of rows with `sentid` and `sentence`; see `read_winogender`."""
    shares = _shares(shares_path) if shares_path else None
    versions: dict[str, dict[str, Row]] = {}

    def take(_: str, row: Row) -> None:
        sentence_id = row.cells["sentid"]
        found = SENTENCE_ID.fullmatch(row.text("sentid"))
        if found is None:
            raise ItemError(f"sentid {sentence_id!r} is not occupation.participant.answer.gender")
        occupation, participant, answer, gender = found.groups()
        if answer == "0" and gender in VERSIONS:
            of_pair = versions.setdefault(f"{occupation}.{participant}", {})
            if of_pair.setdefault(gender, row) is not row:
                raise ItemError(f"the sentid {sentence_id!r} is there twice")

    where, numbered = f"{path}, ", enumerate(rows)
    items = [*filter(None, (row.made(take, f"row {n}", "", where) for n, row in numbered))]
    for name, of_pair in versions.items():
        make = partial(_winogender_pair, of_pair, shares)
        items.append(next(iter(of_pair.values())).made(make, name, "", where))
    if not items:
        raise ItemError(f"{path} has no sentence whose pronoun is that of an occupation")
    return items


def _shares(path: str | Path) -> dict[str, float]:
    shares = {}
    for row in whole_rows(path, csv.excel_tab, SHARES):
        name, text = map(row.text, SHARES)
        try:
            shares[name] = round(float(text) / 100, 6)
        except ValueError:
            shares[name] = math.nan
        if not 0 <= shares[name] <= 1:
            why = f"bls_pct_female must be from 0 to 100, got {text!r}"
            raise ItemError(f"{path}, {row.place}: {why}")
    return shares


def _winogender_pair(
    rows: dict[str, Row], shares: dict[str, float] | None, name: str, _: Row
) -> PairItem:
    occupation = name.partition(".")[0]
    if missing := [gender for gender in VERSIONS if gender not in rows]:
        raise ItemError(f"{name} has no version that is {missing[0]}")
    if shares is not None and occupation not in shares:
        raise ItemError(f"the occupation {occupation!r} has no share of women")
    texts = [rows[gender].text("sentence") for gender in VERSIONS]
    if problem := problem_of_versions(*texts):
        raise ItemError(problem)
    value = None if shares is None else shares[occupation]
    return PairItem(name, *texts, cluster=occupation, value=value)
