"""config/README.md: every key of the configuration, out of the schemas, and every name.

Run as `python tests/unit/document_configuration.py` in the root of the project.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.capabilities import additions, extensions
from fairflow.files.atomic import atomic_path
from fairflow.files.configuration_files import read_yaml
from fairflow.files.registry import Registry
from fairflow.metrics import METRICS
from fairflow.products.figures import FIGURES

FILES = (
    "config",
    "studies",
    "presets",
    "contradictions",
    "models",
    "corpora",
    "metrics",
    "lookups",
    "word_sets",
    "validity",
    "queries",
    "benchmarks",
    "language_models",
    "language_metrics",
    "language_queries",
)


def reference(introduction: str, schemas: Path, folder: Path) -> str:
    """The introduction, a section for each file with one line per key, and the names to choose.

    Parameters
    ----------
    folder : of the configuration, which names the variants.
    """
    sections = [introduction.rstrip() + "\n"]
    for name in (name for name in FILES if (schemas / f"{name}.schema.yaml").is_file()):
        schema = read_yaml(schemas / f"{name}.schema.yaml")
        keys = [*_lines(schema, schema, depth=0), *_lines(schema.get("items", {}), schema, depth=0)]
        lines = [f"### {schema['title']}\n", *keys]
        sections.append("\n".join(lines) + "\n")
    return "\n".join([*sections, f"## Every name\n\n{names_reference(folder)}"])


def _lines(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Iterator[str]:
    marks = _marks(schema)
    for key, entry in schema.get("properties", {}).items():
        yield _line(f"`{key}`", entry, marks.get(key, ""), depth)
        yield from _nested(entry, root, depth + 1)
    if isinstance(schema.get("additionalProperties"), Mapping):
        entry = schema["additionalProperties"]
        if "properties" in entry:
            yield _line("*name*", entry, "", depth)
            yield from _nested(entry, root, depth + 1)


def _marks(schema: Mapping[str, Any]) -> dict[str, str]:
    """Key -> when it is required: always, or only with or without other keys."""
    marks: dict[str, str] = {}
    for part in (schema, *schema.get("allOf", ())):
        beside = [*part.get("if", {}).get("required", ()), *_of_any(part.get("if", {}))]
        if beside:
            either = " or ".join(f"`{key}`" for key in beside)
            marks |= dict.fromkeys(_required(part.get("then")), f"required with {either}")
            marks |= dict.fromkeys(_required(part.get("else")), f"required without {either}")
        for key, others in part.get("dependentRequired", {}).items():
            marks |= dict.fromkeys(others, f"required with `{key}`")
    choices = [_required(choice) for choice in schema.get("oneOf", schema.get("anyOf", ()))]
    for choice in choices:
        others = [
            " and ".join(f"`{key}`" for key in own) for own in choices if own and own != choice
        ]
        marks |= dict.fromkeys(choice, f"required without {' or '.join(others)}")
    return marks | dict.fromkeys(schema.get("required", ()), "required")


def _required(schema: Mapping[str, Any] | None) -> list[str]:
    return list((schema or {}).get("required", ()))


def _of_any(schema: Mapping[str, Any]) -> list[str]:
    return [key for choice in schema.get("anyOf", ()) for key in _required(choice)]


def _nested(entry: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Iterator[str]:
    for part in (entry, entry.get("items", {})):
        yield from _lines(part, root, depth)
        for choice in part.get("oneOf", ()):
            if "$ref" in choice:
                yield from _lines(root["$defs"][choice["$ref"].rsplit("/", 1)[1]], root, depth)


def _line(key: str, entry: Mapping[str, Any], required: str, depth: int) -> str:
    values = ", ".join(f"`{value}`" for value in entry.get("enum", ()))
    parts = [" ".join(entry.get("description", "").split()), f"One of {values}." if values else ""]
    mark = f" ({required})" if required else ""
    return f"{'  ' * depth}- {key}{mark}: {' '.join(part for part in parts if part)}".rstrip(": ")


def names_reference(folder: Path) -> str:
    """Sections in Markdown with a line for each name.

    Parameters
    ----------
    folder : of the configuration, which names the variants.
    """
    further = {file: made for one in additions("plan") for file, made in one.variants.items()}
    files = [read_yaml(folder / f"{file}.yaml") for file in ("metrics", *further)]
    sections = {
        "Figures, for `figures` of a study": _figures(),
        "Metrics of words and their measures, for `metrics.yaml`": _metrics(METRICS),
        **{
            f"Metrics of language models, for `{file}.yaml`": _metrics(made.registry)
            for file, made in further.items()
        },
        **{title: names for one in extensions("entries") for title, names in one.named().items()},
        "Variants of this configuration, for `metrics` of a study": [
            line for entries in files for line in _variants(entries)
        ],
    }
    return "\n".join(
        f"### {title}\n\n" + "\n".join(lines) + "\n" for title, lines in sections.items()
    )


def _figures() -> Iterator[str]:
    for name in FIGURES.names:
        about = (FIGURES.load(name).__doc__ or "").split("\n")[0]
        yield f"- `{name}`: {about}"


def _metrics(registry: Registry) -> Iterator[str]:
    for name in registry.names:
        declared = registry.load(name)
        parts = [
            f"`{measure}`"
            + (f" ({said})" if (said := declared.reading(measure, {}).text()) else "")
            for measure in declared.measure_names
        ]
        yield f"- `{name}`: {', '.join(parts)}"


def _variants(entries: Mapping[str, Any]) -> Iterator[str]:
    for name, entry in entries.items():
        label = entry.get("label", name)
        yield f"- `{name}` ({label}): `{entry['measure']}` of `{entry['metric']}`"


if __name__ == "__main__":
    text = reference(
        Path("config/introduction.md").read_text(encoding="utf-8"),
        Path("workflow/schemas"),
        Path("config"),
    )
    with atomic_path("config/README.md") as path:
        path.write_text(text, encoding="utf-8")
