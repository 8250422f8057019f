"""A run as a Workflow Run RO-Crate 0.5: the workflow, what it read, what it made.

The crate's root is the folder of the project, or of an unpacked archive of it.
https://w3id.org/ro/wfrun/workflow/0.5 and https://w3id.org/ro/crate/1.1 say what stands where.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from fairflow.provenance.archive import FOLDERS

_PARAMETERS = {
    "#configuration": ("configuration", "Dataset", "config/ as it was"),
    "#model": ("model", "File", "A file of word vectors"),
    "#tables": ("tables", "File", "Tables of a study"),
    "#figures": ("figures", "File", "Figures of a study"),
}
_PARAMETER_PROFILE = "https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE"
_WORKFLOW_PROFILE = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
_LICENCE = "https://spdx.org/licenses/"


def entity(identifier: str, kind: str | list[str], /, **properties: Any) -> dict[str, Any]:
    """A node of the graph."""
    return {"@id": identifier, "@type": kind, **properties}


def reference(identifier: str) -> dict[str, str]:
    """A link to a node."""
    return {"@id": identifier}


def references(identifiers: Iterable[str]) -> list[dict[str, str]]:
    """Links to nodes."""
    return [reference(identifier) for identifier in identifiers]


def single(values: list[Any]) -> Any:
    """The one value of a list, or the list: RO-Crate 1.1 asks for no list of one."""
    return values[0] if len(values) == 1 else values


def authors(software: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The nodes of the authors in a CITATION.cff."""
    return [_author(author, i) for i, author in enumerate(software["authors"], start=1)]


def workflow_entities(
    software: Mapping[str, Any], environment: Mapping[str, Any], main: str
) -> list[dict[str, Any]]:
    """The nodes of the workflow and of what it needs.

    Parameters
    ----------
    software : contents of CITATION.cff. environment : of environment.json. main : the file of the
        workflow, or a name that starts with # where it is not in the crate.
    """
    people = authors(software)
    packages = {f"pkg:pypi/{name}": version for name, version in environment["packages"].items()}
    programs = [
        entity(
            f"{package}@{version}",
            "SoftwareApplication",
            name=package.rpartition("/")[2],
            softwareVersion=version,
        )
        for package, version in ({"pkg:generic/python": environment["python"]} | packages).items()
        if version is not None
    ]
    return [
        _workflow(software, people, programs, main),
        entity(
            "#snakemake",
            "ComputerLanguage",
            name="Snakemake",
            identifier=reference("https://snakemake.github.io/"),
            url=reference("https://snakemake.github.io/"),
            version=environment["packages"]["snakemake"],
        ),
        *(_parameter(identifier) for identifier in _PARAMETERS),
        *programs,
        *people,
        entity(
            f"{_LICENCE}{software['license']}",
            "CreativeWork",
            name=software["license"],
            description="Licence of the workflow; each model has a licence of its own.",
        ),
    ]


def _workflow(
    software: Mapping[str, Any],
    people: list[dict[str, Any]],
    programs: list[dict[str, Any]],
    main: str,
) -> dict[str, Any]:
    return entity(
        main,
        ["File"] * (not main.startswith("#")) + ["SoftwareSourceCode", "ComputationalWorkflow"],
        name=software["title"],
        version=str(software["version"]),
        conformsTo=reference(_WORKFLOW_PROFILE),
        license=reference(f"{_LICENCE}{software['license']}"),
        creator=single(references(person["@id"] for person in people)),
        encodingFormat="text/x-python",
        programmingLanguage=reference("#snakemake"),
        softwareRequirements=references(program["@id"] for program in programs),
        input=references(("#configuration", "#model")),
        output=references(("#tables", "#figures")),
    )


def _parameter(identifier: str) -> dict[str, Any]:
    name, kind, description = _PARAMETERS[identifier]
    return entity(
        identifier,
        "FormalParameter",
        name=name,
        additionalType=kind,
        description=description,
        conformsTo=reference(_PARAMETER_PROFILE),
    )


def _author(author: Mapping[str, str], number: int) -> dict[str, Any]:
    if "name" in author:
        return entity(f"#author/{number}", "Organization", name=author["name"])
    name = f"{author['given-names']} {author['family-names']}"
    return entity(author.get("orcid", f"#author/{number}"), "Person", name=name)


_WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    _WORKFLOW_CRATE: "Workflow RO-Crate",
}
_MEDIA_TYPES = {
    ".bib": "application/x-bibtex",
    ".cff": "application/yaml",
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
}


