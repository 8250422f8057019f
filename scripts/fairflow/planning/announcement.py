"""What a run will download, told before it starts.

Run as `python -m fairflow.planning.announcement all` (or packages) in the root of the project;
`make paper` does.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml
from fairflow.planning.catalogue import ALL, DOWNLOADS, download_name, megabytes
from fairflow.planning.configuration import read_configuration
from fairflow.planning.models import HUB, PACKED, source_needed
from fairflow.planning.plan import Plan, used_item_queries, used_language_lineages, used_models
from fairflow.planning.planner import make_plan
from fairflow.planning.result_files import items_file, manifest_file

# Assumed for the estimate, in bytes of the packed file per second.
DOWNLOAD_SPEED, CONVERSION_SPEED = 10e6, 10e6


def announcement(plan: Plan, store: Path) -> str:
    """Size and estimated time of the downloads that a plan still needs, and what it lacks.

    Parameters
    ----------
    store : folder of the converted models.
    """
    sizes: dict[str, tuple[str, int | None]] = {}

    def is_there(model: str) -> bool:
        return (store / model / "card.json").is_file()

    def add_download(entry: Mapping[str, Any]) -> None:
        name = download_name(entry)
        if name and not (Path(DOWNLOADS) / name).is_file():
            sizes[name] = plan.downloads[name].title, plan.downloads[name].size

    for model in used_models(plan):
        if needed := source_needed(plan.models[model], is_there):
            add_download(needed.entry)
    for model in used_language_lineages(plan):
        planned = plan.models[model]
        if Path(manifest_file(model)).is_file():
            continue
        if planned.source == HUB:
            sizes[planned.source_text] = planned.source_text, planned.entry.get("bytes")
        elif planned.source == PACKED:
            add_download(planned.entry)
    for query in used_item_queries(plan):
        published = plan.queries[query].published
        if published and not Path(items_file(query)).is_file():
            add_download(published)
    lacking = (s for study in plan.studies.values() for s in (study.absent, study.absent_queries))
    absent = {name: why for each in lacking for name, why in each.items()}
    return "\n".join(
        [*_sizes(sizes.values()), *(f"Without {name}, {why}." for name, why in absent.items())]
    )


def _sizes(sizes: Collection[tuple[str, int | None]]) -> list[str]:
    if not sizes:
        return ["Every model is here; nothing is downloaded."]
    stated = [size for _, size in sizes if size is not None]
    total = sum(stated)
    minutes = total / DOWNLOAD_SPEED / 60 + total / CONVERSION_SPEED / 60
    unknown = len(sizes) - len(stated)
    more = f", and {unknown} files whose size is not stated" if unknown else ""
    lines = [f"  {title}: {megabytes(s) if s else 'size not stated'}" for title, s in sizes]
    return [
        f"This run downloads {len(sizes)} files, {megabytes(total)}{more}:",
        *lines,
        f"At 10 MB a second downloading and converting them takes about {minutes:.0f} minutes; an "
        "interrupted run goes on where it stopped.",
    ]


if __name__ == "__main__":
    main = read_yaml(Path("config/config.yaml")) | {"fetch": sys.argv[1] if sys.argv[1:] else ALL}
    every = make_plan(read_configuration(main, Path("config"), Path("workflow/schemas")))
    print(announcement(every, Path(main.get("models_dir", "results/models"))))
