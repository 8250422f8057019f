"""Samples files of lm-eval: items of CrowS-Pairs, BBQ and Winogender, and a model's answers.

`lm_eval --log_samples` (Gao et al. 2021, https://doi.org/10.5281/zenodo.5371628) writes a line of
JSON for each item: `doc`, the row of the data set; `arguments`, the context and each choice;
`resps`, the log-likelihood of each choice, or a text; and its own values of the item.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.choice_data import UNKNOWN, question
from fairflow.language_models.items.choice_items import N_ANSWERS, QuestionItem
from fairflow.language_models.items.data_files import Row, json_lines
from fairflow.language_models.items.pair_data import CROWS_COLUMNS, crows_pair, winogender_pairs
from fairflow.language_models.items.text_items import PairItem

# Benchmark -> the keys that lm-eval's documents of it have.
BENCHMARKS = {
    "crows_pairs": CROWS_COLUMNS,
    "bbq": ("category", "example_id", "context_condition", "label", "biased_answers"),
    # Or "cabbq", with the same keys.
    "esbbq": ("instance_id", "question_polarity"),
    "winogender": ("sentid", "sentence", "gender", "label"),
}
TASKS = "crows_pairs_..., bbq, bbq_ambig, bbq_disambig, esbbq_..., cabbq_... and winogender_..."
# How lm-eval's third choice says that the answer is not known -> the benchmark in this language.
NOT_KNOWN = {"No hay suficiente información": "esbbq", "No hi ha prou informació": "cabbq"}
# How names of files begin that hold a category of these, and the categories.
OF_SPAIN = ("samples_esbbq_", "samples_cabbq_")
CATEGORIES = (
    *("Age", "DisabilityStatus", "Gender", "LGBTQIA", "Nationality"),
    *("PhysicalAppearance", "RaceEthnicity", "Religion", "SES", "SpanishRegion"),
)
# The gender of a sentence's pronoun -> the side of our pair.
SIDE_OF = {"female": "more", "male": "less"}


@dataclass(frozen=True)
class SampleLine:
    """A line of a samples file.

    Attributes
    ----------
    benchmark : a key of `BENCHMARKS`, or "cabbq".
    row : the place of the line, and the row of the data set; of EsBBQ and CaBBQ as `_as_in_bbq`.
    choices : the texts whose log-likelihoods (natural logarithms) are given; () for a text.
    text : the answer of a task that lets a model write; else None.
    values : lm-eval's of this item, as written.
    """

    benchmark: str
    doc_id: str
    row: Row
    choices: tuple[str, ...]
    likelihoods: tuple[float, ...]
    text: str | None
    values: Mapping[str, Any]

    @property
    def doc(self) -> Mapping[str, Any]:
        """The row of the data set."""
        return self.row.cells

    @property
    def task(self) -> str:
        """lm-eval's name of the task: of EsBBQ and CaBBQ, which have one for each category."""
        words = re.sub("(?<=[a-z])(?=[A-Z])", "_", self.doc.get("category", "")).lower()
        return f"{self.benchmark}_{words}"

    @property
    def chosen(self) -> int:
        """The place of the likeliest choice, the first of equal ones."""
        return self.likelihoods.index(max(self.likelihoods))

    @property
    def item_id(self) -> str:
        """The id of our item: doc_id, or that of the publication (BBQ, Winogender)."""
        if self.benchmark.endswith("bbq"):
            return f"{self.doc['category']}/{self.doc['example_id']}"
        return ".".join(self.doc["sentid"].split(".")[:2]) if "sentid" in self.doc else self.doc_id

    @cached_property
    def places(self) -> list[list[int]]:
        """For each answer to a question of BBQ the places of its choices.

        lm-eval offers both persons first, and behind them wordings of "unknown": ten in English,
        nine in Spanish and Catalan.
        """
        answers = [self.doc[f"ans{place}"].strip() for place in range(N_ANSWERS)]
        persons = [answer for answer in answers if answer not in self.choices[2:]]
        if persons != [*self.choices[:2]]:
            raise ItemError(f"{self.row.place}: the choices do not begin with {persons}")
        unknown = [*range(2, len(self.choices))]
        return [[persons.index(one)] if one in persons else unknown for one in answers]

    @property
    def given(self) -> dict[str, float]:
        """Choice of our item -> log-likelihood, natural logarithm of the whole choice.

        CrowS-Pairs: both sentences. BBQ: the three answers, where "unknown" is the likeliest of its
        wordings, as any of them counts for lm-eval. Winogender: the log-odds that the pronoun of
        this version is the occupation's, not the participant's; of the sentences in which it is,
        and which do not have "they".
        """
        values = self.likelihoods
        if not values:
            return {}
        if self.benchmark == "crows_pairs":
            return {"more": values[0], "less": values[1]}
        if self.benchmark.endswith("bbq"):
            best = (max(values[one] for one in of) for of in self.places)
            return {str(place): value for place, value in enumerate(best)}
        side = SIDE_OF.get(self.doc["gender"])
        of_occupation = self.doc["sentid"].split(".")[2] == "0"
        return {side: values[0] - values[1]} if side and of_occupation else {}


