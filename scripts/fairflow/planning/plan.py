"""The plan: studies, and the models, queries and metrics that they use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from fairflow.capabilities import additions
from fairflow.planning.catalogue import Catalogue, Download, downloads_of
from fairflow.planning.configuration import Audited
from fairflow.planning.models import VECTORS, Lineage, Model
from fairflow.planning.named_sets import Sets
from fairflow.planning.queries import AnyQuery, PlannedQuery
from fairflow.planning.study import Study, View
from fairflow.scores.variant import Cell, Slice, Variant
from fairflow.statistics.uncertainty import Statistics


@dataclass(frozen=True)
class Plan:
    """Everything that the configured studies need, by name; each entry knows its kind.

    Attributes
    ----------
    read_files : of the user's, which planning reads for capabilities.
    uncompared : file of published numbers that no study of the run reads -> the study of another
        run that reads it and the command of that run ("" for none), the reason, and of_models, the
        reasons for the numbers of some models.
    archived : slices replace the models, so that no model is fetched, trained or converted.
    every_benchmark : that tell how good tables of word vectors are.
    audited : the model that the only study is about, if the command line names one.
    further : the contents of files of capabilities, see `Configuration`.
    """

    seed: int
    models: Mapping[str, Lineage]
    metrics: Mapping[str, Variant]
    queries: Mapping[str, AnyQuery]
    lookups: Catalogue
    word_sets: Sets
    studies: Mapping[str, Study]
    statistics: Statistics
    uncompared: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    contradictions: tuple[Mapping[str, str], ...] = ()
    read_files: tuple[str, ...] = ()
    archived: bool = False
    every_benchmark: Sets = field(default_factory=dict)
    audited: Audited | None = None
    further: Mapping[str, Any] = field(default_factory=dict)
    _views: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def seen_as(self, view: Callable[[Plan], View]) -> View:
        """What a capability makes of the plan, made once."""
        if view not in self._views:
            self._views[view] = view(self)
        return self._views[view]

    def of(self, studies: Iterable[str]) -> Plan:
        """The plan of some of the studies alone."""
        return replace(self, studies={name: self.studies[name] for name in studies})

    def table(self, model: str) -> Model:
        """A model that is a table of word vectors."""
        return cast(Model, self.models[model])

    def of_vectors(self, query: str) -> PlannedQuery:
        """A query whose words or sentences are looked up in vectors."""
        return cast(PlannedQuery, self.queries[query])

    def file_of(self, query: str) -> str:
        """The name of the files with answers to a query: that of its file of queries.

        Those of an audit are together in one, as its jobs are few.
        """
        return self.audited.preset if self.audited else self.queries[query].listed_in

    def is_audited(self, model: str) -> bool:
        """Whether it is the model that the command line names."""
        return self.audited is not None and self.audited.model == model

    @cached_property
    def used_queries(self) -> list[str]:
        """Queries of any study whose words or sentences are looked up in vectors."""
        of_vectors = {*self.queries_of("slices")}
        asked = self.of_studies(lambda study: study.queries)
        controls = self.of_studies(lambda study: study.controls)
        others = self.of_studies(lambda study: [one.query for one in study.further_slices])
        return [q for q in dict.fromkeys((*asked, *controls, *others)) if q in of_vectors]

    @cached_property
    def used_slices(self) -> list[Slice]:
        """Every slice that a study is made from: of vectors, and of other answers."""
        others = self.of_studies(lambda study: (cell.slice for cell in study.cells))
        return list(dict.fromkeys([*self.of_studies(lambda study: study.every_slice), *others]))

    @cached_property
    def asked(self) -> Mapping[tuple[str, str, str], list[str]]:
        """(Kind of answers, model, file of queries) -> the queries whose answers are there."""
        found: dict[tuple[str, str, str], dict[str, None]] = {}
        for name, query in self.used_slices:
            kind = self.models[name].folder_of(self.queries[query])
            found.setdefault((kind, name, self.file_of(query)), {})[query] = None
        return {key: sorted(queries) for key, queries in found.items()}

    @cached_property
    def scored_together(self) -> Mapping[tuple[str, str, str], list[str]]:
        """(Model, metric, file of queries) -> the queries that are scored there."""
        found: dict[tuple[str, str, str], list[str]] = {}
        for model, metric, query in self.cells:
            found.setdefault((model, metric, self.file_of(query)), []).append(query)
        return {key: sorted(queries) for key, queries in found.items()}

    @cached_property
    def tested_slices(self) -> frozenset[Slice]:
        """The slices of studies with tests."""
        studies = (study for study in self.studies.values() if study.statistics)
        return frozenset(one for study in studies for one in study.slices)

    @cached_property
    def tested_cells(self) -> frozenset[Cell]:
        """The cells that some study tests, and every cell of control queries."""
        asked = self.of_studies(lambda study: study.cells if study.statistics else ())
        # A test decides whether a control query succeeds.
        asked += self.of_studies(lambda study: study.control_cells)
        return frozenset(self.scored(asked))

    @property
    def answers(self) -> str:
        """The folder of words, answers and scores, which audits do not share with other runs."""
        return self.audited.folder if self.audited else "results"

    @cached_property
    def downloads(self) -> dict[str, Download]:
        """Every file that can be fetched, by name; none in an unpacked archive."""
        if self.archived:
            return {}
        lexicons = [e["lexicon"] for e in self.word_sets.values() if "lexicon" in e]
        models = [m.entry for m in self.models.values() if "sources" in m.entry]
        others = [entry for one in additions("plan") for entry in one.downloads(self)]
        return downloads_of((*models, *lexicons, *self.benchmarks.values(), *others))

    def quality_of(self, study: Study) -> Sets:
        """The benchmarks of a study of word vectors; all of them if it compares before and after.

        No benchmark is reported of a single model.
        """
        if len(study.static_models) < 2:
            return {}
        every = self.every_benchmark
        return {name: one for name, one in every.items() if study.after or one.get("quality")}

    def benchmarks_of(self, model: str) -> Sets:
        """The benchmarks that a model is measured by."""
        studies = (study for study in self.studies.values() if model in study.static_models)
        return max(map(self.quality_of, studies), key=len, default={})

    @property
    def benchmarks(self) -> dict[str, Mapping[str, Any]]:
        """The benchmarks of all studies by name."""
        asked = map(self.quality_of, self.studies.values())
        return {name: entry for each in asked for name, entry in each.items()}

    @property
    def stores(self) -> tuple[str, ...]:
        """The models that can be made here; none in an unpacked archive, which holds slices."""
        return () if self.archived else tuple(self.static_models)

    @property
    def convertible(self) -> tuple[str, ...]:
        """The stores with a file to convert."""
        return tuple(name for name in self.stores if self.models[name].transform is None)

    @property
    def trained(self) -> tuple[str, ...]:
        """The stores whose file a run makes."""
        return tuple(name for name in self.convertible if self.table(name).trained)

    @property
    def derived(self) -> tuple[str, ...]:
        """The stores that are derived from another model."""
        return tuple(name for name in self.stores if self.models[name].transform)

    @property
    def static_models(self) -> list[str]:
        """Names of the models that are tables of word vectors."""
        return [name for name, model in self.models.items() if model.kind == VECTORS]

    def metrics_of(self, job: str) -> list[str]:
        """Names of the variants whose scores a kind of job makes.

        Of variants with one base variant only the one that score files are named after.
        """
        names = dict.fromkeys(self.base_variants.values())
        return [name for name in names if self.metrics[name].scored_by == job]

    @cached_property
    def base_variants(self) -> dict[str, str]:
        """Variant -> the first with the same base variant, which names the score files."""
        first: dict[str, str] = {}
        found = {}
        for name, variant in self.metrics.items():
            definition = variant.base_variant.definition if variant.of_words else name
            alike = json.dumps(definition, sort_keys=True, default=str)
            found[name] = first.setdefault(alike, name)
        return found

    def scored(self, cells: Iterable[Cell]) -> list[Cell]:
        """The cells whose score files hold the scores of these, each once."""
        names = self.base_variants
        return list(dict.fromkeys(cell._replace(metric=names[cell.metric]) for cell in cells))

    def queries_of(self, *slices: str) -> list[str]:
        """Names of the queries whose answers are "slices" of vectors, or of another kind."""
        return [name for name, query in self.queries.items() if query.slices in slices]

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells that are scored for all studies, each once."""
        return self.scored(self.of_studies(lambda study: study.every_cell))

    @property
    def figures(self) -> list[str]:
        """'study/figure' of every figure."""
        return [f"{s.name}/{figure}" for s in self.studies.values() for figure in s.figures]

    def of_studies(self, of_study: Callable[[Study], Iterable[Any]]) -> list[Any]:
        """What a function returns for the studies, each value once."""
        return list(
            dict.fromkeys(one for study in self.studies.values() for one in of_study(study))
        )
