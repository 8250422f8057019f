"""A run as a Workflow Run RO-Crate 0.5: the workflow, what it read, what it made.

The crate's root is the folder of the project, or of an unpacked archive of it.
https://w3id.org/ro/wfrun/workflow/0.5 and https://w3id.org/ro/crate/1.1 define the terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from fairflow.provenance.archive import FOLDERS

_PARAMETERS = {
    "configuration": ("Dataset", "config/ as it was"),
    "model": ("File", "A file of word vectors"),
    "tables": ("File", "Tables of a study"),
    "figures": ("File", "Figures of a study"),
}
_BIOSCHEMAS = "https://bioschemas.org/profiles"
_WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    _WORKFLOW_CRATE: "Workflow RO-Crate",
}
_MEDIA_TYPES = {
    **{f".{name}": f"text/{name}" for name in ("csv", "html")},
    **{f".{name}": f"application/{name}" for name in ("json", "pdf")},
    **{".bib": "application/x-bibtex", ".cff": "application/yaml", ".md": "text/markdown"},
    **{".parquet": "application/vnd.apache.parquet", ".tex": "application/x-tex"},
    **{".png": "image/png", ".svg": "image/svg+xml"},
}


@dataclass(frozen=True)
class Run:
    """What a crate says about a run.

    Attributes
    ----------
    software : contents of CITATION.cff. environment, configuration, models : contents of those
        files of results/provenance. documents : top files of the project. products : path ->
        (bytes, sha256) of each table, figure and record. folders : of results ->
        their contents. in_place : whether the run is in the folder of the workflow, whose files
        then belong to the crate.
    """

    software: Mapping[str, Any]
    environment: Mapping[str, Any]
    configuration: Mapping[str, Any]
    models: Iterable[Mapping[str, Any]]
    documents: Iterable[str]
    products: Mapping[str, tuple[int, str]]
    folders: Mapping[str, str]
    in_place: bool = True


def crate(run: Run) -> dict[str, Any]:
    """The JSON-LD of ro-crate-metadata.json."""
    software, titles = run.software, [s["title"] for s in run.configuration["studies"].values()]
    people = [_author(author, i) for i, author in enumerate(software["authors"], start=1)]
    # RO-Crate 1.1 asks for no list of one.
    creators = _links(people) if len(people) > 1 else _link(people[0]["@id"])
    licence = f"https://spdx.org/licenses/{software['license']}"
    models = [_model(row) for row in run.models]
    folders = _folders((FOLDERS if run.in_place else {}) | dict(run.folders))
    files = [_file(path, *facts) for path, facts in sorted(run.products.items())]
    data = [_file(name) for name in run.documents if name != "Snakefile"] + folders + files
    results = [node for node in (*folders, *files) if node["@id"].startswith("results/")]
    # A run in another folder does not hold the file of the workflow.
    main = "Snakefile" if run.in_place else "#workflow"
    read = "config/" if run.in_place else "results/provenance/configuration.json"
    conforms = (_link("https://w3id.org/ro/crate/1.1"), _link(_WORKFLOW_CRATE))
    graph = [
        _node("ro-crate-metadata.json", "CreativeWork", conformsTo=[*conforms], about=_link("./")),
        _node(
            "./",
            "Dataset",
            name=f"Results of fairflow: {'; '.join(titles)}",
            description=(
                "Measurements of social bias in word embeddings, with the workflow, the "
                "configuration and the slices of vectors that they come from."
            ),
            # Of the software: the day of the run is left out, so that equal runs give equal bytes.
            datePublished=str(software["date-released"]),
            license=_link(licence),
            author=creators,
            conformsTo=[_link(profile) for profile in _PROFILES],
            mainEntity=_link(main),
            mentions=_link("#run"),
            hasPart=[_link("Snakefile")] * run.in_place + _links(data),
        ),
        *_workflow(run, main, licence, creators),
        *people,
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
            description="; ".join(titles),
            instrument=_link(main),
            object=[_link(read), *_links(models)],
            result=_links(results),
            actionStatus="http://schema.org/CompletedActionStatus",
        ),
        *data,
        *models,
        *(
            _node(profile, "CreativeWork", name=name, version=profile.rsplit("/", 1)[1])
            for profile, name in _PROFILES.items()
        ),
    ]
    terms = ("crate/1.1/context", "terms/workflow-run/context")
    return {"@context": [f"https://w3id.org/ro/{term}" for term in terms], "@graph": graph}


def _workflow(run: Run, main: str, licence: str, creators: Any) -> list[dict[str, Any]]:
    """The workflow, its language, what goes in and comes out, and the packages that it needs."""
    software, programs = run.software, _programs(run.environment)
    return [
        _node(
            main,
            ["File"] * run.in_place + ["SoftwareSourceCode", "ComputationalWorkflow"],
            name=software["title"],
            version=str(software["version"]),
            conformsTo=_link(f"{_BIOSCHEMAS}/ComputationalWorkflow/1.0-RELEASE"),
            license=_link(licence),
            creator=creators,
            encodingFormat="text/x-python",
            programmingLanguage=_link("#snakemake"),
            softwareRequirements=_links(programs),
            input=[_link("#configuration"), _link("#model")],
            output=[_link("#tables"), _link("#figures")],
        ),
        _node(
            "#snakemake",
            "ComputerLanguage",
            name="Snakemake",
            identifier=_link("https://snakemake.github.io/"),
            url=_link("https://snakemake.github.io/"),
            version=run.environment["packages"]["snakemake"],
        ),
        *(_parameter(name, *about) for name, about in _PARAMETERS.items()),
        *programs,
    ]


def _node(identifier: str, kind: str | list[str], /, **properties: Any) -> dict[str, Any]:
    """A node of the graph, without what is None."""
    known = {name: value for name, value in properties.items() if value is not None}
    return {"@id": identifier, "@type": kind, **known}


def _link(identifier: str) -> dict[str, str]:
    return {"@id": identifier}


def _links(nodes: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    return [_link(node["@id"]) for node in nodes]


def _author(author: Mapping[str, str], number: int) -> dict[str, Any]:
    if "name" in author:
        return _node(f"#author/{number}", "Organization", name=author["name"])
    name = f"{author['given-names']} {author['family-names']}"
    return _node(author.get("orcid", f"#author/{number}"), "Person", name=name)


def _programs(environment: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Python and the packages that are installed."""
    packages = {f"pkg:pypi/{name}": version for name, version in environment["packages"].items()}
    versions = {"pkg:generic/python": environment["python"]} | packages
    return [
        _node(f"{p}@{v}", "SoftwareApplication", name=p.rpartition("/")[2], softwareVersion=v)
        for p, v in versions.items()
        if v is not None
    ]


