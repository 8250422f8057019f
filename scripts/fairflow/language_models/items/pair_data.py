"""Readers of published pairs: CrowS-Pairs, GEST, WinoBias, Winogender, and BEC-Pro (slots too)."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.data_files import Row, table_rows, text_of, whole_rows
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.slot_item import SlotItem
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


# Stereotypes 1 to 7 are about women, 8 to 16 about men.
FEMININE = tuple(str(number) for number in range(1, 8))
MASCULINE = tuple(str(number) for number in range(8, 17))
# Of English sentences, in which the speaker's gender does not show: masculine, feminine.
GEST_TEMPLATES = (
    ('He said: "{}"', 'She said: "{}"'),
    ('The man said: "{}"', 'The woman said: "{}"'),
    ('"{}", he said.', '"{}", she said.'),
    ('"{}", the man said.', '"{}", the woman said.'),
)


def read_gest(*paths: str | Path) -> list[PairItem | InvalidItem]:
    """The pairs of one or several files, in their order; ids are numbers from 0.

    Files are either gest.csv (sentence, stereotype), where each English sentence gives one
    pair for each template of the paper; or gender_variants.csv (male, female, stereotype, and
    perhaps language and translator, which are in the template), where each row is one pair.
    The category is the stereotype, 1 to 16, and `more` the version of the gender that it is about;
    the cluster is the English sentence.

    A row with another stereotype, an empty sentence, equal versions or too few cells is an
    invalid item.

    Raises
    ------
    ItemError : a column missing; with the line.
    """
    items: list[PairItem | InvalidItem] = []
    for path in paths:
        for row in table_rows(path, csv.excel, ["stereotype"]):
            made = row.made(_gest_pairs, str(len(items)), row.text("stereotype"), f"{path}, ")
            items += made if isinstance(made, list) else [made]
    return items


def _gest_pairs(number: str, row: Row) -> list[PairItem]:
    stereotype, sentence, masculine, feminine = map(
        row.text, ("stereotype", "sentence", "male", "female")
    )
    if stereotype not in FEMININE + MASCULINE:
        raise ItemError(f"stereotype must be a number from 1 to 16, got {stereotype!r}")
    if {"male", "female"} & {*row.cells}:
        if not masculine or not feminine or masculine == feminine:
            raise ItemError(
                f"male and female must be two sentences, got {masculine!r}, {feminine!r}"
            )
        made_by = [row.text(name) for name in ("language", "translator") if name in row.cells]
        versions = {" ".join(made_by): (masculine, feminine)}
        cluster = row.text("original") or masculine
    elif sentence:
        versions = {both[0]: [one.format(sentence) for one in both] for both in GEST_TEMPLATES}
        cluster = sentence
    else:
        raise ItemError("a sentence is expected, or the versions male and female")
    # `more` is the version of the gender that the stereotype is about.
    more = 1 if stereotype in FEMININE else 0
    return [
        PairItem(
            str(place),
            of[more],
            of[1 - more],
            category=stereotype,
            template_id=template,
            cluster=cluster,
        )
        for place, (template, of) in enumerate(versions.items(), start=int(number))
    ]


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


BEC_PRO_COLUMNS = ("Sentence", "Template", "Person", "Gender", "Profession", "Prof_Gender")
GROUPS = ("female", "male", "balanced")
GENDERS = ("female", "male")
# Of a profession whose German names differ: what it is the same one by.
SAME_PROFESSION = "Profession_EN"
# Whom the sentences are about, in the two languages: masculine -> feminine.
COUNTERPARTS = {
    "He": "She", "This man": "This woman", "My brother": "My sister", "My son": "My daughter",
    "My husband": "My wife", "My boyfriend": "My girlfriend", "My father": "My mother",
    "My uncle": "My aunt", "My dad": "My mom",
    "Er": "Sie", "Dieser Mann": "Diese Frau", "Mein Bruder": "Meine Schwester",
    "Mein Sohn": "Meine Tochter", "Mein Ehemann": "Meine Frau", "Mein Freund": "Meine Freundin",
    "Mein Vater": "Meine Mutter", "Mein Onkel": "Meine Tante", "Mein Papa": "Meine Mama",
}  # fmt: skip
ARTICLES = (", die <", ", der <")


def read_bec_pro(*paths: str | Path) -> list[SlotItem | InvalidItem]:
    """The sentences of one or several files as slots: person as target, profession as fill.

    A masculine sentence and its feminine counterpart (he/she, this man/this woman...) are one item
    with the groups female and male if they are alike otherwise, as the English ones are; else, as
    the profession or an article has a gender in German, two items of one group each. The category
    is the gender of most people of the profession: female, male or balanced; the cluster is the
    profession, by its English name.

    A sentence whose person or profession is not where the file says, of an unknown gender or
    group, or without counterpart, is an invalid item.

    Raises
    ------
    ItemError : a column missing; with the line.
    """
    return _read_bec_pro(paths, _slots)


def read_bec_pro_pairs(*paths: str | Path) -> list[PairItem | InvalidItem]:
    """The same as pairs: `more` is the sentence whose person is of the gender of the profession.

    Sentences of balanced professions, a third, are left out: neither of two is the stereotype.
    """
    return _read_bec_pro(paths, _bec_pro_pair)


def _read_bec_pro(paths: tuple[str | Path, ...], make: Callable[..., list[Any]]) -> list[Any]:
    items: list[Any] = []
    number = 0

    def lost(where: str, sentence: SlotItem, why: str) -> None:
        items.append(InvalidItem(sentence.item_id, f"{where}: {why}", sentence.category))

    for path in paths:
        found: dict[str, dict[tuple[str, ...], tuple[str, SlotItem]]] = {g: {} for g in GENDERS}
        for row in table_rows(path, csv.excel_tab, BEC_PRO_COLUMNS):
            one = row.made(_sentence, str(number), row.text("Prof_Gender"), f"{path}, ")
            number += 1
            if isinstance(one, InvalidItem):
                items.append(one)
                continue
            subject = one.template.partition("{target}")[0] + one.targets[0][0]
            said = COUNTERPARTS.get(subject, subject), one.cluster, one.template_id
            first = found[one.names[0]].setdefault(said, (f"{path}, {row.place}", one))
            if first[1] is not one:
                why = f"{first[0]} has the same person and profession"
                lost(f"{path}, {row.place}", one, why)
        for said in dict.fromkeys([*found["male"], *found["female"]]):
            feminine, masculine = (found[gender].get(said) for gender in GENDERS)
            if feminine and masculine:
                items += make(feminine[1], masculine[1])
            else:
                lacking = "masculine" if feminine else "feminine"
                where, one = feminine or masculine
                lost(where, one, f"{_text(one)!r} has no {lacking} counterpart")
    return items


def _sentence(number: str, row: Row) -> SlotItem:
    """The sentence as a slot of one gender."""
    text, template, person, gender, profession, group = map(row.text, BEC_PRO_COLUMNS)
    # Where the published masks stand inside of another word ("lodging [MASK]ager") words do not.
    found = re.search(rf"\b{re.escape(person)}\b", text) if person else None
    before, after = (text[: found.start()], text[found.end() :]) if found else ("", "")
    head, _, tail = after.partition(profession or "\n")
    if gender not in GENDERS or group not in GROUPS:
        raise ItemError(
            f"Gender {gender!r} and Prof_Gender {group!r} must be of {', '.join(GROUPS)}"
        )
    if not profession or after.count(profession) != 1:
        raise ItemError(
            f"{text!r} must hold the person {person!r} and, once, {profession!r} behind it"
        )
    if any(sign in before + after for sign in "{}"):
        raise ItemError(f"{text!r} holds braces, which stand for slots")
    return SlotItem(
        number, template.replace(*ARTICLES), f"{before}{{target}}{head}{{fill}}{tail}",
        ((person,),), profession, (gender,), group, row.text(SAME_PROFESSION) or profession,
    )  # fmt: skip


def _text(sentence: SlotItem) -> str:
    return sentence.placed(sentence.targets[0][0])[0]


def _slots(feminine: SlotItem, masculine: SlotItem) -> list[SlotItem]:
    if (feminine.template, feminine.fill) != (masculine.template, masculine.fill):
        return [feminine, masculine]
    number = f"{feminine.item_id}-{masculine.item_id}"
    targets = feminine.targets + masculine.targets
    return [replace(feminine, item_id=number, targets=targets, names=GENDERS)]


def _bec_pro_pair(feminine: SlotItem, masculine: SlotItem) -> list[PairItem]:
    if feminine.category == "balanced":
        return []
    of_men = feminine.category == "male"
    more, less = (masculine, feminine) if of_men else (feminine, masculine)
    return [
        PairItem(
            f"{feminine.item_id}-{masculine.item_id}", _text(more), _text(less),
            category=more.category, template_id=more.template_id, cluster=more.cluster,
        )
    ]  # fmt: skip
