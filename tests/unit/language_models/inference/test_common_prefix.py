"""The start that texts share is read once, and no vector is another for it."""

from types import SimpleNamespace

import numpy as np
import pytest

from ..language_oracle import LOGP

WORDS = ["nurse", "receptionist", "engineer", "man"]
CONTEXT_TEMPLATE = "The very good {word}"
ROWS = [(7, 1, 2, 3), (7, 1, 2, 4, 5), (7, 1, 2, 3, 3)]


def in_one_template(model, words, **how):
    from fairflow.language_models.inference.embed_query import embed_in_templates

    return embed_in_templates(model, words, [CONTEXT_TEMPLATE], **how)[CONTEXT_TEMPLATE].rows


@pytest.fixture
def start_of(torch):
    from fairflow.language_models.inference.network_rows import common_prefix

    return common_prefix


@pytest.mark.parametrize(
    ("first_wanted", "start"), [(9, (7, 1, 2)), (3, (7, 1, 2)), (2, (7, 1)), (0, ())]
)
def test_it_ends_where_rows_differ_or_a_state_is_asked_for(first_wanted, start, causal, start_of):
    assert start_of(causal, ROWS, first_wanted) == start


def test_one_row_or_a_network_that_looks_ahead_has_none(causal, masked, start_of):
    assert start_of(causal, ROWS[:1], 3) == ()
    assert start_of(masked, ROWS, 3) == ()


@pytest.mark.parametrize("how", [{}, {"pooling": "mean"}, {"layer": 1}])
def test_vectors_are_those_of_words_that_are_read_one_by_one(how, causal):
    from ..models import ids_read

    alone = np.concatenate([in_one_template(causal, [word], **how) for word in WORDS])
    np.testing.assert_allclose(in_one_template(causal, WORDS, **how), alone, atol=LOGP)
    whole = [
        len(row.ids)
        for row in causal.tokens.encode([CONTEXT_TEMPLATE.format(word=w) for w in WORDS])
    ]
    read = ids_read(causal, lambda: in_one_template(causal, WORDS, **how))
    assert sum(read) < sum(whole)


def test_a_network_that_cannot_go_on_from_a_start_reads_whole_texts(causal, monkeypatch, start_of):
    from fairflow.language_models.inference import network_parts, network_rows

    def refuse(*_):
        raise AttributeError("no such cache")

    before = in_one_template(causal, WORDS)
    monkeypatch.setattr(network_rows, "copy", SimpleNamespace(deepcopy=refuse))
    monkeypatch.setattr(network_parts, "_outcomes", {})
    assert start_of(causal, ROWS, 3) == ()
    np.testing.assert_allclose(in_one_template(causal, WORDS), before, atol=LOGP)
