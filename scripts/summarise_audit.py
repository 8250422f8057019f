"""Summarise an audit: a page for the terminal, a memo, and JSON for programs."""

from pathlib import Path

from fairflow.files.atomic import read_json, write_json, write_text
from fairflow.files.jobs import running
from fairflow.studies.audit_results import (
    audit_command,
    audit_lines,
    audit_memo,
    audit_summary,
    audited_model,
)
from fairflow.studies.claims.claim import Results
from fairflow.studies.claims.study_claims import read_stated
from fairflow.studies.columns import read_table
from fairflow.vectors.query_vectors import as_found

with running(snakemake) as job:
    how, made, files = job.params.how, job.output, dict(job.input.items())
    said_of, found = read_stated(files.pop("claims")), files.pop("found")
    # The other inputs are tables.
    recorded = {name: read_json(files.pop(name)) for name in how["identity"]}
    frames = {name: read_table(path) for name, path in files.items()}
    results = Results(frames, **as_found(how["asked"], found))
    labels = how["asked"]["labels"]
    equal = [labels[name] for path in found for name in read_json(path)["equal"]]
    model = audited_model(recorded, equal, how["said"])
    pages = {"Figure": how["figure"], "Report": str(Path(made.page).with_name("report.html"))}
    pages["Memo"] = made.memo
    lines = audit_lines(said_of, results, model, pages)
    write_text("".join(f"{line}\n" for line in lines), made.page)
    told = how["citations"], pages["Report"], audit_command(job.params.settings)
    write_text(audit_memo(said_of, results, model, *told), made.memo)
    paths = {name.lower(): path for name, path in pages.items()}
    write_json(audit_summary(said_of, results, model.facts, paths), made.summary)
