"""The command `fairflow explain`: what a score is made of."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from fairflow.command.known_entries import formula
from fairflow.command.project import project_here
from fairflow.errors import FairflowError, nearest
from fairflow.files.configuration_files import shipped_schemas
from fairflow.files.kept import cells_in
from fairflow.files.references import full_citation
from fairflow.planning.configuration import only, read_configuration, with_every_list
from fairflow.planning.fingerprint import fingerprint
from fairflow.planning.jobs import answers_file, is_tested, seed_of
from fairflow.planning.plan import Plan
from fairflow.planning.planner import make_plan
from fairflow.planning.registry import MODELS, Jobs
from fairflow.planning.result_files import score_files
from fairflow.planning.study import Entries
from fairflow.planning.study_jobs import shown_by
from fairflow.scores.variant import Cell
from fairflow.studies.tables import study_tables
from fairflow.vectors.query_vectors import read_slices

NO_FORMULA = "none: its class has no docstring"
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
    main = {**project.main, **alone, **with_every_list()}
    plan = make_plan(read_configuration(main, project.folder, shipped_schemas()))
    jobs = Jobs(plan, main.get("models_dir", MODELS))
    cell = _cell(asked, jobs)
    (scored,), (file,) = plan.scored([cell]), score_files(plan, [cell])
    named = {"metric": scored.metric, "queries": plan.file_of(cell.query)}
    job = jobs.of(plan.metrics[cell.metric].scored_by, model=cell.model, **named)
    metric_class = plan.metrics[cell.metric].metric_class
    answers = answers_file(plan, cell.slice)
    contents = plan.queries[cell.query].contents(plan)
    words = [f"the items of {file}" for file in contents] or _words(answers, cell)
    untested = f"study {study} asks for no tests" if study else _NO_STUDY + " asks for them"
    tests = asdict(plan.statistics) if is_tested(jobs, cell) else {"none": untested}
    seed = seed_of(jobs, cell)
    lines = [
        f"{cell.metric} of {cell.query} on {cell.model}",
        *_section("File", [file + ("" if _holds(file, cell.query) else " (not made yet)")]),
        *_section("Value", [*_scores(plan, cell, file)]),
        *_section("Made of", [*contents, answers]),
        *_section("Words", words),
        *_section("Parameters", _values(plan.metrics[cell.metric].definition)),
        *_section("Seed", [str(seed) if seed else "none: nothing is drawn"]),
        *_section("Tests", _values(tests)),
        *_section("Formula", (formula(metric_class) or NO_FORMULA).splitlines()),
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
    from fairflow.scores.ranked import ranked_rows
    from fairflow.studies.score_table import variant_rows

    variants = shown_by(plan, [cell.metric])
    rows = variant_rows(read_scores([file]), variants, [cell.query])
    for row in ranked_rows(rows).to_dict("records"):
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
