"""What must stay equal between files of the project."""

import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from runpy import run_path

import pytest
import yaml

import fairflow
from fairflow.capabilities import CAPABILITIES
from fairflow.errors import former_names
from fairflow.files.configuration_files import read_yaml
from fairflow.planning.configuration import shape_problems
from fairflow.studies.tables import STUDY_TABLES

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "workflow/rules").rglob("*.smk"))
TARGETS = {"scores", "rankings", "figures", "report", "paper"}
TARGETS |= {"language_results", "language_models"}


def rules() -> dict[str, str]:
    text = "\n".join(path.read_text() for path in RULES)
    blocks = re.split(r"^rule (\w+):\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(blocks[::2], blocks[1::2], strict=True))


def test_configuration_reference_is_up_to_date():
    introduction = (ROOT / "config/introduction.md").read_text(encoding="utf-8")
    reference = run_path(str(ROOT / "tests/unit/document_configuration.py"))["reference"]
    made = reference(introduction, ROOT / "workflow/schemas", ROOT / "config")
    assert (ROOT / "config/README.md").read_text(encoding="utf-8") == made, "run make docs"


def test_locks_hold_hashes_and_no_host():
    for path in (ROOT / "envs").glob("*.txt"):
        text = path.read_text()
        assert "--hash=sha256:" in text
        assert not re.search(r"://|--find-links|--(extra-)?index-url (?!\\)", text)


def test_a_commit_is_checked_by_what_make_lint_runs():
    makefile = (ROOT / "Makefile").read_text()
    checks = re.search(r"^LINT := (.*)$", makefile, re.M)[1].split()
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    hooks = {hook["id"]: hook["entry"] for hook in repository["hooks"]}
    assert hooks == {check: f"make --silent {check}" for check in checks}
    assert re.search(r"^lint: \$\(LINT\) ", makefile, re.M)
    # All of them, and nothing that pre-commit would have to download.
    assert set(re.findall(r"^(lint-\w+):", makefile, re.M)) == set(checks)
    assert repository["repo"] == "local"


def test_a_rule_and_its_script_share_one_name():
    # Log and benchmark follow from it: workflow/rules/defaults.smk.
    for rule in set(rules()) - TARGETS:
        text = rules()[rule]
        # Rules that are made for each study follow it.
        script, *_ = re.findall(r'"[./]*/(scripts/[\w/]+\.py)"', text)
        assert Path(script).stem == rule
        assert (ROOT / script).is_file(), rule
        # Shown as the message of its jobs.
        assert text.startswith('    """'), rule


def test_every_dotted_name_in_the_library_the_rules_and_the_pages_stands_for_something():
    library = ROOT / "scripts/fairflow"
    folders = [library, ROOT / "workflow/rules"]
    paths = [path for folder in folders for path in folder.rglob("*.*")]
    paths = [path for path in paths if path.suffix in (".py", ".smk")]
    paths += [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "config/introduction.md")]
    paths += (ROOT / "workflow/site/pages").rglob("*.md")
    for path in paths:
        for dotted in re.findall(r"(?<![\w/.-])fairflow((?:\.[A-Za-z_]\w*)+)", path.read_text()):
            file, names = library, dotted.strip(".").split(".")
            while names and (file / names[0]).is_dir():
                file /= names.pop(0)
            if names and (file / f"{names[0]}.py").is_file():
                file /= f"{names.pop(0)}.py"
            text = (file / "__init__.py" if file.is_dir() else file).read_text()
            if names and "class_called" in text:
                package = f"fairflow.{file.relative_to(library).as_posix().replace('/', '.')}"
                assert hasattr(import_module(package), names[0]), f"{path}: fairflow{dotted}"
                continue
            assert not names or re.search(rf"\b{names[0]}\b", text), f"{path}: fairflow{dotted}"


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "config/README.md"])
def test_links_to_files_of_the_project_lead_to_them_and_to_a_heading(page: str):
    # What begins with ../../ is of the place that the repository is published at.
    links = re.findall(
        r"(?:\]\(|src=\")(?!https?:|\.\./)([^)#\"]+)(?:#([\w-]+))?[)\"]", (ROOT / page).read_text()
    )
    for path, anchor in links:
        target = ((ROOT / page).parent / path).resolve()
        assert target.is_file(), f"{page}: {path}"
        assert not anchor or f"{{ #{anchor} }}" in target.read_text(), f"{page}: {path}#{anchor}"


def test_the_readme_has_at_most_600_words_beside_code_and_tables():
    text = re.sub(r"```.*?```|<img.*?>|\]\(.*?\)", "", (ROOT / "README.md").read_text(), flags=re.S)
    prose = [line for line in text.splitlines() if not line.startswith("|")]
    assert len(" ".join(prose).split()) <= 600


def test_every_script_belongs_to_a_rule():
    folders = (ROOT / "scripts", *((ROOT / "scripts") / name for name in CAPABILITIES))
    scripts = {file.relative_to(ROOT).as_posix() for one in folders for file in one.glob("*.py")}
    text = "".join(path.read_text() for path in RULES)
    assert scripts == {*re.findall(r'"[./]*/(scripts/[\w/]+\.py)"', text)}


def test_the_report_has_a_caption_for_every_file_it_shows():
    text = "".join(rules().values())
    captions = set(re.findall(r'caption="\.\./report/(\w+)\.rst"', text))
    captions |= {table.name for table in STUDY_TABLES}
    assert len(captions) > 15
    assert captions <= {path.stem for path in (ROOT / "workflow/report").glob("*.rst")}


def test_every_shipped_file_names_the_schema_that_it_follows():
    schemas = ROOT / "workflow" / "schemas"
    for path in sorted((ROOT / "config").rglob("*.yaml")):
        (line, *_) = path.read_text(encoding="utf-8").splitlines()
        named = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", line)
        schema = (path.parent / named[1]).resolve()
        assert schema.parent == schemas, path
        name = schema.name.removesuffix(".schema.yaml")
        assert shape_problems(read_yaml(path), name, path, schemas) == []


def test_every_test_is_collected_without_torch_and_a_file_that_needs_it_is_marked():
    code = """
import sys, pytest
class Absent:
    def find_spec(name, path=None, target=None):
        if name in ("torch", "transformers"):
            raise ModuleNotFoundError(f"No module named {name}", name=name)
sys.meta_path.insert(0, Absent)
sys.exit(pytest.main(sys.argv[1:]))
"""
    command = [sys.executable, "-c", code, "--collect-only", "--quiet", "-m", "not torch"]
    command += ["--assert=plain", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    collected = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert collected.returncode == 0, collected.stdout[-2000:]
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        assert 'importorskip("torch' not in text or "pytest.mark.torch" in text, path


FILE = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_licence_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert FILE["license"] == project["license"]


def test_all_that_cites_the_software_names_one_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    codemeta = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
    readme = re.search(r"version = \{(.*)\}", (ROOT / "README.md").read_text(encoding="utf-8"))
    named = {project["version"], FILE["version"], codemeta["version"], readme[1]}
    assert named == {fairflow.__version__}


def test_the_changelog_begins_with_the_version_and_has_every_renamed_key():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (newest, *_) = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert newest == f"{fairflow.__version__} - {FILE['date-released']}"
    rows = [line.split("|")[2:4] for line in text.splitlines() if line.startswith("| ")]
    for old, new in former_names()["renamed"].items():
        assert any(re.search(rf"\b{old}\b", a) and re.search(rf"\b{new}\b", b) for a, b in rows), (
            old
        )
