"""Say in a few lines what an audit found."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.studies.audit_lines import about_vectors, audit_lines
from fairflow.studies.findings.finding import Results


def write_audit_lines(
    paths_to_read: Sequence[str],
    path_to_found: str,
    paths_to_facts: Sequence[str],
    asked: Mapping[str, Any],
    said: Mapping[str, Any],
    path_to_lines: str,
) -> None:
    equal = json.loads(Path(path_to_found).read_text(encoding="utf-8"))["equal"]
    facts = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths_to_facts]
    about = about_vectors(said["about"], asked["labels"], equal, facts)
    tables = {Path(path).stem: read_table(path) for path in paths_to_read}
    lines = audit_lines(Results(tables, **asked), **{**said, "about": about})
    write_text("".join(f"{line}\n" for line in lines), path_to_lines)


if __name__ == "__main__":
    run(snakemake, write_audit_lines)
