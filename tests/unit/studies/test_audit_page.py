"""An audit at a glance: at most 25 lines of 100 columns, of findings and tables."""

import math
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from fairflow.files.configuration_files import version
from fairflow.language_models.checkpoints.pooling_config import ASSUMED
from fairflow.studies.audit_memo import audit_memo
from fairflow.studies.audit_model import AuditedModel, audit_command, audited_model
from fairflow.studies.audit_page import COLUMNS, LINES, audit_page
from fairflow.studies.audit_summary import audit_summary
from fairflow.studies.findings.finding import Results
from fairflow.studies.ranking import verdict

LABELS = {"own": "vectors.txt", "ref": "word2vec", "third": "GloVe 6B", "es": "WEAT effect size"}
LABELS |= {"bias": "Direct bias"}
SETS = {
    "jobs": [["Men", "Women"], ["Careers", "Family"]],
    "arts": [["Men", "Women"], ["Maths", "Arts"]],
}
FACTS, FILES = ["GloVe text, 9 words x 5"], {"Report": "r/report.html", "Memo": "r/memo.md"}
NAN = math.nan


def row(query, value, p_value=0.001, model="own", metric="es", **more):
    return {
        "model": model, "metric": metric, "measure": "effect_size", "criterion": "Gender",
        "query": query, "query_label": query, "subquery": query, "is_primary": True, "value": value,
        "ci_low": value - 0.5, "ci_high": value + 0.25, "ci_low_both": NAN, "ci_level": 0.95,
        "p_value": p_value, "p_bh": p_value * 2, "p_holm": p_value * 6, "p_null_band": NAN,
        "alternative": "two-sided", "statistics_note": None, "statistics": "ok", "status": "ok",
        "control_query": False, "control_status": "passes", "control": "passes", "oov_words": [],
        "test_id": f"{model} {metric} {query}",
    } | more  # fmt: skip


def ranks(scores, criterion="Overall", **more):
    ordered = sorted(scores, key=scores.get)
    return [
        {"source": "computed", "criterion": criterion, "metric": "es", "model": model,
         "score": scores[model], "rank": ordered.index(model) + 1.0,
         "control_status": "passes", "control": "passes",
         "n_queries": 7, "n_common": 7, "status": "compared", "note": ""} | more
        for model in scores
    ]  # fmt: skip


def pairs(p_fairer, other="ref", criterion="Overall"):
    """How often the subject is the less biased one."""
    names = {"criterion": criterion, "metric": "es"}
    return [
        names | {"model": model, "other": another, "p_fairer": p, "verdict": verdict(p)}
        for model, another, p in (("own", other, p_fairer), (other, "own", 1 - p_fairer))
    ]


SCORES = {"own": 0.73, "ref": 0.94, "third": 0.72}
QUALITY = [
    {"model": model, "other": None, "subject": "MEN", "value": value, "n": 900}
    | {"difference": NAN, "difference_low": NAN, "difference_high": NAN}
    for model, value in (("own", 0.58), ("third", 0.66))
]


def results(rows, labels=LABELS, sets=SETS, **tables):
    frames = {
        "scores": [*rows, row("jobs", 1.0, model="ref"), row("jobs", 1.0, model="third")],
        "ranking": ranks(SCORES),
        "pairwise": [*pairs(0.99), *pairs(0.6, "third")],
        "quality": QUALITY,
        "coverage": [{"model": "own", "word_set": "Careers", "words": 8, "oov": 0}],
    }
    frames = {name: pd.DataFrame(of) for name, of in (frames | tables).items()}
    return Results(frames, labels, signed=["es"], subject="own", sets=sets)


def page(*rows, notes=(), **tables):
    lines = audit_page(results(rows, **tables), FACTS, notes, FILES)
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS
    return lines


