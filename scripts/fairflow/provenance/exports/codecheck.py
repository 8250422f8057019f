"""codecheck.yml, which says what a codechecker has to reproduce.

Version 1.0 of https://codecheck.org.uk/spec/config/1.0/ (Nüst & Eglen 2021,
https://doi.org/10.12688/f1000research.51738.2). The codechecker adds `codechecker` and `report`.
"""

from __future__ import annotations

from typing import Any

import yaml

from fairflow.provenance.exports.exported_study import ExportedStudy

SPECIFICATION = "https://codecheck.org.uk/spec/config/1.0/"
_BEGIN = "%YAML 1.1\n---\n"
_MISSING = "# The codechecker adds: codechecker (name, ORCID), report (DOI of the certificate).\n"


def codecheck(study: ExportedStudy) -> dict[str, str]:
    """codecheck.yml, for the folder of the run, with the tables and figures of the study."""
    identity = ", ".join(f"{name} {value}" for name, value in study.identity.items())
    manifest = [{"file": path, "comment": text} for path, text in study.files.items()]
    paper: dict[str, Any] = {"title": study.title, "authors": [_author(a) for a in study.authors]}
    contents = {
        "version": SPECIFICATION,
        "manifest": manifest,
        "paper": paper | ({"reference": study.reference} if study.reference else {}),
        "source": f"`make run STUDY={study.name}` makes the files of the manifest; {identity}",
    }
    text = yaml.safe_dump(contents, allow_unicode=True, sort_keys=False, width=100)
    return {"codecheck.yml": f"{_BEGIN}{text}{_MISSING}"}


def _author(author: dict[str, str]) -> dict[str, str]:
    orcid = author.get("orcid", "").removeprefix("https://orcid.org/")
    return {"name": author["name"]} | ({"ORCID": orcid} if orcid else {})
