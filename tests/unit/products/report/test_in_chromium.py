"""The page in a browser: sorted, filtered, opened, printed, narrow and wide, with no network."""

import hashlib
import shutil
import subprocess
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest
from browser import asked_for, chromium, show
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

# One worker opens the browser, for all of these tests.
__all__ = ["chromium"]
AXE = "axe-core@4.10.3"
AXE_SHA256 = "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292"


@pytest.fixture(scope="module")
def small_page(text: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, a checker of accessibility, from the registry that npm asks."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    if npm is None:
        pytest.skip("no npm here, which would fetch axe-core")
    command = [npm, "pack", AXE, "--silent", "--pack-destination", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=60, cwd=folder)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip(f"npm could not fetch {AXE}")
    (archive,) = folder.glob("*.tgz")
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == AXE_SHA256
    with tarfile.open(archive) as files:
        return files.extractfile("package/axe.min.js").read().decode()


@pytest.fixture
def closed(chromium: Any, small_page: Path) -> Any:
    show(chromium, small_page, 1300)
    return chromium


@pytest.fixture
def opened(closed: Any) -> Any:
    open_all(closed)
    return closed


def wait_until(driver: Any, condition: str, *arguments: Any) -> None:
    deadline = time.monotonic() + 10
    while not driver.execute_script(f"return {condition}", *arguments):
        assert time.monotonic() < deadline, condition
        time.sleep(0.02)


def open_all(driver: Any) -> None:
    """Open every fold, and wait for what is made of its contents."""
    driver.execute_script("document.querySelector('[data-open-all]').click()")
    wait_until(driver, "!document.querySelector('table[data-sortable] thead:not(:has(button))')")
    wait_until(driver, "!document.querySelector('[data-figure], img:not([src])')")


def table(driver: Any, name: str) -> Any:
    return driver.find_element(By.CSS_SELECTOR, f"table[aria-labelledby='{name}']")


def header(driver: Any, name: str, label: str) -> Any:
    found = table(driver, name).find_elements(By.CSS_SELECTOR, "thead th")
    (cell,) = [cell for cell in found if cell.text.removesuffix("↕").strip() == label]
    return cell


def sort_by(driver: Any, name: str, label: str) -> str | None:
    cell = header(driver, name, label)
    cell.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    return cell.get_attribute("aria-sort")


def column(driver: Any, name: str, label: str) -> list[str]:
    found = table(driver, name).find_elements(By.CSS_SELECTOR, "thead th")
    place = [cell.text for cell in found].index(label)
    rows = table(driver, name).find_elements(By.CSS_SELECTOR, "tbody tr")
    return [row.find_elements(By.CSS_SELECTOR, "th, td")[place].text for row in rows]


def controls(driver: Any, name: str) -> Any:
    found = f"//*[@id='{name}']/../..//*[contains(@class, 'controls')]"
    return driver.find_element(By.XPATH, found)


def status(driver: Any, name: str) -> str:
    return driver.find_element(By.XPATH, f"//*[@id='{name}']/../..//*[@role='status']").text


def show_all(driver: Any, name: str) -> None:
    driver.find_element(By.XPATH, f"//*[@id='{name}']/../..//*[@class='pages']/button").click()


def open_details(driver: Any, row: int) -> Any:
    found = table(driver, "toy-scores").find_elements(By.CSS_SELECTOR, "td.action button")
    found[row].send_keys(Keys.ENTER)
    wait_until(driver, "document.getElementById('details').open")
    return driver.find_element(By.ID, "details")


def test_headers_sort_by_keyboard_and_missing_values_stay_last(opened: Any):
    show_all(opened, "toy-scores")
    assert sort_by(opened, "toy-scores", "Score") == "ascending"
    rising = column(opened, "toy-scores", "Score")
    assert rising[-1] == "—"
    numbers = [float(text) for text in rising[:-1]]
    assert numbers == sorted(numbers)
    assert sort_by(opened, "toy-scores", "Score") == "descending"
    falling = column(opened, "toy-scores", "Score")
    assert falling == [*rising[-2::-1], "—"]


def test_rows_are_filtered_by_text_and_by_choice(opened: Any):
    group = controls(opened, "toy-scores")
    assert status(opened, "toy-scores") == "Rows 1 to 10 of 12"
    group.find_element(By.CSS_SELECTOR, "input[type=search]").send_keys("RAIN wrt")
    assert status(opened, "toy-scores") == "Rows 1 to 4 of 4 found among 12"
    labels = {
        label.text.split("\n")[0]: label for label in group.find_elements(By.TAG_NAME, "label")
    }
    Select(labels["Metric"].find_element(By.TAG_NAME, "select")).select_by_visible_text("RND")
    assert set(column(opened, "toy-scores", "Metric")) == {"RND"}
    assert status(opened, "toy-scores") == "Rows 1 to 2 of 2 found among 12"
    group.find_element(By.CSS_SELECTOR, "input[type=search]").send_keys("nothing like it")
    assert status(opened, "toy-scores") == "No row of 0 found among 12"


def test_details_show_each_word_and_close_again(opened: Any):
    dialog = open_details(opened, 1)
    assert dialog.get_attribute("open") is not None
    words = [cell.text for cell in dialog.find_elements(By.CSS_SELECTOR, "tbody th")]
    assert words == ["cat", '</script><img src=x onerror="document.title=1">&', "dog"]
    values = [cell.text for cell in dialog.find_elements(By.CSS_SELECTOR, "tbody td.n")]
    assert values == ["-0.3", "0.3", "—"]
    assert "Also measured: effect_size" in dialog.text
    assert "Missing words\n<script>document.title = 'taken'</script>" in dialog.text
    dialog.find_element(By.CSS_SELECTOR, "[data-close]").send_keys(Keys.ENTER)
    assert dialog.get_attribute("open") is None
    focused = opened.switch_to.active_element
    assert focused.get_attribute("aria-label").startswith("Open details of snow")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1300])
