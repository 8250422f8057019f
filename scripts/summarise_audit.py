"""Summarise an audit: a page for the terminal, a memo, and JSON for programs."""

from pathlib import Path
from typing import Any

from fairflow.files.atomic import read_json, write_json, write_text
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.studies.audit_results import (
    audit_command,
    audit_lines,
    audit_memo,
    audit_summary,
    audited_model,
)
from fairflow.studies.claims.claim import Results
from fairflow.studies.claims.study_claims import read_stated
from fairflow.vectors.query_vectors import as_found


def summarise_audit(
    tables: dict[str, str],
    identity: dict[str, str],
    paths_to_found: list[str],
    asked: dict[str, Any],
    said: dict[str, Any],
    citations: list[str],
    settings: dict[str, str | None],
    path_to_claims: str,
    path_to_page: str,
    path_to_memo: str,
    path_to_summary: str,
) -> None:
    frames = {name: read_table(path) for name, path in tables.items()}
    results = Results(frames, **as_found(asked, paths_to_found))
    equal = [asked["labels"][name] for path in paths_to_found for name in read_json(path)["equal"]]
    recorded = {name: read_json(path) for name, path in identity.items()}
    model, said_of = audited_model(recorded, equal, said), read_stated(path_to_claims)
    files = {"Report": str(Path(path_to_page).with_name("report.html")), "Memo": path_to_memo}
    lines = audit_lines(said_of, results, model, files)
    write_text("".join(f"{line}\n" for line in lines), path_to_page)
    command = audit_command(settings)
    write_text(
        audit_memo(said_of.page, results, model, citations, files["Report"], command), path_to_memo
    )
    paths = {name.lower(): path for name, path in files.items()}
    write_json(audit_summary(said_of, results, model.facts, paths), path_to_summary)


if __name__ == "__main__":
    tables = {
        name: path for name, path in snakemake.input.items() if name not in ("found", "claims")
    }
    recorded = ("card", "facts", "manifest")
    identity = {name: tables.pop(name) for name in recorded if name in tables}
    run(snakemake, summarise_audit, tables=tables, identity=identity)
