"""State what a study lets one conclude: its claims, and its page."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.studies.claims.claim import Results
from fairflow.studies.claims.study_claims import stated, write_stated
from fairflow.vectors.query_vectors import as_found


def state_conclusions(
    title: str,
    tables: dict[str, str],
    paths_to_found: list[str],
    asked: dict[str, Any],
    paths_to_tables: list[str],
) -> None:
    frames = {name: read_table(path) for name, path in tables.items()}
    results = Results(frames, **as_found(asked, paths_to_found))
    paths = dict(zip(("claims", "data", "conclusions"), paths_to_tables, strict=True))
    write_stated(stated(title, results), **paths)


if __name__ == "__main__":
    files = {name: path for name, path in snakemake.input.items() if name != "found"}
    run(snakemake, state_conclusions, tables=files)
