"""The script of a rule run in this process, with a job as Snakemake gives it."""

from collections.abc import Mapping
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from snakemake.iocontainers import InputFiles, OutputFiles, Params, Wildcards

SCRIPTS = Path(__file__).parents[3] / "scripts"


def run_script(
    name: str,
    read: Mapping[str, Any],
    made: Mapping[str, Any],
    how: Mapping[str, Any],
    code: str = "code",
    **wildcards: str,
) -> None:
    """Run a script; its log is the first output with another ending."""
    job = SimpleNamespace(
        input=InputFiles(fromdict=read),
        output=OutputFiles(fromdict={key: str(path) for key, path in made.items()}),
        params=Params(fromdict={"how": how, "code": code}),
        wildcards=Wildcards(fromdict=wildcards),
        threads=1,
        log=Path(next(iter(made.values()))).with_suffix(".log"),
    )
    job.log.parent.mkdir(parents=True, exist_ok=True)
    run_path(str(SCRIPTS / f"{name}.py"), init_globals={"snakemake": job})
