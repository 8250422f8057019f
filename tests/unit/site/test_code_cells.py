"""The code on the site's pages works: Python runs, commands and files of the configuration hold."""

import warnings
from pathlib import Path

import pytest
import yaml
from site_cells import Cell, cells, commands, faults_of_command, faults_of_yaml, files, run_cell

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "workflow/site/pages"
PAGES = {path.relative_to(FOLDER).as_posix(): path for path in sorted(FOLDER.rglob("*.md"))}
PAGES["README.md"] = ROOT / "README.md"
KNOWN = {"python", "sh", "console", "yaml", "text", "bibtex", "make", "csv", "html", "diff"}


def read(name: str) -> list[Cell]:
    return cells(PAGES[name].read_text(encoding="utf-8"))


def those_with(*languages: str) -> list[str]:
    return [name for name in PAGES if any(cell.language in languages for cell in read(name))]


def written(name: str) -> dict[str, str]:
    """Path -> text of the files that the cells of a page show."""
    shown = [files(cell.with_file) for cell in read(name) if cell.language in ("python", "yaml")]
    return {path: text for one in shown for path, _, text in one}


def shown_by(text: str, name: str, line: int, namespace: dict) -> str:
    """What a cell of a notebook would show: what it prints, and its last expression."""
    printed, value = run_cell(text, name, line, namespace)
    return printed if value is None else f"{printed}{value!r}\n"


@pytest.mark.parametrize("name", PAGES)
def test_every_block_says_in_which_language_it_is(name: str):
    assert {cell.language for cell in read(name)} <= KNOWN


@pytest.mark.parametrize("name", those_with("python"))
def test_the_python_of_a_page_runs_from_top_to_bottom_and_shows_what_stands_below(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for path, text in written(name).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    namespace: dict = {"__name__": "__main__"}
    shown = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for cell in read(name):
            if cell.language == "text" and shown is not None and not cell.illustration:
                assert cell.text.strip() == shown.strip(), f"{name}, line {cell.line}"
            shown = None
            if cell.language == "python" and not cell.illustration:
                shown = shown_by(cell.text, name, cell.line, namespace)


@pytest.mark.parametrize("name", those_with("sh", "console"))
def test_the_commands_of_a_page_name_what_there_is(name: str):
    made = {*written(name)}
    faults = [
        f"{name}, line {cell.line}: {fault}"
        for cell in read(name)
        if cell.language in ("sh", "console") and not cell.illustration
        for line in commands(cell)
        for fault in faults_of_command(line, made)
    ]
    assert not faults


@pytest.mark.parametrize("name", those_with("yaml"))
def test_the_configuration_of_a_page_is_as_the_schemas_demand(name: str):
    faults = [
        f"{name}, line {cell.line}: {fault}"
        for cell in read(name)
        if cell.language == "yaml" and not cell.illustration
        for fault in faults_of_yaml(cell.with_file)
    ]
    assert not faults


def test_the_workflow_file_for_ci_has_what_it_needs_and_its_commands_name_what_there_is():
    (text,) = (cell.text for cell in read("audit.md") if "runs-on:" in cell.text)
    (job,) = yaml.safe_load(text)["jobs"].values()
    assert job["timeout-minutes"] <= 30
    uses = {step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step}
    assert uses >= {"actions/checkout", "actions/setup-python", "actions/cache"}
    run = Cell("sh", "\n".join(step.get("run", "") for step in job["steps"]), 0, False)
    lines = [*commands(run)]
    assert [fault for line in lines for fault in faults_of_command(line, {*()})] == []
    assert any(line.startswith("fairflow audit") and "--fail-if" in line for line in lines)


def test_what_a_command_names_wrongly_is_found():
    def faults(line: str) -> list[str]:
        return list(faults_of_command(line, {"config/studies/mine.yaml"}))

    assert faults("DOWNLOAD=all make run && snakemake --cores 8 scores # a comment") == []
    assert faults("fairflow list models > models.txt") == []
    assert faults("cp config/studies/mine.yaml there") == []
    assert faults("make everything") == ["the Makefile has no target everything"]
    assert faults("make paper FETCHED=all") == ["the Makefile knows no variable FETCHED"]
    assert faults("snakemake --core 8 score") == [
        "snakemake has no option --core",
        "there is no rule score",
    ]
    assert faults("snakemake --config seeds=1") == ["the configuration has no key seeds"]
    assert faults("ls config/study.yaml") == ["there is no config/study.yaml"]
    assert faults("fairflow list models | lists") == ["unknown program 'lists'"]
    assert faults("python -m fairflow lists") == ["fairflow does not take 'lists'"]
