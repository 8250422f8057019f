"""All claims of a study, in the order of a reader's questions; and its page, as files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from fairflow.capabilities import additions
from fairflow.files.atomic import read_json, write_json, write_text
from fairflow.files.tables import write_table
from fairflow.studies.claims import associations, debiasing
from fairflow.studies.claims import page as pages
from fairflow.studies.claims.claim import Claim, Results, as_table, from_plain, plain
from fairflow.studies.claims.comparisons import comparison_claims
from fairflow.studies.claims.page import Page, study_page
from fairflow.studies.claims.words import worded


class Stated(NamedTuple):
    """What can be said of a study: its claims with their words, and its page."""

    claims: tuple[Claim, ...]
    page: Page


def stated(title: str, results: Results) -> Stated:
    """The claims of a study and its page.

    Parameters
    ----------
    title : of the study.
    """
    further, subject = additions("claims"), results.subject
    apart = any(one.judges_alone(results) for one in further)
    every = [] if apart else [*associations.association_claims(results)]
    strong = {one.subject for one in every if one.verdict == associations.SIGNIFICANT}
    made = (
        *associations.control_claims(results),
        *(() if apart else comparison_claims(results, strong)),
        *debiasing.debiased_claims(results),
        *(claim for one in further for claim in one.claims(results)),
        *(one for one in every if subject in ("", one.subject)),
        *(claim for one in further for claim in one.notes(results)),
        *associations.own_claims(results),
        *associations.missing_claims(results),
        *associations.reproduced_claims(results),
    )
    claims = worded(made, results.labels)
    models = [subject] if subject else [*results.every_headline["model"].unique()]
    checks = [row for one in further for row in one.checks(results, models)]
    return Stated(claims, study_page(title, claims, results.labels, checks, subject))


def write_stated(found: Stated, **paths: str | Path) -> None:
    """Write the conclusions in Markdown, and the claims as a table and as JSON.

    Parameters
    ----------
    paths : conclusions, claims (CSV) and data (JSON).
    """
    write_text(pages.as_markdown(found.page), paths["conclusions"])
    write_table(as_table(found.claims), paths["claims"])
    write_json(plain({"page": found.page, "claims": found.claims}), paths["data"])


def read_stated(path: str | Path) -> Stated:
    """What `write_stated` wrote as JSON."""
    data = read_json(path)
    return Stated(from_plain(data["claims"]), pages.page_from_plain(data["page"]))