def is_samples_file(path: str | Path) -> bool:
    """Whether a file is named as lm-eval names samples: samples_TASK_DATE.jsonl."""
    return Path(path).match("samples_*.jsonl")


def read_samples(path: str | Path) -> list[SampleLine]:
    """The lines of a file, in their order.

    Raises
    ------
    ItemError : not UTF-8; a line that is no JSON, lacks a key or is of a task that is not known, or
        of another category or language than the file's name says; a doc_id twice; a log-likelihood
        that is not finite; or no line. FileNotFoundError.
    """
    found: dict[str, SampleLine] = {}
    for line in json_lines(path):
        try:
            if line.problem:
                raise ItemError(f"{line.problem}; the file may be cut: copy it again")
            sample = _sample(line)
            named = Path(path).stem + "_"
            if named.startswith(OF_SPAIN) and not named.startswith(f"samples_{sample.task}_"):
                raise ItemError(f"it is of {sample.task}, which the name of the file does not say")
            first = found.setdefault(sample.doc_id, sample)
            if first is not sample:
                raise ItemError(f"doc_id {sample.doc_id} is in {first.row.place} already")
        except ItemError as error:
            raise ItemError(f"{path}, {line.place}: {error}") from error
    return [*found.values()]


def _sample(line: Row) -> SampleLine:
    doc, doc_id = line.of_type("doc", dict), line.of_type("doc_id", int | str)
    known = [name for name, keys in BENCHMARKS.items() if {*keys} <= {*doc}]
    if not known:
        has = ", ".join(map(str, doc))
        raise ItemError(f"the task is not known: its documents have {has}. Known are {TASKS}")
    answers = _answers(line.of_type("arguments", dict | list), line.of_type("resps", list))
    benchmark, row = known[0], replace(line, cells=doc)
    if benchmark == "esbbq":
        benchmark, row = _as_in_bbq(row, answers[0])
    large = ("doc", "arguments", "resps", "filtered_resps")
    values = {name: value for name, value in line.cells.items() if name not in large}
    return SampleLine(benchmark, str(doc_id), row, *answers, values)


