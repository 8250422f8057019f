"""The page holds everything, escapes everything and loads nothing."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from fairflow.capabilities import extensions
from fairflow.products.report.html_tables import LAYOUTS, PARTS_OF_OTHERS
from fairflow.products.report.study_section import OF_CHECKS
from fairflow.studies.tables import KINDS, REPORT, study_tables

NAMES = ("toy", "other")
TABLES_OF_CHECKS = [layout.name for layout in LAYOUTS if layout.group == OF_CHECKS]
DATA = ("data-details", "data-chart", "data-rest")
VOID = {"meta", "input", "img", "link", "br"}


def unpacked(letters: str) -> str:
    """What the page's script makes of packed letters."""
    return gzip.decompress(base64.b64decode(letters)).decode()


class Elements(HTMLParser):
    """Every element of a page with its attributes; complains of what is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture(scope="module")
def elements(text: str) -> Elements:
    parsed = Elements(text)
    assert parsed.open == []
    return parsed


def test_names_words_and_reasons_are_escaped_everywhere(text: str, elements: Elements):
    assert "<script>document" not in text
    assert "<img src=x" not in text
    assert text.count("&lt;script&gt;") > 10
    # Ours: one script that runs; all others are data.
    kinds = [script.get("type") for script in elements.of("script")]
    assert kinds.count(None) == 1
    assert {*kinds} == {"application/json", "application/gzip", None}
    assert not any(name.startswith("on") for _, a in elements.found for name in a)


def test_nothing_on_the_page_points_outside(elements: Elements):
    for tag, attributes in elements.found:
        for name in ("src", "href", "srcset", "action", "poster", "data"):
            value = attributes.get(name)
            assert value is None or value.startswith(("#", "data:image/svg+xml,")), (tag, value)
    assert not elements.of("link")


def test_its_policy_allows_only_its_own_style_and_script(text: str, elements: Elements):
    (policy,) = [m["content"] for m in elements.of("meta") if "http-equiv" in m]
    assert "default-src 'none'; img-src data:" in policy
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)[1]
    for source in (style, script):
        digest = hashlib.sha256(source.encode()).digest()
        assert f"'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert not any("style" in attributes for _, attributes in elements.found)


def test_equal_runs_give_equal_bytes(text: str, make_page: Callable[..., str]):
    assert make_page() == text


def in_order(text: str, *parts: str) -> None:
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_each_study_has_its_five_parts_and_then_its_folds(
    text: str, make_small_page: Callable[..., str]
):
    for name in NAMES:
        section = text[text.index(f'<section id="{name}"') :]
        parts = ['<p class="answer">Second &amp; last and First', "data-figure"]
        parts += ['<table class="answers">', "words share a vector in 2 of 3 sets"]
        parts += ["1 of 1 published numbers reproduced"]
        parts += [f'id="{name}-worth">What are these numbers worth?']
        parts += ['<table class="checks">', "taken&#39;&lt;/script&gt;: do"]
        parts += ['<span data-state="poor">poor</span> .41 [.30, .50]']
        parts += ["Find out why."]
        parts += [
            f'id="{name}-of-checks">Tables of the checks ({len(TABLES_OF_CHECKS)})',
            f'data-chart="{name}-chart"',
            f'id="{name}-models"',
        ]
        in_order(section, *parts, f'id="{name}-tables">Tables (', f'id="{name}-settings"')
        assert all(f'id="{name}-{layout.name}"' in section for layout in LAYOUTS)
    assert text.count('<p class="answer">') == text.count('<table class="checks">') == len(NAMES)
    without = make_small_page("scores", "ranking", "pairwise", *TABLES_OF_CHECKS)
    assert "What are these numbers worth?" not in without
    assert all(f'id="mine-{name}"' in without for name in TABLES_OF_CHECKS)


def test_the_ids_are_unique_and_every_link_and_label_has_its_place(elements: Elements):
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in elements.found:
        for name in ("href", "aria-labelledby", "aria-describedby", *DATA):
            if name in attributes:
                assert {place.removeprefix("#") for place in attributes[name].split()} <= set(ids)


def test_figures_have_text_alternatives(elements: Elements):
    images = [script for script in elements.of("script") if "data-figure" in script]
    assert len(images) == 2
    for image in images:
        told = "Scores by all metrics with intervals, published values and null bands"
        assert image["data-alt"].startswith(told)
        assert (image["data-width"], image["data-height"]) == ("96", "48")


def test_the_words_are_there_once_and_packed(text: str):
    packed = re.findall(r'<script type="application/gzip" id="(\w+)-details">(.*?)</script>', text)
    assert [name for name, _ in packed] == list(NAMES)
    details = unpacked(packed[0][1])
    data = json.loads(details)
    assert len(data["rows"]) == len(data["words"]) == len(data["measures"]) == 12
    assert details.count("onerror") == 1
    assert "onerror" not in re.search(r'id="toy-chart">(.*?)</script>', text)[1]


def test_a_long_table_begins_in_the_page_and_goes_on_packed(make_page: Callable[..., str]):
    text = make_page(10)
    table = re.search(r'<table data-sortable aria-labelledby="toy-scores".*?</table>', text, re.S)[
        0
    ]
    assert table.count('<th scope="row"') == 3
    rest = unpacked(re.search(r'id="toy-scores-rest">(.*?)</script>', text)[1])
    assert rest.count('<th scope="row"') == 117
    assert "<script>" not in rest
    assert "&lt;script&gt;" in rest


def test_the_first_screen_says_what_comes_out_who_is_more_biased_and_how_sure_that_is(text: str):
    first, section = text[text.index('id="findings"') :].split('<section id="toy"', 1)
    papers, models = first.split('id="models"')
    assert papers.count('">Second &amp; last and First') == len(NAMES)
    assert papers.count("<b>1</b> of 1") == papers.count("data-thumb=") == len(NAMES)
    assert "2 of 2 published numbers reproduced" in papers
    # Both studies say the same, so that one column has it.
    said = "2.00, 95% interval 0.50 to 2.50; not told apart from First"
    assert (
        models.count(f'title="{said}') == section.split("<section")[0].count(f'title="{said}') == 1
    )
    assert '<small data-badge="tied">tied</small>' in models


def test_a_study_of_one_model_is_headed_by_its_name(make_small_page: Callable[..., str]):
    text = make_small_page("scores", "ranking", subject="second", own=True)
    assert '<h1 id="findings-title">Bias in Second &amp; last <' in text
    assert '<tr class="subject"><th scope="row">Second &amp; last</th>' in text
    assert '<h2 id="mine-title" class="unseen">' in text


def test_a_run_of_one_kind_of_studies_with_a_heading_of_its_own_has_that(
    make_small_page: Callable[..., str],
):
    text = make_small_page("scores", heading="Associations in leaves")
    assert '<h1 id="findings-title">Associations in leaves <' in text
    assert "insults" not in text


def test_a_run_of_items_alone_speaks_of_language_models_and_of_no_vectors(
    make_small_page: Callable[..., str],
):
    said = {"of_others": ["weat", "rnd"], "readings": {"weat": {"text": "above 0: so it is"}}}
    text = make_small_page("scores", **said)
    assert "associated in the vectors" not in text
    assert "Scores of sentences and texts say what a language model finds probable" in text
    assert "associations are significant" not in text
    assert '"readings":{"0":"above 0: so it is"}' in text
    of_words = make_small_page("scores")
    assert "associated in the vectors" in of_words
    assert "Scores of sentences and texts" not in of_words


def test_every_table_that_is_laid_out_is_among_the_inputs():
    read = {table.name for table in study_tables(REPORT, *KINDS)}
    parts = {name for one in extensions("report") for name in getattr(one, "TABLES", ())}
    assert {layout.name for layout in LAYOUTS} | {*PARTS_OF_OTHERS} == read | parts
