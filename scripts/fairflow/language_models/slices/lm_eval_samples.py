"""Samples files of lm-eval: what a model answered, item by item, and lm-eval's value of each.

`lm_eval --log_samples` (Gao et al. 2021, https://doi.org/10.5281/zenodo.5371628) writes a line of
JSON for each item: `doc`, the row of the data set; `arguments`, the context and each choice;
`resps`, the log-likelihood of each choice, or a text; and its metrics of this item.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError

KEYS = ("doc_id", "doc", "arguments", "resps")
# Benchmark -> the keys of its documents, after those of lm-eval's tasks.
BENCHMARKS = {
    "crows_pairs": ("sent_more", "sent_less"),
    "bbq": ("category", "example_id", "ans0", "ans1", "ans2", "biased_answers"),
    "winogender": ("sentid", "sentence", "occupation", "participant", "gender"),
}
# The pronoun of a sentence of Winogender -> the side of our pair.
SIDE_OF = {"female": "more", "male": "less"}


@dataclass(frozen=True)
class Sample:
    """A line of a samples file.

    Attributes
    ----------
    place : "line 12". benchmark : a key of `BENCHMARKS`. doc : the row of the data set.
    choices : the texts whose log-likelihoods (natural logarithms) are given; () for a text.
    text : the answer of a task that lets a model write; else None.
    filter : of lm-eval, "none" by default. metrics : lm-eval's values of this item, as written;
        values that are NaN, which are those of other categories, are left out.
    """

    place: str
    benchmark: str
    doc_id: str
    doc: Mapping[str, Any]
    choices: tuple[str, ...]
    likelihoods: tuple[float, ...]
    text: str | None
    filter: str
    metrics: Mapping[str, Any]

    @property
    def chosen(self) -> int:
        """The place of the likeliest choice, the first of equal ones."""
        return self.likelihoods.index(max(self.likelihoods))

    @property
    def item_id(self) -> str:
        """The id of our item, as the formats `lm_eval_...` give it."""
        if self.benchmark == "bbq":
            return f"{self.doc['category']}/{self.doc['example_id']}"
        if self.benchmark == "winogender":
            return ".".join(self.doc["sentid"].split(".")[:2])
        return self.doc_id


def is_samples_file(path: str | Path) -> bool:
    """Whether the first line of a file is one of a samples file."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            content = json.loads(file.readline())
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and {*KEYS} <= {*content}


def read_samples(path: str | Path) -> list[Sample]:
    """The lines of a file, in their order.

    Raises
    ------
    ItemError : not UTF-8; a line that is no JSON, lacks a key or is of a task that is not known; a
        doc_id twice; a log-likelihood that is not finite; or no line. FileNotFoundError.
    """
    samples: list[Sample] = []
    place_of: dict[tuple[str, str], str] = {}
    for number, content in _lines(path):
        try:
            sample = _sample(f"line {number}", content)
            first = place_of.setdefault((sample.doc_id, sample.filter), sample.place)
            if first is not sample.place:
                raise ItemError(
                    f"doc_id {sample.doc_id} is in {first} already: leave one of both runs out"
                )
        except ItemError as error:
            raise ItemError(f"{path}, line {number}: {error}") from error
        samples.append(sample)
    if not samples:
        raise ItemError(f"{path} has no lines")
    return samples


def _lines(path: str | Path) -> Iterator[tuple[int, Any]]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    try:
                        yield number, json.loads(line)
                    except json.JSONDecodeError as error:
                        cut = "" if line.endswith("\n") else "; the file ends in the middle of it"
                        raise ItemError(
                            f"{path}, line {number}: no JSON: {error.msg} in column "
                            f"{error.colno}{cut}: copy the file again, or remove the line"
                        ) from error
    except UnicodeDecodeError as error:
        raise ItemError(f"{path}: {error}") from error


