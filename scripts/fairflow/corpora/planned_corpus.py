"""Corpora of a plan: the models that are trained on their subcorpora, and how often anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from fairflow.corpora.corpus import FILES
from fairflow.corpora.sample import Subcorpus, subcorpora
from fairflow.errors import ConfigurationError
from fairflow.planning.catalogue import file_of

# What an entry without these keys has.
PREPARATION = {"minimum_count": 5, "window": 10}
COUNTED = "pmi"
# Embeddings of counts alone are drawn often, as it costs little.
_DRAWS = {
    COUNTED: {"documents": 200, "seeds": 1, "shuffled": 20},
    "ppmi_svd": {"documents": 20, "seeds": 1, "shuffled": 5},
    "sgns": {"documents": 20, "seeds": 5, "shuffled": 5},
    "fasttext": {"documents": 20, "seeds": 5, "shuffled": 5},
}
# Draws of one job.
BATCH = 25
_OF_DATES = ("date", "date_order")
_OF_TEXTS = ("texts", "metadata", "names", "text", *_OF_DATES, "encoding", "quotes", "archive")
_OF_MODELS = ("sources", "bytes", "checksum", "language", "licence", "citation", "note")


@dataclass(frozen=True)
class PlannedCorpus:
    """A corpus by its entry in config/corpora.yaml."""

    name: str
    entry: Mapping[str, Any]

    @property
    def source(self) -> str:
        """The folder or file with its texts."""
        return file_of(self.entry)

    @property
    def files(self) -> dict[str, str]:
        """What is kept of it on disk, see `fairflow.corpora.corpus`."""
        return {key: f"results/corpora/{self.name}/{file}" for key, file in FILES.items()}

    @property
    def definition(self) -> dict[str, Any]:
        """What decides these files, as `read_corpus` takes it."""
        keys = (*_OF_TEXTS, "bytes", "checksum")
        told = {key: self.entry[key] for key in keys if key in self.entry}
        given = self.entry.get("preparation", {})
        return told | {"preparation": {k: v for k, v in given.items() if k not in PREPARATION}}

    @property
    def settings(self) -> dict[str, int]:
        """The least count of a word with a vector, and the window."""
        given = self.entry.get("preparation", {})
        return {key: given.get(key, usual) for key, usual in PREPARATION.items()}

    @property
    def cluster(self) -> str:
        """The field whose values say which documents are drawn together; "" if none are."""
        return self.entry.get("cluster", "")

    @cached_property
    def subcorpora(self) -> list[Subcorpus]:
        """Every subcorpus of every division."""
        try:
            return subcorpora(self.entry.get("divisions", {}))
        except ConfigurationError as error:
            where = f"config/corpora.yaml: {self.name}: "
            raise ConfigurationError([where + problem for problem in error.problems]) from None

    @property
    def embeddings(self) -> dict[str, dict[str, Any]]:
        """Parameters of each of its embeddings."""
        given = self.entry.get("embeddings", {COUNTED: {}})
        return {
            name: {key: value for key, value in parameters.items() if key != "draws"}
            for name, parameters in given.items()
        }

    def batches(self, embedding: str) -> dict[str, list[list[Any]]]:
        """Name of a job -> its draws, kind and number: see `fairflow.corpora`.

        The first of the seeds is the model itself, and no draw.
        """
        of_all = self.entry.get("draws", {})
        of_one = self.entry.get("embeddings", {}).get(embedding, {}).get("draws", {})
        numbers = _DRAWS[embedding] | of_all | of_one
        # A larger number leaves the other batches as they are.
        found = {}
        for kind, number in numbers.items():
            drawn = [[kind, n] for n in range(1 if kind == "seeds" else 0, number)]
            size = len(drawn) if embedding == COUNTED else BATCH
            for start in range(0, len(drawn), max(size, 1)):
                found[f"{kind}_{start}"] = drawn[start : start + size]
        return found

    def trained(
        self, divisions: list[str] | None = None, embeddings: list[str] | None = None
    ) -> dict[str, dict[str, Any]]:
        """Name -> entry of the model of each subcorpus of some divisions, by some embeddings."""
        parts = [one for one in self.subcorpora if divisions is None or one.division in divisions]
        told = {key: self.entry[key] for key in _OF_MODELS if key in self.entry}
        casing = "lower" if self.entry.get("preparation", {}).get("lower", True) else "mixed"
        return {
            f"{self.name}-{part.name}-{embedding}": {
                "label": f"{part.label} ({embedding})",
                **told,
                "format": "word2vec-binary",
                "casing": casing,
                "order": "frequency",
                "trained": {
                    "corpus": self.name,
                    "subcorpus": part.name,
                    "embedding": embedding,
                },
            }
            for embedding, part in product(embeddings or self.embeddings, parts)
        }
