"""An audit: a page of 80 columns, a memo of two pages, and plain values."""

from pathlib import Path

from tests.unit.studies.claims.study import NAN, pair, ranks, results, score

from fairflow.files.configuration_files import version
from fairflow.studies.audit_results import (
    COLUMNS,
    AuditedModel,
    audit_command,
    audit_lines,
    audit_memo,
    audit_summary,
    audited_model,
)
from fairflow.studies.claims.study_claims import stated

FILES = {"Report": "r/report.html", "Memo": "r/memo.md"}
CONTROL = {"model": "a", "query": "q2", "metric": "weat", "value": 1.2, "p_value": 0.001}
QUALITY = {"other": None, "subject": "MEN", "n": 900, "difference": NAN}
SCORES = [score("a"), score("a", "q3", p_bh=0.4, value=0.1), score("b")]


def audit(scores=SCORES, status="passes", **tables):
    """An audit of model a against model b, and what is said of it."""
    rows = {
        "ranking": ranks("a", "b", note=""),
        "pairwise": pair("b", "a"),
        "controls": [CONTROL | {"status": status}],
        "quality": [QUALITY | {"model": m, "value": v} for m, v in (("a", 0.58), ("b", 0.66))],
    }
    of = results(scores, subject="a", **rows | tables)
    return of, stated("An audit", of)


def lines_of(notes=(), **tables):
    of, said = audit(**tables)
    model = AuditedModel(("GloVe text, 9 words x 5",), {"Name": "Model A"}, tuple(notes))
    lines = audit_lines(said, of, model, FILES)
    assert max(map(len, lines)) <= COLUMNS
    return lines


def test_the_page_at_a_glance():
    assert lines_of() == [
        "Model A    GloVe text, 9 words x 5    sanity checks: passed    quality 0.58",
        "  (Model B 0.66)",
        "",
        "Model A shows less bias than Model B over all queries.",
        "",
        "Association          Value            p (adjusted)  Larger than  Significant",
        "                                                    random",
        "Men with Career,     +0.5 [0.1, 0.9]  .02           yes          yes",
        "  Women with Family",
        "Men and Women        +0.1 [0.1, 0.9]  .40           yes          no",
        "",
        "Report: r/report.html",
        "Memo: r/memo.md",
    ]


def test_of_a_model_that_fails_a_sanity_check_nothing_else_is_said():
    rows = [score("a", control_status="fails", control="q2 fails"), score("b")]
    lines = lines_of(scores=rows, status="fails")
    assert "sanity checks: FAILED" in lines[0]
    assert lines[3].startswith("Model A fails a sanity check that any sensible vectors pass")
    assert not any("Career" in line for line in lines)


CARD = {"words": 120_000, "dims": 50, "source_sha256": "ab12"}


def identified(recorded, **more):
    said = {"label": "My model", "format": "glove-text", "about": "x is read as y", "left_out": ""}
    said |= {"language": "", "lists": "English"}
    return audited_model(recorded, more.pop("equal", []), said | more)


def memo(recorded=None, **tables):
    of, said = audit(**tables)
    model = identified({"card": CARD} if recorded is None else recorded)
    citations = ["caliskan2017semantics"]
    return audit_memo(said, of, model, citations, "r/report.html", "make audit MODEL=v.txt")


def test_the_memo_has_the_headings_of_a_file_on_bias():
    text = memo()
    titles = ["Groups", "Data", "Measures", "Results", "Limits", "References"]
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == titles
    # It judges no conformity.
    assert "complian" not in text.casefold()
    assert "- Gender: Men; Women; Men and Women." in text
    assert "| sha256 | ab12 |" in text
    assert "Model A shows less bias than Model B over all queries." in text
    assert "| Men with Career, Women with Family | +0.5 [0.1, 0.9] | .02 |" in text
    assert f"Made by fairflow {version()} with `make audit MODEL=v.txt`. The date" in text
    assert "Caliskan" in text
    # Two pages of 500 words.
    assert len(text.split()) < 1_000
    assert text == memo()


def summary(**given):
    of, said = audit(**given)
    return audit_summary(said, of, {"Name": "Model A"}, FILES)


def test_the_summary_counts_and_has_a_value_for_each_criterion_and_query():
    data = summary()
    assert data["answer"] == "Model A shows less bias than Model B over all queries."
    assert data["counts"] == {"significant": 1, "tests": 2, "not measured": 0, "quality": 0.58}
    values = {(one["metric"], one["where"]): one["value"] for one in data["values"]}
    assert values == {("weat", "Overall"): 0.1, ("weat", "q1"): 0.5, ("weat", "q3"): 0.1}
    assert {one["kind"] for one in data["claims"]} == {"control", "comparison", "association"}


def test_the_command_of_an_audit_has_the_settings_that_were_given():
    settings = {"MODEL": "my vectors.txt", "NAME": None, "PRESET": "tiny", "AGAINST": ""}
    said = "make audit MODEL='my vectors.txt' PRESET=tiny"
    assert audit_command(settings) == said
    # Whatever folder the run is in, or is copied to.
    assert audit_command(settings | {"MODEL": f"{Path.cwd()}/data/my vectors.txt"}) == said
    hub = f"hf:org/encoder@{'0' * 40}"
    assert audit_command({"MODEL": hub}) == f"make audit MODEL={hub}"


def test_where_a_sanity_check_fails_the_summary_has_no_value_and_no_count():
    rows = [score("a", control_status="fails", control="q2 fails"), score("b")]
    data = summary(scores=rows, status="fails")
    assert (data["control"], data["counts"]["significant"]) == ("fails", None)
    assert {one["value"] for one in data["values"]} == {None}
    assert all(one["note"].startswith("Model A fails a sanity check") for one in data["values"])
