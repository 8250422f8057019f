"""The commands `fairflow explain` and `ask`: what a score is made of, what a study asks."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from fairflow.command.project import project_here
from fairflow.errors import FairflowError, nearest
from fairflow.files.configuration_files import shipped_schemas
from fairflow.files.kept import cells_in
from fairflow.files.references import full_citation
from fairflow.language_models.errors import MISSING
from fairflow.language_models.items.asking import FORMS, Question, questions
from fairflow.language_models.items.query_entry import drawn_items
from fairflow.language_models.slices.answer_files import read_answers
from fairflow.planning.configuration import only, read_configuration
from fairflow.planning.fingerprint import fingerprint
from fairflow.planning.jobs import answers_file, is_tested, seed_of
from fairflow.planning.plan import Plan
from fairflow.planning.planner import make_plan
from fairflow.planning.registry import MODELS, Jobs
from fairflow.planning.result_files import items_file, score_files
from fairflow.planning.study import Entries
from fairflow.planning.study_jobs import shown_by
from fairflow.scores.variant import Cell
from fairflow.studies.tables import study_tables
from fairflow.studies.wording import counted, listed
from fairflow.vectors.query_vectors import read_slices

_NO_STUDY = "no study in config/config.yaml"


def explanation(asked: list[str], study: str | None = None) -> str:
    """All records of one cell, in plain words.

    Parameters
    ----------
    asked : model, metric and query.
    study : one that the configuration does not list, as `make run STUDY=NAME` runs it.

    Raises
    ------
    FairflowError : there is no such cell. ConfigurationError : the configuration has faults.
    """
    project = project_here(checked=False)
    alone = only(study) if study else {}
    main = {**project.main, **alone, "language_models": True, "ledger": True}
    plan = make_plan(read_configuration(main, project.folder, shipped_schemas()))
    jobs = Jobs(plan, main.get("models_dir", MODELS))
    cell = _cell(asked, jobs)
    (scored,), (file,) = plan.scored([cell]), score_files(plan, [cell])
    named = {"metric": scored.metric, "queries": plan.file_of(cell.query)}
    job = jobs.of("scores", model=cell.model, **named)
    metric_class = plan.metrics[cell.metric].metric_class
    answers = answers_file(plan, cell.slice)
    of_items = [items_file(cell.query)] if cell.query in plan.item_queries else []
    words = [f"the items of {of_items[0]}"] if of_items else _words(answers, cell)
    untested = f"study {study} asks for no tests" if study else _NO_STUDY + " asks for them"
    tests = asdict(plan.statistics) if is_tested(jobs, cell) else {"none": untested}
    seed = seed_of(jobs, cell)
    lines = [
        f"{cell.metric} of {cell.query} on {cell.model}",
        *_section("File", [file + ("" if _holds(file, cell.query) else " (not made yet)")]),
        *_section("Value", [*_scores(plan, cell, file)]),
        *_section("Made of", [*of_items, answers]),
        *_section("Words", words),
        *_section("Parameters", _values(plan.metrics[cell.metric].definition)),
        *_section("Seed", [str(seed) if seed else "none: nothing is drawn"]),
        *_section("Tests", _values(tests)),
        *_section("Formula", _formula(metric_class)),
        *_section("Citation", [full_citation(metric_class.citation) or "none"]),
        *_section("Code", [job.modules[-1], f"fingerprint {fingerprint(*job.modules)}"]),
        *_section("Read by", _readers(jobs, cell)),
    ]
    return "\n".join(lines) + "\n"


def _holds(file: str, query: str) -> bool:
    """Whether a file of cells has a query."""
    try:
        return query in {name.partition("/")[0] for name in cells_in(file).n_rows}
    except FileNotFoundError:
        return False


def _scores(plan: Plan, cell: Cell, file: str) -> Iterator[str]:
    """The value of each (sub-)query with its p-value and interval, or why it has no value."""
    if not _holds(file, cell.query):
        yield "not computed yet: make run"
        return
    # Importing pandas takes a moment; it is not needed for a missing cell.
    from fairflow.files.tables import read_scores
    from fairflow.studies.score_table import variant_rows

    variants = shown_by(plan, [cell.metric])
    rows = variant_rows(read_scores([file]), variants, [cell.query])
    for row in rows[rows["is_primary"]].to_dict("records"):
        known = [f"{row['measure']} {row['value']:.4g}"]
        if not math.isnan(row["p_value"]):
            known.append(f"p {row['p_value']:.2g} ({row['alternative']})")
        if not math.isnan(row["ci_low"]):
            ends = f"{row['ci_low']:.3g} to {row['ci_high']:.3g}"
            known.append(f"{row['ci_level']:.0%} interval {ends}")
        text = ", ".join(known) if not math.isnan(row["value"]) else f"none: {row['reason']}"
        yield f"{row['subquery']}: {text}"


def _cell(asked: list[str], jobs: Jobs) -> Cell:
    if len(asked) != 3:
        raise FairflowError(f"expected MODEL METRIC QUERY, found {' '.join(asked)}")
    plan = jobs.plan
    every = {"model": plan.models, "metric": plan.metrics, "query": plan.queries}
    for (what, valid), name in zip(every.items(), asked, strict=True):
        if name not in valid:
            raise FairflowError(f"unknown {what} {name!r}. {nearest(name, valid)}")
    cell = Cell(*asked)
    if not Entries(plan.models, plan.metrics, plan.queries).is_applicable(cell):
        raise FairflowError(f"{cell.metric} cannot measure {cell.query} on {cell.model}")
    return cell


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", title, *(f"  {line}".rstrip() for line in lines)]


def _values(values: Mapping[str, Any]) -> list[str]:
    return [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]


def _formula(declared: type) -> list[str]:
    """The docstring of the metric itself, not of its base class."""
    text = vars(declared).get("__doc__")
    return inspect.cleandoc(text).splitlines() if text else ["none: its class has no docstring"]


def _words(path: str, cell: Cell) -> list[str]:
    """Words found and missing of each set, if they are looked up."""
    if not _holds(path, cell.query):
        return ["not looked up yet"]
    return [
        f"{one.name}: {one.n_found} of {len(one.words)} found"
        + (f", lost {', '.join(one.lost)}" if one.lost else "")
        for one in read_slices([path])[cell.slice].accounts
    ]


def _readers(jobs: Jobs, cell: Cell) -> list[str]:
    """The tables and figures of each study that has the cell."""
    found = []
    for study in jobs.plan.studies.values():
        if cell in study.every_cell:
            tables = ", ".join(table.name for table in study_tables(None, *study.kinds))
            found.append(f"study {study.name}, tables: {tables}")
            found += [f"results/figures/{study.name}/{figure}.png" for figure in study.figures]
    return found or [f"{_NO_STUDY}; --study names another"]


PLAIN = "plain"


def asked_questions(
    study: str,
    form: str,
    model: str,
    draws: int | None,
    tokens: int | None,
    without: Sequence[str] = (),
) -> tuple[Iterator[str], list[str]]:
    """What a study asks, as lines of JSON, and what a reader has to know of them.

    Files of answers that its models name need not be there yet.

    Parameters
    ----------
    form : a key of `FORMS`. model : for the provider. draws : answers to each item; None for as
        many as the query's decoding says. tokens : most of an answer; None for those of its kind.
    without : files of answers; what they answer is not asked again. A provider's error answers
        nothing.

    Raises
    ------
    FairflowError : the study has no query of items, a published file is not here, or a file of
        answers cannot be read.
    ConfigurationError : the configuration has faults.
    """
    asked = dict(study_questions(study, draws))
    if not asked:
        raise FairflowError(
            f"study {study}: none of its queries asks a language model: name queries of "
            "config/language_queries in its criteria"
        )
    answered = {one.id for path in without for one in read_answers(path) if one.status != MISSING}
    told = []
    for query, own in list(asked.items()):
        in_text = [one for one in own if one.message]
        if form != PLAIN and not in_text:
            told.append(
                f"{query} is left out: it needs log-likelihoods (--form plain has its texts)"
            )
            del asked[query]
        else:
            items = len({one.item for one in own})
            each = f" x {max(one.rank for one in own) + 1} draws" if len(own) > items else ""
            asked[query] = [one for one in own if one.id not in answered]
            left = f", {len(asked[query])} of {len(own)} without an answer" if without else ""
            told.append(f"{query}: {counted(items, 'item')}{each}{left}")
    lines = (
        json.dumps(FORMS[form](one, model, tokens or one.tokens), ensure_ascii=False) + "\n"
        for one in chain.from_iterable(asked.values())
    )
    return lines, told


def study_questions(study: str, draws: int | None = None) -> Iterator[tuple[str, list[Question]]]:
    """The questions of each query of items of a study, as a run of it would put them."""
    project = project_here(checked=False)
    main = {**project.main, **only(study), "language_models": True}
    configuration = read_configuration(main, project.folder, shipped_schemas())
    plan = make_plan(configuration, asking=True)
    jobs = Jobs(plan)
    if study not in plan.studies:
        names = listed([*plan.studies])
        raise FairflowError(f"there is no study {study!r}: the configuration has {names}")
    own = plan.item_queries
    of_items = {query: own[query] for query in plan.studies[study].queries if query in own}
    files = {query: planned.published_files for query, planned in of_items.items()}
    missing = [query for query in of_items if not all(Path(one).is_file() for one in files[query])]
    if missing:
        targets = " ".join(f"results/items/{query}.json" for query in missing)
        raise FairflowError(
            f"the published items of {listed(missing)} are not here yet; fetch them with\n"
            f"  snakemake --cores 1 --config language_models=True -- {targets}"
        )
    for query, planned in of_items.items():
        how = jobs.of("items", query=query).how
        items = drawn_items(how, query, next(iter(planned.published_files), None))
        decoding = planned.decoding("causal", plan.seed)
        yield query, questions(items, query, draws or decoding.get("completions", 1))
