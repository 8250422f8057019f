"""The names that a study may give: figures, metrics with their measures, and variants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml
from fairflow.files.registry import Registry
from fairflow.language_models.items.query_entry import FORMATS
from fairflow.language_models.metrics import ITEM_METRICS
from fairflow.metrics import METRICS
from fairflow.products.figures import FIGURES


def names_reference(folder: Path) -> str:
    """Sections in Markdown with a line for each name.

    Parameters
    ----------
    folder : of the configuration, which names the variants.
    """
    sections = {
        "Figures, for `figures` of a study": _figures(),
        "Metrics of words and their measures, for `metrics.yaml`": _metrics(METRICS),
        "Metrics of language models, for `language_metrics.yaml`": _metrics(ITEM_METRICS),
        "Formats of items, for `format` of a query of language models": [*_formats()],
        "Variants of this configuration, for `metrics` of a study": [
            *_variants(read_yaml(folder / "metrics.yaml")),
            *_variants(read_yaml(folder / "language_metrics.yaml")),
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
            f"`{measure}`" + (f" ({said})" if (said := declared.reading(measure, {})) else "")
            for measure in declared.measure_names
        ]
        yield f"- `{name}`: {', '.join(parts)}"


def _formats() -> Iterator[str]:
    for name, one in FORMATS.items():
        yield f"- `{name}`: items of kind {one.kind}"


def _variants(entries: Mapping[str, Any]) -> Iterator[str]:
    for name, entry in entries.items():
        label = entry.get("label", name)
        yield f"- `{name}` ({label}): `{entry['measure']}` of `{entry['metric']}`"
