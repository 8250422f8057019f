"""Validate an RO-Crate without a network: python validate_crate.py FOLDER PROFILE SEVERITY.

Prints one line per issue. The JSON-LD context of RO-Crate 1.1 is that of the rocrate package (1.3),
with the four terms that the two versions name differently.
"""

import json
import sys
from pathlib import Path

import requests
import requests_cache
import rocrate
from rocrate_validator import models, services

BIOSCHEMAS = "https://bioschemas.org"
TERMS_OF_1_1 = {
    "ComputationalWorkflow": f"{BIOSCHEMAS}/ComputationalWorkflow",
    "FormalParameter": f"{BIOSCHEMAS}/FormalParameter",
    "input": f"{BIOSCHEMAS}/ComputationalWorkflow#input",
    "output": f"{BIOSCHEMAS}/ComputationalWorkflow#output",
}
CONTEXT = json.loads((Path(rocrate.__file__).parent / "data/ro-crate.jsonld").read_text())
PAGES = {
    "https://w3id.org/ro/crate/1.1/context": {"@context": CONTEXT["@context"] | TERMS_OF_1_1},
    "https://w3id.org/ro/terms/workflow-run/context": {
        "@context": {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}
    },
}


def respond(self: requests.Session, method: str, url: str, **_: object) -> requests.Response:
    page = PAGES.get(url)
    response = requests.Response()
    response.url, response.status_code = url, 200 if page else 404
    response._content = json.dumps(page).encode()
    response.headers["Content-Type"] = "application/ld+json"
    return response


def main(folder: str, profile: str, severity: str) -> None:
    requests.Session.request = requests_cache.CachedSession.request = respond
    settings = services.ValidationSettings(
        rocrate_uri=folder,
        profile_identifier=profile,
        requirement_severity=models.Severity[severity],
        no_cache=True,
    )
    for issue in services.validate(settings).get_issues():
        print(f"{issue.severity.name} {issue.check.identifier}: {issue.message}")


if __name__ == "__main__":
    main(*sys.argv[1:])
