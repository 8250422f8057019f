"""Measure the lengths of a model's vectors."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.audit import audit, write_audit
from fairflow.vectors.derivation import open_store


def audit_model(model: str, store: dict[str, Any], path_to_audit: str) -> None:
    with open_store(**store) as vectors:
        write_audit(audit(vectors), model, path_to_audit)


if __name__ == "__main__":
    run(snakemake, audit_model, store=dict(snakemake.input.items()))
