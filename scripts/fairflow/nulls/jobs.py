"""The jobs of nulls as data: published methods in their worlds; other modules register theirs."""

from __future__ import annotations

from typing import cast

from fairflow.nulls import METHODS, ceat_jobs, crossed
from fairflow.nulls.methods import SAID, module_of
from fairflow.nulls.plan import MethodsOfStudy
from fairflow.planning.registry import Job, Jobs, Parts, job, path_of, tables_of
from fairflow.planning.study import Study

# They register what they make.
__all__ = ["ceat_jobs", "crossed"]


@job("results/methods/{method}.parquet")
def method(jobs: Jobs, method: str) -> Job:
    """A method in its worlds."""
    code = ("fairflow.nulls.methods.method", module_of(method))
    return Job({}, {"method": method, "seed": jobs.plan.seed}, code)


@tables_of(METHODS)
def tables_of_methods(jobs: Jobs, study: Study) -> Parts:
    """What `fairflow.nulls.method_tables.methods_table` takes."""
    named = cast(MethodsOfStudy, study.parts[METHODS]).methods
    inputs = {"methods": [path_of(jobs.plan, "method", method=name) for name in named]}
    how = {"said": {name: SAID[name] for name in named}}
    return inputs, how, ("fairflow.nulls.method_tables", "fairflow.files.tables")