def test_the_page_at_a_glance():
    lines = page(row("jobs", 0.9), row("arts", -1.2), row("weak", 0.1, 0.9))
    assert lines == [
        "vectors.txt    GloVe text, 9 words x 5    sanity checks passed    quality .58 "
        "(GloVe 6B .66)",
        "",
        "vectors.txt is less biased than word2vec and cannot be distinguished from GloVe 6B over "
        "all queries.",
        "",
        "Strongest significant associations (WEAT effect size, 95% interval)",
        "  Women, rather than Men, with Maths, rather than Arts      +1.20 [0.95, 1.70]",
        "  Men, rather than Women, with Careers, rather than Family  +0.90 [0.40, 1.15]",
        "  2 of 3 tests are significant (2 after Holm over all 3)",
        "",
        "Mean WEAT effect size   yours   word2vec   GloVe 6B   settled?",
        "  All queries            0.73       0.94       0.72   below word2vec (99%), GloVe 6B no",
        "",
        "Report: r/report.html   Memo: r/memo.md",
    ]


def test_the_page_of_a_large_audit_stays_within_its_lines_and_columns():
    rows = [row(f"query with a long name, number {n:02}", 1.0 + n / 100) for n in range(40)]
    rows += [row(f"undefined {n}", NAN, oov_words=[f"word{n}"]) for n in range(9)]
    rows += [row(f"other {n}", 0.5, metric="bias") for n in range(9)]
    names = [f"Criterion {n}" for n in range(12)]
    ranking = [r for name in [*names, "Overall"] for r in ranks(SCORES, name)]
    lines = page(*rows, ranking=ranking, notes=["It was read as GloVe text, " + "because " * 20])
    text = "\n".join(lines)
    assert "... 37 more; 40 of 40 tests are significant" in text
    assert "... 7 more criteria" in text
    assert "Direct bias 0.50 [0.00, 0.75], Direct bias 0.50 [0.00, 0.75]," in text
    assert (
        "Not measured: 9 of 58 queries (words missing: word0, word1, word2, word3, word4 and"
        in text
    )


def test_a_long_association_is_wrapped_and_fewer_are_shown_rather_than_cut():
    queries = [f"{each} {'word ' * 30}end" for each in ("first", "second", "third")]
    rows = [row(query, 3.0 - n) for n, query in enumerate(queries)]
    text = " ".join(" ".join(page(*rows)).split())
    assert text.count("end") == 3
    assert "..." not in text
    names = [f"Criterion {n}" for n in range(12)]
    ranking = [r for name in [*names, "Overall"] for r in ranks(SCORES, name)]
    crowded = "\n".join(page(*rows, ranking=ranking, notes=["because " * 60]))
    assert crowded.count("end") < 3
    assert "more; 3 of 3 tests are significant" in crowded


def test_what_is_behind_an_association_has_its_own_line_where_there_is_room():
    levels = {"model": "own", "d_x": 1.5, "p_x": 0.001, "d_y": 0.9, "p_y": 0.02}
    patterns = [levels | {"query": "jobs", "pattern": "both nearer to Careers, Men more so"}]
    rows = [row("jobs", 0.9), row("arts", -1.2)]
    lines = page(*rows, eat_patterns=patterns)
    place = next(n for n, line in enumerate(lines) if line.startswith("  Men, rather than"))
    assert lines[place + 1] == "    (taken alone: both nearer to Careers, Men more so)"
    names = [f"Criterion {n}" for n in range(12)]
    ranking = [r for name in [*names, "Overall"] for r in ranks(SCORES, name)]
    said = set()
    for length in (0, 50, 90):
        how = {"ranking": ranking, "notes": ["because " * length]}
        crowded = "\n".join(page(*rows, **how, eat_patterns=patterns))
        assert crowded.count("rather") == "\n".join(page(*rows, **how)).count("rather")
        said.add("both nearer" in crowded)
    assert said == {True, False}


