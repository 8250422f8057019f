"""Two contrasts of a query are its four attribute sets, or faults with names."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from shipped import SCHEMAS

from fairflow.planning.configuration import shape_problems
from fairflow.planning.queries import planned_queries

RACE, GENDER = {"White": "s:a", "Black": "s:b"}, {"Men": "s:c", "Women": "s:d"}
SETS = {f"s:{name}": {"words": [name]} for name in "abcdt"}


def planned(cross, **entry):
    entry = {"targets": {"Traits": "s:t"}, "cross": cross, **entry}
    file = {"queries": {"q": entry}}
    assert shape_problems(file, "queries", Path("f.yaml"), SCHEMAS) == []
    given = SimpleNamespace(queries={"f": file}, lookups={"as_written": {}}, folder=Path())
    queries, faults = planned_queries(given, SETS)
    return queries["q"], [(fault.file, fault.key, fault.sentence) for fault in faults]


def test_its_attributes_are_the_four_sets_in_their_order():
    query, faults = planned({"race": RACE, "gender": GENDER})
    assert faults == []
    assert query.template == (1, 4)
    assert [*query.attributes.items()] == [*RACE.items(), *GENDER.items()]


@pytest.mark.parametrize(
    ("cross", "entry", "sentence"),
    [
        (
            {"race": RACE, "gender": GENDER, "class": {"Rich": "s:a", "Poor": "s:b"}},
            {},
            "cross: found race, gender and class, expected two contrasts: ask others in another "
            "query",
        ),
        (
            {"race": RACE, "gender": {"Men": "s:c"}},
            {},
            "cross.gender: found Men, expected two sets",
        ),
        (
            {"race": RACE, "gender": GENDER},
            {"attributes": {"Rich": "s:a"}},
            "found both cross and attributes, whose sets those of cross are: leave one out",
        ),
        (
            {"race": RACE, "gender": {"White": "s:c", "Women": "s:d"}},
            {},
            "cross: both contrasts name White: give each set its own name",
        ),
    ],
)
def test_what_is_wrong_is_named(cross, entry, sentence):
    assert planned(cross, **entry)[1] == [("queries/f.yaml", "queries.q", sentence)]


def test_an_unknown_word_set_is_named():
    ((_, _, sentence),) = planned({"race": RACE, "gender": GENDER | {"Women": "s:x"}})[1]
    assert sentence.startswith("unknown name 's:x'")
