"""No decision and no number is read out of words: other labels and remarks give the same tables."""

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
import pytest
from tables_of_scores import scores

from fairflow.metrics import METRICS
from fairflow.products.figures import draw, source_data
from fairflow.products.figures._study_frames import StudyFrames
from fairflow.products.paper.study_tables import StudyTables
from fairflow.statistics.outcome import Reading
from fairflow.studies.aggregation import Rules
from fairflow.studies.comparability import control_table, readable, with_controls
from fairflow.studies.model_comparison import ranked_models

MODELS = {"a": 0.5, "b": 1.5, "twin": 0.5, "derived": 0.2, "noise": 0.1, "poor": 0.9}
SETS = {"targets": ["Men", "Women"], "attributes": ["Crafts", "Trade"]}
DIRECTIONS = {m: {"signed": True, "larger_is_fairer": False} for m in ("weat_es", "crows")}
FIGURES = ["overview", "word_associations", "rank_probabilities", "ranking_bars"]
FIGURES += ["bias_and_ability"]
TEXTS = {"label", "reason", "statistics_note", "note", "control", "undefined", "short", "panel"}
TEXTS |= {"draws_note", "query_label", "label_model", "label_metric", "title", "test", "subquery"}
DASH = "\N{EN DASH}"


def random_words(text: str) -> str:
    """Others for each text, which begin and end as texts did that once were read."""
    letters = np.random.default_rng([*text.encode(), 7]).permutation([*"qxzjkvwy"])
    return f"{''.join(letters)} fails (and) wrt: above 0, the same vectors as" * bool(text)


def study(said: Callable[[str], str]) -> StudyFrames:
    """A study in which each status occurs; `said` gives every text that is no identifier."""
    values = [(-1, "Men"), (2, "Men"), (-2, "Women"), (1, "Women")]
    words = [{"set": s, "word": f"{s}{n}", "measure": "association", "value": n} for n, s in values]
    table = scores({(model, query): v for model, v in MODELS.items() for query in ("jobs", "arts")})
    own = {name: [of] * len(table) for name, of in (SETS | {"words": words}).items()}
    table = table.assign(n_words=8, n_oov=0, ci_level=0.95, **own)
    items = scores(
        {("b", "pairs"): 11.0, ("poor", "pairs"): 3.0}, metric="crows", measure="preference"
    )
    table = pd.concat([table, items.assign(p_bh=0.01)], ignore_index=True)
    checked = scores({(m, "weat_1"): 1.0 for m in ("a", "noise", "poor")}, oov_words=[])
    checked = checked.assign(p_value=[0.001, 0.4, np.nan], statistics_note=said("few words"))
    controls = control_table(checked, {"weat_1": said("Flowers wrt Pleasant")})
    table = with_controls(table, controls, ["weat_1"], ["crows"])
    table = table.assign(reason=said("lost 3 of 4 words"))
    for column in ("control", "query_label"):
        table[column] = table[column].map(said)
    vectors, derived = {"twin": "a", "a": "a"}, {"derived": "b"}
    _, frames = ranked_models(table, Rules("abs_avg", DIRECTIONS, 0.5, vectors, derived))
    for note in ("note", "draws_note"):
        frames["ranking"][note] = frames["ranking"][note].map(said)
    frames["scores"] = table
    frames["category_scores"] = table[table["metric"] == "crows"].assign(
        category="age", role="bias"
    )
    weat, crows = METRICS.load("weat").reading("effect_size", {}), Reading(0, said("stereotypes"))
    readings = {"weat_es": weat, "crows": crows}
    readings = {name: one.facts | {"text": said(one.text())} for name, one in readings.items()}
    names = [*MODELS, *DIRECTIONS, "jobs", "arts", "pairs"]
    labels = {name: said(f"{name}: Men and Women wrt Crafts and Trade") for name in names}
    return StudyFrames(**frames, labels=labels, readings=readings, query_parts={"jobs": SETS})


@pytest.fixture(scope="module")
def both() -> list[StudyFrames]:
    return [study(said) for said in (str, random_words)]


def assert_same(tables: Iterable[pd.DataFrame]) -> None:
    pd.testing.assert_frame_equal(*(one.drop(columns=[*TEXTS & {*one}]) for one in tables))


def test_the_tables_of_models_are_the_same(both):
    for name in ("scores", "ranking", "pairwise"):
        assert_same(getattr(frames, name) for frames in both)
    ranking = both[1].ranking.query("metric == 'weat_es'").set_index("model")
    statuses = {"a": "passes", "b": "none", "noise": "fails", "poor": "unknown"}
    assert ranking["control_status"][[*statuses]].to_dict() == statuses
    assert (ranking["same_vectors_as"]["twin"], ranking["derived_from"]["derived"]) == ("a", "b")


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_the_same_data_and_as_many_marks_and_texts(name, both):
    assert_same(source_data(name, frames) for frames in both)
    one, other = (
        [
            (len(a.texts), len(a.lines), sum(DASH in y.get_text() for y in a.get_yticklabels()))
            for a in draw(name, frames).axes
        ]
        for frames in both
    )
    assert one == other


def test_the_paper_decides_alike(both):
    found = []
    for frames in both:
        (ranks, *_) = StudyTables({"ranking": frames.ranking}, "t", "T", frames.labels).ranks()
        found.append(([*readable(frames.scores).index], len(ranks.notes)))
    assert found[0] == found[1]
