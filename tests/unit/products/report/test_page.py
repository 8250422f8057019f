"""The page holds everything, escapes everything and loads nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from itertools import product

import pytest

from fairflow.products.report.html_tables import LAYOUTS, PARTS_OF_OTHERS
from fairflow.products.report.page import TEMPLATES, title, unpacked
from fairflow.products.report.study_section import OF_CORPUS, OF_VALIDITY
from fairflow.studies.tables import KINDS, REPORT, study_tables
from fairflow.studies.validity.checks import TEXTS

NAMES = ("toy", "other")
DATA = ("data-details", "data-chart", "data-rest")
VOID = {"meta", "input", "img", "link", "br"}


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
        parts = ['<p class="answer">Second &amp; last and First', '<table class="answers">']
        parts += ["3 documents have no date", "1 of 1 published numbers reproduced"]
        parts += [f'data-chart="{name}-chart"', f'id="{name}-worth">What are these numbers worth?']
        parts += ['<table class="checks">', "taken&#39;&lt;/script&gt;: do"]
        parts += ['<span data-state="poor">poor</span> .41 [.30, .50]']
        parts += [TEXTS["ratings"]["advice"]]
        parts += [
            f'id="{name}-of-checks">Tables of the checks ({len(OF_VALIDITY)})',
            f'id="{name}-ranks"',
        ]
        in_order(section, *parts, f'id="{name}-tables">Tables (', f'id="{name}-settings"')
        assert all(f'id="{name}-{layout.name}"' in section for layout in LAYOUTS)
    assert text.count('<p class="answer">') == text.count('<table class="checks">') == len(NAMES)
    without = make_small_page("scores", "ranking", "pairwise", "yardsticks")
    assert "What are these numbers worth?" not in without
    assert 'id="mine-yardsticks"' in without


def test_the_figure_of_a_corpus_is_above_all_folds_and_its_tables_in_one(text_of_corpus: str):
    section = text_of_corpus[text_of_corpus.index('<section id="mine"') :]
    parts = ['<p class="answer">1 of 1 associations exceed those of shuffled texts']
    parts += ["<figcaption>Subcorpora", 'id="mine-ranks"', "Figures for print (1)"]
    parts += ['id="mine-of-texts">Tables of the texts (3)', 'id="mine-corpus_scores"']
    parts += ['id="mine-corpus_trends"', 'id="mine-tables"']
    in_order(section, *parts)
    assert all(section.count(part) == 1 for part in parts)


def test_the_ids_are_unique_and_every_link_and_label_has_its_place(elements: Elements):
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in elements.found:
        for name in ("href", "aria-labelledby", "aria-describedby", *DATA):
            if name in attributes:
                assert {place.removeprefix("#") for place in attributes[name].split()} <= set(ids)


def test_columns_that_the_ledger_gains_are_shown(text: str):
    assert ">Erratum</th>" in text
    assert "<td" in text
    assert "1.50</td>" in text


def test_figures_have_text_alternatives(elements: Elements):
    images = [script for script in elements.of("script") if "data-figure" in script]
    assert len(images) == 2
    for image in images:
        told = "Bars of the association scores of every query. Study:"
        assert image["data-alt"].startswith(told)
        assert (image["data-width"], image["data-height"]) == ("96", "48")


def test_words_that_share_their_vector_are_told_beside_the_number_of_words(text: str):
    assert text.count("1,234<br><small>100 vectors; 1,200 words share theirs</small>") == 1


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
    assert table.count('<th scope="row"') == 10
    rest = unpacked(re.search(r'id="toy-scores-rest">(.*?)</script>', text)[1])
    assert rest.count('<th scope="row"') == 110
    assert "<script>" not in rest
    assert "&lt;script&gt;" in rest


def test_the_first_screen_says_who_is_more_biased_and_how_sure_that_is(text: str):
    first, section = text[text.index('id="findings"') :].split('<section id="toy"', 1)
    answer = "<strong>Second &amp; last and First"
    assert first.count(answer) == len(NAMES)
    assert first.count('<a href="#toy">') == first.count('<a href="#other">') == 1
    assert "2 of 2 published numbers reproduced" in first
    assert re.search(r"<b>1</b> <small>1\.00, 50%</small>.*1 of 2", section, re.S)


def test_studies_that_check_documentation_are_folded_behind_the_others(
    make_page: Callable[..., str],
):
    text = make_page(checks="documentation")
    documentation = text.index('<section id="documentation"')
    assert text.index('<section id="toy"') < documentation < text.index('<section id="other"')
    assert documentation < text.index('<section id="run"')
    own = make_page(checks="documentation", own=True)
    assert '<section id="documentation"' not in own
    assert own.count('data-chart="other-chart"') == 1


def test_a_study_of_one_model_is_headed_by_its_name(make_small_page: Callable[..., str]):
    text = make_small_page("scores", "ranking", subject="second", own=True)
    assert '<h1 id="findings-title">Bias in Second &amp; last</h1>' in text
    assert '<tr class="subject"><th scope="row">Second &amp; last</th>' in text
    assert '<h2 id="mine-title" class="unseen">' in text


def test_scores_alone_make_a_page(make_small_page: Callable[..., str]):
    text = make_small_page("scores")
    assert Elements(text).open == []
    assert 'id="mine-scores"' in text
    assert 'class="leaders"' not in text


def test_it_has_a_content_warning_and_a_skip_link(text: str, elements: Elements):
    assert "Content warning." in text
    links = [link for link in elements.of("a") if link.get("class") == "skip"]
    assert links == [{"class": "skip", "href": "#main"}]


def test_it_names_no_date_and_no_version(text: str):
    assert "<dt>numpy</dt>" not in text
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", text)


def test_a_run_of_items_alone_speaks_of_language_models_and_of_no_vectors(
    make_small_page: Callable[..., str],
):
    said = {"of_items": ["weat", "rnd"], "readings": {"weat": {"text": "above 0: so it is"}}}
    text = make_small_page("scores", **said)
    assert "associated in the vectors" not in text
    assert "Scores of sentences and texts say what a language model finds probable" in text
    assert "associations are significant" not in text
    assert '"readings":{"0":"above 0: so it is"}' in text
    of_words = make_small_page("scores")
    assert "associated in the vectors" in of_words
    assert "Scores of sentences and texts" not in of_words


@pytest.mark.parametrize(
    ("models", "audited", "headed"),
    [
        (1, ["a"], "Bias in word embeddings"),
        (2, ["a"], "Bias in word embeddings and language models"),
        (1, [], "Bias in language models"),
    ],
)
def test_the_page_is_headed_by_the_kinds_of_models_of_the_run(
    models: int, audited: list[str], headed: str
):
    assert (
        title({"studies": [], "models": dict.fromkeys("ab"[:models]), "audited": audited}) == headed
    )


def test_every_table_that_is_laid_out_is_among_the_inputs():
    read = {table.name for table in study_tables(REPORT, *KINDS)}
    assert {layout.name for layout in LAYOUTS} | {*PARTS_OF_OTHERS} == read | {*OF_CORPUS}


def colours() -> Iterator[tuple[str, dict[str, str]]]:
    style = (TEMPLATES / "report.css").read_text()
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w{6})", block))
        for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)[:2]
    )
    yield "light", light
    yield "dark", {**light, **dark}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("palette", [palette for _, palette in colours()], ids=["light", "dark"])
def test_text_stands_out_from_its_ground_by_4_5_to_1(palette: dict[str, str]):
    pairs = [*product(("ink", "quiet", "link", "good", "bad"), ("paper", "panel"))]
    pairs += product(("ink",), ("bar", "bar-below", "warn-paper"))
    pairs += product((f"m{number}" for number in range(8)), ("paper",))
    for text, ground in pairs:
        low, high = sorted(luminance(palette[name]) for name in (text, ground))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)
