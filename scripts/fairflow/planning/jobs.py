"""The plan as data: for each kind of file a mapping from its wildcards to a record of its job.

A rule indexes a mapping and knows nothing else of a job. A record is made when a rule first needs
it, since a configuration may have tens of thousands of them. `run_description` describes a whole
run for its report.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml
from fairflow.files.references import full_citation
from fairflow.planning.catalogue import content_of_set, file_of
from fairflow.planning.models import VECTORS, Model, PlannedLanguageModel
from fairflow.planning.named_sets import Sets
from fairflow.planning.plan import Plan
from fairflow.planning.queries import WORDS, PlannedQuery
from fairflow.planning.result_files import (
    embedding_files,
    items_file,
    manifest_file,
    model_folder,
    score_files,
    slice_file,
    word_order_file,
    words_file,
)
from fairflow.planning.study import Study
from fairflow.queries.query import PROPERTY, query_inputs
from fairflow.scores.variant import Cell, Slice
from fairflow.studies.tables import REPORT, study_tables

MODELS = "results/models"
_LANGUAGE = "fairflow.language_models"
_EMBED, _SLICES = f"{_LANGUAGE}.inference.embed_query", f"{_LANGUAGE}.slices.slices"
_ITEM_SET = f"{_LANGUAGE}.items.item_set"
SHIPPED = frozenset(read_yaml(Path(__file__).with_name("shipped_studies.yaml")))


@dataclass(frozen=True, slots=True)
class Job:
    """The inputs and settings that one file is made from.

    Attributes
    ----------
    file : its path; "" where a rule makes several.
    inputs : path or paths, by the name that the rule has for them.
    how : the other settings that decide the content, plain values by the script's names for them.
    modules : the modules that compute it; the last is the module of the metric, if there is one.
    """

    file: str
    inputs: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    how: Mapping[str, Any] = field(default_factory=dict)
    modules: tuple[str, ...] = ()

    def files(self, name: str) -> list[str]:
        """Its one or several inputs under a name."""
        paths = self.inputs[name]
        return [paths] if isinstance(paths, str) else [*paths]

    @property
    def seed(self) -> int:
        """The seed of its random draws; 0 if nothing is random."""
        return self.how.get("seed", 0)


class Records(dict[Any, Job]):
    """Wildcards -> record, each made at its first use.

    Parameters
    ----------
    make : takes one wildcard, or several as separate arguments.
    """

    def __init__(self, make: Callable[..., Job]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Hashable) -> Job:
        made = self[key] = self._make(*key) if isinstance(key, tuple) else self._make(key)
        return made


class Jobs:
    """The jobs of a plan, by kind and wildcards.

    Parameters
    ----------
    models : the folder of converted models.
    device : that networks run on. token_budget : of one of their batches; None for the usual one.
    """

    def __init__(
        self,
        plan: Plan,
        models: str = MODELS,
        device: str = "auto",
        token_budget: int | None = None,
    ) -> None:
        self.plan = plan
        self.models = models
        self._running = {"device": device, "token_budget": token_budget}
        self.words = Records(self._words)
        self.items = Records(self._items)
        self.slices = Records(self._slice)
        self.embeddings = Records(self._embeddings)
        self.training = Records(self._training)
        self.tokens = Records(self._tokens)
        self.completions = Records(self._completions)
        self.cells = Records(self._cell)
        self._measured = cache(self._measure)

    def _words(self, query: str) -> Job:
        """The words of a query, those of lexicons included."""
        planned, sets = self.plan.queries[query], self.plan.word_sets
        entries = (sets[reference] for reference in planned.references)
        lexicons = [file_of(entry["lexicon"]) for entry in entries if "lexicon" in entry]
        return Job(
            words_file(self.plan, query),
            {"lexicons": list(dict.fromkeys([*lexicons, *planned.files]))},
            {"definition": definition(planned, sets)},
            ("fairflow.queries.query_file", "fairflow.files.checked_files"),
        )

    def _items(self, query: str) -> Job:
        """The items of a query, or a sample of them: the smallest that a study of the run asks.

        A larger sample holds the smaller, and each study says how many of all items it used.
        """
        planned = self.plan.queries[query]
        asked = (study for study in self.plan.studies.values() if query in study.queries)
        number = min((study.items for study in asked if study.items), default=None)
        if number and number >= planned.items.number_of_all:
            number = None
        return Job(
            items_file(query),
            {"files": planned.files, "published": planned.published_files},
            {
                "entry": planned.definition,
                "number": number,
                "seed": self.plan.seed if number else 0,
            },
            (f"{_LANGUAGE}.items.query_entry", _ITEM_SET),
        )

    def _slice(self, model: str, query: str) -> Job:
        """The vectors of a model for the words of a query."""
        slice_ = Slice(model, query)
        planned = self.plan.models[model]
        lookup = {"lookup": self.lookup(query)}
        file = slice_file(self.plan, slice_)
        if planned.kind != VECTORS:
            read = {
                "query": words_file(self.plan, query),
                "embeddings": embedding_files(self.plan, [slice_]),
                "derivations": planned.derivations(self.models),
            }
            code = f"{_LANGUAGE}.slices.derived_texts", "fairflow.vectors.word_embedding_model"
            return Job(file, read, lookup, code)
        random = self._random(slice_)
        return Job(
            file,
            {
                **planned.store_files(self.models),
                "query": words_file(self.plan, query),
                "order": [word_order_file(model)] if random["random_words"] else [],
            },
            {**lookup, "prefix": planned.prefix, **random},
            ("fairflow.vectors.vocabulary", "fairflow.vectors.derivation"),
        )

    def _embeddings(self, model: str, query: str) -> Job:
        """The vectors that a network gives the words or sentences of a query."""
        slice_ = Slice(model, query)
        planned = self.plan.models[model]
        return Job(
            *embedding_files(self.plan, [slice_]),
            {"query": words_file(self.plan, query), **_network(model)},
            {
                "lookup": self.lookup(query),
                "loading": planned.loading,
                **planned.reading,
                **self._running,
                "language": planned.frequency_list,
                **self._random(slice_),
            },
            (_EMBED,),
        )

    def _training(self, model: str, texts: str) -> Job:
        """The vectors that a network gives the texts that a transform learns from."""
        planned, asked = self.plan.models[model], self.plan.training_texts[texts]
        # Sentences are read as they are.
        bare = {"context_templates": []} if asked.sentences else {}
        return Job(
            f"results/embeddings/{model}/training/{texts}.parquet",
            _network(model),
            {
                "texts": asked.texts,
                "loading": planned.loading,
                **planned.reading,
                **bare,
                **self._running,
            },
            (_EMBED,),
        )

    def _tokens(self, model: str, query: str) -> Job:
        """The scores that a network gives the tokens of a query's texts."""
        planned = self.plan.models[model]
        names = self._metrics_of.get(Slice(model, query), ())
        needs = {n for name in names for n in self.plan.metrics[name].made.needs(planned.kind)}
        return Job(
            slice_file(self.plan, Slice(model, query)),
            {"item_set": items_file(query), **_network(model)},
            {"needs": sorted(needs), "loading": planned.loading, **self._running},
            (f"{_LANGUAGE}.inference.score_tokens", _ITEM_SET, _SLICES),
        )

    def _completions(self, model: str, query: str) -> Job:
        """The answers in text to a query, by a network or given in files."""
        planned = self.plan.models[model]
        file = slice_file(self.plan, Slice(model, query))
        items = {"item_set": items_file(query)}
        if not planned.is_network:
            given = planned.given(query)
            read = items | {"files": given.pop("files")}
            return Job(file, read, given, (f"{_LANGUAGE}.scoring.given_answers", _SLICES))
        return Job(
            file,
            {**items, **_network(model)},
            {
                "kind": planned.kind,
                "decoding": self.plan.queries[query].decoding(planned.kind, self.plan.seed),
                "loading": planned.loading,
                **self._running,
            },
            (f"{_LANGUAGE}.inference.complete_prompts", _ITEM_SET, _SLICES),
        )

    def _cell(self, model: str, metric: str, query: str) -> Job:
        """The scores of a metric on one query and one model, in the file that holds them.

        Variants that are computed alike have one file, under the name of the first.
        """
        (cell,) = self.plan.scored([Cell(model, metric, query)])
        how, modules = self._measured(cell.metric, cell in self._tested_cells)
        (file,) = score_files(self.plan, [cell])
        inputs = {"slice": slice_file(self.plan, cell.slice)}
        if self.plan.metrics[metric].of_items:
            inputs = {"item_set": items_file(query), **inputs}
            how = {**how, "model_kind": self.plan.models[model].kind}
        return Job(file, inputs, how, modules)

    def _measure(self, metric: str, tested: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The settings and code of the scores of a metric, equal for thousands of cells."""
        variant = self.plan.metrics[metric]
        how = {
            "variant": variant.base_variant.definition,
            "seed": self.plan.seed if variant.draws or tested else 0,
            "statistics": self.statistics if tested else None,
        }
        code = ["fairflow.scores.word_cell"]
        if variant.of_items:
            code = ["fairflow.scores.item_cell", _SLICES]
        return how, (*code, variant.module)

    def lookup(self, query: str) -> Mapping[str, Any]:
        """How the words of a query are looked up."""
        return self.plan.lookups[self.plan.queries[query].lookup]

    @cached_property
    def statistics(self) -> dict[str, Any]:
        """Settings of tests and intervals."""
        return asdict(self.plan.statistics)

    def _random(self, slice_: Slice) -> dict[str, int]:
        """The number of random words of a slice for the null band, and their seed."""
        # Sentences have no random counterparts.
        of_words = self.plan.queries[slice_.query].kind == WORDS
        if not (of_words and slice_ in self._tested_slices and self.plan.statistics.random_words):
            return {"random_words": 0, "seed": 0}
        return {"random_words": self.plan.statistics.random_words, "seed": self.plan.seed}

    @cached_property
    def _tested_cells(self) -> frozenset[Cell]:
        """The cells that some study tests, and every cell of control queries."""
        studies = self.plan.studies.values()
        asked = [cell for study in studies if study.statistics for cell in study.cells]
        # A test decides whether a control query succeeds.
        asked += [cell for study in studies for cell in study.control_cells]
        return frozenset(self.plan.scored(asked))

    @cached_property
    def _tested_slices(self) -> frozenset[Slice]:
        asked = (study for study in self.plan.studies.values() if study.statistics)
        return frozenset(slice_ for study in asked for slice_ in study.slices)

    @cached_property
    def _metrics_of(self) -> dict[Slice, list[str]]:
        """The metrics that are measured on each slice."""
        found: dict[Slice, list[str]] = {}
        for cell in self.plan.cells:
            found.setdefault(cell.slice, []).append(cell.metric)
        return found


def definition(planned: PlannedQuery, sets: Sets) -> dict[str, Any]:
    """Words of each set of a query by role; of a lexicon its name and how to read it.

    Sentences also have "units": the word and template of each sentence. The declared inputs
    follow, a property as the path of its file; in a query of pairs alone their words are targets.
    """
    roles = {
        role: {name: content_of_set(sets[reference]) for name, reference in named.items()}
        for role, named in (("targets", planned.targets), ("attributes", planned.attributes))
    }
    units = [sets[name]["units"] for name in planned.references if "units" in sets[name]]
    merged = {text: unit for of_query in units for text, unit in of_query.items()}
    if not roles["targets"]:
        roles["targets"] = query_inputs(planned.declared).as_targets()
    more = {PROPERTY: {"file": planned.property_file}} if planned.property_file else {}
    return roles | ({"units": merged} if units else {}) | dict(planned.declared) | more


def _network(model: str) -> dict[str, str]:
    return {"folder": model_folder(model), "manifest": manifest_file(model)}


# Of the attributes of a study those that a reader of a run asks for.
_OF_A_STUDY = (
    *(
        "name",
        "title",
        "checks",
        "subject",
        "models",
        "metrics",
        "signed",
        "of_items",
        "readings",
    ),
    *("ability", "aggregation", "minimum_coverage", "statistics", "families", "controls", "labels"),
)
MODEL_FACTS = ("dims", "vocabulary", "licence", "citation", "note")


def run_description(plan: Plan) -> dict[str, Any]:
    """Studies, models, metrics, tables, figures, seed and settings of the statistics.

    Lists are in the order of the configuration, but that the user's own studies go first and those
    that only check documentation last; models and metrics are those of some study.
    """

    def turn(study: Study) -> int:
        return 0 if study.name not in SHIPPED else 2 if study.checks else 1

    studies = sorted(plan.studies.values(), key=turn)
    models = dict.fromkeys(name for study in studies for name in study.models)
    metrics = dict.fromkeys(name for study in studies for name in study.metrics)
    tables = {study.name: study_tables(REPORT, *study.kinds) for study in studies}
    return {
        "seed": plan.seed,
        "statistics": asdict(plan.statistics),
        "studies": [_study(study) for study in studies],
        "models": {name: _model(plan.models[name]) for name in models},
        "audited": [name for name in models if plan.models[name].kind == VECTORS],
        "metrics": {
            name: {"label": variant.label, "normalize": False, **variant.definition}
            for name, variant in ((name, plan.metrics[name]) for name in metrics)
        },
        "tables": [f"{name}/{table.file}" for name, listed in tables.items() for table in listed],
        "figures": [f"{study.name}/{figure}" for study in studies for figure in study.figures],
    }


def _study(study: Study) -> dict[str, Any]:
    values = {key: getattr(study, key) for key in _OF_A_STUDY}
    plain = {key: [*value] if isinstance(value, tuple) else value for key, value in values.items()}
    criteria = {name: [*queries] for name, queries in study.criteria.items()}
    return {**plain, "own": study.name not in SHIPPED, "criteria": criteria}


def _model(model: Model | PlannedLanguageModel) -> dict[str, Any]:
    facts = {key: model.entry.get(key) for key in MODEL_FACTS}
    facts["citation"] = full_citation(facts["citation"])
    if model.kind != VECTORS:
        origin = model.source_and_revision
    elif model.transform:
        origin = f"{model.transform.base}, {model.transform.name}"
    else:
        origin = model.entry.get("checksum")
    return {"label": model.label, "origin": origin, **facts}
