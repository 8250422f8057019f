"""Making a plan of a configuration: every name resolved, every fault reported at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError, nearest
from fairflow.planning.availability import missing_file
from fairflow.planning.catalogue import Model, download_name, file_of
from fairflow.planning.configuration import Configuration
from fairflow.planning.derivation import derivation_problems, models_of, source_needed
from fairflow.planning.language_plan import LanguagePlan
from fairflow.planning.language_planner import (
    concerns_language_models,
    fit_cells,
    fit_problems,
    read_language_plan,
)
from fairflow.planning.plan import Plan
from fairflow.planning.study import PlannedQuery, Study, as_list
from fairflow.planning.study_entry import resolve_entry, skips_absent
from fairflow.products.figures import FIGURES
from fairflow.queries.lookup import Lookup
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.settings import Statistics
from fairflow.studies.controls import USUAL_CONTROLS, control_metric
from fairflow.studies.published.published_file import published_problems


def make_plan(configuration: Configuration) -> Plan:
    """Resolve every name of a configuration.

    Raises
    ------
    ConfigurationError : listing each unknown name (with the nearest valid one), each query that a
        metric cannot take, each name given twice.
    """
    return _Planner(configuration).plan()


class _Planner:
    """Collects problems while it resolves names, so that all are reported at once."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.problems: list[str] = list(configuration.problems)

    def plan(self) -> Plan:
        c = self.configuration
        self._check_models()
        self._check_sizes()
        models = models_of(c.models)
        variants = {name: self._variant(name, entry) for name, entry in c.metrics.items()}
        self._check_lookups()
        word_sets = {
            f"{stem}:{name}": {"citation": contents["citation"], **entry}
            for stem, contents in c.word_sets.items()
            for name, entry in contents["sets"].items()
            if "words" in entry or "lexicon" in entry
        }
        queries = self._queries(word_sets)
        language = read_language_plan(c, queries, word_sets, self._report)
        self._known("studies", "config.yaml", c.main["studies"], c.studies)
        wanted = c.main.get("language_studies", ()) if c.main.get("language_models") else ()
        self._known("language_studies", "config.yaml", wanted, c.studies)
        names = dict.fromkeys([*c.main["studies"], *wanted])
        studies = {
            name: self._study(name, c.studies[name], queries, variants, language)
            for name in names
            if name in c.studies
        }
        cells = [cell for study in studies.values() for cell in study.cells]
        own = (cell for cell in cells if cell.split("/")[1] in language.variants)
        language = replace(language, cells=tuple(dict.fromkeys(own)))
        for name in self._published_names():
            self.problems += published_problems(c.folder / "published" / f"{name}.csv")
        archived = c.main.get("archive", False)
        if not archived:
            self._check_local_files(studies.values(), models)
        statistics = self._statistics()
        if self.problems:
            raise ConfigurationError(self.problems)
        labels = {name: model.label for name, model in models.items()}
        labels |= {name: entry.get("label", name) for name, entry in c.metrics.items()}
        labels |= language.labels
        return Plan(
            c.main["seed"],
            models,
            variants,
            labels,
            c.lookups,
            word_sets,
            queries,
            studies,
            statistics,
            self._published_names(),
            tuple(c.contradictions),
            language,
            archived,
        )

    def _report(self, file: str, key: str, sentence: str) -> None:
        self.problems.append(f"{self.configuration.folder / file}: {key}: {sentence}")

    def _known(self, key: str, file: str, names: Iterable[str], valid: Iterable[str]) -> None:
        valid = list(valid)
        for name in names:
            if name not in valid:
                self._report(file, key, f"unknown name {name!r}. {nearest(name, valid)}")

    def _check_models(self) -> None:
        models = self.configuration.models
        for name, entry in models.items():
            if entry.get("format") == "gensim" and not {"checksum", "member_checksum"} & {*entry}:
                self._report(
                    "models.yaml",
                    name,
                    "a gensim file is a pickle, in which code can be hidden. It is read as data "
                    "alone, but give the checksum of a file that you trust (or member_checksum)",
                )
            if "vectors_of" in entry:
                key = f"{name}.vectors_of"
                self._known(key, "models.yaml", [entry["vectors_of"]], models)
                if entry["vectors_of"] == name:
                    self._report("models.yaml", key, "name another model, or leave the key out")
        for key, sentence in derivation_problems(models):
            self._report("models.yaml", key, sentence)

    def _check_sizes(self) -> None:
        """Entries that share a download must agree on its size."""
        entries = [
            ("models.yaml", name, entry) for name, entry in self.configuration.models.items()
        ]
        for stem, contents in self.configuration.word_sets.items():
            for name, entry in contents["sets"].items():
                lexicon = entry.get("lexicon", {})
                entries.append((f"word_sets/{stem}.yaml", f"sets.{name}.lexicon", lexicon))
        said: dict[str, tuple[str, int]] = {}
        for file, key, entry in entries:
            download = download_name(entry) if "sources" in entry else None
            if download is None or "bytes" not in entry:
                continue
            other, size = said.setdefault(download, (key, entry["bytes"]))
            if entry["bytes"] != size:
                self._report(
                    file,
                    f"{key}.bytes",
                    f"{entry['bytes']}, but {other}, which names the same file, says {size}; "
                    "correct the one that is wrong",
                )

    def _check_local_files(self, studies: Iterable[Study], models: Mapping[str, Model]) -> None:
        used = dict.fromkeys(name for study in studies for name in study.models)
        needed = (source_needed(models[n], self._is_converted) for n in used if n in models)
        for name, entry in {model.name: model.entry for model in needed if model}.items():
            if "sources" in entry and download_name(entry) is None:
                self._check_local_file(name, entry)

    def _check_local_file(self, name: str, entry: Mapping[str, Any]) -> None:
        file, size = file_of(entry), entry.get("bytes")
        if Path(file).is_file() and size not in (None, Path(file).stat().st_size):
            self._report(
                "models.yaml",
                f"{name}.bytes",
                f"{file} has {Path(file).stat().st_size} bytes, expected {size}; correct the "
                "number only if you trust the file",
            )
        if problem := missing_file(entry):
            self._report("models.yaml", f"{name}.sources", problem)

    def _is_converted(self, name: str) -> bool:
        folder = Path(self.configuration.main.get("models_dir", "results/models")) / name
        return all((folder / file).is_file() for file in ("vectors", "index.sqlite", "card.json"))

    def _check_lookups(self) -> None:
        for name, entry in self.configuration.lookups.items():
            try:
                Lookup(**entry)
            except (TypeError, ValueError) as error:
                self._report("lookups.yaml", name, str(error))

    def _statistics(self) -> Statistics:
        try:
            return Statistics(**self.configuration.main.get("statistics", {}))
        except ValueError as error:
            self._report("config.yaml", "statistics", str(error))
            return Statistics()

    def _variant(self, name: str, entry: Mapping[str, Any]) -> WordVariant:
        fields = {key: value for key, value in entry.items() if key not in ("label", "note")}
        variant = WordVariant(name, **fields)
        for problem in variant.problems():
            self._report("metrics.yaml", name, problem)
        return variant

    def _queries(self, word_sets: Mapping[str, Any]) -> dict[str, PlannedQuery]:
        found: dict[str, PlannedQuery] = {}
        for stem, contents in self.configuration.queries.items():
            file = f"queries/{stem}.yaml"
            lookup = contents.get("lookup", "as_written")
            self._known("lookup", file, [lookup], self.configuration.lookups)
            for name, entry in contents["queries"].items():
                if name in found:
                    self._report(file, f"queries.{name}", "another file has a query of this name")
                found[name] = PlannedQuery(
                    name,
                    entry["targets"],
                    entry["attributes"],
                    lookup,
                    contents.get("citation", ""),
                )
                self._known(f"queries.{name}", file, found[name].references, word_sets)
        return found

    def _study(
        self,
        name: str,
        entry: Mapping[str, Any],
        queries: Mapping[str, PlannedQuery],
        variants: Mapping[str, WordVariant],
        language: LanguagePlan,
    ) -> Study:
        file = f"studies/{name}.yaml"
        resolved = resolve_entry(entry, self.configuration)
        for key, sentence in resolved.problems:
            self._report(file, key, sentence)
        entry = resolved.entry
        metrics = [metric for metric in entry["metrics"] if metric in variants]
        controls = self._controls(file, entry, queries, variants) if metrics else ()
        study = Study(
            name=name,
            title=entry["title"],
            models=resolved.models,
            metrics=tuple(entry["metrics"]),
            criteria={key: tuple(group) for key, group in entry["criteria"].items()},
            aggregation=entry["aggregation"],
            minimum_coverage=entry.get("minimum_coverage", 0.5),
            figures=tuple(entry.get("figures", ())),
            published=entry.get("published", {}),
            statistics=entry.get("statistics", "full") == "full",
            families=tuple(entry.get("families", Study.families)),
            absent=resolved.absent,
            skips_absent=skips_absent(entry),
            controls=controls,
            control_metric=control_metric(self.configuration.metrics) or "",
        )
        models = self.configuration.models
        self._known("models", file, study.models, [*models, *language.models])
        metrics = [*variants, *self.configuration.language_metrics]
        self._known("metrics", file, study.metrics, metrics)
        for criterion, group in study.criteria.items():
            self._known(f"criteria.{criterion}", file, group, [*queries, *language.queries])
        grouped = [query for group in study.criteria.values() for query in group]
        for query in sorted({query for query in grouped if grouped.count(query) > 1}):
            self._report(file, "criteria", f"query {query!r} stands in two criteria")
        self._check_published(study, file)
        self._known("figures", file, study.figures, FIGURES)
        self._check_templates(study, file, queries, variants)
        if not concerns_language_models(study, language):
            return study
        study = fit_cells(study, language, variants, models)
        # Whether metrics fit cannot be told without all of the queries.
        if {*study.queries} <= {*queries, *language.queries}:
            for key, sentence in fit_problems(study, language, {*models, *language.models}):
                self._report(file, key, sentence)
        return study

    def _controls(
        self,
        file: str,
        entry: Mapping[str, Any],
        queries: Mapping[str, PlannedQuery],
        variants: Mapping[str, WordVariant],
    ) -> tuple[str, ...]:
        """The control queries of a study of vectors, those that can be measured."""
        metric = control_metric(self.configuration.metrics)
        if "controls" not in entry:
            usual = [query for query in USUAL_CONTROLS if query in queries]
            return tuple(usual) if metric else ()
        named = entry["controls"]
        self._known("controls", file, named, queries)
        if named and metric is None:
            self._report(file, "controls", "metrics.yaml has no variant of WEAT to measure them by")
            return ()
        for query in filter(queries.__contains__, named):
            template = len(queries[query].targets), len(queries[query].attributes)
            problem = variants[metric].template_problem(template)
            if problem:
                self._report(file, "controls", f"query {query!r}: {problem}")
        return tuple(query for query in named if query in queries)

    def _check_published(self, study: Study, file: str) -> None:
        for key in ("scores", "others"):
            names = as_list(study.published.get(key, []))
            self._known(f"published.{key}", file, names, self._published_names())
        models = [m for own in study.published.get("models", {}).values() for m in as_list(own)]
        self._known("published.models", file, models, (*study.models, *study.absent))

    def _published_names(self) -> tuple[str, ...]:
        folder = self.configuration.folder / "published"
        return tuple(sorted(path.name.removesuffix(".csv") for path in folder.glob("*.csv")))

    def _check_templates(
        self,
        study: Study,
        file: str,
        queries: Mapping[str, PlannedQuery],
        variants: Mapping[str, WordVariant],
    ) -> None:
        for metric in filter(variants.__contains__, study.metrics):
            if variants[metric].problems():
                continue
            for query in filter(queries.__contains__, study.queries):
                planned = queries[query]
                template = len(planned.targets), len(planned.attributes)
                problem = variants[metric].template_problem(template)
                if problem:
                    self._report(file, f"metrics.{metric}", f"query {query!r}: {problem}")
