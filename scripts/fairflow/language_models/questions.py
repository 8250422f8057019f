"""What a study asks, for models that are not run here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from fairflow.command.project import project_here
from fairflow.errors import FairflowError
from fairflow.files.configuration_files import shipped_schemas
from fairflow.language_models.errors import MISSING
from fairflow.language_models.items.asking import FORMS, Question, questions
from fairflow.language_models.items.query_entry import drawn_items
from fairflow.language_models.planned.views import in_plan
from fairflow.language_models.slices.answer_files import read_answers
from fairflow.planning.configuration import only, read_configuration, with_every_list
from fairflow.planning.planner import make_plan
from fairflow.planning.registry import Jobs
from fairflow.studies.wording import counted, listed

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
    main = {**project.main, **only(study), **with_every_list()}
    configuration = read_configuration(main, project.folder, shipped_schemas())
    plan = make_plan(configuration, complete=False)
    jobs = Jobs(plan)
    if study not in plan.studies:
        names = listed([*plan.studies])
        raise FairflowError(f"there is no study {study!r}: the configuration has {names}")
    every = in_plan(plan).queries
    of_items = [query for query in plan.studies[study].queries if query in every]
    files = {query: every[query].published_files for query in of_items}
    missing = [query for query in of_items if not all(Path(one).is_file() for one in files[query])]
    if missing:
        targets = " ".join(f"results/items/{query}.json" for query in missing)
        raise FairflowError(
            f"the published items of {listed(missing)} are not here yet; fetch them with\n"
            f"  snakemake --cores 1 --config language_models=True -- {targets}"
        )
    for query in of_items:
        how, planned = jobs.of("items", query=query).how, every[query]
        items = drawn_items(how, query, next(iter(planned.published_files), None))
        decoding = planned.decoding("causal", plan.seed)
        yield query, questions(items, query, draws or decoding.get("completions", 1))
