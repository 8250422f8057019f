"""The ledger's page: counts, differences, what is not computed, contradictions."""

import pandas as pd

from fairflow.studies.published.comparison import COLUMNS
from fairflow.studies.published.ledger import ledger_counts, ledger_page, reach


def number(verdict, computed=0.5, **cells):
    row = dict.fromkeys(COLUMNS, "") | {
        "study": "mine",
        "table": "Paper, Table 1",
        "model": "w2v",
        "published_model": "Word2vec",
        "metric": "weat",
        "scope": "q1",
        "measure": "weat",
        "published": 0.46,
        "decimals": 2,
        "computed": computed,
        "verdict": verdict,
        "draws": float("nan"),
        "quantile": float("nan"),
        "reproducible": "no",
        "file": "paper",
    }
    return row | cells


LEDGER = pd.DataFrame(
    [
        number("match"),
        number("differs", cause="list", note="32 names | a set", reason="lost: axe"),
        number("differs", cause="not expected", reproducible="yes", item="irish"),
        number("not computed", float("nan"), model=None, reason="only published: no vectors"),
        number("not computed", float("nan"), model=None, reason="only published: no vectors"),
    ]
)
FOUND = [{"paper": "Paper", "place": "Table 1", "found": "ranks swapped", "evidence": "scores"}]


def test_numbers_are_counted_by_file_and_verdict():
    (row,) = ledger_counts(LEDGER).to_dict(orient="records")
    assert row["numbers"] == 5
    assert (row["match"], row["differs"], row["not computed"]) == (1, 2, 2)
    assert row["not expected"] == 1


def test_numbers_from_vectors_from_print_and_only_shown_are_told_apart():
    ledger = pd.concat([LEDGER, pd.DataFrame([number("match", measure="rank")])])
    assert reach(ledger).to_dict(orient="records") == [
        {
            "study": "mine",
            "numbers": 6,
            "from vectors": 3,
            "of these equal": 1,
            "from print": 1,
            "only shown": 2,
        }
    ]


def test_the_places_of_a_list_count_as_one_number_that_comes_out_if_each_does():
    whole = [number("match", measure="place", item=word) for word in ("nurse", "nanny", "maid")]
    verdicts = ("match", "differs", "not computed")
    partly = [number(verdict, measure="place_from_end") for verdict in verdicts]
    (row,) = reach(pd.DataFrame([*whole, *partly, number("match")])).to_dict(orient="records")
    assert row["numbers"] == 3
    assert row["from vectors"] == 3
    assert row["of these equal"] == 2
    assert row["only shown"] == 0


def test_a_study_of_which_nothing_comes_out_is_named_at_the_top():
    top = ledger_page(LEDGER, FOUND).split("## Counts")[0]
    assert "This run computes 3 of 5 published numbers" in top
    assert "none of" not in top
    lost = ledger_page(LEDGER[LEDGER["verdict"] != "match"], FOUND).split("## Counts")[0]
    assert "**This run reproduces none of the 4 numbers of mine.**" in lost
    only_print = ledger_page(pd.DataFrame([number("match", measure="low")]), FOUND)
    assert "none of" not in only_print.split("## Counts")[0]


def test_html_in_a_cell_is_shown_and_not_run():
    text = ledger_page(LEDGER, [{"paper": "<script>alert(1)</script> & co"}])
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in text
