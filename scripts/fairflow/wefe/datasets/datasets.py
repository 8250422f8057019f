"""Word sets of published studies, under the names that WEFE gives them.

The words are those of config/word_sets, where each list is cited. Every function returns new
lists: WEFE's keys, and under further keys what else the source holds. Only `load_bingliu` and
`fetch_eds` for unusual arguments download anything, once. `n_retries` stands where WEFE has it;
a download that is needed is tried again as often as the workflow tries.

The census files are those of Garg et al. (2018), nikhgarg/EmbeddingDynamicStereotypes on GitHub at
one fixed commit. Nobody has published their checksums, so the first download is believed, and any
later change of the files is an error.

A defect number such as D27 names a fault of WEFE 1.0.1 that is not repeated here.
"""

from __future__ import annotations

import csv
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from fairflow.errors import DownloadError, FairflowError, nearest
from fairflow.files.checksums import sha256
from fairflow.files.configuration_files import read_yaml, shipped_configuration
from fairflow.files.downloads import cache_folder, fetch, fetch_pinned
from fairflow.queries.query_file import parse_lexicon
from fairflow.wefe.former_names import present_name

if TYPE_CHECKING:
    import pandas as pd

Order = Literal["highest", "lowest"]

SEXES = ("male", "female")
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


Folder = str | Path | None


def occupations_by_gender(year: int, folder: Folder = None) -> dict[str, list[str]]:
    """Occupations with at least as many men as women, and the others, in the file's order.

    Raises
    ------
    FairflowError : the file has no such year; the years are named.
    DownloadError : the file is not at hand and cannot be fetched.
    """
    rows = _rows(GENDER_FILE, year, folder)
    male = rows["Male"] >= rows["Female"]
    sides = {"male": rows[male], "female": rows[~male]}
    return {f"{sex}_occupations": side["Occupation"].tolist() for sex, side in sides.items()}


