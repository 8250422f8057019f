"""The leader table has its longer side down the page, so that it fits a narrow window."""

from __future__ import annotations

from fairflow.products.report.leaders import LeaderTable, Standing


def standing(model: str, *ranks: str, **said: bool) -> Standing:
    notes = ("",) * len(ranks)
    subject = said.get("is_subject", False)
    return Standing(model, subject, ranks, notes, notes, "2 of 2", "", "" if any(ranks) else "few")


def texts(table: LeaderTable) -> list[list[str]]:
    return [[cell.text for cell in line] for line in table.lines]


def test_models_are_columns_where_there_are_as_many_criteria():
    rows = standing("a", "1", "2"), standing("b", "", "", is_subject=True)
    table = LeaderTable("WEAT", ("Overall", "Gender"), rows, ())
    assert texts(table) == [
        ["Model", "a", "b"],
        ["Overall", "1", "—"],
        ["Gender", "2", "—"],
        ["Queries", "2 of 2", "2 of 2"],
        ["Words", "—", "—"],
    ]
    assert table.subjects == {"b"}


def test_models_are_rows_where_there_are_fewer_criteria():
    rows = standing("a", "1"), standing("b", "2")
    table = LeaderTable("WEAT", ("Gender",), rows, ())
    assert texts(table) == [
        ["Model", "Gender", "Queries", "Words"],
        ["a", "1", "2 of 2", "—"],
        ["b", "2", "2 of 2", "—"],
    ]


def test_a_rank_has_its_mean_score_and_its_chance_in_small_print():
    row = Standing("a", False, ("1", ""), ("0.81", ""), ("0.92", ""), "", "", "")
    table = LeaderTable("WEAT", ("Overall", "Gender"), (row,), ())
    assert [cell.note for line in table.lines for cell in line if cell.is_rank] == ["0.92, 0.81"]
