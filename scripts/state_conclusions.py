"""State in a short list what a study lets one conclude."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.studies.findings.finding import Results, write_conclusions
from fairflow.studies.findings.statements import findings


def state_conclusions(
    title: str,
    tables: Mapping[str, str],
    asked: Mapping[str, Any],
    paths_to_tables: Sequence[str],
) -> None:
    frames = {name: read_table(path) for name, path in tables.items()}
    write_conclusions(title, findings(Results(frames, **asked)), *paths_to_tables)


if __name__ == "__main__":
    run(snakemake, state_conclusions, tables=dict(snakemake.input.items()))
