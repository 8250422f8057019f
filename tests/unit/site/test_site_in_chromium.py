"""The site in a browser, from files: no request leaves, search finds, a phone shows it whole."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not (CHROMIUM and DRIVER):
    pytest.skip(
        "no Chromium here (Debian: chromium and chromium-driver), so the site is not opened",
        allow_module_level=True,
    )
webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")
PAGES = ("index.html", "start.html", "gallery/index.html", "numbers/words.html", "api/index.html")
FOUND = "return [...document.querySelectorAll('.md-search-result__link')].map(a => a.href)"


@pytest.fixture(scope="module")
def chromium(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.get("about:blank")
    driver.get_log("performance")
    yield driver
    driver.quit()


def show(driver: Any, path: Path, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    for kind in ("browser", "performance"):
        driver.get_log(kind)
    driver.get(path.as_uri())


def requests(driver: Any) -> set[str]:
    """Addresses outside the files that the page asked for."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    asked = (m for m in messages if m["method"] == "Network.requestWillBeSent")
    urls = {message["params"]["request"]["url"] for message in asked}
    return {url for url in urls if url.startswith(("http", "ws"))}


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
