"""The words of claims: templates of words.yaml, filled. Nothing is decided here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairflow.capabilities import additions, files_of_capabilities
from fairflow.files.configuration_files import read_yaml
from fairflow.queries.languages import language_name
from fairflow.statistics.outcome import published_name
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.claims.claim import COMPARISON, Claim
from fairflow.studies.wording import listed, listed_briefly, short_number, with_interval

ANSWERS, CHECKS = "answers to the question", "short names of checks"
# The head of a column.
P = "p (adjusted)"
# Names in a list of a sentence; the rest is counted.
NAMED = 3
# Words of a model's missing ones that a sentence names.
LOST = 5


# Kind -> verdict -> "short" and "sentence"; and "reasons", `ANSWERS` and `CHECKS`.
_FILES = (Path(__file__).with_name("words.yaml"), *files_of_capabilities("words.yaml"))
TEMPLATES: dict[str, dict[str, Any]] = {}
for _kind, _texts in (part for file in _FILES for part in read_yaml(file).items()):
    TEMPLATES.setdefault(_kind, {}).update(_texts)


def worded(claims: Iterable[Claim], labels: Mapping[str, str]) -> tuple[Claim, ...]:
    """The claims with their words.

    Parameters
    ----------
    labels : of models, metrics, queries.
    """
    return tuple(_worded(one, labels) for one in claims)


def _worded(claim: Claim, labels: Mapping[str, str]) -> Claim:
    texts, words = TEMPLATES[claim.kind][claim.verdict], _words(claim, labels)
    sentence = texts["sentence"].format_map(words).removesuffix(".")
    sentence = "; ".join(filter(None, (sentence, objections(claim, words))))
    if not texts["sentence"].startswith("{subject}"):
        # A label is written as it is, at the beginning, too.
        sentence = f"{sentence[:1].upper()}{sentence[1:]}"
    return replace(
        claim,
        what=words["what"],
        short=texts["short"].format_map(words),
        sentence=sentence if sentence.endswith(".") else f"{sentence}.",
    )


def objections(claim: Claim, words: Mapping[str, Any] | None = None) -> str:
    """What speaks against a claim: the words of its gates that do not hold, "" without."""
    texts = TEMPLATES[claim.kind].get("failed", {})
    words = _words(claim, {}) if words is None else words
    return "; ".join(texts[name].format_map(words) for name in claim.failed if name in texts)


def answer(name: str, **words: Any) -> str:
    """An answer to the question of a study."""
    return TEMPLATES[ANSWERS][name].format_map(words)


def against(verdict: str, names: str) -> str:
    """'not told apart from GloVe': how a model stands to those it was compared with."""
    texts = TEMPLATES[COMPARISON][verdict]
    return str(texts.get("against", "not settled against {names}")).format(names=names)


def _words(claim: Claim, labels: Mapping[str, str]) -> dict[str, Any]:
    """What templates may name."""
    facts = claim.facts
    told = {key: _told(value, labels) for key, value in facts.items()}
    name = str(facts.get("name") or labels.get(claim.query, claim.query))
    own = {
        "subject": labels.get(claim.subject, claim.subject),
        "against": labels.get(claim.against, claim.against),
        "metric": published_name(labels.get(claim.measure, claim.measure), facts.get("shift", 0)),
        "name": name,
        "what": _what(claim, _sides(facts) or name, labels),
        "where": facts.get("where") or where(claim.criterion),
        "n": f"{claim.n:,}",
        "value": short_number(claim.value),
        "interval": with_interval(claim.value, claim.low, claim.high),
        "interval_only": f"{short_number(claim.low)} to {short_number(claim.high)}",
        "share": f"{claim.value:.0%}" if math.isfinite(claim.value) else "",
    }
    return own | told | _clauses(claim)


def _told(value: Any, labels: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return labels.get(value, value)
    if isinstance(value, (list, tuple)):
        return listed_briefly([labels.get(str(one), str(one)) for one in value], NAMED)
    if isinstance(value, Mapping):
        return listed(f"{labels.get(k, k)} {_told(one, labels)}" for k, one in value.items())
    return f"{value:.2g}" if isinstance(value, float) else value


def _clauses(claim: Claim) -> dict[str, str]:
    """Parts of sentences that a fact brings: "" without it."""
    facts = claim.facts
    found = {
        "alone": f", by {facts['alone']} alone" if facts.get("alone") else "",
        "absent_n": f"{facts.get('absent', 0):,}",
        "absent": f"; {facts['absent']:,} not computed here" if facts.get("absent") else "",
        "explained": f"{facts['unexplained']} for no known reason"
        if facts.get("unexplained")
        else "see published.csv",
        "n_reversed": str(len(facts.get("reversed", ()))),
        "lost": f"; missing: {listed_briefly(facts['lost'], LOST)}" if facts.get("lost") else "",
        "criteria": listed_briefly([*map(topic, facts.get("criteria", ()))], NAMED),
    }
    if "reasons" in facts:
        texts = TEMPLATES["reasons"]
        found["reasons"] = listed(texts.get(one, one) for one in facts["reasons"])
    if "languages" in facts:
        found["languages"] = listed(map(language_name, facts["languages"]))
    for one in additions("claims"):
        found |= one.clauses(claim)
    return found


def topic(criterion: str) -> str:
    """'all queries' or 'Gender'."""
    return "all queries" if criterion == OVERALL else criterion


def _sides(facts: Mapping[str, Any]) -> str:
    """'Men with Career, Women with Family'; "" where the sets are not two and two."""
    if "targets" not in facts:
        return ""
    pairs = zip(facts["targets"], facts["attributes"], strict=True)
    return ", ".join(f"{target} with {attribute}" for target, attribute in pairs)


def _what(claim: Claim, name: str, labels: Mapping[str, str]) -> str:
    """What a claim is about: the name of its associations, if its capability says no other."""
    found = (one.what(claim, name, labels) for one in additions("claims"))
    return next(filter(None, found), name)


def where(criterion: str) -> str:
    """'over all queries' or 'on Gender'."""
    return "over all queries" if criterion == OVERALL else f"on {criterion}"


def p_text(p: float) -> str:
    """'.003', '.046', '<.001'; "" if it is not known. The side of .05 is always seen."""
    if math.isnan(p):
        return ""
    digits = 3 if p < 0.01 or round(p, 2) == ALPHA else 2
    return "<.001" if p < 0.001 else f"{p:.{digits}f}".removeprefix("0")
