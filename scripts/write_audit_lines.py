"""Say in a few lines what an audit found."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.atomic import write_text
from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table
from fairflow.studies.audit_lines import about_vectors, audit_lines


def write_audit_lines(
    tables: Mapping[str, str],
    path_to_found: str,
    paths_to_facts: Sequence[str],
    said: Mapping[str, Any],
    path_to_lines: str,
) -> None:
    equal = json.loads(Path(path_to_found).read_text(encoding="utf-8"))["equal"]
    facts = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths_to_facts]
    about = about_vectors(said["about"], said["labels"], equal, facts)
    frames = {name: read_table(path) for name, path in tables.items()}
    lines = audit_lines(**frames, **{**said, "about": about})
    write_text("".join(f"{line}\n" for line in lines), path_to_lines)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        write_audit_lines(
            tables={Path(path).stem: path for path in snakemake.input.tables},
            path_to_found=snakemake.input.found,
            paths_to_facts=snakemake.input.facts,
            said=snakemake.params.said,
            path_to_lines=snakemake.output.lines,
        )
