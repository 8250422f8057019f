"""The figures of a finished run, with their source data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairflow.files.configuration_files import read_yaml, shipped_schemas
from fairflow.planning.configuration import read_configuration
from fairflow.planning.planner import make_plan
from fairflow.planning.result_files import tables_of_study
from fairflow.planning.study import Study
from fairflow.products.figures import source_data
from fairflow.products.figures._study_frames import read_frames

# A run draws the first, a report the second; who wants a PDF asks for it.
FORMATS = ("png", "svg", "pdf")


@dataclass(frozen=True)
class DrawnFigure:
    """A figure of a study: its files by format, one of them a PNG, and its source data as CSV."""

    study: str
    files: dict[str, Path]
    source: bytes


def drawn_figures(root: Path, studies: list[str]) -> dict[str, DrawnFigure]:
    """Figure -> its drawing in the first of these studies whose drawing is not empty."""
    if not any((root / "results/figures" / study).is_dir() for study in studies):
        return {}
    main = {**read_yaml(root / "config/config.yaml"), "language_models": True}
    plan = make_plan(read_configuration(main, root / "config", shipped_schemas()))
    found: dict[str, DrawnFigure] = {}
    for study in studies:
        for name, drawn in _of_study(root, plan.studies[study]):
            found.setdefault(name, drawn)
    return found


def _of_study(root: Path, study: Study) -> Iterator[tuple[str, DrawnFigure]]:
    """Each figure of a study, if the tables that it was drawn from exist, too."""
    paths = tables_of_study("figures", study.name, *study.kinds)
    if not all((root / path).is_file() for path in paths.values()):
        return
    frames = read_frames({name: root / path for name, path in paths.items()}, study.names)
    for name in study.figures:
        files = {kind: root / f"results/figures/{study.name}/{name}.{kind}" for kind in FORMATS}
        files = {kind: path for kind, path in files.items() if path.is_file()}
        if FORMATS[0] not in files:
            continue
        rows = source_data(name, frames)
        if len(rows):
            source = rows.to_csv(index=False).encode()
            yield name, DrawnFigure(study.name, files, source)