def _parameter(name: str, kind: str, description: str) -> dict[str, Any]:
    profile = _link(f"{_BIOSCHEMAS}/FormalParameter/1.0-RELEASE")
    facts = {"additionalType": kind, "description": description, "conformsTo": profile}
    return _node(f"#{name}", "FormalParameter", name=name, **facts)


def _folders(described: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        _node(
            f"{path}/",
            "Dataset",
            name=path,
            description=text,
            exampleOfWork=_link("#configuration") if path == "config" else None,
        )
        for path, text in described.items()
    ]


def _file(path: str, size: int | None = None, digest: str | None = None) -> dict[str, Any]:
    parameters = {"results/studies/": "#tables", "results/figures/": "#figures"}
    links = (_link(to) for start, to in parameters.items() if path.startswith(start))
    return _node(
        path,
        "File",
        name=path,
        encodingFormat=_MEDIA_TYPES.get(PurePosixPath(path).suffix, "text/plain"),
        contentSize=None if size is None else str(size),
        sha256=digest,
        exampleOfWork=next(links, None),
        about=_link("./") if path == "README.md" else None,
    )


def _model(row: Mapping[str, Any]) -> dict[str, Any]:
    return _node(
        f"#model/{row['name']}",
        "CreativeWork",
        name=row["label"],
        description=f"Source: {row['sources']}",
        exampleOfWork=_link("#model"),
        license=row["licence"] or None,
        citation=row["citation"] or None,
        identifier=row["checksum"] or None,
    )
