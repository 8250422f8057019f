"""LaTeX tables: numbers, bold best, a reason for every cell without value; and their article."""

import math
from collections import Counter

import pandas as pd
import pytest
from tables_of_scores import score as row_of_scores

from fairflow.products.paper.article import article
from fairflow.products.paper.latex import Footnotes, Heading, Table, file_text, letters
from fairflow.products.paper.study_tables import StudyTables, score_table

NAN = math.nan
ABOUT = ("study", "A & B", {"m": "Model_M", "n": "Model N", "weat": "WEAT", "rnd": "RND"})
SIGNED = {"signed": True, "larger_is_fairer": False}
LOST = "Cats lost 2 of 4 words (tom, tabby), more than the allowed share of 0.2"


def tables_of(**frames):
    return StudyTables(frames, *ABOUT)


def score(model="m", value=0.5, query="q1", **columns):
    row = {"metric": "weat", "criterion": "Pets", "status": "ok", "reason": None}
    row |= dict.fromkeys(("query_label", "subquery"), f"Query {query}")
    row |= {"p_value": 2.6e-10, "p_holm": 0.02, "p_bh": 0.01, "ci_level": 0.95}
    row |= {"ci_low": 0.1, "ci_high": 0.9, "ci_low_both": -0.1, "ci_high_both": 1.1}
    return row_of_scores(model, query, value, **row | columns)


def undefined(model="n", **columns):
    names = ("p_value", "p_holm", "p_bh", "ci_low", "ci_high", "ci_low_both", "ci_high_both")
    return score(model, NAN, reason=LOST, status="lost_vocabulary", **dict.fromkeys(names, NAN)) | (
        columns
    )


def scores_latex(*rows, of_words=True):
    return score_table(pd.DataFrame(rows), *ABOUT, SIGNED, False, of_words).latex()


def test_items_are_called_by_the_label_of_their_query_and_not_words():
    own = {"query": "pairs", "query_label": "Pairs of people", "subquery": "pairs: job"}
    latex = scores_latex(score() | own, score("n", statistics="few_words") | own, of_words=False)
    assert "Pairs of people: job" in latex
    assert "clusters, templates" in latex
    assert "over clusters and the templates and fills crossed with them" in latex
    assert "There are fewer than ten clusters or templates" in latex
    assert "target" not in latex


def test_a_score_stands_with_both_intervals_and_its_tests():
    latex = scores_latex(score(), score("n", -0.7))
    assert (
        r"Model\_M & \textbf{0.500} & {[}0.100, 0.900{]} & {[}$-$0.100, 1.100{]} & "
        r"$2.6\times10^{-10}$ & .020 & .010\\*"
    ) in latex
    assert r"Model N & $-$0.700 &" in latex
    assert r"A \& B" in latex
    assert r"\label{tab:study-scores-weat}" in latex


def test_values_that_print_alike_are_both_bold_or_both_not():
    assert r"\textbf" not in scores_latex(score(value=0.5), score("n", 0.50001))
    assert scores_latex(score(), score("n", -0.50001), score("o", 0.9)).count(r"\textbf") == 2


def test_an_undefined_score_has_a_mark_and_its_reason_below():
    latex = scores_latex(score(), undefined())
    assert r"Model N & --\rlap{\textsuperscript{a}} & -- & -- & -- & -- & --\\" in latex
    assert r"\textsuperscript{a}~Cats lost 2 of 4 words (tom, tabby)." in latex
    assert "Undefined where a set lost more than a share of 0.2 of its words." in latex


def test_without_statistics_their_columns_are_left_out():
    latex = scores_latex(undefined("m", value=0.5), undefined(value=0.6))
    assert "Holm" not in latex
    assert "interval" not in latex


def test_one_model_stands_in_the_caption_and_queries_in_the_rows():
    latex = scores_latex(score(), score(query="q2"))
    assert r"\caption{WEAT on Model\_M: every query of A \& B.}" in latex
    assert "Query q2 & 0.500" in latex


def test_equal_subqueries_of_two_queries_have_different_names():
    latex = scores_latex(score(subquery="Sub"), score(query="q2", subquery="Sub"))
    assert "Sub (of: Query q1) &" in latex
    assert "Sub (of: Query q2) &" in latex
    same = {"query_label": "Cats", "subquery": "Cats"}
    latex = scores_latex(score(**same), score(query="q2", **same))
    assert latex.index("Cats {[}q1{]} &") < latex.index("Cats {[}q2{]} &")


def test_the_p_of_a_control_query_is_not_adjusted_and_says_so():
    control = {"p_holm": NAN, "p_bh": NAN, "statistics_note": "no null band", "control_query": True}
    latex = scores_latex(score(**control), score("n"))
    assert latex.count(r"--\rlap{\textsuperscript{a}}") == 2
    assert r"\textsuperscript{a}~A control query: its p is not adjusted." in latex