def test_an_audit_that_finds_nothing_says_once_what_its_tests_could_have_found():
    of_weat = {"p_statistic": "difference of mean associations"}
    rows = [row(query, 0.1, 0.5, **of_weat) for query in ("jobs", "arts")]
    power = [
        {
            "query": query,
            "n_first": 8,
            "level": 0.05,
            "power": 0.8,
            "alternative": "two-sided",
            "smallest_effect": 1.23,
        }
        for query in ("jobs", "arts")
    ]
    text = (
        "At p < 0.05, before correction, these tests have 80% power only for associations above d "
        "= 1.2."
    )
    lines = page(*rows, power=power)
    assert f"  {text}" in lines
    memo = audit_memo(results(rows, power=power), identified({"card": CARD}), [], "r")
    assert memo.count(text) == 1
    others = [row("jobs", 0.1, 0.9, model=model, **of_weat) for model in ("ref", "third")]
    nothing = page(*rows, scores=[*rows, *others], power=power)
    assert nothing[2].startswith("No association in vectors.txt, GloVe 6B and word2vec is")
    assert " ".join(nothing).count("80% power") == 1


def test_a_model_that_fails_a_sanity_check_has_no_other_results():
    fails = {"control_status": "fails", "control": "weat_1 (0.10, p 0.4)"}
    lines = page(row("jobs", 1.0, **fails), ranking=ranks(SCORES, **fails))
    assert "sanity checks FAILED" in lines[0]
    assert lines[2].startswith("vectors.txt fails a sanity check, an association that any sensible")
    assert not any("associations" in line or "Mean" in line for line in lines[4:])
    assert lines[-1] == "Report: r/report.html   Memo: r/memo.md"


@pytest.mark.parametrize(
    ("status", "says"),
    [
        ("passes", "sanity checks passed"),
        ("unknown", "sanity checks not all measured"),
        ("none", "no sanity check"),
        ("not of vectors", "no sanity check"),
    ],
)
def test_sanity_checks_are_in_the_head(status, says):
    assert says in page(row("jobs", 1.0), ranking=ranks(SCORES, control_status=status))[0]


def test_nothing_significant_and_nothing_tested_are_said_so():
    lines = page(row("jobs", 0.4, 0.5))
    assert (
        "Strongest associations, none of them significant (WEAT effect size, 95% interval)" in lines
    )
    assert "  0 of 1 test are significant (0 after Holm over all 1)" in lines
    untested = page(row("jobs", 0.4, NAN))
    assert "Strongest associations, not tested (WEAT effect size, 95% interval)" in untested
    assert "No query has a score." in page(row("jobs", NAN))


def test_a_criterion_without_rank_has_its_reason_and_a_partial_one_its_queries():
    reason = "defines fewer than 50% of the queries"
    few = ranks({"own": NAN, "ref": 0.9}, "Religion", note=reason, rank=NAN)
    part = ranks({"own": 0.5, "ref": 0.9}, "Gender", n_common=6)
    both = ranks({"own": 0.5, "ref": 0.9})
    pairwise = [*pairs(0.99), *pairs(0.6, criterion="Gender")]
    lines = page(row("jobs", 1.0), ranking=[*part, *few, *both], pairwise=pairwise)
    assert lines[-5:-1] == [
        "  Gender                 0.50       0.90   no (6 of 7 queries)",
        "  Religion                  -       0.90   defines fewer than 50% of the queries",
        "  All queries            0.50       0.90   below word2vec (99%)",
        "",
    ]


def test_a_reference_of_the_same_vectors_is_called_the_same():
    ranking = ranks({"own": 0.5, "third": 0.9})
    note = {
        "status": "same_vectors",
        "note": "the same vectors as own, which is compared",
        "rank": NAN,
    }
    ranking += [ranks({"ref": NAN})[0] | note]
    assert any("   same   " in line for line in page(row("jobs", 1.0), ranking=ranking))