def _as_in_bbq(row: Row, choices: Sequence[str]) -> tuple[str, Row]:
    """The benchmark, and a question of EsBBQ or CaBBQ with the keys that those of BBQ have.

    Source: Ruiz-Fernández et al. (2025). The third answer is "unknown", in lm-eval's first wording.
    Biased is the person whose group is stereotyped in a negative question, and the other one in
    another; `question_type` has to agree, else none is. If the context is ambiguous it always does,
    as the label is neither person.

    Raises
    ------
    ItemError : choices in another language, another category or label, a key missing or of another
        type, or a third answer that is not "unknown".
    """
    wording = choices[2] if len(choices) > 2 else None
    names = ("category", "question_polarity", "context_condition", "question_type", "ans0", "ans1")
    category, polarity, _, type_, *persons = row.texts(*names)
    stereotyped, label = row.of_type("stereotyped_groups", list), row.of_type("label", int)
    infos = [row.of_type(f"answer_info.ans{place}", list) for place in range(N_ANSWERS)]
    # As in "f, latino".
    groups = [str(*info[-1:]).rpartition(",")[2].strip() for info in infos]
    for key, found, known in (
        ("the third choice", wording, NOT_KNOWN),
        ("category", category, CATEGORIES),
        ("label", label, range(N_ANSWERS)),
        ("the last of answer_info.ans2", groups[2], [UNKNOWN]),
    ):
        if found not in known:
            raise ItemError(f"{key} is {found!r}; expected is {' or '.join(map(repr, known))}")
    biased = [
        person
        for place, person in enumerate(persons)
        if (groups[place] in stereotyped) == (polarity == "neg")
        and (place == label) == (type_ == "pro-stereo")
    ]
    index, example = str(row.of_type("template_id", int)), row.of_type("instance_id", int)
    of_bbq = {"question_index": index, "example_id": example, "ans2": wording}
    return NOT_KNOWN[wording], replace(row, cells={**row.cells, **of_bbq, "biased_answers": biased})


def _answers(
    arguments: Mapping[str, Any] | Sequence[Any], resps: Sequence[Any]
) -> tuple[tuple[str, ...], tuple[float, ...], str | None]:
    """The choices and their log-likelihoods, or the text of an answer.

    Raises
    ------
    ItemError : another form, or a log-likelihood that is not finite.
    """
    try:
        # (choices, repeats): of a log-likelihood the number, and whether it is the likeliest text.
        first = [of_choice[0] for of_choice in resps]
        if all(isinstance(one, str) for one in first):
            return (), (), first[0]
        likelihoods = [float(number) for number, _ in first]
        # Up to version 0.4.2 a list of (context, choice).
        named = arguments.values() if isinstance(arguments, dict) else arguments
        choices = [one["arg_1" if isinstance(one, dict) else 1].strip() for one in named]
        given = dict(zip(choices, likelihoods, strict=True))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise ItemError("arguments and resps are not choices and log-likelihoods") from error
    for choice, value in given.items():
        if not math.isfinite(value):
            raise ItemError(f"the log-likelihood of {choice!r} is {value}: the model is broken")
    return tuple(choices), tuple(likelihoods), None


def given_likelihoods(samples: Iterable[SampleLine]) -> dict[str, dict[str, float]]:
    """Our item -> `Sample.given`; of Winogender those of both versions."""
    given: dict[str, dict[str, float]] = {}
    for sample in samples:
        if sample.given:
            given.setdefault(sample.item_id, {}).update(sample.given)
    return given


def read_lm_eval(path: str | Path, shares: str | Path | None = None) -> list[Any]:
    """The items of a file of any known task, in its order.

    CrowS-Pairs: pairs. BBQ: questions, where the stereotype's answer is the one that lm-eval names
    (`biased_answers`); a question for which it names none or two is an invalid item. EsBBQ and
    CaBBQ: likewise, as of `_as_in_bbq`. Winogender: pairs as of `pair_data.read_winogender`.

    Raises
    ------
    ItemError : as of `read_samples`, or no pair of Winogender.
    """
    samples = read_samples(path)
    if samples[0].benchmark == "winogender":
        return winogender_pairs((sample.row for sample in samples), path, shares)
    make = _question if samples[0].benchmark.endswith("bbq") else _pair
    return [
        one.row.made(make, one.item_id, str(one.doc.get("category", "")), f"{path}, ")
        for one in samples
    ]


def _pair(doc_id: str, row: Row) -> PairItem:
    row.texts(*CROWS_COLUMNS)
    return crows_pair(doc_id, row)


def _question(_: str, row: Row) -> QuestionItem:
    named = row.of_type("biased_answers", list)
    places = [place for place in range(N_ANSWERS) if row.cells.get(f"ans{place}") in named]
    if len(places) != 1:
        by = "groups and question_type name" if "question_type" in row.cells else "lm-eval names"
        raise ItemError(f"{by} {len(places)} of its answers as biased, 1 is expected")
    key = row.cells["category"], str(row.cells["example_id"])
    return question({key: str(places[0])}, _, row)
