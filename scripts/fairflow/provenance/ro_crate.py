"""A run as a Workflow Run RO-Crate 0.5: the workflow, what it read, what it made.

The crate's root is the folder of the project, or of an unpacked archive of it.
https://w3id.org/ro/wfrun/workflow/0.5 and https://w3id.org/ro/crate/1.1 define the terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from mimetypes import MimeTypes
from typing import Any

from fairflow.provenance.archive import FOLDERS

_WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    _WORKFLOW_CRATE: "Workflow RO-Crate",
}
_WORKFLOW_PROFILE = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
_CONTEXTS = (
    "https://w3id.org/ro/crate/1.1/context",
    "https://w3id.org/ro/terms/workflow-run/context",
)
_SNAKEMAKE = "https://snakemake.github.io/"


def crate(
    software: Mapping[str, Any],
    snakemake: str,
    titles: Sequence[str],
    files: Mapping[str, Mapping[str, str]],
    folders: Mapping[str, str],
    in_place: bool,
) -> dict[str, Any]:
    """The JSON-LD of ro-crate-metadata.json.

    Parameters
    ----------
    software : contents of CITATION.cff. snakemake : its version. titles : of the studies.
    files : path of each document, table, figure and record -> its contentSize and sha256, if known.
    folders : of results -> their contents. in_place : whether the run is in the folder of the
        workflow, whose files then belong to the crate.
    """
    people = [
        _node(f"#author/{number}", "Organization", name=author["name"])
        for number, author in enumerate(software["authors"], start=1)
    ]
    licence = f"https://spdx.org/licenses/{software['license']}"
    about = (FOLDERS if in_place else {}) | dict(folders)
    data = [
        _node(f"{path}/", "Dataset", name=path, description=text) for path, text in about.items()
    ]
    data += [_file(path, facts) for path, facts in sorted(files.items())]
    places = [node["@id"] for node in data]
    # A run in another folder does not hold the file of the workflow.
    main = "Snakefile" if in_place else "#workflow"
    read = "config/" if in_place else "results/provenance/configuration.json"
    legal = {"license": _link(licence), "creator": _links(node["@id"] for node in people)}
    graph = [
        _node(
            "ro-crate-metadata.json",
            "CreativeWork",
            conformsTo=_links(["https://w3id.org/ro/crate/1.1", _WORKFLOW_CRATE]),
            about=_link("./"),
        ),
        _node(
            "./",
            "Dataset",
            name=f"Results of fairflow: {'; '.join(titles)}",
            description="Measurements of social bias, with the workflow and configuration.",
            # Of the software: the day of the run is left out, so that equal runs give equal bytes.
            datePublished=str(software["date-released"]),
            conformsTo=_links(_PROFILES),
            mainEntity=_link(main),
            mentions=_link("#run"),
            hasPart=_links(["Snakefile"] * in_place + places),
            **legal,
        ),
        _node(
            main,
            ["File"] * in_place + ["SoftwareSourceCode", "ComputationalWorkflow"],
            name=software["title"],
            version=str(software["version"]),
            conformsTo=_link(_WORKFLOW_PROFILE),
            programmingLanguage=_link("#snakemake"),
            **legal,
        ),
        _node(
            "#snakemake",
            "ComputerLanguage",
            name="Snakemake",
            identifier=_link(_SNAKEMAKE),
            url=_link(_SNAKEMAKE),
            version=snakemake,
        ),
        _node(
            licence,
            "CreativeWork",
            name=software["license"],
            description="Licence of the workflow; each model has its own licence.",
        ),
        _node(
            "#run",
            "CreateAction",
            name="The run that made the results",
            instrument=_link(main),
            object=_links([read, "results/provenance/models.csv"]),
            result=_links(place for place in places if place.startswith("results/")),
            actionStatus="http://schema.org/CompletedActionStatus",
        ),
        *(
            _node(profile, "CreativeWork", name=name, version=profile.rpartition("/")[2])
            for profile, name in _PROFILES.items()
        ),
    ]
    return {"@context": [*_CONTEXTS], "@graph": [*graph, *people, *data]}


def _node(identifier: str, kind: str | list[str], /, **properties: Any) -> dict[str, Any]:
    return {"@id": identifier, "@type": kind, **properties}


def _link(identifier: str) -> dict[str, str]:
    return {"@id": identifier}


def _links(identifiers: Iterable[str]) -> Any:
    links = [*map(_link, identifiers)]
    # RO-Crate 1.1 asks for no list of one.
    return links[0] if len(links) == 1 else links


def _file(path: str, facts: Mapping[str, str]) -> dict[str, Any]:
    # Without the types that the machine has added.
    kind = MimeTypes().guess_type(path)[0] or "application/octet-stream"
    subject = {"about": _link("./")} if path == "README.md" else {}
    return _node(path, "File", name=path, encodingFormat=kind, **facts, **subject)
