"""Say in a few lines what an audit found."""

from pathlib import Path
from typing import Any

from fairflow.files.atomic import read_json, write_text
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.studies.audit_lines import about_vectors, audit_lines
from fairflow.studies.findings.finding import Results


def write_audit_lines(
    paths_to_read: list[str],
    path_to_found: str,
    paths_to_facts: list[str],
    asked: dict[str, Any],
    said: dict[str, Any],
    path_to_lines: str,
) -> None:
    equal = read_json(path_to_found)["equal"]
    facts = [read_json(path) for path in paths_to_facts]
    about = about_vectors(said["about"], asked["labels"], equal, facts)
    tables = {Path(path).stem: read_table(path) for path in paths_to_read}
    lines = audit_lines(Results(tables, **asked), **{**said, "about": about})
    write_text("".join(f"{line}\n" for line in lines), path_to_lines)


if __name__ == "__main__":
    run(snakemake, write_audit_lines)
