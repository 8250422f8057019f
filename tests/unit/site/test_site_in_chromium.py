"""The site in a browser, from files: no request leaves, search finds, a phone shows it whole."""

import time
from pathlib import Path
from typing import Any

import pytest
from browser import asked_for, chromium, show
from selenium.webdriver.common.by import By

__all__ = ["chromium"]
PAGES = ("index.html", "start.html", "gallery/index.html", "numbers/words.html", "api/index.html")
FOUND = "return [...document.querySelectorAll('.md-search-result__link')].map(a => a.href)"


def requests(driver: Any) -> set[str]:
    """Addresses outside the files that the page asked for."""
    return {url for url in asked_for(driver) if url.startswith(("http", "ws"))}


@pytest.mark.parametrize("name", PAGES)
def test_no_request_leaves_and_no_error_is_told(chromium: Any, site: Path, name: str):
    show(chromium, site / name, 1300)
    assert requests(chromium) == set()
    assert [entry["message"] for entry in chromium.get_log("browser")] == []


@pytest.mark.parametrize("name", [*PAGES, "differences/wefe.html"])
def test_a_phone_shows_the_page_without_scrolling_sideways(chromium: Any, site: Path, name: str):
    show(chromium, site / name, 390)
    assert chromium.execute_script("return document.documentElement.scrollWidth") <= 390


def test_search_finds_a_page_without_a_server(chromium: Any, site: Path):
    show(chromium, site / "index.html", 1300)
    chromium.execute_script("document.querySelector('[data-md-toggle=search]').click()")
    chromium.find_element(By.CSS_SELECTOR, "[data-md-component=search-query]").send_keys("forest")
    until = time.monotonic() + 30
    while not chromium.execute_script(FOUND) and time.monotonic() < until:
        time.sleep(0.1)
    assert "gallery/forest_plot.html" in chromium.execute_script(FOUND)[0]
    assert requests(chromium) == set()