@dataclass(frozen=True)
class Run:
    """What a crate tells of a run.

    Attributes
    ----------
    software : contents of CITATION.cff. environment, configuration, models : contents of those
        files of results/provenance. documents : top files of the project. products : path ->
        (bytes, sha256) of each table, figure and record. folders : of results ->
        what lies there. in_place : whether the run lies in the folder of the workflow, whose files
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
    files = [_file(path, *facts) for path, facts in sorted(run.products.items())]
    documents = [_file(name) for name in run.documents if name != "Snakefile"]
    described = (FOLDERS if run.in_place else {}) | dict(run.folders)
    folders = [_folder(path, text) for path, text in described.items()]
    models = [_model(row) for row in run.models]
    data = [*documents, *folders, *files]
    results = [e for e in (*folders, *files) if e["@id"].startswith("results/")]
    main = _main(run)
    read = "config/" if run.in_place else "results/provenance/configuration.json"
    graph = [
        entity(
            "ro-crate-metadata.json",
            "CreativeWork",
            conformsTo=references(("https://w3id.org/ro/crate/1.1", _WORKFLOW_CRATE)),
            about=reference("./"),
        ),
        _root(run, ["Snakefile"] * run.in_place + [e["@id"] for e in data]),
        *workflow_entities(run.software, run.environment, main),
        entity(
            "#run",
            "CreateAction",
            name="The run that made the results",
            description="; ".join(s["title"] for s in run.configuration["studies"].values()),
            instrument=reference(main),
            object=references([read, *(model["@id"] for model in models)]),
            result=references(e["@id"] for e in results),
            actionStatus="http://schema.org/CompletedActionStatus",
        ),
        *data,
        *models,
        *(
            entity(i, "CreativeWork", name=n, version=i.rsplit("/", 1)[1])
            for i, n in _PROFILES.items()
        ),
    ]
    return {
        "@context": [
            "https://w3id.org/ro/crate/1.1/context",
            "https://w3id.org/ro/terms/workflow-run/context",
        ],
        "@graph": graph,
    }


def _main(run: Run) -> str:
    """The workflow: its Snakefile, which a run in another folder does not hold."""
    return "Snakefile" if run.in_place else "#workflow"


def _root(run: Run, parts: list[str]) -> dict[str, Any]:
    titles = [study["title"] for study in run.configuration["studies"].values()]
    return entity(
        "./",
        "Dataset",
        name=f"Results of fairflow: {'; '.join(titles)}",
        description=(
            "Measurements of social bias in word embeddings, with the workflow, the configuration "
            "and the slices of vectors that they come from."
        ),
        # Of the software: the day of the run is left out, so that equal runs give equal bytes.
        datePublished=str(run.software["date-released"]),
        license=reference(f"https://spdx.org/licenses/{run.software['license']}"),
        author=single(references(person["@id"] for person in authors(run.software))),
        conformsTo=references(_PROFILES),
        mainEntity=reference(_main(run)),
        mentions=reference("#run"),
        hasPart=references(parts),
    )


def _file(path: str, size: int | None = None, digest: str | None = None) -> dict[str, Any]:
    suffix = PurePosixPath(path).suffix
    facts = {
        "encodingFormat": _MEDIA_TYPES.get(suffix, "text/plain"),
        "contentSize": None if size is None else str(size),
        "sha256": digest,
        "exampleOfWork": _parameter_of(path),
        "about": reference("./") if path == "README.md" else None,
    }
    return entity(path, "File", name=path, **{k: v for k, v in facts.items() if v is not None})


def _folder(path: str, description: str) -> dict[str, Any]:
    parameter = {"exampleOfWork": reference("#configuration")} if path == "config" else {}
    return entity(f"{path}/", "Dataset", name=path, description=description, **parameter)


def _parameter_of(path: str) -> dict[str, str] | None:
    parameters = {"results/studies/": "#tables", "results/figures/": "#figures"}
    found = (reference(p) for start, p in parameters.items() if path.startswith(start))
    return next(found, None)


def _model(row: Mapping[str, Any]) -> dict[str, Any]:
    facts = {"license": "licence", "citation": "citation", "identifier": "checksum"}
    return entity(
        f"#model/{row['name']}",
        "CreativeWork",
        name=row["label"],
        description=f"Source: {row['sources']}",
        exampleOfWork=reference("#model"),
        **{key: row[column] for key, column in facts.items() if row[column]},
    )
