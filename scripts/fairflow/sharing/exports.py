"""Results of a study in the forms that others read, and what every form says of its scores.

A new form is a function of an `ExportedStudy`, which gives path -> text, and an entry in `FORMS`.

Platforms sort by value and know only "larger is better" and "smaller is better", which no score
with a fair value of 0 or 50 is. They get its absolute distance from the fair value, with the score
next to it. Scores are on the scale on which they are published. The sentences of a model card are
those of `fairflow.studies.claims`.
"""

from __future__ import annotations

import hashlib
import json
import math
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.errors import FairflowError
from fairflow.files.atomic import read_json
from fairflow.files.configuration_files import read_yaml, shipped_configuration
from fairflow.files.references import full_citation
from fairflow.planning.audit import with_audit
from fairflow.planning.configuration import only, read_configuration, with_every_list
from fairflow.planning.planner import make_plan
from fairflow.planning.study import Study
from fairflow.planning.study_jobs import asked_of
from fairflow.provenance.records import model_entries, run_identity
from fairflow.queries.query import subquery_label
from fairflow.scores.ranked import ranked_rows
from fairflow.statistics.outcome import published_name
from fairflow.studies import comparability
from fairflow.studies.audit_results import LIMITS
from fairflow.studies.claims.claim import Results
from fairflow.studies.claims.study_claims import stated
from fairflow.studies.columns import read_table
from fairflow.studies.wording import facts_table, interval_text, plain_markdown, short_number

NO_FAIR_VALUE, NO_REASON = "no value of the metric is known to be fair", "it has no value"
_FACTS = (
    *("metric", "measure", "criterion", "query", "subquery", "subquery_digest", "p_value", "p_bh"),
    *("alternative", "p_method", "ci_level", "ci_method", "ci_low_both", "ci_high_both", "control"),
    *("n_resamples", "n_words", "n_found", "n_items", "n_clusters", "sampled_from", "status"),
    *("reason", "statistics_note"),
)


class ExportedValue(NamedTuple):
    """A value, its interval, and its standard error over the same resamples; NaN if unknown."""

    value: float
    low: float
    high: float
    error: float


class ExportedScore(NamedTuple):
    """A headline score.

    Attributes
    ----------
    name : METRIC.QUERY, and the digest of one of several sub-queries. metric, query : labels.
    reading : what a value means. fair : the fair value. row : of the table of scores.
    shift : from the scale of that table.
    """

    name: str
    metric: str
    query: str
    reading: str
    fair: float
    row: Mapping[str, Any]
    shift: float

    @property
    def score(self) -> ExportedValue:
        """The score itself."""
        value, low, high = (self.row[name] + self.shift for name in ("value", "ci_low", "ci_high"))
        return ExportedValue(value, low, high, _spread(self._draws))

    @property
    def distance(self) -> ExportedValue:
        """Its absolute distance from the fair value, with the distances in its interval."""
        value, low, high, _ = self.score
        ends = sorted((abs(low - self.fair), abs(high - self.fair)))
        least = 0.0 if low <= self.fair <= high else ends[0]
        error = _spread(np.abs(self._draws - self.fair))
        return ExportedValue(abs(value - self.fair), least, ends[1], error)

    @property
    def number(self) -> int:
        """How many items it rests on, or words."""
        n_items: Any = self.row.get("n_items")
        return int(n_items if _is_known(n_items) else self.row["n_found"])

    @property
    def facts(self) -> dict[str, Any]:
        """Everything else that a reader needs, as far as it is known."""
        value, low, high, _ = self.score
        facts = {"value": value, "ci_low": low, "ci_high": high, "fair_value": self.fair}
        others = {name: self.row.get(name) for name in _FACTS}
        return known({**facts, "reading": self.reading, **others})

    @property
    def _draws(self) -> np.ndarray:
        # Where attribute words are drawn, too, they are those of another interval.
        of_both = not math.isnan(self.row["ci_low_both"])
        return np.array([] if of_both else self.row["draws"], dtype=float) + self.shift


