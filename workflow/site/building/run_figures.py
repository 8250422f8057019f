"""The figures of a finished run, with their source data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairflow.files.configuration_files import read_yaml, shipped_schemas
from fairflow.planning.configuration import read_configuration
from fairflow.planning.planner import make_plan
from fairflow.planning.result_files import tables_of_study
from fairflow.products.figures import source_data
from fairflow.products.figures._study_frames import StudyFrames, read_frames

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
    found: dict[str, DrawnFigure] = {}
    for study, name, frames in _of_studies(root, studies):
        files = {kind: root / f"results/figures/{study}/{name}.{kind}" for kind in FORMATS}
        files = {kind: path for kind, path in files.items() if path.is_file()}
        if name not in found and FORMATS[0] in files:
            rows = source_data(name, frames)
            if len(rows):
                found[name] = DrawnFigure(study, files, rows.to_csv(index=False).encode())
    return found


def drawn_frames(root: Path) -> Iterator[tuple[str, StudyFrames]]:
    """Each figure with something to show, and its tables: of configured studies, then of others."""
    main = read_yaml(root / "config/config.yaml")
    others = sorted(path.stem for path in (root / "config/studies").glob("*.yaml"))
    studies = [*main.get("studies", ()), *main.get("language_studies", ()), *others]
    drawn = [one for one in dict.fromkeys(studies) if (root / "results/figures" / one).is_dir()]
    for _, name, frames in _of_studies(root, drawn):
        if len(source_data(name, frames)):
            yield name, frames


def _of_studies(root: Path, studies: list[str]) -> Iterator[tuple[str, str, StudyFrames]]:
    """Study, figure and tables, where these exist."""
    if not any((root / "results/figures" / study).is_dir() for study in studies):
        return
    main = read_yaml(root / "config/config.yaml")
    main |= {"studies": studies, "language_models": True, "language_studies": []}
    plan = make_plan(read_configuration(main, root / "config", shipped_schemas()))
    for study in (plan.studies[name] for name in studies if name in plan.studies):
        paths = tables_of_study("figures", study.name, *study.kinds)
        if all((root / path).is_file() for path in paths.values()):
            frames = read_frames({n: root / path for n, path in paths.items()}, study.names)
            for name in study.figures:
                yield study.name, name, frames
