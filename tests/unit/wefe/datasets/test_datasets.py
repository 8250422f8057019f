"""Word sets of published studies, under WEFE's names and with the words of the papers."""

import hashlib
import http.server
import threading
from collections import Counter
from pathlib import Path

import pytest
import yaml

from fairflow.errors import DownloadError, FairflowError
from fairflow.planning.configuration import shape_problems
from fairflow.wefe.datasets import datasets
from fairflow.wefe.datasets.datasets import (
    fetch_debias_multiclass,
    fetch_debiaswe,
    fetch_eds,
    fetch_gn_glove,
    load_bingliu,
    load_weat,
)

ROOT = Path(__file__).parents[4]

# Porter and guard tie in every column, and stand against the alphabet.
RACE = """Census year,Occupation,Total Weight,multirace,aian,white,hispanic,asian,black
1900,porter,10,0,0,0.50,0.1,0.1,0.3
1910,judge,10,0,0,0.99,0.0,0.01,0.0
1900,guard,10,0,0,0.50,0.1,0.1,0.3
1900,farmer,10,0,0,0.80,0.0,0.2,0.0
1900,dancer,10,0,0,0.10,0.6,0.3,0.0
"""
GENDER = """Census year,Occupation,Total Weight,Female,Male
1900,porter,10,0.1,0.9
1910,judge,10,0.0,1.0
1900,nurse,10,0.9,0.1
1900,farmer,10,0.5,0.5
1900,dancer,10,0.8,0.2
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of the test's own, an environment without a census folder, and no network."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("FAIRFLOW_CENSUS_FOLDER", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(datasets, "BASE_URL", "http://127.0.0.1:1")
    return tmp_path / "cache" / "fairflow"


@pytest.fixture
def census_folder(tmp_path):
    """The two census files as a user puts them into a folder."""
    folder = tmp_path / "census"
    folder.mkdir()
    (folder / datasets.RACE_FILE).write_text(RACE)
    (folder / datasets.GENDER_FILE).write_text(GENDER)
    return folder


@pytest.fixture
def server(census_folder, monkeypatch):
    """A local server of the census files; the list of requests to it."""
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(census_folder))

        def log_message(self, *arguments):
            asked.append(self.path.lstrip("/"))

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        monkeypatch.setattr(datasets, "BASE_URL", f"http://127.0.0.1:{running.server_port}")
        yield asked
        running.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("name", "paper", "wefe"),
    [("young_people_names", "Billy", "Bill"), ("temporary", "short-term", "short")],
)
def test_load_weat_holds_the_words_of_the_paper_and_apart_from_them_those_of_wefe(
    name, paper, wefe
):
    sets = load_weat()
    assert set(sets[name]) ^ set(sets[f"{name}_wefe"]) == {paper, wefe}
    assert paper in sets[name]


def test_load_weat_leaves_out_the_names_that_weat_4_leaves_out():
    sets = load_weat()
    for group, names in (("european", {"Jay", "Kristen"}), ("african", {"Tremayne", "Latonya"})):
        name = f"{group}_american_names_7"
        assert set(sets[f"{name}_all"]) - set(sets[name]) == names


def test_an_unknown_weat_set_is_a_key_error_with_the_nearest_name():
    with pytest.raises(KeyError, match="Did you mean 'flowers'"):
        load_weat()["flower"]


@pytest.mark.parametrize(
    "function", [load_weat, fetch_debiaswe, fetch_debias_multiclass, fetch_gn_glove, fetch_eds]
)
def test_changing_a_result_does_not_change_the_next_one(function):
    function()["male_terms"].clear()
    assert function()["male_terms"]


@pytest.fixture
def lexicon_source(tmp_path, monkeypatch):
    """Two small lexicons in place of the pinned ones; the files that they come from."""
    entries, files = {}, {}
    for name, content in (
        ("positive_words", b"; comment\n\ngood\nna\xefve\n"),
        ("negative_words", b"bad\n"),
    ):
        files[name] = tmp_path / f"source-{name}.txt"
        files[name].write_bytes(content)
        digits = hashlib.sha256(content).hexdigest()
        pinned = {"sources": [{"file": str(files[name])}], "checksum": f"sha256:{digits}"}
        entries[name] = {"lexicon": pinned | {"encoding": "latin-1", "comment": ";"}}
    monkeypatch.setattr(datasets, "entries", lambda file: {"bing_liu": entries}[file])
    return files


def test_load_bingliu_parses_the_two_lexicons(lexicon_source):
    assert load_bingliu() == {"positive_words": ["good", "naïve"], "negative_words": ["bad"]}


def test_load_bingliu_fetches_once(lexicon_source):
    first = load_bingliu()
    for path in lexicon_source.values():
        path.unlink()
    assert load_bingliu() == first


def test_fetch_debiaswe_has_wefes_keys_and_the_counts_of_the_source():
    sets = fetch_debiaswe()
    assert {name: len(words) for name, words in sets.items()} == {
        "male_terms": 10,
        "female_terms": 10,
        "definitional_pairs": 10,
        "equalize_pairs": 52,
        "gender_specific": 1441,
        "gender_specific_seed": 218,
        "professions": 320,
        "profession_words": 320,
    }


def test_fetch_debiaswe_does_not_swap_the_genders():
    sets = fetch_debiaswe()
    assert sets["male_terms"][:3] == ["man", "boy", "he"]
    assert sets["female_terms"][:3] == ["woman", "girl", "she"]
    pairs = zip(sets["female_terms"], sets["male_terms"], strict=True)
    assert sets["definitional_pairs"] == [list(pair) for pair in pairs]


KINDS = {
    "gender": ["male", "female"],
    "ethnicity": ["black", "white", "asian"],
    "religion": ["judaism", "christianity", "islam"],
}


@pytest.mark.parametrize(("kind", "classes"), KINDS.items())
def test_fetch_debias_multiclass_keeps_the_rows(kind, classes):
    sets = fetch_debias_multiclass()
    columns = [sets[f"{name}_terms"] for name in classes]
    rows = [list(row) for row in zip(*columns, strict=True)]
    assert rows == sets[f"{kind}_definitional_sets"]


def test_fetch_debias_multiclass_gives_distinct_sorted_terms_on_demand():
    kept, distinct = fetch_debias_multiclass(), fetch_debias_multiclass(distinct=True)
    assert kept["white_terms"][-1] == "europe"
    for name in (*KINDS["ethnicity"], *KINDS["religion"]):
        assert distinct[f"{name}_terms"] == sorted(set(kept[f"{name}_terms"]))


def test_fetch_gn_glove_keeps_the_lists_aligned():
    sets = fetch_gn_glove()
    assert list(sets) == ["male_terms", "female_terms"]
    pairs = list(zip(sets["male_terms"], sets["female_terms"], strict=True))
    assert len(pairs) == 222
    assert [len(set(words)) for words in sets.values()] == [207, 202]
    assert (pairs[0], pairs[-1]) == (("countryman", "countrywoman"), ("heros", "heroines"))
    assert ("king", "queen") in pairs


EDS_KEYS = """
    male_terms female_terms male_occupations female_occupations
    adjectives_appearance adjectives_intelligence adjectives_otherization adjectives_sensitive
    names_asian names_black names_chinese names_hispanic names_russian names_white
    words_christianity words_islam words_terrorism
    occupations_white occupations_black occupations_asian occupations_hispanic
