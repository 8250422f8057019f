"""config/README.md: every key of the configuration, out of the schemas.

Run as `python -m fairflow.planning.configuration_reference` in the root of the project.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.files.atomic import atomic_path
from fairflow.files.strict_yaml import read_yaml

FILES = (
    "config",
    "studies",
    "presets",
    "contradictions",
    "models",
    "metrics",
    "lookups",
    "word_sets",
    "queries",
    "language_models",
    "language_metrics",
    "language_queries",
)


def reference(introduction: str, schemas: Path) -> str:
    """The introduction, then a section for each file with one line per key."""
    sections = [introduction.rstrip() + "\n"]
    for name in FILES:
        schema = read_yaml(schemas / f"{name}.schema.yaml")
        lines = [f"### {schema['title']}\n", *_lines(schema, schema, depth=0)]
        sections.append("\n".join(lines) + "\n")
    return "\n".join(sections)


def _lines(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Iterator[str]:
    required = schema.get("required", ())
    for key, entry in schema.get("properties", {}).items():
        yield _line(f"`{key}`", entry, key in required, depth)
        yield from _nested(entry, root, depth + 1)
    if isinstance(schema.get("additionalProperties"), Mapping):
        entry = schema["additionalProperties"]
        if "properties" in entry:
            yield _line("*name*", entry, False, depth)
            yield from _nested(entry, root, depth + 1)


def _nested(entry: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Iterator[str]:
    for part in (entry, entry.get("items", {})):
        yield from _lines(part, root, depth)
        for choice in part.get("oneOf", ()):
            if "$ref" in choice:
                yield from _lines(root["$defs"][choice["$ref"].rsplit("/", 1)[1]], root, depth)


def _line(key: str, entry: Mapping[str, Any], required: bool, depth: int) -> str:
    values = ", ".join(f"`{value}`" for value in entry.get("enum", ()))
    parts = [" ".join(entry.get("description", "").split()), f"One of {values}." if values else ""]
    mark = " (required)" if required else ""
    return f"{'  ' * depth}- {key}{mark}: {' '.join(part for part in parts if part)}".rstrip(": ")


if __name__ == "__main__":
    text = reference(
        Path("config/introduction.md").read_text(encoding="utf-8"), Path("workflow/schemas")
    )
    with atomic_path("config/README.md") as path:
        path.write_text(text, encoding="utf-8")
