"""The gallery: one page per figure, with its picture from a finished run and its sources.

Each has a committed thumbnail. Without a run three figures have the pictures of the README; the
other pages name the command.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from building.blocks import fenced, folded, sentence_of
from building.run_figures import DrawnFigure, drawn_figures
from building.thumbnails import FOLDER
from fairflow.files.configuration_files import read_yaml
from fairflow.products.figures import FIGURES, LEAST_MODELS, caption_in, figure_module

# Pictures of the README: figure -> study and file.
_OF_README = {
    "published_comparison": ("weat_replication", "workflow/report/weat_replication.svg"),
    "before_after": ("debiasing", "workflow/report/debiasing.svg"),
    "static_and_contextual": (
        "static_and_contextual",
        "workflow/report/static_and_contextual.svg",
    ),
}
_LEAD = """---
hide: [toc]
---
# Gallery

Every figure that a study may name under `figures`. Choose one for its configuration, code and
numbers. `make run` draws each as PNG into `results/figures/STUDY/`, and `make report` as SVG, too.
"""


@dataclass(frozen=True)
class Shown:
    """A figure on the site.

    Attributes
    ----------
    studies : configured studies that name it -> the target of make that computes them.
    study : the study whose picture is shown, or "" without a picture.
    files : name below gallery/ -> content.
    """

    name: str
    about: str
    studies: Mapping[str, str]
    study: str = ""
    caption: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """How a person calls it."""
        return self.name.replace("_", " ").capitalize()

    def file(self, suffix: str) -> str:
        """The name of its first file with this ending, or ""."""
        return next((name for name in self.files if name.endswith(suffix)), "")


def gallery_pages(root: Path) -> dict[str, str | bytes]:
    """Path on the site -> content of the pages and of what they show.

    Parameters
    ----------
    root : the project, whose results/figures are shown if there are any.
    """
    targets = _targets(root)
    drawn = drawn_figures(root, list(targets))
    shown = [_shown(root, name, targets, drawn.get(name)) for name in FIGURES.names]
    pages: dict[str, str | bytes] = {"gallery/index.md": _overview(shown)}
    for figure in shown:
        pages[f"gallery/{figure.name}.md"] = "\n\n".join(_page(root, figure)) + "\n"
        pages |= {f"gallery/{name}": content for name, content in figure.files.items()}
    return pages


def _targets(root: Path) -> dict[str, str]:
    """Study of the configuration -> the target of make that computes it."""
    main = read_yaml(root / "config/config.yaml")
    kinds = (("studies", "run"), ("language_studies", "run-lm"))
    return {name: target for key, target in kinds for name in main.get(key, ())}


def _shown(root: Path, name: str, targets: Mapping[str, str], drawn: DrawnFigure | None) -> Shown:
    named = {
        study: target
        for study, target in targets.items()
        if name in read_yaml(root / f"config/studies/{study}.yaml").get("figures", ())
    }
    about = sentence_of(root, figure_module(name))
    small = root / FOLDER / f"{name}.png"
    files = {f"{name}-small.png": small.read_bytes()} if small.is_file() else {}
    if drawn:
        files[f"{name}.csv"] = drawn.source
        files |= {f"{name}.{suffix}": path.read_bytes() for suffix, path in drawn.files.items()}
        caption = caption_in(drawn.files["svg"]) if "svg" in drawn.files else ""
        return Shown(name, about, named, drawn.study, caption, files)
    if name in _OF_README:
        study, path = _OF_README[name]
        files[f"{name}.svg"] = (root / path).read_bytes()
        return Shown(name, about, named, study, caption_in(root / path), files)
    return Shown(name, about, named, files=files)


def _overview(shown: list[Shown]) -> str:
    """A grid of cards."""
    cards = map(_card, shown)
    return "\n\n".join([_LEAD, '<div class="cards" markdown>', *cards, "</div>"]) + "\n"


def _card(figure: Shown) -> str:
    """A figure on the overview: its picture or the command that makes it, and what it shows."""
    picture = figure.file("-small.png") or figure.file(".png")
    image = f"![A panel of the figure {figure.title}]({picture}){{loading=lazy .card}}"
    parts = [
        "<div markdown>",
        f"[{image}]({figure.name}.md)" if picture else "",
        f"## [{figure.title}]({figure.name}.md) {{#{figure.name}}}",
        figure.about,
        "" if picture else f"*No picture yet: {_command(figure)}.*",
        "</div>",
    ]
    return "\n\n".join(filter(None, parts))


def _page(root: Path, figure: Shown) -> Iterator[str]:
    """The parts of the page of a figure."""
    yield f"# {figure.title}"
    yield f"{figure.about} ([all figures](index.md))"
    picture = figure.file(f"{figure.name}.png") or figure.file(".svg")
    if not picture and figure.files:
        yield f"![A panel of this figure]({figure.file('-small.png')}){{.card}}"
    if picture:
        words = figure.about.partition(". ")[0].replace("]", "").replace("[", "")
        yield f"[![{words}]({picture})]({picture})"
        if figure.caption:
            yield figure.caption
        yield f"*Of the study `{figure.study}`.* Downloads: {_downloads(figure)}."
    else:
        yield _how_to_make(figure)
    yield "## How it was made"
    study = figure.study or next(iter(figure.studies), "")
    yield from _made(root, figure.name, study)
    others = [f"`{other}`" for other in figure.studies if other != study]
    if others:
        yield f"Other studies that name it: {', '.join(others)}."
    module = figure_module(figure.name)
    path = f"scripts/{module.replace('.', '/')}.py"
    yield folded(f"What draws it: {path}", fenced("python", (root / path).read_text()))


def _made(root: Path, name: str, study: str) -> Iterator[str]:
    """The configuration and the command behind a figure of a study."""
    if not study:
        yield f"To draw it, write in a study\n\n{fenced('yaml', f'figures: [{name}]')}"
        return
    path = f"config/studies/{study}.yaml"
    command = f"snakemake --cores 1 results/figures/{study}/{name}.svg"
    yield f"`{path}` names `{name}` under `figures`. To draw it:\n\n{fenced('sh', command)}"
    yield folded(f"The study: {path}", fenced("yaml", (root / path).read_text()))


def _downloads(figure: Shown) -> str:
    names = {".csv": "its numbers (CSV)", ".pdf": "PDF", ".svg": "SVG", ".png": "PNG"}
    found = {label: figure.file(f"{figure.name}{suffix}") for suffix, label in names.items()}
    return ", ".join(f"[{label}]({file})" for label, file in found.items() if file)


def _command(figure: Shown) -> str:
    target = next(iter(figure.studies.values()), "")
    return f"`make {target}`" if target else "no study names it"


def _how_to_make(figure: Shown) -> str:
    if not figure.studies:
        return "No study of the configuration names this figure, so there is no other picture."
    study, target = next(iter(figure.studies.items()))
    least = LEAST_MODELS.get(figure.name, 0)
    few = (
        f" This figure needs {least} models that are not derived from each other." if least else ""
    )
    return (
        f"Only a panel is shown: `make {target}` computes `{study}`, and `make site` then shows "
        f"the figure.{few}"
    )
