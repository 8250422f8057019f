"""What a study that compares models before and after asks of them besides its queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fairflow.planning.catalogue import file_of, packing_of
from fairflow.planning.named_sets import named_sets, naming_problems, with_words
from fairflow.studies.residual_bias import Settings

# Of gender in English; sets that a configuration lacks are left out, and the table says so.
USUAL = {
    "pairs": "debiaswe:definitional_pairs",
    "ends": ["he", "she"],
    "professions": "debiaswe:professions",
    "specific": [
        "debiaswe:gender_specific_full",
        "gn_glove:male_terms",
        "gn_glove:female_terms",
    ],
}
_TAKES = {"pairs": "tuples", "professions": "words", "specific": "lists"}

Entries = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Remains:
    """The tests of what remains of a bias in models, and of what they are good for.

    Attributes
    ----------
    settings : as `fairflow.studies.residual_bias.Settings` takes them, plain values.
    word_sets : those that they come from, FILE:SET. benchmarks : name -> entry.
    """

    settings: Mapping[str, Any]
    word_sets: tuple[str, ...]
    benchmarks: Entries

    @property
    def files(self) -> list[str]:
        """The files that the benchmarks lie in."""
        return list(dict.fromkeys(file_of(entry) for entry in self.benchmarks.values()))

    @property
    def labels(self) -> dict[str, str]:
        """Labels of the benchmarks."""
        return {name: entry["label"] for name, entry in self.benchmarks.items()}

    @property
    def reading(self) -> dict[str, dict[str, Any]]:
        """How each benchmark is read, as `fairflow.studies.residual_bias` takes it."""
        return {
            name: {
                "path": file_of(entry),
                "kind": entry["kind"],
                "encoding": entry.get("encoding", "utf-8"),
                "packing": packing_of(entry),
            }
            for name, entry in self.benchmarks.items()
        }


NO_BENCHMARKS = Remains({}, (), {})


def planned_remains(given: Mapping[str, Any], word_sets: Entries, benchmarks: Entries) -> Remains:
    """What a study says under `remains`, with what is usual in the place of what it does not say.

    Parameters
    ----------
    word_sets : FILE:SET -> entry. benchmarks : those of the configuration.
    """
    usual = {key: _known(value, word_sets) for key, value in USUAL.items()}
    named = {**usual, **{key: value for key, value in given.items() if key != "benchmarks"}}
    values = with_words(named, _TAKES, word_sets)
    values["specific"] = list(dict.fromkeys(w for words in values["specific"] for w in words))
    chosen = given.get("benchmarks", [*benchmarks])
    return Remains(
        values,
        tuple(named_sets(named, _TAKES)),
        {name: benchmarks[name] for name in chosen if name in benchmarks},
    )


def planned_quality(benchmarks: Entries) -> Remains:
    """By which benchmarks the quality of every table of word vectors is measured."""
    asked = {name: entry for name, entry in benchmarks.items() if entry.get("quality")}
    return replace(NO_BENCHMARKS, benchmarks=asked)


def _known(value: Any, word_sets: Entries) -> Any:
    """A usual value, or what of it the word sets have."""
    if isinstance(value, str):
        return value if value in word_sets else []
    return [each for each in value if ":" not in each or each in word_sets]


def remains_problems(given: Mapping[str, Any], word_sets: Entries) -> Iterator[str]:
    """A sentence for each fault of what a study says under `remains`."""
    faults = [*naming_problems(given, _TAKES, word_sets)]
    yield from faults
    if faults:
        return
    settings = Settings(**planned_remains(given, word_sets, {}).settings)
    if longer := [pair for pair in settings.pairs if len(pair) != 2]:
        yield f"pairs: expected pairs of words, found {', '.join(longer[0])}"
    if settings.trained >= settings.classified:
        yield (
            f"trained: {settings.trained} words to learn from, of {settings.classified} that are "
            "classified; leave some for the test"
        )
