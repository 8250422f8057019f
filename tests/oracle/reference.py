"""The cases of the oracle, and their inputs as fairflow's objects."""

import json
from pathlib import Path
from typing import Any

import yaml

from fairflow.wefe import Query

ORACLE = json.loads((Path(__file__).parents[1] / "data/wefe_oracle.json").read_text("utf-8"))
REVIEW = yaml.safe_load((Path(__file__).parent / "deviations.yaml").read_text("utf-8"))
CASES = ORACLE["cases"]
TOLERANCES = ORACLE["tolerances"]

FUNCTIONS = {"@str.swapcase": str.swapcase}


def words(entry: dict[str, Any]) -> list[str]:
    """The words of a set, inline or by name."""
    return entry["words"] if "words" in entry else ORACLE["word_sets"][entry["set"]]


def query(entry: dict[str, Any]) -> Query:
    """The query of a case."""
    targets, attributes = entry["target_sets"], entry["attribute_sets"]
    return Query(
        [words(set_) for set_ in targets],
        [words(set_) for set_ in attributes],
        [set_["name"] for set_ in targets],
        [set_["name"] for set_ in attributes],
    )


def parameters(entry: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a case; the one estimator that cases name, by its name, is the default."""
    found = {key: value for key, value in entry.items() if value != "LogisticRegression"}
    if "preprocessors" in found:
        found["preprocessors"] = [preprocessor(options) for options in found["preprocessors"]]
    return found


def preprocessor(options: dict[str, Any]) -> dict[str, Any]:
    """Options in which a function stands for its name."""
    return {key: FUNCTIONS.get(str(value), value) for key, value in options.items()}
