"""The API pages name what is public, and show its docstrings as they are meant."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from building.api import api_pages

import fairflow

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
        ("api/wefe.md", "fairflow.wefe.batch.run_queries"),
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
