"""The glossary is short, and each page links a term where it first appears."""

import re
from pathlib import Path

from building.glossary import Term, terms_of, with_links

PAGE = Path(__file__).parents[3] / "workflow/site/pages/glossary.md"
TERMS = [
    Term("cell", "cell", "One metric on one query."),
    Term("query", "query", "Sets of `words`."),
    Term("control query", "control", "Flowers & insects."),
    Term("criterion", "criterion", "A group."),
    Term("null band", "null-band", "Chance."),
]


def linked(html: str) -> list[tuple[str, str]]:
    """Anchor and text of each link to the glossary."""
    pattern = r'<a class="term" href="glossary.html#([^"]+)" title="[^"]*">([^<]*)</a>'
    return re.findall(pattern, with_links(html, TERMS, "glossary.html"))


def test_the_glossary_has_at_most_25_terms_in_order_with_a_definition_each():
    text = PAGE.read_text(encoding="utf-8")
    terms = terms_of(text)
    names = [term.name.lower() for term in terms]
    assert len(terms) == text.count("\n:   ") <= 25
    assert names == sorted(names)
    assert len({term.anchor for term in terms}) == len(terms)
    assert all(len(term.definition.split()) <= 30 for term in terms)


def test_only_the_first_appearance_is_linked_singular_or_plural():
    assert linked("<p>Queries</p><p>a query, <b>the cells</b>, a cell</p>") == [
        ("query", "Queries"),
        ("cell", "cells"),
    ]
    assert linked("<p>null-band</p>") == [("null-band", "null-band")]
    assert linked("<p>two criteria and a criterion</p>") == [("criterion", "criteria")]


def test_the_longest_term_is_linked_also_over_the_end_of_a_line():
    assert linked("<p>a control\nquery, a query</p>") == [
        ("control", "control\nquery"),
        ("query", "query"),
    ]


def test_nothing_is_linked_in_code_headings_and_links_nor_in_longer_words():
    html = '<h2 id="cell">Cell</h2><pre><code>cell</code></pre><a href="x">the <em>cell</em></a>'
    html += '<img alt="cell"><!-- a > cell --><math><mi>cell</mi></math><p>cellar, sub-query</p>'
    html += "<p>a notebook cell</p>"
    assert with_links(html, TERMS, "glossary.html") == html