@dataclass(frozen=True)
class ExportedStudy:
    """A study of a finished run.

    Attributes
    ----------
    made : when its scores were written. identity : of the run, see `records.run_identity`.
    results : its table of scores and its settings. study : its plan.
    models : name -> what the catalogue says of it: label, sources, licence, ...
    authors : name.
    """

    made: datetime
    identity: Mapping[str, str]
    results: Results
    study: Study
    models: Mapping[str, Mapping[str, Any]]
    authors: Sequence[Mapping[str, str]] = ()

    @cached_property
    def scores(self) -> dict[str, list[ExportedScore]]:
        """Model -> its scores with a value and a fair value; no control queries."""
        found = {m: [one for one, why in self._judged(m) if not why] for m in self.models}
        return {model: scores for model, scores in found.items() if scores}

    @cached_property
    def left_out(self) -> dict[str, dict[str, str]]:
        """Model -> metric and query -> why this score is not exported."""
        return {
            model: {f"{one.metric} on {one.query}": why for one, why in self._judged(model) if why}
            for model in self.models
        }

    def _judged(self, model: str) -> Iterator[tuple[ExportedScore, str]]:
        every = self.results.frames["scores"]
        own = comparability.without_controls(every[every["model"] == model])
        rows = ranked_rows(own).to_dict("records")
        parts = Counter((row["metric"], row["query"]) for row in rows)
        labels = Counter(label for label, _ in {(row["query_label"], row["query"]) for row in rows})
        for row in rows:
            several = parts[row["metric"], row["query"]] > 1
            one = self._score(row, several, labels[row["query_label"]] > 1)
            if row["control_status"] == comparability.CONTROL_FAILS:
                yield one, f"{comparability.FLAG}: {row['control']}"
            elif not math.isfinite(row["value"]):
                yield one, str(row["reason"]) if _is_known(row["reason"]) else NO_REASON
            else:
                yield one, NO_FAIR_VALUE if math.isnan(one.fair) else ""

    def _score(self, row: Mapping[str, Any], several: bool, named: bool) -> ExportedScore:
        variant = self.study.variants[row["metric"]]
        label, reading = variant.label, variant.reading_of(row["measure"])
        shift, fair = reading.published_shift, row["fair"]
        query = subquery_label(row["query"], row["subquery"], row["query_label"])
        return ExportedScore(
            f"{row['metric']}.{row['query']}" + f".{row['subquery_digest']}" * several,
            published_name(label, shift),
            query + f" [{row['query']}]" * named,
            reading.text(shift),
            fair + shift,
            row,
            shift,
        )


