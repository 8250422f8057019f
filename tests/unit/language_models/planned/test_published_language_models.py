"""What is printed of language models: as many numbers as the tables have, and all consistent."""

import csv
from pathlib import Path

import pytest
from shipped import CONFIG, shipped

from fairflow.files.configuration_files import read_yaml
from fairflow.language_models.planned.views import in_study
from fairflow.planning.planner import announcement, make_plan

NAME = "published_language_models"
FILES = ("nangia_2020", "nadeem_2021", "meade_2022")
# Of CrowS-Pairs, counted in its file.
PAIRS = {
    "race-color": 516,
    "gender": 262,
    "socioeconomic": 172,
    "nationality": 159,
    "religion": 105,
    "age": 87,
    "sexual-orientation": 84,
    "physical-appearance": 63,
    "disability": 60,
}
ALL, STEREO, ANTI = 1508, 1290, 218


def rows(name):
    path = CONFIG / "published" / f"{name}.csv"
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def planned(download, *language_studies):
    asked = {"language_models": True, "language_studies": [*language_studies]}
    return make_plan(shipped(download=download, **asked if language_studies else {}))


def counts(percentage, number):
    """The counts out of a number that round to the printed percentage."""
    return {k for k in range(number + 1) if round(100 * k / number, 1) == percentage}


def test_there_are_as_many_numbers_as_the_tables_have():
    # Three models, each with all pairs, two directions and nine biases.
    assert len(rows("nangia_2020")) == 3 * 12
    # Seven models with lms, ss and icat, and one of them on the other split.
    assert len(rows("nadeem_2021")) == 7 * 3 + 3
    # Two models with eleven numbers, and two with two biases.
    assert len(rows("meade_2022")) == 2 * 11 + 2 * 2


def test_each_has_its_publication_and_place_and_is_promised_by_nobody():
    for name in FILES:
        for row in rows(name):
            assert all(row[name] for name in ("paper", "place", "cause"))
            assert row["reproducible"] == "no"


@pytest.mark.parametrize("model", ["bert-base-uncased", "roberta-large", "albert-xxlarge-v2"])
def test_the_percentages_of_crows_pairs_are_those_of_pairs_that_add_up(model):
    printed = {
        (row["measure"], row["scope"]): float(row["value"])
        for row in rows("nangia_2020")
        if row["model"] == model
    }
    of_biases = [counts(printed["metric_score", f"crows_pairs_en: {b}"], PAIRS[b]) for b in PAIRS]
    assert {len(possible) for possible in of_biases} == {1}
    total = sum(min(possible) for possible in of_biases)
    assert sum(PAIRS.values()) == STEREO + ANTI == ALL
    assert total in counts(printed["metric_score", "crows_pairs_en"], ALL)
    stereo = counts(printed["stereotype_score", "crows_pairs_en"], STEREO)
    anti = counts(printed["anti_stereotype_score", "crows_pairs_en"], ANTI)
    assert total in {k + other for k in stereo for other in anti}


def test_the_scores_of_biases_are_those_of_whole_pairs():
    scores = [row for row in rows("meade_2022") if row["scope"].startswith("crows_pairs_en: ")]
    assert len(scores) == 2 * 3 + 2 * 2
    for row in scores:
        number = PAIRS[row["scope"].removeprefix("crows_pairs_en: ")]
        # A pair whose sentences have no differing pieces is not scored.
        shares = {round(100 * k / n, 2) for n in (number, number - 1) for k in range(n + 1)}
        assert float(row["value"]) in shares


@pytest.mark.parametrize("name", ["nadeem_2021", "meade_2022"])
def test_icat_follows_from_the_two_scores_beside_it(name):
    tables = {}
    for row in rows(name):
        if row["metric"] == "stereoset":
            tables.setdefault((row["place"], row["model"]), {})[row["measure"]] = row
    assert len(tables) == {"nadeem_2021": 8, "meade_2022": 2}[name]
    for table in tables.values():
        lms, ss, icat = (float(table[measure]["value"]) for measure in ("lms", "ss", "icat"))
        half = 0.5 * 10.0 ** -int(table["ss"]["decimals"])
        rounding = half * (1 + lms / 50 + min(ss, 100 - ss) / 50)
        assert icat == pytest.approx(lms * min(ss, 100 - ss) / 50, abs=rounding)


def test_every_run_tells_why_none_of_them_is_compared():
    every = {Path(path).stem: why for path, why in planned("bundled").uncompared.items()}
    # "": no study computes them at all.
    elsewhere = ("make ledger", "")
    assert {n for n, why in every.items() if why["command"] not in elsewhere} == {*FILES}
    for name, why in ((name, every[name]) for name in FILES):
        assert why["study"] == NAME
        printed = {row["model"] for row in rows(name)}
        missing = {"albert-xxlarge-v2", "bert-large-cased"}
        assert printed - missing <= why["of_models"].keys()
        assert f"make run-lm STUDY={NAME} DOWNLOAD=all" in why["of_models"]["roberta-base"]


def test_no_run_makes_the_study_unless_it_is_named():
    main = read_yaml(CONFIG / "config.yaml")
    assert NAME not in (*main["studies"], *main["language_studies"])
    assert not any(
        "hub" in model.entry for model in _used(planned("all", *main["language_studies"]))
    )


def _used(plan):
    names = {name for study in plan.studies.values() for name in in_study(study).models}
    return [plan.models[name] for name in names]


def test_with_downloads_it_computes_every_number_of_its_models(tmp_path, monkeypatch):
    # With the answers that a study of the default run reads.
    (tmp_path / "config").symlink_to(CONFIG)
    monkeypatch.chdir(tmp_path)
    plan = planned("all", NAME)
    study = plan.studies[NAME]
    assert study.absent == {}
    cells = {(cell.model, cell.metric, cell.query) for cell in study.cells}
    numbers = [row for name in FILES for row in rows(name) if row["model"] in study.models]
    lost = [
        row
        for row in numbers
        if (row["model"], row["metric"], row["scope"].partition(":")[0]) not in cells
    ]
    assert {row["metric"] for row in lost} == {"SEAT"}
    # Of 86 numbers 12 are of ALBERT xxlarge, 3 of BERT large, cased, and 2 of SEAT.
    assert len(numbers) - len(lost) == 86 - 12 - 3 - 2
    assert "google-bert/bert-base-uncased: 440 MB" in announcement(plan, tmp_path)
