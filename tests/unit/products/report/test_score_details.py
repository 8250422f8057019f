"""Details of scores lose nothing but digits, and store equal things once."""

from typing import Any

import pandas as pd

from fairflow.products.report.html_tables import DETAILS
from fairflow.products.report.score_details import score_details


def row(**changes: Any) -> dict[str, Any]:
    words = [
        {"set": "Cats", "word": "cat", "measure": "association", "value": 0.123456789},
        {"set": "Dogs", "word": "dog", "measure": "association", "value": float("nan")},
    ]
    place = {"criterion": "c", "model": "m", "metric": "weat", "query": "q"}
    return {
        **place,
        "subquery_digest": "d",
        "measure": "weat",
        "value": 1.23456789,
        "ci_low": 1.0,
        "ci_high": 2.5,
        "ci_low_both": float("nan"),
        "ci_high_both": float("nan"),
        "n_permutations": 137846528820.0,
        "oov_words": ["tom", "rex"],
        "matched_forms": [{"word": "Cat", "form": "cat"}],
        "status": "ok",
        "reason": None,
        "words": words,
        **changes,
    }


def details(*rows: dict[str, Any], others: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return score_details(pd.DataFrame(rows), pd.DataFrame(others or []), explained=("m",))


def field(data: dict[str, Any], name: str, place: int = 0) -> Any:
    return data["rows"][place][[known for known, _, _ in DETAILS].index(name)]


def listed(data: dict[str, Any], number: int) -> list[str]:
    return [data["texts"][text] for text in data["lists"][number]]


def test_fields_are_rounded_numbers_texts_intervals_and_lists():
    data = details(row())
    assert field(data, "value") == 1.23457
    assert field(data, "n_permutations") == 137846528820
    assert field(data, "ci") == [1, 2.5]
    assert field(data, "ci_both") is None
    assert field(data, "reason") is None
    assert field(data, "p_value") is None
    assert data["texts"][field(data, "status")] == "ok"
    assert listed(data, field(data, "oov_words")) == ["tom", "rex"]
    assert listed(data, field(data, "matched_forms")) == ["Cat as cat"]


def test_words_keep_their_set_and_order_and_a_missing_value_is_null():
    data = details(row())
    measure, sets, values = data["values"][data["words"][0][0]]
    assert data["texts"][measure] == "association"
    assert [(data["texts"][name], listed(data, words)) for name, words in sets] == [
        ("Cats", ["cat"]),
        ("Dogs", ["dog"]),
    ]
    assert values == (0.1235, None)


def test_other_measures_stand_with_their_cell():
    other = row(measure="effect_size", value=0.5)
    data = details(row(), row(model="n"), others=[other])
    assert [[data["texts"][name], value] for name, value in data["measures"][0]] == [
        ["effect_size", 0.5]
    ]
    assert data["measures"][1] == []


def test_a_command_explains_a_score_where_it_knows_the_model():
    data = details(row(query="it's"), row(model="only named by the command line"))
    texts = [field(data, "explain", place) for place in (0, 1)]
    assert data["texts"][texts[0]] == """fairflow explain m weat 'it'"'"'s'"""
    assert texts[1] is None


def test_a_set_has_its_strongest_words_and_says_how_many_it_has():
    every = [
        {"set": "Cats", "word": f"w{n}", "measure": "association", "value": (-1) ** n * n}
        for n in range(20)
    ]
    ((_, ((name, listed),), values),) = details(row(words=every))["values"]
    data = details(row(words=every))
    assert data["texts"][name] == "Cats (12 of 20 words, the largest)"
    assert [data["texts"][word] for word in data["lists"][listed]] == [
        f"w{n}" for n in range(8, 20)
    ]
    assert [*map(abs, values)] == [*range(8, 20)]
