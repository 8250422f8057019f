"""State in a short list what a study lets one conclude."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table
from fairflow.studies.findings.finding import Results, write_conclusions
from fairflow.studies.findings.statements import findings
from fairflow.vectors.equal_vectors import as_found


def state_conclusions(
    title: str,
    paths_to_tables: Mapping[str, str],
    asked: Mapping[str, Any],
    path_to_text: str,
    path_to_data: str,
) -> None:
    tables = {name: read_table(path) for name, path in paths_to_tables.items()}
    write_conclusions(title, findings(Results(tables, **asked)), path_to_text, path_to_data)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        state_conclusions(
            title=snakemake.params.title,
            paths_to_tables={n: path for n, path in snakemake.input.items() if n != "found"},
            asked=as_found(snakemake.params.asked, snakemake.input.found),
            path_to_text=snakemake.output[0],
            path_to_data=snakemake.output[1],
        )
