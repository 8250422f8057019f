"""The grid of checks: its rows, its words, and its lines for one model and for many."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairflow.studies.claims.grid import COLUMNS, grid_lines
from fairflow.validity.checks import QUESTIONS
from fairflow.validity.grid import grid


def check(question: str, value: float, grade: str, model: str = "m", **more: Any) -> dict[str, Any]:
    row = {"question": question, "model": model, "value": value, "grade": grade, "low": value - 0.1}
    row |= {"high": value + 0.1, "n": 0 if math.isnan(value) else 40, "criterion": ""}
    return row | {"concept": "", "query": ""} | more


def every(model: str = "m", grade: str = "good") -> list[dict[str, Any]]:
    ratings = [check("ratings", 0.6, grade, model, concept=name) for name in ("Gender", "Class")]
    return [*ratings, *(check(question, 0.9, grade, model) for question in QUESTIONS[1:])]


def lines(rows: Sequence[dict[str, Any]], *models: str) -> list[str]:
    labels = {model: f"Model {model.upper()}" for model in models}
    return grid_lines(grid(pd.DataFrame(rows), models), labels)


def test_ratings_have_a_row_for_each_concept_and_other_questions_one():
    rows = [*every(), check("list", 0.1, "poor", query="q"), check("list", 0.2, "poor", model="n")]
    made = grid(pd.DataFrame(rows), ["m"])
    assert [row.question for row in made] == ["ratings", *QUESTIONS]
    assert [row.concept for row in made[:3]] == ["Gender", "Class", ""]
    assert made[0].text == "Gender: do scores agree with people's ratings?"
    assert [row.cells["m"].text for row in made[1:4]] == [".60 [.50, .70]", ".90", "36 of 40"]
    assert made[0].cells["m"][:5] == ("good", 0.6, 0.5, 0.7, 40)
    of_gender = pd.DataFrame([*rows, check("list", 0.3, "poor", criterion="Gender")])
    (one,) = grid(of_gender, ["m"], "Gender")
    assert one.cells["m"].value == 0.3


def test_lines_have_a_column_for_each_model_while_there_is_room():
    rows = [*every("a"), *every("b", "poor")]
    said = lines(rows, "a", "b")
    assert said[0].split() == ["Model", "A", "Model", "B"]
    place = said[0].index("Model B")
    assert [line[place:] for line in said if "list agree" in line] == ["poor .90"]
    assert sum("A poor one may measure something" in line for line in said) == 1


def test_of_many_models_lines_count_the_grades():
    names = "abcdefghijkl"
    rows = [
        row for n, name in enumerate(names) for row in every(name, ("good", "poor")[n % 3 == 0])
    ]
    said = lines(rows, *names)
    assert said[0].strip() == "12 models"
    (agree,) = (line for line in said if line.startswith("Do the words of a list agree?"))
    assert agree.endswith("8 good, 4 poor")
    assert max(map(len, said)) <= COLUMNS
