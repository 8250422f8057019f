"""Record what an audit found as JSON, for programs."""

from pathlib import Path
from typing import Any

from fairflow.files.atomic import read_json, write_json
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.studies.audit_summary import audit_summary
from fairflow.studies.findings.finding import Results


def record_audit_summary(
    tables: dict[str, str],
    path_to_conclusions: str,
    asked: dict[str, Any],
    metric: str,
    path_to_summary: str,
) -> None:
    results = Results({name: read_table(path) for name, path in tables.items()}, **asked)
    findings = read_json(path_to_conclusions)["findings"]
    report = str(Path(path_to_summary).with_name("report.html"))
    write_json(audit_summary(results, metric, findings, {"report": report}), path_to_summary)


if __name__ == "__main__":
    names = ("scores", "ranking", "quality")
    run(snakemake, record_audit_summary, tables={n: snakemake.input[n] for n in names})