def test_the_page_is_as_wide_as_the_window_and_the_console_is_silent(
    chromium: Any, small_page: Path, width: int, dark: bool
):
    show(chromium, small_page, width, dark)
    measured = "return [document.documentElement.scrollWidth, innerWidth]"
    wide, window = chromium.execute_script(measured)
    assert wide <= window == width
    open_all(chromium)
    assert chromium.execute_script(measured)[0] <= width
    open_details(chromium, 0)
    assert chromium.execute_script(measured)[0] <= width
    assert chromium.get_log("browser") == []


@pytest.mark.parametrize("state", ["closed", "opened"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1300])
def test_axe_finds_nothing(
    chromium: Any, small_page: Path, axe: str, width: int, dark: bool, state: str
):
    show(chromium, small_page, width, dark)
    if state == "opened":
        open_all(chromium)
    chromium.execute_script(axe)
    run = "axe.run().then((found) => arguments[0](found.violations))"
    found = chromium.execute_async_script(run)
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []


def test_every_link_lands_where_it_points_whatever_is_folded(closed: Any, small_page: Path):
    links = closed.find_elements(By.CSS_SELECTOR, "main a[href^='#'], nav a[href^='#']")
    targets = sorted(
        {link.get_attribute("hash") for link in links}
        | {"#toy-scores", "#toy-each", "#other-ranking"}
    )
    assert len(targets) >= 8
    for target in targets:
        closed.get("about:blank")
        closed.get(small_page.as_uri() + target)
        assert lands(closed, target), target
        show(closed, small_page, 1300)
        link = f"a[href='{target}']"
        if found := closed.find_elements(By.CSS_SELECTOR, link):
            closed.execute_script("arguments[0].click()", found[-1])
            assert lands(closed, target), target


def lands(driver: Any, target: str) -> bool:
    """Whether a target comes to the top of the window, or the page is at its end."""
    time.sleep(0.2)
    place = (
        "const top = document.querySelector(arguments[0]).getBoundingClientRect().top;"
        "const page = document.documentElement;"
        "return [top, page.scrollHeight - innerHeight - scrollY]"
    )
    top, below = driver.execute_script(place, target)
    return -1 <= top <= 10 or (below < 2 and 0 <= top < 900)


def test_a_chart_is_read_by_keyboard(closed: Any):
    closed.execute_script("document.getElementById('toy-each').parentElement.open = true")
    chart = closed.find_element(By.CSS_SELECTOR, "[data-chart='toy-chart']")
    marks = chart.find_elements(By.CSS_SELECTOR, "[role=button]")
    assert [mark.get_attribute("tabindex") for mark in marks].count("0") == 1
    closed.execute_script("arguments[0].focus()", marks[0])
    told = chart.find_element(By.CLASS_NAME, "tip")
    assert "no score: lost <script>" in told.text
    closed.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    wait_until(closed, "document.querySelector('.tip').textContent.includes('Cats: ')")
    assert told.text.startswith("Second & last -2; 95% interval -3 to -1; p adjusted 0.5.")
    # Each word is isolated, so that its number follows it in any direction of writing.
    assert "Cats: \u2068cat\u2069 -2" in told.text
    closed.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not told.is_displayed()
    closed.switch_to.active_element.send_keys(Keys.ENTER)
    wait_until(closed, "document.getElementById('details').open")
    assert closed.find_element(By.ID, "details-title").text == "Second & last, rain wrt mood"


def test_nothing_is_requested_but_the_page_and_names_are_not_run(opened: Any):
    open_details(opened, 1)
    urls = [url for url in asked_for(opened) if not url.startswith("data:")]
    assert urls == [opened.current_url]
    assert opened.title == "fairflow: report"
