"""Snakemake whose scripts run inside its own process, to finish many small jobs quickly.

python snakemake_in_one_process.py ARGUMENTS OF SNAKEMAKE, with --cores 1. Files and Snakemake's
records of them are those of a usual run; benchmarks are empty.
"""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from snakemake.cli import main
from snakemake.executors import local


def run_here(
    rule: Any, input_: Any, output: Any, params: Any, wildcards: Any, *others: Any
) -> None:
    """Replace `run_wrapper` of Snakemake's local executor."""
    log, benchmark = others[2:4]
    given = SimpleNamespace(
        input=input_, output=output, params=params, wildcards=wildcards, log=log
    )
    if not rule.is_script:
        return
    path = Path("scripts", rule.name + ".py")
    exec(compile(path.read_text(), path, "exec"), {"__name__": "__main__", "snakemake": given})
    Path(benchmark).touch()


if __name__ == "__main__":
    local.run_wrapper = run_here
    sys.path.append("scripts")
    sys.exit(main(sys.argv[1:]))