def test_words_of_another_language_are_asked_about():
    covered = [{"model": "own", "word_set": "Careers", "words": 6, "oov": 4}]
    text = " ".join(page(row("jobs", 1.0), coverage=covered))
    assert "4 of 6 words are missing" in text
    assert "are these vectors of" in text


def lines_of_trust(model="own", criterion=""):
    """Good, poor, unknown, and so on."""
    said = {
        "yardstick": (0.62, "good", "correlation with ratings of gender", ""),
        "reliability": (0.41, "poor", "Cronbach's alpha over attribute words", ""),
        "pairs": (NAN, "unknown", "", "no word pairs are known for these words"),
        "seeds": (0.9, "middling", "share of scores that keep their sign", ""),
        "frequency": (0.05, "good", "correlation with log frequency", ""),
    }
    return [
        {"model": model, "criterion": criterion, "line": line, "value": value, "grade": grade}
        | {"low": NAN, "high": NAN, "n": 0 if math.isnan(value) else 7, "of": of, "reason": why}
        for line, (value, grade, of, why) in said.items()
    ]


TRUST = [*lines_of_trust(), *lines_of_trust("ref"), *lines_of_trust(criterion="Gender")]


def test_the_page_says_how_far_its_numbers_can_be_trusted():
    lines = page(row("jobs", 0.9), trust=TRUST)
    assert lines[-3:-1] == [
        "These numbers can be trusted only in part: yardstick good (.62), reliability poor (.41), "
        "pairs",
        "  unknown, seeds middling (.90), frequency good (.05).",
    ]
    assert "reliability is poor in vectors.txt (.41) and word2vec (.41)." in " ".join(lines)
    rows = [row(f"query with a long name, number {n:02}", 1.0 + n / 100) for n in range(40)]
    names = [f"Criterion {n}" for n in range(12)]
    ranking = [r for name in [*names, "Overall"] for r in ranks(SCORES, name)]
    crowded = page(*rows, ranking=ranking, notes=["because " * 60], trust=TRUST)
    assert any(line.startswith("These numbers can be trusted") for line in crowded)


def test_of_a_model_that_fails_a_sanity_check_no_trust_is_claimed():
    fails = {"control_status": "fails", "control": "weat_1 (0.10, p 0.4)"}
    broken = ranks(SCORES, **fails)
    lines = page(row("jobs", 1.0, **fails), ranking=broken, trust=TRUST)
    assert "trusted" not in " ".join(lines)
    failed = results([row("jobs", 1.0, **fails)], ranking=broken, trust=TRUST)
    assert "trusted" not in audit_memo(failed, identified({"card": CARD}), [], "r")


def test_the_memo_explains_each_line_of_trust():
    text = audit_memo(results([row("jobs", 0.9)], trust=TRUST), identified({"card": CARD}), [], "r")
    section = text.split("## How far these numbers can be trusted\n\n")[1].split("\n\n## ")[0]
    answer, empty, *lines = section.splitlines()
    assert answer.startswith("These numbers can be trusted only in part: yardstick good (.62),")
    assert [empty, len(lines)] == ["", 5]
    assert lines[1] == (
        "- Do the words of a list agree, so that a score does not depend on a few of them? "
        "Reliability poor: Cronbach's alpha over attribute words is .41 in vectors.txt (7 queries)."
    )
    assert lines[2].endswith("Pairs unknown: no word pairs are known for these words.")


def test_the_summary_has_the_lines_of_trust_of_the_model():
    summary = audit_summary(results([row("jobs", 0.9, reason="")], trust=TRUST), {}, [], {})
    assert len(summary["trust"]) == 2 * 5
    assert summary["trust"][1] == {
        "criterion": "", "line": "reliability", "grade": "poor", "value": 0.41, "low": None,
        "high": None, "n": 7, "of": "Cronbach's alpha over attribute words", "reason": "",
    }  # fmt: skip
    assert audit_summary(results([row("jobs", 0.9, reason="")]), {}, [], {})["trust"] == []


