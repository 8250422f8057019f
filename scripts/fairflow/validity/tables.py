"""The tables of the validity of a study's scores, and those of their numbers that are published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from fairflow.studies.published.comparison import Key, Number
from fairflow.studies.tabulate import Tabulation
from fairflow.validity import VALIDITY
from fairflow.validity.checks import validity_tables
from fairflow.validity.evidence import read_evidence


def tables_of_study(study: Tabulation, how: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """The tables, as `fairflow.validity.jobs` asks for them."""
    evidence = read_evidence(study.slices, study.read["shares"], how)
    return validity_tables(evidence, study.table("scores.parquet"))


def agreement_numbers(study: Tabulation) -> Iterator[tuple[Key, Number]]:
    """Kappa and the share of words on which base pairs agree: their name in place of a query."""
    checks = study.table("checks.csv")
    rows = checks[checks["pairs"].fillna("") != ""].fillna({"pair": "", "reason": ""})
    for row in rows.to_dict(orient="records"):
        remark = row["reason"] or f"{row['n_all']} pairs and {row['n']} words are here"
        for measure, value in (("kappa", "value"), ("share_unanimous", "value_all")):
            key = row["model"], row["of"], row["pairs"], measure, row["pair"]
            yield key, Number(float(row[value]), remark)


MAKERS = {VALIDITY: tables_of_study}
NUMBERS = {VALIDITY: agreement_numbers}