def _sample(place: str, content: Any) -> Sample:
    missing = [key for key in KEYS if not isinstance(content, dict) or key not in content]
    if missing:
        raise ItemError(f"no line of lm-eval's --log_samples: it lacks {', '.join(missing)}")
    doc = content["doc"]
    known = [name for name, keys in BENCHMARKS.items() if {*keys} <= {*doc}]
    if not isinstance(doc, dict) or not known:
        raise ItemError(
            f"the task is not known: its documents have {', '.join(map(str, doc))}. Known are "
            "crows_pairs_..., bbq, bbq_ambig, bbq_disambig and winogender_..."
        )
    written = [name for name in content.get("metrics", ()) if name in content]
    metrics = {name: content[name] for name in written if not _undefined(content[name])}
    choices, likelihoods, text = _answers(content["arguments"], content["resps"])
    return Sample(
        *(place, known[0], str(content["doc_id"]), doc, choices, likelihoods, text),
        *(content.get("filter", "none"), metrics),
    )


def _undefined(value: Any) -> bool:
    parts = value if isinstance(value, list) else [value]
    return any(isinstance(part, float) and math.isnan(part) for part in parts)


def _answers(arguments: Any, resps: Any) -> tuple[tuple[str, ...], tuple[float, ...], str | None]:
    """The choices and their log-likelihoods, or the text of an answer.

    Raises
    ------
    ItemError : another form, or a log-likelihood that is not finite.
    """
    try:
        # (requests, repeats); of a log-likelihood each is the number, and whether it is greedy.
        first = [of_request[0] for of_request in resps]
        if all(isinstance(one, str) for one in first):
            return (), (), first[0]
        likelihoods = tuple(float(number) for number, _ in first)
        of_request = arguments.values() if isinstance(arguments, dict) else arguments
        choices = tuple(
            str(one["arg_1"] if isinstance(one, dict) else one[1]).strip() for one in of_request
        )
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise ItemError(
            "arguments and resps are not those of choices with log-likelihoods"
        ) from error
    if len(choices) != len(likelihoods) or not choices:
        raise ItemError(f"{len(choices)} choices, but {len(likelihoods)} log-likelihoods")
    for choice, value in zip(choices, likelihoods, strict=True):
        if not math.isfinite(value):
            raise ItemError(
                f"the log-likelihood of {choice!r} is {value}: the model is broken, or it was run "
                "in a type of numbers that overflows; run it again in float32"
            )
    return choices, likelihoods, None


def places_of_answers(sample: Sample) -> list[list[int]]:
    """For each answer of a question of BBQ the places of its choices.

    lm-eval offers both persons first, and behind them ten wordings of "unknown".

    Raises
    ------
    ItemError : other choices.
    """
    answers = [str(sample.doc[f"ans{place}"]).strip() for place in range(3)]
    unknown = [place for place, answer in enumerate(answers) if answer in sample.choices[2:]]
    persons = [place for place in range(3) if place not in unknown]
    if [answers[place] for place in persons] != [*sample.choices[:2]]:
        raise ItemError(f"{sample.place}: the choices are not the answers {', '.join(answers)}")
    places = {unknown[0]: [*range(2, len(sample.choices))], persons[0]: [0], persons[1]: [1]}
    return [places[place] for place in range(3)]


def given_likelihoods(samples: Sequence[Sample]) -> dict[str, dict[str, float]]:
    """Our item -> choice -> log-likelihood, natural logarithm of the whole choice.

    CrowS-Pairs: both sentences. BBQ: the three answers; that of "unknown" is the likeliest of its
    wordings, as lm-eval counts them all. Winogender: how much likelier the pronoun of either
    version is the occupation's than the participant's (log-odds), of the sentences in which it is
    the occupation's; sentences with "they" are left out.
    """
    given: dict[str, dict[str, float]] = {}
    for sample in samples:
        for choice, value in _of_choices(sample):
            given.setdefault(sample.item_id, {})[choice] = value
    return given


def _of_choices(sample: Sample) -> Iterable[tuple[str, float]]:
    values = sample.likelihoods
    if sample.benchmark == "bbq":
        places = enumerate(places_of_answers(sample))
        return [(str(place), max(values[one] for one in of)) for place, of in places]
    if sample.benchmark == "crows_pairs":
        return list(zip(("more", "less"), values, strict=True))
    doc = sample.doc
    if doc["gender"] not in SIDE_OF or doc["sentid"].split(".")[2] != "0":
        return []
    return [(SIDE_OF[doc["gender"]], values[0] - values[1])]