"""


def test_fetch_eds_has_wefes_keys():
    assert set(EDS_KEYS.split()) <= set(fetch_eds())


def test_fetch_eds_reports_the_names_of_the_source_of_which_19_of_20_are_shared():
    sets = fetch_eds()
    assert len(sets["names_white"]) == len(sets["names_black"]) == 20
    assert set(sets["names_white"]) ^ set(sets["names_black"]) == {"nelson", "howard"}


def test_occupations_of_a_group_are_those_where_its_share_is_highest():
    black = fetch_eds()["occupations_black"]
    assert set(black[:5]) == {"doorkeeper", "guard", "porter", "attendant", "bailiff"}
    assert len(black) == 10


def test_every_occupation_of_2015_has_one_gender():
    sets = fetch_eds()
    assert (len(sets["male_occupations"]), len(sets["female_occupations"])) == (72, 31)
    assert not set(sets["male_occupations"]) & set(sets["female_occupations"])


def test_census_files_of_the_user_give_other_years_with_equal_shares_in_alphabetical_order(
    census_folder,
):
    sets = fetch_eds(1900, 3, census_folder=census_folder)
    assert sets["occupations_white"] == ["farmer", "guard", "porter"]
    assert sets["occupations_black"] == ["guard", "porter", "dancer"]
    lowest = fetch_eds(1900, 2, order="lowest", census_folder=census_folder)
    assert lowest["occupations_black"] == ["dancer", "farmer"]
    assert lowest["occupations_white"] == ["dancer", "guard"]


def test_an_occupation_with_as_many_men_as_women_counts_as_male(census_folder):
    sets = fetch_eds(1900, 1, census_folder=census_folder)
    assert sets["male_occupations"] == ["porter", "farmer"]
    assert sets["female_occupations"] == ["nurse", "dancer"]


def test_the_environment_may_name_the_census_folder(census_folder, monkeypatch):
    monkeypatch.setenv("FAIRFLOW_CENSUS_FOLDER", str(census_folder))
    assert fetch_eds(1910, 1)["occupations_asian"] == ["judge"]


def test_a_year_without_a_census_is_an_error_that_names_the_years(census_folder):
    with pytest.raises(FairflowError, match=r"no year 1890\. Years: 1900, 1910"):
        fetch_eds(1890, census_folder=census_folder)


def test_census_files_are_downloaded_once_and_recorded(server, cache):
    first = fetch_eds(1900, 2)
    assert fetch_eds(1900, 2) == first
    assert Counter(server) == {datasets.RACE_FILE: 1, datasets.GENDER_FILE: 1}
    record = (cache / "census" / f"{datasets.RACE_FILE}.sha256").read_text().split()[0]
    assert record == hashlib.sha256(RACE.encode()).hexdigest()


@pytest.mark.parametrize("arguments", [(1900,), (2015, 16)])
def test_without_a_network_the_error_says_where_to_put_the_files(arguments):
    with pytest.raises(DownloadError, match="FAIRFLOW_CENSUS_FOLDER") as error:
        fetch_eds(*arguments)
    for part in (datasets.RACE_FILE, datasets.GENDER_FILE, datasets.BASE_URL, "census_folder="):
        assert part in str(error.value)


def test_rows_of_words_in_one_set_have_one_length():
    for path in (ROOT / "config/word_sets").glob("*.yaml"):
        for name, rows in datasets.rows_of_words(path.stem).items():
            assert len({len(row) for row in rows}) == 1, (path, name)


@pytest.mark.parametrize(
    ("entry", "accepted"),
    [
        ({"tuples": [["he", "she"]]}, True),
        ({"tuples": [["he"]]}, False),
        ({"scores": {"he": [1, 0.5]}}, True),
        ({"words": ["he"], "tuples": [["he", "she"]]}, False),
        ({"note": "nothing"}, False),
    ],
)
def test_a_set_has_either_words_or_a_lexicon_or_tuples_or_scores(entry, accepted):
    contents = {"citation": "somebody", "sets": {"terms": entry}}
    problems = shape_problems(contents, "word_sets", Path("a.yaml"), ROOT / "workflow/schemas")
    assert (problems == []) == accepted


@pytest.mark.parametrize("path", (ROOT / "config/word_sets").glob("*.yaml"), ids=lambda p: p.stem)
def test_the_word_sets_of_the_project_follow_the_schema(path):
    contents = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert shape_problems(contents, "word_sets", path, ROOT / "workflow/schemas") == []


def test_the_sets_of_wefe_come_first_and_in_its_order():
    assert [*load_weat()][:6] == [
        *("flowers", "insects", "pleasant_5", "unpleasant_5a", "instruments", "weapons")
    ]
    eds = [*datasets.fetch_eds()]
    assert eds[:2] == ["adjectives_appearance", "adjectives_otherization"]
    assert eds[18:21] == ["male_terms", "female_terms", "adjectives_intelligence"]


def test_occupations_with_the_lowest_share_are_given_on_demand():
    black = fetch_eds(order="lowest")["occupations_black"]
    assert black[:4] == ["farmer", "veterinarian", "pilot", "optometrist"]