def test_where_a_sanity_check_fails_the_summary_has_no_score_and_no_count_of_associations():
    fails = {"control_status": "fails", "control": (remark := "weat_1 (0.10, p 0.4)")}
    broken = ranks(SCORES, **fails)
    rows = [row("jobs", 1.0, **fails, reason="")]
    summary = audit_summary(results(rows, ranking=broken), {}, [], {})
    assert summary["control"] == remark
    assert (summary["counts"]["significant"], summary["counts"]["tests"]) == (None, 0)
    assert {one["value"] for one in summary["values"]} == {None}
    assert {one["note"] for one in summary["values"]} == {f"sanity checks: {remark}"}


CARD = {"words": 120_000, "dims": 50, "source_sha256": "ab12"}
NETWORK = {
    "facts": {
        "kind": "masked", "architecture": "BertForMaskedLM", "layers": 6, "hidden": 384,
        "vocabulary": 30_522, "parameters": 22_713_728, "tokenizer": "WordPiece",
        "pooling_source": ASSUMED, "context_templates": "",
    },
    "manifest": {
        "source": {"folder": "x"}, "files": {"config.json": "00", "model.safetensors": "cd34"},
    },
}  # fmt: skip


def identified(recorded, **more):
    said = {"label": "My model", "format": "glove-text", "about": "x is read as y", "left_out": ""}
    return audited_model(recorded, more.pop("equal", []), **said | more)


def test_word_vectors_are_identified_by_size_and_checksum():
    found = "The language is English (en): the first 20,000 words have 71% of the words"
    model = identified({"card": CARD}, equal=["GloVe 6B"], language=found)
    assert model.short == ("GloVe text, 120,000 words x 50", "word lists in English")
    assert model.facts["Language"] == found
    assert model.facts["sha256"] == "ab12"
    assert "It has the same vectors as GloVe 6B, whole or in part." in model.notes
    assert model.limits == ("The word lists are in English and come from the cited publications.",)


@pytest.mark.parametrize(
    ("kind", "templates", "texts"),
    [("masked", "", "the word alone"), ("causal", "This is X. | I say X.", "each word in 2 short"),
     ("encoder", "", "the word alone")],
)  # fmt: skip
def test_a_language_model_is_identified_by_parameters_tokenizer_and_weights(kind, templates, texts):
    facts = NETWORK["facts"] | {"kind": kind, "context_templates": templates}
    model = identified(NETWORK | {"facts": facts}, format="transformers")
    assert model.short == (f"{kind} model, 23 M parameters",)
    assert model.facts["Tokenizer"] == "WordPiece, 30,522 tokens"
    assert model.facts["Size"] == "22,713,728 parameters, 6 layers of 384 dimensions"
    assert model.facts["Revision"] == "not stated by its files"
    assert model.facts["sha256"] == "model.safetensors cd34"
    assert texts in model.limits[-1]
    assert any("their mean is used" in note for note in model.notes)


def test_the_memo_has_facts_findings_with_direction_and_interval_limits_and_references():
    rows = [row("jobs", 0.9), row("arts", -1.2), row("undefined", NAN, oov_words=["fie"])]
    model = identified({"card": CARD})
    text = audit_memo(results(rows), model, ["caliskan2017semantics"], "r/report.html")
    titles = ["Model", "Method", "Findings", "Not measured", "Limits", "References"]
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == titles
    assert "| sha256 | ab12 |" in text
    assert "1. vectors.txt is less biased than word2vec and cannot be distinguished from" in text
    assert "compared with Men: +1.2 [0.9, 1.7]." in text
    assert "## Not measured\n\n1 of 3 queries (words missing: fie).\n" in text
    assert '"Less biased" or "more biased" means that at least 95% of word resamples' in text
    assert "Tests are two-sided." in text
    assert "MEN is a list of such pairs." in text
    assert f"Made by fairflow {version()}. The date" in text
    assert "Caliskan" in text
    # Two pages of 500 words.
    assert len(text.split()) < 1_000
    assert text == audit_memo(results(rows), model, ["caliskan2017semantics"], "r/report.html")


