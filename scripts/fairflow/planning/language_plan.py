"""LanguagePlan: the language models, queries and metrics of a configuration, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairflow.language_models.folders.model_files import model_files
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.kinds import KINDS
from fairflow.language_models.items.query_entry import files_of
from fairflow.language_models.metrics import item_metric_module
from fairflow.scores.item_variant import ItemVariant

FOLDER = "results/language_models"
READING = ("pooling", "pooling_stated_by", "unit_length")
NOT_OF_THE_MODEL = (
    *("label", "licence", "citation", "note", "casing", "language"),
    *("pooling", "unit_length", "layer", "carriers"),
)


@dataclass(frozen=True)
class PlannedModel:
    """A language model by its entry in config/language_models.yaml."""

    name: str
    entry: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """Masked, causal, encoder, or texts: given completions without a model."""
        return self.entry["kind"]

    @property
    def label(self) -> str:
        """Shown in tables and figures."""
        return self.entry.get("label", self.name)

    @property
    def pooling(self) -> str | None:
        """How positions become one vector; None for what the model's files say."""
        return self.entry.get("pooling")

    @property
    def unit_length(self) -> bool | None:
        """Whether vectors are divided by their length; None for what the model's files say."""
        return self.entry.get("unit_length")

    @property
    def carriers(self) -> list[str] | None:
        """Texts that words are shown in, none for bare words; None for what the model needs."""
        carriers = self.entry.get("carriers")
        return [] if carriers == "none" else carriers

    @property
    def layer(self) -> int:
        """Of the hidden states; -1 is the last."""
        return self.entry.get("layer", -1)

    @property
    def language(self) -> str | None:
        """Of its words."""
        return self.entry.get("language")

    @property
    def origin(self) -> str:
        """Where it comes from, in words; no path of this machine."""
        if "hub" in self.entry:
            return self.entry["hub"]
        origins = {
            "tiny": "trained here on generated text",
            "folder": "a local folder",
            "completions": "given completions",
        }
        return next(words for key, words in origins.items() if key in self.entry)

    @property
    def source(self) -> dict[str, Any]:
        """What decides the files of the model."""
        return {k: v for k, v in self.entry.items() if k not in NOT_OF_THE_MODEL}


@dataclass(frozen=True)
class ItemQuery:
    """A query of items, by its entry in config/language_queries."""

    name: str
    entry: Mapping[str, Any]
    items: ItemSet
    citation: str = ""

    @property
    def kind(self) -> str:
        """A key of `items.kinds.KINDS`."""
        return self.items.kind

    @property
    def slice_(self) -> str:
        """What its items are scored from, "tokens" or "completions"."""
        return KINDS[self.kind].slice_

    @property
    def label(self) -> str:
        """Shown in tables and figures."""
        return self.entry.get("label", self.name)