def known(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is not known, and whole numbers as such: JSON has no NaN."""
    return {
        name: int(fact) if isinstance(fact, float) and fact.is_integer() else fact
        for name, fact in facts.items()
        if _is_known(fact)
    }


def _is_known(fact: Any) -> bool:
    return math.isfinite(fact) if isinstance(fact, float) else fact not in (None, "", False)


def _spread(draws: np.ndarray) -> float:
    return float(np.std(draws, ddof=1)) if len(draws) > 1 else math.nan


_CITATION = "CITATION.cff"
_MADE_BY = "make run STUDY={0} (of language models: make run-lm STUDY={0}) computes it"


def finished_study(
    main: Mapping[str, Any], folder: Path, schemas: Path, name: str
) -> ExportedStudy:
    """A study of the run in the working folder, or the study of an audit.

    Parameters
    ----------
    main : contents of config.yaml. folder, schemas : of the configuration.

    Raises
    ------
    FairflowError : the folder has no results of this study, or scores that it does not name.
    """
    path, workflow = Path(f"results/studies/{name}/scores.parquet"), shipped_configuration().parent
    if not path.is_file():
        raise FairflowError(f"{path} is missing in this folder: {_MADE_BY.format(name)}")
    scores = read_table(path)
    # With every model that is in a study: which of them a run had, its scores say.
    main = {**main, **_settings(name), **with_every_list(), "download": "all"}
    plan = make_plan(with_audit(read_configuration(main, folder, schemas))).of([name])
    study = plan.studies[name]
    named = {"model": study.models, "metric": study.metrics, "query": study.queries}
    if unknown := [one for what, names in named.items() for one in {*scores[what]} - {*names}]:
        text = f"{path} has scores of {', '.join(sorted(unknown))}, which the study does not name"
        raise FairflowError(f"{text} any more: {_MADE_BY.format(name)} as it is now")
    asked = asked_of(plan.studies[name])
    models = {entry["name"]: known(entry) for entry in model_entries(plan)}
    cited = [one for one in (Path(_CITATION), workflow / _CITATION) if one.is_file()]
    software = read_yaml(cited[0]) if cited else {}
    return ExportedStudy(
        datetime.fromtimestamp(int(path.stat().st_mtime), UTC),
        run_identity(plan, path, workflow),
        Results({"scores": scores}, **asked),
        study,
        {model: models[model] for model in scores["model"].unique()},
        software.get("authors", ()),
    )


def _settings(name: str) -> dict[str, Any]:
    """The keys of config.yaml for the study alone, which may be that of an audit."""
    path = Path(f"results/audit/{name}/settings.json")
    if not path.is_file():
        return only(name)
    run = {f"audit_{key.lower()}": value for key, value in read_json(path)["run"].items() if value}
    references = run.pop("audit_against", "").split(",")
    run |= {"audit": run.pop("audit_model")}
    return run | ({"audit_references": references} if references != [""] else {})


SCHEMA = "0.3.0"


def every_eval_ever(study: ExportedStudy) -> dict[str, str]:
    """data/STUDY/DEVELOPER/MODEL/UUID.json: records of schema 0.3.0.

    Batzner et al. (2026), https://arxiv.org/abs/2606.14516.
    """
    records = {}
    for model, scores in study.scores.items():
        text = _json(_record(study, model, scores))
        # Random by the rules of a version 4, and the same for the same record.
        name = uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4)
        records[f"data/{_collection(study)}/{_model_id(study, model)}/{name}.json"] = text
    return records


def _record(study: ExportedStudy, model: str, scores: list[ExportedScore]) -> dict[str, Any]:
    made, name = str(int(study.made.timestamp())), _model_id(study, model)
    given = study.study.entries.models[model].is_given
    details = {fact: str(value) for fact, value in study.models[model].items()}
    details["deployment_type"] = "externally_managed" if given else "self_deployed"
    details["model_availability"] = "unknown" if given else "open_weights"
    left_out = json.dumps(study.left_out[model], ensure_ascii=False)
    version, identity = study.identity["fairflow"], dict(study.identity)
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{_collection(study)}/{name}/{made}",
        "evaluation_timestamp": study.made.isoformat(),
        "retrieved_timestamp": made,
        "source_metadata": {
            "source_name": study.study.title,
            "source_type": "evaluation_run",
            "source_organization_name": study.authors[0]["name"] if study.authors else "unknown",
            "evaluator_relationship": "third_party",
            "additional_details": {"scores_left_out": left_out},
        },
        "eval_library": {"name": "fairflow", "version": version, "additional_details": identity},
        "model_info": {
            "name": study.models[model]["label"],
            "id": name,
            "additional_details": details,
        },
        "evaluation_results": [_result(study, one) for one in scores],
    }


def _result(study: ExportedStudy, one: ExportedScore) -> dict[str, Any]:
    measure, name = one.row["measure"], f"absolute distance of {one.metric} from {one.fair:g}"
    query = study.study.entries.queries[one.row["query"]]
    source = known({"query": query.name, "citation": full_citation(query.citation)})
    return {
        "evaluation_result_id": one.name,
        "evaluation_name": one.query,
        "source_data": {
            "dataset_name": one.query,
            "source_type": "other",
            "additional_details": source,
        },
        "metric_config": {
            "evaluation_description": f"The {name}, its fair value. The score itself is in "
            f"score_details.details as value ({one.reading or 'with its interval'}).",
            "metric_id": f"fairflow.{one.row['metric']}.{measure}.distance_from_{one.fair:g}",
            "metric_name": name,
            "metric_kind": "absolute_distance",
            "lower_is_better": True,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": one.shift or "Infinity",
        },
        "score_details": {
            "score": one.distance.value,
            "details": {fact: str(value) for fact, value in one.facts.items()},
            "uncertainty": _uncertainty(one),
        },
    }


def _uncertainty(one: ExportedScore) -> dict[str, Any]:
    row, distance = one.facts, one.distance
    # Clusters are resampled as a whole.
    found: dict[str, Any] = {"num_samples": row.get("n_clusters", one.number)}
    if error := known({"value": distance.error}):
        found["standard_error"] = error | {"method": "bootstrap"}
    if ends := known({"lower": distance.low, "upper": distance.high}):
        method = f"{row['ci_method']} interval of the score, as distances from the fair value"
        level = {"confidence_level": row["ci_level"], "method": method}
        found |= {"confidence_interval": ends | level, "num_bootstrap_samples": row["n_resamples"]}
    return found


def _json(contents: Any) -> str:
    return json.dumps(contents, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _collection(study: ExportedStudy) -> str:
    return f"fairflow_{study.study.name}"


def _model_id(study: ExportedStudy, model: str) -> str:
    """ORG/NAME on the Hub, or the name in the catalogue below `fairflow`."""
    return study.study.entries.models[model].entry.get("hub") or f"fairflow/{model}"


_HEAD = ("Metric", "Query", "Score", "Interval", "p", "Fair value", "Over", "Remark")


def model_card(study: ExportedStudy) -> dict[str, str]:
    """MODEL.md: findings, every score, what is missing, limits (Mitchell et al. 2019)."""
    return {f"{model}.md": "\n".join(_lines(study, model)) + "\n" for model in study.models}


def _lines(study: ExportedStudy, model: str) -> Iterator[str]:
    facts, scores = study.models[model], study.scores.get(model, [])
    told = {"Model": facts["label"], "Source": facts.get("sources"), "Study": study.study.title}
    told |= {
        "Note": facts.get("note"),
        "Licence": facts.get("licence"),
        "Citation": facts.get("citation"),
    }
    readings = {one.metric: one.reading for one in scores if one.reading}
    yield from ("## Bias, measured with fairflow", "", *facts_table(told | dict(study.identity)))
    said = stated(study.study.title, study.results.of(model)).claims
    yield from ("", *(f"- {plain_markdown(one.sentence)}" for one in said))
    if scores:
        yield from ("", "### Scores", "", _row(*_HEAD), _row(*["---"] * len(_HEAD)))
        yield from map(_score, scores)
    for title, texts in {
        "Reading": [f"{metric}: {text}." for metric, text in readings.items()],
        "Not measured": [f"{name}: {why}." for name, why in study.left_out[model].items()],
        "Limits": LIMITS,
    }.items():
        if texts:
            yield from ("", f"### {title}", "", *(f"- {plain_markdown(text)}" for text in texts))


def _score(one: ExportedScore) -> str:
    row, value = one.row, short_number(one.score.value)
    tests = [row["p_value"], row["p_bh"]]
    p, adjusted = ("" if pd.isna(each) else f"{each:.2g}" for each in tests)
    p = f"{p} (adjusted {adjusted})" if adjusted else p
    remarks = (one.facts.get(name, "") for name in ("reason", "statistics_note"))
    clusters = one.facts.get("n_clusters", one.number)
    over = f"{one.number}" if clusters == one.number else f"{one.number} in {clusters} clusters"
    numbers = value, interval_text(row, one.shift), p, f"{one.fair:g}", over
    return _row(one.metric, one.query, *numbers, "; ".join(filter(None, remarks)))


def _row(*cells: str) -> str:
    return f"| {' | '.join(map(plain_markdown, cells))} |"


FORMS = {
    "every-eval-ever": every_eval_ever,
    "model-card": model_card,
}
