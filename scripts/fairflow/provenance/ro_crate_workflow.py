"""The workflow in a crate: its main file, language, inputs, outputs and software."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    inputs, outputs = ("#configuration", "#model"), ("#tables", "#figures")
    return entity(
        main,
        ["File"] * (not main.startswith("#")) + ["SoftwareSourceCode", "ComputationalWorkflow"],
        name=software["title"],
        version=str(software["version"]),
        conformsTo=reference(_WORKFLOW_PROFILE),
        license=reference(f"{_LICENCE}{software['license']}"),
        creator=single([reference(person["@id"]) for person in people]),
        encodingFormat="text/x-python",
        programmingLanguage=reference("#snakemake"),
        softwareRequirements=[reference(program["@id"]) for program in programs],
        input=[reference(identifier) for identifier in inputs],
        output=[reference(identifier) for identifier in outputs],
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
