"""Pages made of the library, of config/README.md and of tables of differences lose nothing."""

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from building.api import api_pages
from building.configuration import configuration_pages
from building.differences import difference_pages, in_lines
from building.links import with_site_links

import fairflow
from fairflow.files.configuration_files import read_yaml

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return api_pages(ROOT)


def test_every_public_name_of_the_library_has_a_heading(pages: dict[str, str]):
    page = pages["api/index.md"]
    for name in fairflow.__all__:
        assert f"heading: fairflow.{name}\n" in page or f"## fairflow.{name}\n" in page


def test_an_object_is_explained_on_one_page_and_linked_from_others(pages: dict[str, str]):
    assert "::: fairflow.metrics.weat.WEAT\n" in pages["api/metrics.md"]
    assert "[WEAT](metrics.md#fairflow.metrics.weat.WEAT)" in pages["api/index.md"]
    explained = [line for page in pages.values() for line in page.splitlines() if line[:3] == ":::"]
    assert len(explained) == len(set(explained)) > 60


def headings(page: str) -> list[str]:
    return re.findall(r"heading: (\S+)|^## (\S+)", page, re.MULTILINE)


def test_each_heading_is_a_name_that_users_can_import(pages: dict[str, str], torch: ModuleType):
    for page in pages.values():
        for found in headings(page):
            module, _, name = "".join(found).rpartition(".")
            assert hasattr(import_module(module), name), (module, name)


@pytest.mark.parametrize(
    ("page", "home"),
    [
        ("api/wefe.md", "fairflow.wefe.metrics.WEAT"),
        ("api/wefe.md", "fairflow.wefe.utils.run_queries"),
        ("api/fairlangproc.md", "fairflow.fairlangproc.metrics.probability.LPBS"),
        ("api/transforms.md", "fairflow.transforms.leace.LEACE"),
        ("api/metrics.md", "fairflow.language_models.metrics.honest.HONEST"),
        ("api/metrics.md", "fairflow.language_models.scoring.item_metric.ItemMetric"),
    ],
)
def test_a_name_that_comes_from_elsewhere_is_found_without_loading_it(
    pages: dict[str, str], page: str, home: str
):
    assert f"::: {home}\n" in pages[page]


@pytest.fixture(scope="module")
def of_configuration() -> dict[str, str]:
    return configuration_pages(ROOT)


def test_each_file_of_the_configuration_has_a_page_with_its_keys(of_configuration: dict[str, str]):
    schemas = {
        path.name.split(".")[0] for path in (ROOT / "workflow/schemas").glob("*.schema.yaml")
    }
    index = of_configuration["configuration/index.md"]
    for name in schemas & {Path(page).stem for page in of_configuration}:
        assert re.search(r"^## Keys\n+- ", of_configuration[f"configuration/{name}.md"], re.M), name
        assert f"]({name}.md)" in index
    files = re.findall(r"^### config/([a-z_]+)", (ROOT / "config/README.md").read_text(), re.M)
    assert {f"configuration/{name}.md" for name in files} <= set(of_configuration)


def test_no_line_is_lost(of_configuration: dict[str, str]):
    text = (ROOT / "config/README.md").read_text(encoding="utf-8")
    keys = [line for line in map(str.strip, text.splitlines()) if line.startswith("- `")]
    shown = {line.strip() for page in of_configuration.values() for line in page.splitlines()}
    assert len(keys) > 300
    plain = {re.sub(r"\]\([^)]*\)", "]", line) for line in shown}
    assert [key for key in keys if re.sub(r"\]\([^)]*\)", "]", key) not in plain] == []


PAGE = r"""# Defects

As D1 does.

## Numbers

| No. | WEFE | fairflow | switch |
| --- | --- | --- | --- |
| D1 test | Draws `a \| b`. | Counts, see D2 and D7. | |
| D2 side | Wrong. | Right. | `side` |
"""


def test_a_row_becomes_a_heading_with_an_address_and_a_line_for_each_column_that_says_something():
    text = in_lines(PAGE)
    first, second = text.split("### D2 side {#d2}")
    assert "### D1 test {#d1}\n\n- **WEFE:** Draws `a | b`.\n" in first
    assert "switch" not in first
    assert "- **WEFE:** Wrong.\n- **fairflow:** Right.\n- **switch:** `side`\n" in second


def test_a_number_in_the_text_links_to_its_difference_if_the_page_has_it():
    text = in_lines(PAGE)
    assert "As [D1](#d1) does." in text
    assert "see [D2](#d2) and D7." in text


def test_no_difference_is_lost():
    pages = difference_pages(ROOT)
    rows = (ROOT / "tests/oracle/DEFECTS.md").read_text().count("\n| D")
    assert pages["differences/wefe.md"].count("\n### D") == rows > 50
    assert "{#lpbs}" in pages["differences/fairlangproc.md"]


def test_the_page_for_users_of_fairlangproc_has_every_name():
    page = (ROOT / "workflow/site/pages/fairlangproc.md").read_text()
    imports = re.findall(r"`from (fairflow\.fairlangproc\.\w+) import ([\w, ]+)`", page)
    named = {(module, name) for module, names in imports for name in names.split(", ")}
    folder = ROOT / "scripts/fairflow/fairlangproc"
    # Read, as importing them needs torch.
    public = {
        (f"fairflow.fairlangproc.{file.parent.name}", name)
        for file in folder.glob("*/__init__.py")
        for name in re.findall(
            r'"(\w+)"', file.read_text().partition("__all__ = ")[2].partition("]")[0]
        )
    }
    assert named == public
    known = read_yaml(ROOT / "config/language_metrics.yaml") | read_yaml(
        ROOT / "config/metrics.yaml"
    )
    for names in re.findall(r"`metrics: \[(.*?)\]`", page):
        assert {*names.split(", ")} <= {*known}


PAGES = ROOT / "workflow/site/pages"


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.md")), ids=lambda path: path.name)
def test_each_link_of_a_page_leads_to_a_file_of_the_clone(path: Path):
    links = re.findall(r"\]\((?![a-z]+:|#)([^)#\s]+)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_links_to_files_of_the_clone_lead_to_their_pages_on_the_site():
    text = "[a](../../../tests/oracle/DEFECTS.md#d40) [b](notebooks/own.ipynb) [c](audit.md#ci) "
    text += "[d](../../../config/README.md#configmodelsyaml) [e](../../../config/README.md)"
    made = with_site_links(text, "start.md", ROOT)
    assert made == (
        "[a](differences/wefe.md#d40) [b](notebooks/own.md) [c](audit.md#ci) "
        "[d](configuration/models.md) [e](configuration/index.md)"
    )
    place = "[f](../../../../config/README.md#a-model-of-your-own)"
    assert with_site_links(place, "write/study.md", ROOT) == (
        "[f](../configuration/models.md#a-model-of-your-own)"
    )
