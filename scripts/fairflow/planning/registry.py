"""The registry of jobs: for each kind of file its path, and what it is made from.

A rule names a kind and knows nothing else. A record is made when a rule first needs it,
since a configuration may have thousands of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from fairflow.capabilities import extensions
from fairflow.planning.plan import Plan
from fairflow.planning.study import Study


@dataclass(frozen=True, slots=True)
class Job:
    """The inputs and settings that the files of a job are made from.

    Attributes
    ----------
    inputs : path or paths, by the name that the rule has for them.
    how : the other settings that decide the content, plain values by the script's names for them.
    modules : the modules that compute it; the last is the module of the metric, if there is one.
    """

    inputs: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    how: Mapping[str, Any] = field(default_factory=dict)
    modules: tuple[str, ...] = ()


MODELS = "results/models"
Make = Callable[..., Job]


@dataclass(frozen=True)
class Kind:
    """A kind of job.

    Attributes
    ----------
    make : takes the `Jobs` and the wildcards of the paths. path : of the file that it makes.
    """

    make: Make
    path: str


KINDS: dict[str, Kind] = {}
# The modules of this room that register kinds, which need not be imported by who asks for a file.
_REGISTERING = ("jobs", "model_jobs", "study_jobs")
# Inputs, the other settings that decide the content, and the modules that compute it.
Parts = tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]
# Kind of tables -> what a capability makes them from, in a study.
TABLES: dict[str, Callable[[Jobs, Study], Parts]] = {}


def job(path: str = "") -> Callable[[Make], Make]:
    """Register what says how files at a path are made, under its name.

    Parameters
    ----------
    path : with wildcards; {answers} is the folder of the plan's answers, {models} that of converted
        models, which is given to `path_of`. "" where a job has a path for each of its files.
    """

    def register(make: Make) -> Make:
        KINDS[make.__name__] = Kind(make, path)
        return make

    return register


def tables_of(kind: str) -> Callable[[Callable[[Jobs, Study], Parts]], Any]:
    """Register what says how a capability's tables of a study are made."""

    def register(make: Callable[[Jobs, Study], Parts]) -> Any:
        TABLES[kind] = make
        return make

    return register


def kind_called(name: str) -> Kind:
    """A kind of job, of the core or of a capability."""
    if name not in KINDS:
        for module in _REGISTERING:
            import_module(f"{__package__}.{module}")
        extensions("jobs")
    return KINDS[name]


class _Free(dict[str, str]):
    """Gives a wildcard that has no value as it is."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def path_of(plan: Plan, kind: str, **wildcards: str) -> str:
    """The path of a kind of file; a wildcard that is not given stays one."""
    return kind_called(kind).path.format_map(_Free(answers=plan.answers, **wildcards))


class Jobs:
    """The jobs of a plan.

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
        self.running = {"device": device, "token_budget": token_budget}
        self._made: dict[tuple, Job] = {}

    def of(self, kind: str, **wildcards: str) -> Job:
        """The job that makes the file of a kind with these wildcards."""
        key = kind, *wildcards.items()
        if key not in self._made:
            self._made[key] = kind_called(kind).make(self, **wildcards)
        return self._made[key]
