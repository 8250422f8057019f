"""What a capability adds to plans: the module `plan` of its folder has one, called EXTENSION."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fairflow.planning.configuration import Configuration, Fault
from fairflow.planning.models import Lineage
from fairflow.planning.named_sets import Sets
from fairflow.planning.plan import Plan
from fairflow.planning.queries import AnyQuery
from fairflow.planning.study import Entries, Part, Study
from fairflow.scores.variant import Variant

Queries = Mapping[str, AnyQuery]


class FurtherQueries(NamedTuple):
    """Queries by name, the word sets that they write themselves, and their faults."""

    queries: Queries = {}
    word_sets: Sets = {}
    faults: Sequence[Fault] = ()


class Extension:
    """A capability in a plan; by default it adds nothing.

    Attributes
    ----------
    models_file : the file of the configuration with its models. variants : a file with metrics ->
        the class of these. queries_folder : the folder of files with its queries.
    study_lists : lists of studies in config.yaml -> the setting with which a run computes them.
    command : that runs a study with its models, where it is another one than for all others.
    """

    models_file: str = ""
    variants: Mapping[str, type[Variant]] = {}
    queries_folder: str = ""
    study_lists: Mapping[str, str] = {}
    command: str = ""

    def catalogue(self, configuration: Configuration) -> Mapping[str, Any]:
        """The entries of its models."""
        return configuration.further.get(self.models_file, {})

    def completed(self, configuration: Configuration) -> Configuration:
        """A configuration with what its files imply for other files."""
        return configuration

    def models(self, configuration: Configuration, word_sets: Sets) -> Mapping[str, Lineage]:
        """Its models, see `fairflow.planning.models.models_of`."""
        return {}

    def queries(
        self, configuration: Configuration, known: Queries, word_sets: Sets
    ) -> FurtherQueries:
        """Its queries, given those of words."""
        return FurtherQueries()

    def sources(self, configuration: Configuration) -> Mapping[str, Mapping[str, Any]]:
        """Query -> the entry with the sources of its contents, of those that are fetched."""
        return {}

    def files(self, configuration: Configuration) -> Iterable[str]:
        """The files of the user's that planning reads."""
        return ()

    def entry_faults(
        self, configuration: Configuration, models: Mapping[str, Lineage], word_sets: Sets
    ) -> Iterable[Fault]:
        """Faults of the entries of its models."""
        return ()

    def local_faults(
        self, configuration: Configuration, entries: Entries, studies: Iterable[Study]
    ) -> Iterable[Fault]:
        """The user's own files that studies need for it and that are missing."""
        return ()

    def parts(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> Mapping[str, Part]:
        """What a study without faults has of it, by the kind of the tables that are made from it.

        Parameters
        ----------
        entry : what the file of the study says.
        """
        return {}

    def faults(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> Iterator[tuple[str, str]]:
        """(Key, sentence) of each fault of a study's entry."""
        yield from ()

    def downloads(self, plan: Plan) -> Iterable[Mapping[str, Any]]:
        """Entries with sources, other than those of models."""
        return ()

    def missing(self, plan: Plan) -> tuple[Iterable[Mapping[str, Any]], Mapping[str, int | None]]:
        """Entries whose downloads a run still needs; and what it fetches otherwise -> its size."""
        return (), {}

    def not_remade(self, plan: Plan) -> Iterable[str]:
        """The files that a plan without models cannot make again."""
        return ()

    def results(self, plan: Plan) -> Iterable[str]:
        """The files behind the tables that such a plan makes again."""
        return ()

    def records(self, plan: Plan) -> Iterable[str]:
        """The records of its models."""
        return ()

    def manifests(self, plan: Plan) -> Iterable[str]:
        """The lists of files of its models: "files", name -> sha256, in a file manifest.json."""
        return ()

    def derived(self, plan: Plan) -> Iterable[str]:
        """Its models that a run derives from others."""
        return ()

    def unpacked(self, plan: Plan) -> Iterable[tuple[str, str]]:
        """Its models that a run unpacks, each with the list of its files."""
        return ()

    def resolved(self, plan: Plan) -> Mapping[str, Any]:
        """What it adds to the record of everything that decides a number."""
        return {}

    def asked(self, study: Study) -> Mapping[str, Any]:
        """What it adds to the settings of a study that claims are made from, by name."""
        return {}