def test_the_memo_names_each_topic_and_query_that_was_not_measured_and_the_words_that_a_set_lost():
    lost = "Careers lost 3 of 8 words (a, b, c), more than the allowed share of 0.2"
    rows = [
        row("jobs", 0.9),
        row("arts", NAN, criterion="Religion", reason=lost),
        row("faith", NAN, criterion="Religion", reason=lost),
        row("piety", 0.1, criterion="Religion"),
    ]
    ranking = [*ranks(SCORES), *ranks({"own": NAN}, "Religion", status="few_queries")]
    text = audit_memo(results(rows, ranking=ranking), identified({"card": CARD}), [], "r")
    assert "- No comparison on Religion: 1 of 3 queries has a score.\n" in text
    assert "- Careers lost 3 of 8: arts; faith.\n" in text


def test_the_memo_counts_the_queries_of_each_measure_and_gives_their_scores():
    rows = [row("jobs", 0.9), row("arts", 1.0), row("work", 0.2, metric="bias")]
    text = audit_memo(results(rows), identified({"card": CARD}), [], "r", "make audit MODEL=v.txt")
    assert "The measure of 2 queries is WEAT effect size" in text
    assert "Other measures: Direct bias (1)." in text
    explained = replace(results(rows), readings={"bias": {"text": "0: no direction"}})
    text = audit_memo(explained, identified({"card": CARD}), [], "r", "make audit MODEL=v.txt")
    assert "Other measures: Direct bias (1; 0: no direction)." in text
    assert "Direct bias of work: 0.20 [-0.30, 0.45]." in text
    assert " with `make audit MODEL=v.txt`." in text


def test_a_score_that_may_be_grammar_says_so_on_the_page_and_in_the_memo():
    found = replace(results([row("jobs", 0.9), row("arts", -1.2)]), gendered={"jobs": "fr"})
    caution = "Nouns in French (fr) have a grammatical gender: 1 query about men and women"
    assert caution in " ".join(audit_page(found, FACTS, (), FILES))
    memo = audit_memo(found, identified({"card": CARD}, lists="French (fr)"), [], "r")
    assert f"4. {caution}" in memo
    assert "- The word lists are in French (fr) and come from the cited publications." in memo


def test_the_command_of_an_audit_has_the_settings_that_were_given():
    settings = {"MODEL": "my vectors.txt", "NAME": None, "PRESET": "tiny", "AGAINST": ""}
    said = "make audit MODEL='my vectors.txt' PRESET=tiny"
    assert audit_command(settings) == said
    # Whatever folder the run is in, or is copied to.
    assert audit_command(settings | {"MODEL": f"{Path.cwd()}/data/my vectors.txt"}) == said
    hub = f"hf:org/encoder@{'0' * 40}"
    assert audit_command({"MODEL": hub}) == f"make audit MODEL={hub}"


def test_a_significant_association_whose_interval_holds_0_is_counted_as_such():
    rows = [row("jobs", 0.9), row("arts", 0.4), row("weak", 0.1, 0.9)]
    said = "2 of 3 tests are significant, 1 of them with an interval that holds 0 (2 after Holm"
    assert said in " ".join(page(*rows))
    memo = audit_memo(results(rows), identified({"card": CARD}), [], "r")
    assert "2 of 3 associations of vectors.txt are significant, 1 of them with an interval" in memo


def test_a_name_is_text_and_not_markup():
    text = audit_memo(
        results([row("jobs", 1.0)]), AuditedModel((), {"Name": "<b>|x\ny"}), [], "r/report.html"
    )
    assert text.startswith("# Bias audit of &lt;b>\\|x y\n")
