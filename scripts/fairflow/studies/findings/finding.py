"""A finding: one conclusion from the tables of a study, in sentences and as data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, wraps
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.files.atomic import atomic_path
from fairflow.studies.comparability import readable

SIGNIFICANT, CHANCE, UNTESTED = "significant", "not significant", "not tested"


@dataclass(frozen=True)
class Finding:
    """What was found, how sure that is, and what it does not say.

    Attributes
    ----------
    sentence : the claim. support : the numbers behind it. detail : more numbers, for which a first
        screen has no room. caution : what a reader should not conclude. All end with a full stop.
    verdict : of the model `subject`: one of `fairflow.studies.ranking`, or a kind of answer of
        `headline`; of scores: one of the three above; "" for a count, and where it differs.
    table : the table of the study that holds the numbers.
    leads : whether the first screen of the report shows it.
    numbers : the numbers of the sentences, plain values. about : the name of the statement.
    evidence : sentences on the same question, which a reader may want under the claim.
    """

    sentence: str
    support: str = ""
    caution: str = ""
    detail: str = ""
    verdict: str = ""
    subject: str = ""
    table: str = "scores"
    leads: bool = False
    numbers: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    evidence: Sequence[str] = ()

    @property
    def text(self) -> str:
        """All of its sentences."""
        parts = self.sentence, self.support, self.detail, self.caution, *self.evidence
        return " ".join(filter(None, parts))


@dataclass(frozen=True)
class Results:
    """The tables of a study and its settings: what every statement is made from.

    Attributes
    ----------
    frames : tables by name; any but "scores" may be missing. labels : of models, metrics, queries.
    vectors : model -> the name of its vectors. signed : the metrics whose value 0 means no
        association. of_items : the metrics that measure sentences, pairs and prompts.
    unanswered : metric, kinds of models that answer it, models of the study that do not.
    readings : by metric, what its values say, see `Study.readings`. ability : by metric, the
        measure of a model's ability.
    subject : the model that the study is about, "" where it is about all models.
    sets : query -> the names of its target sets and of its attribute sets.
    unspoken : model, its languages, number of queries by other languages, which it was not asked.
    gendered : query -> its language, of those that may measure grammatical gender.
    without_gender : model without the direction of grammatical gender -> the model that has it.
    """

    frames: Mapping[str, pd.DataFrame]
    labels: Mapping[str, str]
    vectors: Mapping[str, str] = field(default_factory=dict)
    signed: Sequence[str] = ()
    of_items: Sequence[str] = ()
    unanswered: Sequence[tuple[str, Sequence[str], Sequence[str]]] = ()
    readings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    ability: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    subject: str = ""
    sets: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    unspoken: Sequence[tuple[str, Sequence[str], Mapping[str, int]]] = ()
    gendered: Mapping[str, str] = field(default_factory=dict)
    without_gender: Mapping[str, str] = field(default_factory=dict)

    def table(self, name: str) -> pd.DataFrame:
        """A table; an empty one without columns where the study does not have it."""
        return self.frames.get(name, pd.DataFrame())

    @cached_property
    def every_headline(self) -> pd.DataFrame:
        """The headline scores, with those of control queries and failing models."""
        scores = self.frames["scores"]
        return scores[scores["is_primary"]]

    @cached_property
    def headline(self) -> pd.DataFrame:
        """The headline scores that can be interpreted, each association once.

        Those without the direction of grammatical gender are the same associations again.
        """
        every = self.every_headline
        return readable(every[~every["model"].isin([*self.without_gender])])

    @property
    def words(self) -> pd.DataFrame:
        """The headline scores by metrics of words."""
        return self.headline[~self.headline["metric"].isin([*self.of_items])]

    @property
    def items(self) -> pd.DataFrame:
        """The headline scores by metrics of items."""
        return self.headline[self.headline["metric"].isin([*self.of_items])]


Statement = Callable[[Results], Iterator[Finding]]


def of_table(
    name: str,
) -> Callable[[Callable[[Results, pd.DataFrame], Iterator[Finding]]], Statement]:
    """Turn a function of a table into a statement, which finds nothing where the table is empty.

    Its findings refer to that table, unless they name another one.
    """

    def made(function: Callable[[Results, pd.DataFrame], Iterator[Finding]]) -> Statement:
        @wraps(function)
        def statement(results: Results) -> Iterator[Finding]:
            table = results.table(name)
            for one in function(results, table) if len(table) else ():
                yield one if one.table != Finding.table else replace(one, table=name)

        return statement

    return made


def as_markdown(title: str, findings: Iterable[Finding]) -> str:
    """A list under the study's title, evidence indented."""
    lines = []
    for one in findings:
        text = " ".join(filter(None, (one.sentence, one.support, one.detail, one.caution)))
        lines.append(f"- {_one_line(text)}")
        lines += [f"  - {_one_line(sentence)}" for sentence in one.evidence]
    return f"## {_one_line(title)}\n\n" + "".join(f"{line}\n" for line in lines)


def _one_line(text: str) -> str:
    """Without HTML: a label or a criterion is text, not markup."""
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", " ".join(text.split()))


def write_conclusions(
    title: str, findings: Sequence[Finding], path_to_text: str | Path, path_to_data: str | Path
) -> None:
    """Write the findings of a study as a list in Markdown, and as JSON."""
    data = {"title": title, "findings": [asdict(one) for one in findings]}
    with atomic_path(path_to_text) as temporary:
        Path(temporary).write_text(as_markdown(title, findings), encoding="utf-8")
    with atomic_path(path_to_data) as temporary:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1)
        Path(temporary).write_text(f"{text}\n", encoding="utf-8")


def read_findings(path: str | Path) -> tuple[Finding, ...]:
    """The findings of a study, from the JSON that `write_conclusions` wrote."""
    data = json.loads(Path(path).read_text(encoding="utf-8"))
    return tuple(Finding(**one | {"evidence": tuple(one["evidence"])}) for one in data["findings"])