@dataclass(frozen=True)
class LanguagePlan:
    """What the studies of language models are made of.

    Attributes
    ----------
    cells : 'model/metric/query' of every cell of items that some study asks for.
    sentences : association queries that no static model can take.
    files : of the user's, which queries and completions are read from.
    archived : slices stand in for the models, none of which is trained or fetched.
    """

    models: Mapping[str, PlannedModel] = field(default_factory=dict)
    variants: Mapping[str, ItemVariant] = field(default_factory=dict)
    queries: Mapping[str, ItemQuery] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    sentences: frozenset[str] = frozenset()
    cells: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    archived: bool = False

    def of_source(self, source: str) -> list[str]:
        """Names of the models that come from "tiny", "folder", "hub" or "completions"."""
        return [name for name, model in self.models.items() if source in model.entry]

    def to_make(self, *sources: str) -> list[str]:
        """Names of the models from these sources that a rule may train or fetch."""
        return [] if self.archived else [n for one in sources for n in self.of_source(one)]

    @property
    def networks(self) -> list[str]:
        """Names of the models that can be run."""
        return [name for name in self.models if name not in self.of_source("completions")]

    def queries_of(self, slice_: str) -> list[str]:
        """Names of the queries that are read from "tokens" or "completions"."""
        return [name for name, query in self.queries.items() if query.slice_ == slice_]

    def needs(self, model: str, query: str) -> list[str]:
        """What the metrics of the studies ask of a model about a query."""
        kind = self.models[model].kind
        found = {
            need
            for cell in self.cells
            for other, metric, one in [cell.split("/")]
            if (other, one) == (model, query)
            for need in self.variants[metric].made.needs(kind)
        }
        return sorted(found)

    def slice_file(self, model: str, query: str) -> str:
        """The slice that the items of a query are scored from."""
        return f"results/{self.queries[query].slice_}/{model}/{query}.parquet"

    def decoding(self, model: str, query: str, seed: int) -> dict[str, Any]:
        """How a model completes the prompts of a query."""
        return decoding_of(self.queries[query].entry, self.models[model].kind, seed)

    def files_of_query(self, query: str) -> list[str]:
        """The files that the items of a query come from."""
        return files_of(self.queries[query].entry)

    def local_files(self, model: str) -> list[str]:
        """The files of a model in a folder of the user's; a change makes another model of it."""
        entry = self.models[model].entry
        if "folder" not in entry:
            return []
        return [str(path) for path in model_files(entry["folder"])]

    def module(self, metric: str) -> str:
        """The module that holds a variant's metric."""
        return item_metric_module(self.variants[metric].metric)

    def files_of_study(
        self, models: Sequence[str], cells: Sequence[str], slices: Sequence[str]
    ) -> dict[str, list[str]]:
        """Files of a study by kind: facts and manifests of models, slices, values of items."""
        parts = [cell.split("/") for cell in cells]
        own = [(m, v, q) for m, v, q in parts if v in self.variants]
        read = dict.fromkeys((self.slice_file(m, q), q) for m, _, q in own)
        embedded = [name for name in slices if name.split("/")[0] in self.models]
        networks = [name for name in models if name in self.networks]
        return {
            "facts": [f"{FOLDER}/{name}/facts.json" for name in networks],
            "manifests": [f"{FOLDER}/{name}/manifest.json" for name in networks],
            "item_slices": [path for path, _ in read],
            "tokens": [path for path, query in read if query in self.queries_of("tokens")],
            "embeddings": [f"results/embeddings/{name}.parquet" for name in embedded],
            "items": [f"results/item_scores/{'/'.join(cell)}.csv" for cell in own],
        }

    def stated(self, models: Sequence[str]) -> dict[str, dict[str, Any]]:
        """What the configuration says of language models that a reader has to know."""
        return {
            name: {
                "label": self.models[name].label,
                "source": self.models[name].origin,
                "revision": self.models[name].entry.get("revision"),
                "casing": self.models[name].entry.get("casing"),
                # In their place in the table; what they come to stands in the facts.
                **dict.fromkeys(READING),
                "layer": self.models[name].layer,
            }
            for name in models
            if name in self.models
        }

    def can(self, model: str, metric: str, query: str) -> bool:
        """Whether a metric of items takes this query and model."""
        declared = self.variants[metric].declared
        planned = self.queries.get(query)
        if model not in self.models or planned is None or declared.kind != planned.kind:
            return False
        if self.variants[metric].made.query_problem(planned.items):
            return False
        known = self.models[model]
        texts = known.entry.get("completions")
        if texts is not None and query not in texts:
            return False
        return bool(self.variants[metric].made.needs(known.kind))


def decoding_of(entry: Mapping[str, Any], kind: str, seed: int) -> dict[str, Any]:
    """The decoding of a prompt query for models of a kind, with what it leaves out filled in."""
    usual = {"masked": {"method": "fill_mask", "completions": 5}, "causal": {"method": "greedy"}}
    return {"seed": seed} | dict(entry.get("decoding", {}).get(kind, usual.get(kind, {})))