def occupations_by_group(
    year: int, count: int, order: Order, folder: Folder = None
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
    found = {}
    for group in GROUPS:
        ordered = rows.sort_values([group, "Occupation"], ascending=[order == "lowest", True])
        found[f"occupations_{group}"] = ordered["Occupation"].tolist()[:count]
    return found


def _rows(name: str, year: int, folder: Folder) -> pd.DataFrame:
    """The rows of a year in a census file, which is fetched if it is not in the folder."""
    import pandas as pd

    path = Path(folder or cache_folder() / "census") / name
    check = partial(_check, columns=_COLUMNS[name])
    try:
        fetch([{"url": f"{BASE_URL}/{name}"}], path, check=check)
    except DownloadError as error:
        raise DownloadError(
            f"{error}. To place the census files by hand, save {BASE_URL}/{GENDER_FILE} and "
            f"{BASE_URL}/{RACE_FILE} in one folder, and name it in census_folder= or in the "
            "environment variable FAIRFLOW_CENSUS_FOLDER"
        ) from error
    rows = pd.read_csv(path, float_precision="round_trip", keep_default_na=False)
    of_year = rows[rows["Census year"] == year]
    if of_year.empty:
        years = ", ".join(map(str, sorted(set(rows["Census year"]))))
        raise FairflowError(f"{name} has no year {year}. Years: {years}")
    return of_year


def _check(path: Path, columns: set[str]) -> None:
    """Refuse a file that is not the one meant, such as the page of a proxy."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        header = next(csv.reader(file), [])
    missing = sorted(columns - set(header))
    if missing:
        raise FairflowError(f"{path} is not the census file: no column {', '.join(missing)}")


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


_LONGEST_CENSUS_LIST = 15
_CLASSES = {
    "gender": ("male", "female"),
    "ethnicity": ("black", "white", "asian"),
    "religion": ("judaism", "christianity", "islam"),
}
_TEMPLATES = {
    "gender": {"man": "male_roles", "woman": "female_roles"},
    "ethnicity": {
        "black": "black_biased_words",
        "caucasian": "white_biased_words",
        "asian": "asian_biased_words",
    },
    "religion": {"jew": "greed", "christian": "conservative", "muslim": "terrorism"},
}


class WordSets(dict[str, Any]):
    """Sets by name, by that in WEFE 0.2 too; the error for an unknown one gives the nearest."""

    def __missing__(self, name: str) -> Any:
        if (new := present_name("word sets", name)) in self:
            return self[new]
        raise KeyError(f"no word set {name!r}. {nearest(name, self)}")


def _in_order(sets: dict[str, list[str]], file: str) -> WordSets:
    """Sets with WEFE's keys first, in its order."""
    order = read_yaml(Path(__file__).with_name("key_order.yaml"))[file]
    return WordSets({name: sets[name] for name in dict.fromkeys([*order, *sets])})


def load_weat() -> dict[str, list[str]]:
    """The word sets of the Word Embedding Association Test: Caliskan, Bryson & Narayanan (2017).

    Differs from WEFE (D30) where that departs from the paper: young_people_names ends in Billy,
    temporary has short-term, and european_american_names_7 and african_american_names_7 are the
    16 names kept for WEAT 4. WEFE's lists are young_people_names_wefe, temporary_wefe,
    european_american_names_7_all and african_american_names_7_all; the last two, of 18 names,
    are those of WEAT 5. The sets of 50 names are european_american_names_5_all and
    african_american_names_5_all.
    """
    return _in_order(word_sets("weat"), "weat")


def load_bingliu() -> dict[str, list[str]]:
    """The opinion lexicon of Hu & Liu (2004): positive_words (2,006), negative_words (4,783).

    The files are data of WEFE's wheel, pinned by checksum in config/word_sets/bing_liu.yaml. They
    are fetched once through pip into the user's cache and verified at each call.

    Raises
    ------
    DownloadError : the files cannot be fetched; it says how to place them by hand.
    """
    words = {}
    for name, entry in entries("bing_liu").items():
        lexicon = entry["lexicon"]
        path = cache_folder() / "bing_liu" / f"{name}.txt"
        if path.is_file() and f"sha256:{sha256(path)}" != lexicon.get(
            "member_checksum", lexicon["checksum"]
        ):
            path.unlink()
        fetch_pinned(lexicon, path)
        words[name] = parse_lexicon(path, lexicon["encoding"], lexicon["comment"])
    return words


def fetch_debiaswe(n_retries: int = 3) -> dict[str, list[Any]]:
    """The word sets of Bolukbasi et al. (2016), "Man is to computer programmer ...".

    Keys: male_terms, female_terms, definitional_pairs ([female, male]), equalize_pairs,
    gender_specific, and professions: [profession, score by definition, score by stereotype],
    positive towards male. Beyond WEFE: profession_words and gender_specific_seed.

    Differs from WEFE (D27): male_terms holds the male words and female_terms the female ones,
    which are swapped there.
    """
    sets = word_sets("debiaswe") | rows_of_words("debiaswe")
    sets["gender_specific"] = sets.pop("gender_specific_full")
    sets["profession_words"] = sets.pop("professions")
    scores = entries("debiaswe")["profession_scores"]["scores"]
    return sets | {"professions": [[word, *numbers] for word, numbers in scores.items()]}


def fetch_debias_multiclass(n_retries: int = 3, *, distinct: bool = False) -> dict[str, Any]:
    """The word sets of Manzini et al. (2019), "Black is to criminal as Caucasian is to police".

    Keys: {male,female,black,white,asian,judaism,christianity,islam}_terms, {male,female}_roles,
    {black,white,asian}_biased_words, greed, conservative, terrorism, and for each of gender,
    ethnicity and religion *_definitional_sets, *_eval_target (rows of one word per class) and
    *_analogy_templates (words by class). Beyond WEFE: religion_specific.

    Differs from WEFE (D31): position i of the *_terms of one kind holds the words of row i of the
    definitional sets, so a word in two rows is repeated.

    Parameters
    ----------
    distinct : give the terms of ethnicity and religion as WEFE does, each word once and sorted,
        which loses the rows.
    """
    sets = word_sets("multiclass")
    rows = rows_of_words("multiclass")
    if not distinct:
        for kind, classes in _CLASSES.items():
            columns = zip(*rows[f"{kind}_definitional_sets"], strict=True)
            sets |= {f"{c}_terms": list(words) for c, words in zip(classes, columns, strict=True)}
    templates = {
        f"{kind}_analogy_templates": {role: list(sets[name]) for role, name in roles.items()}
        for kind, roles in _TEMPLATES.items()
    }
    named = {name.replace("_eval_targets", "_eval_target"): words for name, words in rows.items()}
    return WordSets(sets | named | templates)


def fetch_gn_glove(n_retries: int = 3) -> dict[str, list[str]]:
    """The seed words of Zhao et al. (2018), "Learning gender-neutral word embeddings".

    Keys: male_terms, female_terms, 222 words each; word i of one is the counterpart of word i of
    the other. Repetitions and slips of the source are kept, as the pairing rests on them.
    """
    return word_sets("gn_glove")


def fetch_eds(
    occupations_year: int = 2015,
    top_n_race_occupations: int = 10,
    n_retries: int = 3,
    *,
    order: Order = "highest",
    census_folder: Folder = None,
) -> dict[str, list[str]]:
    """The word sets of Garg et al. (2018), "Word embeddings quantify 100 years of stereotypes".

    Keys: male_terms, female_terms, names_*, adjectives_*, words_*, {male,female}_occupations and
    occupations_{white,black,asian,hispanic}. Beyond WEFE: adjectives_princeton,
    adjectives_williamsbest, personalitytraits_original, occupations1950*, occupations_mturk.

    Differs from WEFE (D28): occupations_black are the occupations with the HIGHEST share of black
    workers; WEFE returns those with the lowest. Equal shares are in alphabetical order.
    As in the source, names_white and names_black share 19 of their 20 names (D29), so a query
    with both compares a list with nearly itself.

    Parameters
    ----------
    occupations_year : year of the census.
    top_n_race_occupations : length of each list of occupations_*.
    order : "lowest" gives what WEFE returns, for numbers published with it.
    census_folder : a folder for the two census files of `fairflow.wefe.datasets.datasets`,
        $FAIRFLOW_CENSUS_FOLDER by default. Without one, 2015 and up to 15 occupations need no
        file; for anything else the files are downloaded at first use, believed then, and checked
        ever after.

    Raises
    ------
    FairflowError : an unknown order, or a year or a number that the census does not offer.
    DownloadError : the census files are needed and cannot be fetched; it says where to put them.
    """
    if order not in get_args(Order):
        raise FairflowError(f"unknown order {order!r}. {nearest(order, get_args(Order))}")
    year, count = occupations_year, top_n_race_occupations
    if count < 1:
        raise FairflowError(f"top_n_race_occupations is {count}, expected at least 1")
    every = word_sets("eds")
    sets = {name: words for name, words in every.items() if not name.endswith("_2015")}
    folder = census_folder or os.environ.get("FAIRFLOW_CENSUS_FOLDER")
    if not folder and year == 2015 and count <= _LONGEST_CENSUS_LIST:
        occupations = {f"{sex}_occupations": every[f"{sex}_occupations_2015"] for sex in SEXES}
        for group in GROUPS:
            longest = every[f"occupations_{group}_{order}{_LONGEST_CENSUS_LIST}_2015"]
            occupations[f"occupations_{group}"] = longest[:count]
    else:
        groups = occupations_by_group(year, count, order, folder)
        occupations = occupations_by_gender(year, folder) | groups
    return _in_order(sets | occupations, "eds")
