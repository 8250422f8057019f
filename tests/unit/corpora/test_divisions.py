"""Divisions: ranges of dates and values of fields, with names that are safe in paths."""

import math

import numpy as np
import pytest

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.rows import decimal_year
from fairflow.corpora.sample import EmptySubcorpus, documents_of, subcorpora
from fairflow.errors import ConfigurationError

DATES = ["1790-01-08", "1849-12-31", "1850", "1899-12", "1900-01-01", "", "in May"]
PARTIES = ["Whig", "Democratic", "Whig", "Republican", "Democratic", "", "Whig"]
DIVISIONS = {
    "half_centuries": {"date": [1790, 1850, 1900]},
    "parties": {"field": "party", "values": ["Democratic", "Whig"]},
}


@pytest.fixture
def corpus() -> Corpus:
    card = {"date": "day", "first_date": "1790-01-08", "last_date": "1900-01-01"}
    dates = np.array([decimal_year(date) for date in DATES])
    bounds = np.arange(len(DATES) + 1)
    return Corpus(np.zeros(len(DATES), np.int32), bounds, ["a"], {"party": PARTIES}, dates, card)


def test_ranges_are_named_by_their_first_and_last_year():
    found = subcorpora(DIVISIONS)

    assert [part.name for part in found] == [
        "1790_1849",
        "1850_1899",
        "parties_democratic",
        "parties_whig",
    ]
    assert [part.label for part in found] == ["1790–1849", "1850–1899", "Democratic", "Whig"]  # noqa: RUF001
    assert [part.position for part in found[:2]] == [1820, 1875]
    assert math.isnan(found[2].position)


def test_without_a_division_all_documents_are_one_subcorpus(corpus):
    (everything,) = subcorpora({})

    assert everything[:3] == ("", "all", "all documents")
    assert documents_of(corpus, {}, "all").tolist() == list(range(len(DATES)))


def test_a_range_begins_at_its_first_limit_and_ends_before_the_next(corpus):
    assert documents_of(corpus, DIVISIONS, "1790_1849").tolist() == [0, 1]
    assert documents_of(corpus, DIVISIONS, "1850_1899").tolist() == [2, 3]


def test_a_label_may_have_several_values(corpus):
    divisions = {"p": {"field": "party", "values": {"Two parties": ["Whig", "Republican"]}}}

    assert documents_of(corpus, divisions, "p_two_parties").tolist() == [0, 2, 3, 6]


@pytest.mark.parametrize(
    ("division", "message"),
    [
        ({"date": [1900, 1850]}, "in ascending order, found 1900, 1850"),
        ({"date": ["1850-13", 1900]}, "expected dates .* found 1850-13, 1900"),
        ({"field": "x", "values": ["a+", "a-"]}, "two subcorpora would have the name d_a"),
    ],
)
def test_what_divides_nothing_is_an_error_of_the_configuration(division, message):
    with pytest.raises(ConfigurationError, match=message):
        subcorpora({"d": division})


def test_an_empty_subcorpus_says_what_there_is_instead(corpus):
    with pytest.raises(EmptySubcorpus, match="dates are from 1790-01-08 to 1900-01-01"):
        documents_of(corpus, {"d": {"date": [2000, 2010]}}, "2000_2009")
    with pytest.raises(EmptySubcorpus, match=r"'Whig' \(3\), 'Democratic' \(2\)"):
        documents_of(corpus, {"d": {"field": "party", "values": ["Whigs"]}}, "d_whigs")


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("1850", 1850),
        ("1850.0", 1850),
        ("1850-07-02", 1850 + 182 / 365),
        ("1852-12-31T10:00:00Z", 1852 + 365 / 366),
        ("1850-07", 1850 + 181 / 365),
        ("9999-12-31", 9999 + 364 / 365),
    ],
)
def test_dates_are_years(text, year):
    assert decimal_year(text) == pytest.approx(year, abs=1e-12)