def test_every_row_of_a_table_has_as_many_cells_as_columns():
    for latex in (scores_latex(score(), undefined()), scores_latex(score())):
        rows = [line for line in latex.splitlines() if " & " in line and "multicolumn" not in line]
        assert len(Counter(row.count(" & ") for row in rows)) == 1


def test_reasons_share_a_mark_and_marks_go_on_after_z():
    notes = Footnotes()
    assert notes.mark("first") == notes.mark("first")
    assert r"{b}" in notes.mark("second")
    assert [letters(i) for i in (0, 25, 26, 27, 52)] == ["a", "z", "aa", "ab", "ba"]


def test_a_group_of_few_rows_is_not_parted_by_a_page_break():
    rows = [Heading("one"), ["a", "1"], ["b", "2"], Heading("two"), ["c", "3"]]
    lines = Table("t", "l", "r", [], rows).latex().splitlines()
    assert r"a & 1\\*" in lines
    assert r"b & 2\\" in lines
    assert lines[lines.index(r"b & 2\\") + 1].startswith(r"\addlinespace")


def models(**columns):
    both = {"criterion": "Pets", "metric": "weat", "model": ["m", "n"]}
    return pd.DataFrame(both | columns)


def test_the_first_rank_is_bold_and_published_ranks_are_no_result():
    rows = models(source="computed", score=[0.5, 0.25], rank=[2.0, 1.0])
    both = pd.concat([rows, rows.assign(source="published", rank=[1.5, 1.5])])
    (computed,) = (table.latex() for table in tables_of(ranking=both).ranks())
    assert r"\textbf{0.250 (1)}" in computed
    assert "0.500 (2)" in computed


def test_many_metrics_are_parted_into_several_tables():
    rows = [models(metric=f"m{i}", source="computed", score=0.5, rank=1.0) for i in range(6)]
    first, second = tables_of(ranking=pd.concat(rows)).ranks()
    assert first.label != second.label
    assert (len(first.alignment), len(second.alignment)) == (4, 2)


def published_rows(**columns):
    row = {
        "table": "Paper, Table 1",
        "published_model": "Theirs",
        "metric": "weat",
        "scope": "q1",
        "published": [1.54, -0.08, 0.3],
        "decimals": 2,
        "computed": [1.5393, -0.0444, NAN],
        "difference": [-0.0007, 0.0356, NAN],
        "verdict": ["match", "differs", "not computed"],
        "reason": [None, "Billy is missing", "not fetched"],
    }
    return pd.DataFrame(row | columns)


def test_published_numbers_too_small_for_a_page_are_printed_with_their_power_of_ten():
    small = {"published": 1e-7, "decimals": 7, "computed": 1e-7, "difference": 0.0}
    (table,) = tables_of(published=published_rows(**small)).published()
    latex = table.latex()
    assert r"$1.0\times10^{-7}$ & $1.0\times10^{-7}$ & 0 & match" in latex


def test_published_numbers_keep_their_printed_decimals_and_differences_their_reason():
    (table,) = tables_of(published=published_rows()).published()
    latex = table.latex()
    assert r"q1 & 1.54 & 1.539 & $-$0.001 & match\\*" in latex
    assert r"q1 & $-$0.08 & $-$0.044 & 0.036 & differs\textsuperscript{a}\\" in latex
    assert "Not computed: 1 further number." in latex


def test_a_study_without_published_numbers_has_a_comment_in_place_of_a_table():
    assert tables_of(published=published_rows().iloc[:0]).published() == []
    text = file_text("published", [])
    assert all(line.startswith("%") for line in text.splitlines())


@pytest.mark.parametrize(
    ("status", "is_noted"), [("fails", True), ("unknown", True), ("passes", False)]
)
def test_a_failed_control_query_is_noted_at_the_rank(status, is_noted):
    control = {"control": "weat_1 fails", "control_status": [status, "passes"]}
    ranking = models(source="computed", score=[0.5, 0.6], rank=[1.0, 2.0], **control)
    (table,) = tables_of(ranking=ranking).ranks()
    assert ("ontrol query weat\\_1 fails" in " ".join(table.latex().split())) == is_noted


def test_the_article_shows_every_table_and_figure_with_its_caption():
    about = {"pets": {"title": "Cats & dogs", "metrics": ["weat"], "figures": ["coverage"]}}
    text = article(about, {"pets/coverage": "Share of x_1."})
    for shown in (
        r"\section{Cats \& dogs}",
        r"\input{pets/tables/scores_weat}",
        r"\input{pets/tables/published}",
        r"{pets/figures/coverage}",
        r"\caption{Share of x\_1.}\label{fig:pets-coverage}",
    ):
        assert shown in text
