"""The table of metrics of the page on what the numbers mean, out of the classes themselves.

Run as `python tests/unit/document_metrics.py`.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from fairflow.capabilities import additions
from fairflow.metrics import METRICS

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "workflow/site/pages/numbers"
PAGE = PAGES / "index.md"
START, END = "<!-- metrics: make docs writes this table -->\n", "<!-- end of metrics -->\n"
HEAD = "| metric | asks | takes | measures | in the configuration |"
# Where the variants of a registry stand, and the page with the sections of its metrics: those of a
# capability are on the page of its name.
REGISTRIES = {METRICS: ("config/metrics.yaml", "words.md")}
for _one in additions("plan"):
    _page = _one.__module__.split(".")[1].replace("_", "-")
    for _file, _variant in _one.variants.items():
        REGISTRIES[_variant.registry] = (f"config/{_file}.yaml", f"{_page}.md")


def metrics() -> Iterator[tuple[str, str, type[Any], list[str]]]:
    """Each metric of the library: its page, its name, its class and the variants of it."""
    for registry, (file, page) in REGISTRIES.items():
        entries = yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))
        for name in registry.names:
            variants = [variant for variant, entry in entries.items() if entry["metric"] == name]
            yield page, name, registry.load(name), variants


def row(page: str, name: str, metric: type[Any], variants: list[str]) -> str:
    """What the class says of itself, with a link to the section on it."""
    question = (inspect.getdoc(metric) or "").split("? ")[0].split("?\n")[0].replace("\n", " ")
    title = getattr(metric, "metric_short_name", None) or metric.title
    measures, written = (
        ", ".join(f"`{name}`" for name in names) for names in (metric.measure_names, variants)
    )
    return f"| [{title}]({page}#{name}) | {question}? | {taken(metric)} | {measures} | {written} |"


def taken(metric: type[Any]) -> str:
    """The queries that a metric takes: numbers of sets, or a kind of items."""
    if hasattr(metric, "kind"):
        return f"items of kind `{metric.kind}`"
    targets, attributes = metric.metric_template
    return f"{targets} target, {attributes} attribute sets"


def page() -> str:
    """The page with the table as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    table = "\n".join(
        [HEAD, "| --- | --- | --- | --- | --- |", *(row(*each) for each in metrics())]
    )
    return f"{before}{START}\n{table}\n\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
