"""The plan: the models, queries, metrics and studies of a configuration, by name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from fairflow.metrics import metric_class, metric_module
from fairflow.planning.catalogue import Download, Model, downloads_of, file_of, packing_of
from fairflow.planning.language_plan import LanguagePlan
from fairflow.planning.study import PUBLISHED_FOLDER, PlannedQuery, Study
from fairflow.scores.item_variant import ItemVariant
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.settings import Statistics
from fairflow.studies.comparability import vectors_of
from fairflow.studies.distinct_tests import Sameness
from fairflow.transforms import transform_module


@dataclass(frozen=True)
class Plan:
    """Everything that the configured studies need, by name."""

    seed: int
    models: Mapping[str, Model]
    variants: Mapping[str, WordVariant]
    labels: Mapping[str, str]
    lookups: Mapping[str, Mapping[str, Any]]
    word_sets: Mapping[str, Mapping[str, Any]]
    queries: Mapping[str, PlannedQuery]
    studies: Mapping[str, Study]
    statistics: Statistics
    published_numbers: tuple[str, ...] = ()
    contradictions: tuple[Mapping[str, str], ...] = ()
    language: LanguagePlan = field(default_factory=LanguagePlan)
    archived: bool = False

    def of(self, studies: Iterable[str]) -> Plan:
        """The plan of some of the studies alone."""
        return replace(self, studies={name: self.studies[name] for name in studies})

    def definition(self, query: str) -> dict[str, dict[str, Any]]:
        """Words of each set of a query by role; a lexicon stands as its name and how to read it.

        Of sentences also "units": the word and template that each is made of.
        """
        planned = self.queries[query]
        roles = {
            role: {name: self._words(reference) for name, reference in sets.items()}
            for role, sets in (("targets", planned.targets), ("attributes", planned.attributes))
        }
        units = [self.word_sets[r]["units"] for r in planned.references if self._has_units(r)]
        merged = {text: unit for own in units for text, unit in own.items()}
        return roles | ({"units": merged} if units else {})

    def lexicon_files(self, query: str) -> list[str]:
        """Files that a query's words come from."""
        entries = (self.word_sets[reference] for reference in self.queries[query].references)
        return list(dict.fromkeys(file_of(e["lexicon"]) for e in entries if "lexicon" in e))

    @cached_property
    def downloads(self) -> dict[str, Download]:
        """Every file that can be fetched, by name; none in an unpacked archive."""
        if self.archived:
            return {}
        lexicons = [e["lexicon"] for e in self.word_sets.values() if "lexicon" in e]
        models = [m.entry for m in self.models.values() if "sources" in m.entry]
        return downloads_of((*models, *lexicons))

    @property
    def stores(self) -> tuple[str, ...]:
        """The models that can be made here; none in an unpacked archive, which holds slices."""
        return () if self.archived else tuple(self.models)

    @property
    def convertible(self) -> tuple[str, ...]:
        """Those of them with a file to convert."""
        return tuple(name for name in self.stores if self.models[name].transform is None)

    @property
    def derived(self) -> tuple[str, ...]:
        """Those of them that come from another model."""
        return tuple(name for name in self.stores if self.models[name].transform)

    def conversion(self, model: str) -> dict[str, Any]:
        """What decides the converted form of a model: plain values."""
        planned = self.models[model]
        entry = planned.entry
        return {
            "format": entry["format"],
            "packing": planned.packing,
            "words": entry.get("words"),
            "promised": {key: entry.get(key) for key in ("dims", "vocabulary")},
        }

    def transform_module(self, model: str) -> str:
        """The module that holds the transform of a derived model."""
        return transform_module(self.models[model].transform.name)

    def lookup(self, query: str) -> dict[str, Any]:
        """How the words of a query are sought."""
        return dict(self.lookups[self.queries[query].lookup])

    def cell_seed(self, model: str, metric: str, query: str) -> int:
        """The seed of a cell: 0 for one that draws nothing."""
        parameters = metric_class(self.variants[metric].metric).parameters()
        draws = "random_state" in parameters or self.cell_statistics(model, metric, query)
        return self.seed if draws else 0

    def cell_statistics(self, model: str, metric: str, query: str) -> dict[str, Any] | None:
        """Settings of the cell's tests and intervals, or None: some study must ask for them."""
        cell = f"{model}/{metric}/{query}"
        return asdict(self.statistics) if cell in self._cells_with_statistics else None

    def random_words(self, model: str, query: str) -> int:
        """How many random words a slice holds for the null band."""
        # Sentences have no random counterparts.
        possible = query not in self.language.sentences
        asked = possible and f"{model}/{query}" in self._slices_with_statistics
        return self.statistics.random_words if asked else 0

    def order_file(self, model: str, query: str) -> list[str]:
        """What tells how frequent the words of a model are, for a slice with random words."""
        asked = model in self.models and self.random_words(model, query)
        return [f"results/word_orders/{model}.json"] if asked else []

    def slice_seed(self, model: str, query: str) -> int:
        """The seed of a slice: 0 for one without random words."""
        return self.seed if self.random_words(model, query) else 0

    @cached_property
    def _cells_with_statistics(self) -> frozenset[str]:
        studies = self.studies.values()
        asked = {cell for study in studies if study.statistics for cell in study.cells}
        # Whether a control query comes out is for a test to say.
        return frozenset(asked.union(*(study.control_cells for study in studies)))

    @cached_property
    def _slices_with_statistics(self) -> frozenset[str]:
        return frozenset(c for s in self.studies.values() if s.statistics for c in s.slices)

    def module(self, metric: str) -> str:
        """The module that holds a variant's metric."""
        return metric_module(self.variants[metric].metric)

    def directions(self, study: str) -> dict[str, dict[str, bool]]:
        """For each metric of a study: are absolute values taken, and is larger fairer?"""
        classes = {m: self.declared(m) for m in self.studies[study].metrics}
        return {
            name: {"signed": metric.signed, "larger_is_fairer": metric.larger_is_fairer}
            for name, metric in classes.items()
        }

    def scaling(self, study: str) -> dict[str, bool]:
        """For each metric of a study: does its value change with the length of vectors?"""
        own = {name: self.variant(name) for name in self.studies[study].metrics}
        return {
            name: not getattr(variant, "normalize", False)
            and self.declared(name).scales_with_length(variant.parameters)
            for name, variant in own.items()
        }

    def vectors(self, study: str) -> dict[str, str]:
        """For each model of a study: the name of its vectors, which several models may share."""
        others = {name: model.same_vectors for name, model in self.models.items()}
        return {model: vectors_of(model, others) for model in self.studies[study].models}

    def sameness(self, study: str) -> Sameness:
        """Which models and metrics of a study have vectors and statistics in common."""
        statistics = {metric: self._statistic(metric) for metric in self.studies[study].metrics}
        return Sameness(statistics, self.vectors(study), self.scaling(study))

    def _statistic(self, metric: str) -> str:
        """The name of what a variant's test exchanges and compares."""
        variant, declared = self.variant(metric), self.declared(metric)
        ignored = declared.without_effect_on_test
        parameters = {k: v for k, v in variant.parameters.items() if k not in ignored}
        if declared.scales_with_length(variant.parameters):
            parameters["normalize"] = getattr(variant, "normalize", False)
        return f"{variant.metric} {json.dumps(parameters, sort_keys=True, default=str)}"

    def variant(self, metric: str) -> WordVariant | ItemVariant:
        """A variant by name, of vectors or of items."""
        own = self.language.variants
        return own[metric] if metric in own else self.variants[metric]

    def declared(self, metric: str) -> Any:
        """The class that declares what a variant's values mean."""
        if metric in self.language.variants:
            return self.language.variants[metric].declared
        return metric_class(self.variants[metric].metric)

    def signed_metrics(self, study: str) -> list[str]:
        """The metrics of a study whose value 0 means no association."""
        return [name for name, way in self.directions(study).items() if way["signed"]]

    def item_metrics(self, study: str) -> list[str]:
        """The metrics of a study that measure items, not vectors."""
        return [name for name in self.studies[study].metrics if name in self.language.variants]

    def study_labels(self, study: str) -> dict[str, str]:
        """Labels of the models, metrics and queries of a study."""
        planned = self.studies[study]
        names = (*planned.models, *planned.metrics)
        labels = {name: self.labels[name] for name in names}
        every = {**self.queries, **self.language.queries}
        labels |= {query: every[query].label for query in planned.queries}
        return labels | self.control_labels(study)

    def control_labels(self, study: str) -> dict[str, str]:
        """Labels of the control queries of a study."""
        return {query: self.queries[query].label for query in self.studies[study].controls}

    def static_models(self, study: str) -> list[str]:
        """The models of a study that are tables of word vectors."""
        return [name for name in self.studies[study].models if name in self.models]

    def language_studies(self) -> list[str]:
        """The studies that name a language model."""
        return [
            name
            for name, study in self.studies.items()
            if any(model in self.language.models for model in study.models)
        ]

    def language_files(self, study: str) -> dict[str, list[str]]:
        """What tells of the language models of a study and of their items, by kind of file."""
        planned = self.studies[study]
        return self.language.files_of_study(planned.models, planned.cells, planned.every_slice)

    @property
    def uncompared(self) -> list[str]:
        """Files of published numbers that no study of this run reads."""
        read = {
            path
            for study in self.studies.values()
            for path in study.published_files("scores", "others").get("published", ())
        }
        every = [f"{PUBLISHED_FOLDER}/{name}.csv" for name in self.published_numbers]
        return [path for path in every if path not in read]

    @property
    def cells(self) -> list[str]:
        """The cells of all studies, each once."""
        return list(dict.fromkeys(cell for s in self.studies.values() for cell in s.every_cell))

    @property
    def figures(self) -> list[str]:
        """'study/figure' of every figure."""
        return [f"{s.name}/{figure}" for s in self.studies.values() for figure in s.figures]

    @property
    def figure_names(self) -> list[str]:
        """The figures that any study asks for."""
        return list(dict.fromkeys(f for s in self.studies.values() for f in s.figures))

    def _has_units(self, reference: str) -> bool:
        return "units" in self.word_sets[reference]

    def _words(self, reference: str) -> Any:
        entry = self.word_sets[reference]
        if "words" in entry:
            return list(entry["words"])
        lexicon = entry["lexicon"]
        return {
            "file": file_of(lexicon),
            "packing": packing_of(lexicon),
            "encoding": lexicon.get("encoding", "utf-8"),
            "comment": lexicon.get("comment"),
        }
