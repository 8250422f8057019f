"""Making a plan from a configuration: every name resolved, every fault reported at once.

`python -m fairflow.planning.planner all` (or bundled) in the root of the project announces the
downloads of a run, with the name of a study those of this study; `make paper` calls it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.capabilities import additions
from fairflow.errors import ConfigurationError
from fairflow.files.configuration_files import read_yaml
from fairflow.planning import result_files as files
from fairflow.planning.catalogue import ALL, DOWNLOADS, download_name, megabytes
from fairflow.planning.configuration import Configuration, Fault, in_file, read_configuration
from fairflow.planning.model_checks import local_faults, table_faults
from fairflow.planning.models import Lineage, is_converted, models_of
from fairflow.planning.named_sets import with_property_words
from fairflow.planning.plan import Plan
from fairflow.planning.queries import planned_queries
from fairflow.planning.study import Entries
from fairflow.planning.study_planner import (
    planned_studies,
    published_names,
    uncompared_numbers,
    with_parts,
)
from fairflow.queries.lookup import Lookup
from fairflow.scores.variant import Variant
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.published.published_file import published_problems

# What a file of word sets says of all of them.
_OF_A_FILE = ("citation", "language")


def make_plan(configuration: Configuration, complete: bool = True) -> Plan:
    """Resolve every name of a configuration.

    Parameters
    ----------
    complete : whether the user's own files that studies need have to be there.

    Raises
    ------
    ConfigurationError : listing each unknown name (with the nearest valid one), each query that a
        metric cannot take, each name given twice.
    """
    main, folder = configuration.main, configuration.folder
    sets, of_sets = word_sets_of(configuration)
    further = additions("plan")
    models: dict[str, Lineage] = dict(models_of(configuration.models, sets))
    for one in further:
        models |= one.models(configuration, sets)
    variants, of_variants = _variants(configuration)
    queries, of_queries = planned_queries(configuration, sets)
    more = [one.queries(configuration, queries, sets) for one in further]
    others = {name: query for one in more for name, query in one.queries.items()}
    entries = Entries(models, variants, {**others, **queries})
    studies, of_studies = planned_studies(configuration, entries)
    faults = [
        *in_file("models.yaml", table_faults(configuration.models, sets)),
        *_setting_faults(configuration),
        *of_sets,
        *of_queries,
        *(fault for one in further for fault in one.entry_faults(configuration, models, sets)),
        *of_variants,
        *(fault for one in more for fault in one.faults),
        *of_studies,
        *(local_faults(configuration, entries, studies.values()) if complete else ()),
    ]
    problems = [f"{folder / file}: {key}: {sentence}" for file, key, sentence in faults]
    for name in published_names(folder):
        problems += published_problems(folder / f"published/{name}.csv")
    if problems:
        raise ConfigurationError(problems)
    return Plan(
        seed=main["seed"],
        models=entries.models,
        metrics=entries.metrics,
        queries=entries.queries,
        lookups=configuration.lookups,
        word_sets=sets | {name: entry for one in more for name, entry in one.word_sets.items()},
        studies={name: with_parts(one, configuration) for name, one in studies.items()},
        statistics=Statistics(**main.get("statistics", {})),
        uncompared=uncompared_numbers(configuration, studies),
        contradictions=tuple(configuration.contradictions),
        read_files=tuple(dict.fromkeys(f for one in further for f in one.files(configuration))),
        archived=main.get("archive", False),
        every_benchmark=configuration.benchmarks,
        audited=configuration.audited,
        further=configuration.further,
    )


def word_sets_of(configuration: Configuration) -> tuple[dict[str, dict[str, Any]], list[Fault]]:
    """'file:set' -> its entry, with what the file says of all; and the faults of properties."""
    sets = {
        f"{stem}:{name}": {k: contents[k] for k in _OF_A_FILE if k in contents} | entry
        for stem, contents in configuration.word_sets.items()
        for name, entry in contents["sets"].items()
        if "scores" not in entry
    }
    found, wrong = with_property_words(sets, configuration.folder)
    named = ((reference.split(":"), sentence) for reference, sentence in wrong)
    return found, [
        Fault(f"word_sets/{stem}.yaml", f"sets.{name}.property", sentence)
        for (stem, name), sentence in named
    ]


def _setting_faults(configuration: Configuration) -> Iterator[Fault]:
    """Faults of look-ups and statistics, whose classes check their arguments."""
    settings: list[tuple[str, str, Callable[..., object], Mapping[str, Any]]] = [
        *(("lookups.yaml", name, Lookup, given) for name, given in configuration.lookups.items()),
        ("config.yaml", "statistics", Statistics, configuration.main.get("statistics", {})),
    ]
    for file, key, make, given in settings:
        try:
            make(**given)
        except (TypeError, ValueError) as error:
            yield Fault(file, key, str(error))


def _variants(configuration: Configuration) -> tuple[dict[str, Variant], list[Fault]]:
    """The variants of all files and their faults; faulty ones of capabilities are left out."""
    kinds = {"metrics": WordVariant}
    kinds |= {file: made for one in additions("plan") for file, made in one.variants.items()}
    files = configuration.further | {"metrics": configuration.metrics}
    variants: dict[str, Variant] = {}
    faults = []
    for file, made in kinds.items():
        for name, entry in files.get(file, {}).items():
            variant = made(name, **{key: entry[key] for key in entry if key != "note"})
            problems = [*variant.problems()]
            if name in variants:
                problems.append("metrics.yaml has a variant of this name")
            faults += [Fault(f"{file}.yaml", name, problem) for problem in problems]
            if made is WordVariant or not problems:
                variants[name] = variant
    return variants, faults


def announcement(plan: Plan, store: Path) -> str:
    """The sizes of the downloads that a plan still needs.

    Parameters
    ----------
    store : folder of the converted models.
    """
    models = (plan.models[name] for name in files.used_models(plan))
    entries = [model.origin.entry for model in models if not is_converted(model, store)]
    sizes: dict[str, int | None] = {}
    for one in additions("plan"):
        missing, others = one.missing(plan)
        entries += missing
        sizes |= others
    names = dict.fromkeys(filter(None, map(download_name, entries)))
    wanted = [plan.downloads[name] for name in names if not Path(DOWNLOADS, name).is_file()]
    listed = [*sizes.items(), *((one.title, one.size) for one in wanted)]
    if not listed:
        return "Every model is here; nothing is downloaded."
    total = megabytes(sum(size or 0 for _, size in listed))
    lines = (f"  {title}: {megabytes(n) if n else 'size not stated'}\n" for title, n in listed)
    return (
        f"This run downloads {len(listed)} files, {total} as far as sizes are stated:\n"
        f"{''.join(lines)}An interrupted run goes on where it stopped."
    )


if __name__ == "__main__":
    main = read_yaml(Path("config/config.yaml")) | {
        "download": sys.argv[1] if sys.argv[1:] else ALL
    }
    if sys.argv[2:]:
        main["studies"] = sys.argv[2].split(",")
    try:
        every = make_plan(read_configuration(main, Path("config"), Path("workflow/schemas")))
    except ConfigurationError as error:
        sys.exit(str(error))
    print(announcement(every, Path(main.get("models_dir", "results/models"))))
