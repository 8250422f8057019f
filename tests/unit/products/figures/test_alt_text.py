"""What a figure shows is there as a table and in words."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import pytest
from corpus_tables import corpus_tables
from validity_tables import validity_tables

from fairflow.products.figures import FIGURES, alt_text, draw, source_data
from fairflow.products.figures._study_frames import StudyFrames
from fairflow.studies.model_comparison import ranked_models

NAN = math.nan
MODELS = ("m", "n", "o")
DIRECTION = {"weat": {"signed": True, "larger_is_fairer": False}}


def words_of_one_model(value: float) -> list[dict]:
    """What metrics of a direction, of a property and of what lies together say of words."""
    places = {"projection": value, "place": 1, "place_from_end": 1, "score": 0.5}
    return [
        {"set": name, "word": word, "measure": measure, "value": number + place}
        for name, measures in {
            "Lions": {"association": value, "property": 0.1},
            "Dogs": places,
            "clusters": {"side": 1, "x": 0.5, "y": value},
            "Professions": {"leaning": value, "neighbours": 50},
        }.items()
        for place, word in enumerate(("a|b", "c|d", "e|f"))
        for measure, number in measures.items()
    ]


def scores() -> pd.DataFrame:
    rows = [
        {
            "model": model,
            "query": query,
            "query_label": f"Label {query}",
            "value": value,
            "words": [
                {"set": "Cats", "word": "tom", "measure": "association", "value": value},
                *(
                    {"set": "Cats", "word": w, "measure": "negative_probability", "value": p}
                    for w, p in (("tom", 0.2), ("tiger", 0.6))
                ),
                *words_of_one_model(value),
            ],
            "draws": [value - 0.1, value + 0.1],
        }
        for place, model in enumerate(MODELS)
        for query, value in (("q1", 0.5 + place), ("q2", 0.25 - place))
    ]
    frame = pd.DataFrame(rows).assign(
        metric="weat", criterion="Pets", is_primary=True, status="ok", reason=None
    )
    frame["subquery"] = frame["subquery_digest"] = frame["query"]
    both = {"ci_low_both": NAN, "ci_high_both": NAN, "null_band_low": -1.0, "null_band_high": 1.0}
    frame = frame.assign(ci_low=frame["value"] - 0.2, ci_high=frame["value"] + 0.2, **both)
    return frame.assign(n_words=8, n_oov=0, statistics="ok", statistics_note=None)


def specifications() -> pd.DataFrame:
    pair = {"criterion": "Pets", "model": "m", "other": "n", "specification": [1, 2]}
    choices = {"metric": "WEAT", "variant": "weat", "normalisation": "any", "lists": "mine"}
    choices |= {"aggregation": ["abs_avg", "avg"], "lookup": "as_written", "status": "counted"}
    told = {"relative_difference": [0.5, -0.25], "more_biased": ["m", "n"], "note": ""}
    ends = {"relative_difference_low": NAN, "relative_difference_high": NAN}
    return pd.DataFrame(pair | choices | told | ends)


def by_category() -> pd.DataFrame:
    told = {"metric": "weat", "query": "q1", "category": ["old", "young"], "role": "bias"}
    told |= {"model": "m", "value": [0.5, -0.25], "p_bh": [0.01, 0.5], "measure": "effect_size"}
    return pd.DataFrame(told | {"ci_low": NAN, "ci_high": NAN})


def frames() -> StudyFrames:
    ranks = pd.DataFrame({"model": MODELS, "score": [0.1, 0.2, NAN], "rank": [1.0, 2.0, NAN]})
    ranks = ranks.assign(criterion="Pets", metric="weat")
    pairs = [("weat", "weat", 1.0), ("rnd", "weat", 0.5), ("weat", "rnd", 0.5)]
    correlations = pd.DataFrame(pairs, columns=["metric_row", "metric_column", "correlation"])
    correlations = correlations.assign(criterion="Pets", method="spearman", n_models=3)
    published = pd.DataFrame(
        {"model": "m", "scope": ["q1", "q2"], "published": [0.5, 0.3], "computed": [0.5, 0.25]}
    ).assign(table="t", published_model="p", metric="weat", verdict=["match", "differs"])
    coverage = pd.DataFrame({"model": MODELS, "oov": [0, 1, 4]})
    sources = ("computed", "published")
    _, comparison = ranked_models(scores(), "abs_avg", DIRECTION, 0.5)
    drawn = comparison.pop("ranking").drop(columns=["score", "rank", "criterion", "metric"])
    computed = ranks.merge(drawn, "left", "model")
    return StudyFrames(
        scores=scores(),
        correlations=pd.concat(correlations.assign(source=source) for source in sources),
        published=published.assign(difference=published["computed"] - published["published"]),
        coverage=coverage.assign(word_set="Cats", words=4, queries="q1", oov_words=None),
        before_after=pd.DataFrame(
            {"before_model": "o", "model": "m", "metric": "weat", "query": ["q1", "q2"]}
        ).assign(verdict=["smaller", "not distinguishable"], subquery_digest="d"),
        specification_curve=specifications(),
        category_scores=by_category(),
        ranking=pd.concat([computed, ranks.assign(source="published")]),
        **comparison,
        labels={"m": "Model M", "weat": "WEAT"},
        readings={"weat": {"text": "above 0: cats are nearer", "fair": 0}},
        **validity_tables(MODELS, [("Pets", "q1"), ("Pets", "q2")], metric="weat"),
        **corpus_tables(["q1", "q2"]),
    )


def empty() -> StudyFrames:
    return StudyFrames(*(pd.DataFrame() for _ in range(6)))


def test_a_file_alone_is_a_figure_whose_rows_and_sentences_are_those_of_scores(tmp_path):
    file = tmp_path / "a_new_figure.py"
    file.write_text(
        "from fairflow.products.figures.base_figure import BaseFigure\n"
        "class ANewFigure(BaseFigure):\n"
        "    def plot(self): ...\n"
    )
    assert source_data(str(file), frames()).equals(source_data("forest_plot", frames()))
    assert alt_text(str(file), frames()) == alt_text("forest_plot", frames())


@pytest.mark.parametrize("figure", FIGURES.names)
def test_every_figure_has_rows_with_labels_and_sentences(figure: str):
    rows = source_data(figure, frames())
    assert len(rows) > 0
    assert "Model M" in set(rows.get("label_model", ["Model M"]))
    text = alt_text(figure, frames())
    assert text.count("\n") == 1
    assert text.endswith(".\n")
    assert "nan" not in text


@pytest.mark.parametrize("figure", FIGURES.names)
def test_a_study_without_results_says_so(figure: str):
    assert source_data(figure, empty()).empty
    assert "nothing to show" in alt_text(figure, empty())


@pytest.mark.parametrize(
    ("figure", "told"),
    [
        ("score_bars", "WEAT goes from -1.75 (Label q2, o) to 2.5 (Label q1, o)."),
        ("forest_plot", "6 of 6 intervals over target words exclude zero."),
        ("ranking_bars", "Pets: first is Model M by WEAT (0.1). 1 model without a rank"),
        ("correlation_heatmaps", "Pets, 3 models: from 0.50 to 0.50."),
        ("published_comparison", "Of 2 numbers: 1 match, 1 differs. The largest difference is"),
        ("coverage", "o is missing 4 of 4 words; most in Cats, 4 of 4."),
        ("word_associations", "Label q1: from tom (0.5) to e|f (2.5)."),
        ("negative_sentiment", "from 0.250 (tom) to 0.750 (tiger), uniform 0.500."),
        ("rank_probabilities", "expected ranks Model M 1.00 (1 to 1), n 2.00"),
        ("property_regression", "WEAT of Model M: r2 1.000 over 3 words, slope 1;"),
        ("analogies", "The first of Model M: a \N{EN DASH} b, c \N{EN DASH} d"),
        ("projections", "Model M, 3 words: first a|b, c|d and e|f; last e|f, c|d and a|b;"),
        ("hidden_bias", "Model M, 3 clustered words: r 1.000, these 3."),
    ],
)
def test_descriptions_tell_the_main_numbers(figure: str, told: str):
    assert told in alt_text(figure, frames())


def test_a_lost_word_keeps_its_row_without_value():
    base = frames()
    coverage = base.coverage.assign(oov_words=["kitten", None, None])
    rows = source_data("word_associations", replace(base, coverage=coverage)).set_index("word")
    assert rows.loc["kitten", "reason"] == "lost"
    assert math.isnan(rows.loc["kitten", "value"])


def test_a_long_word_is_cut_to_the_room_beside_its_panel():
    base = frames()
    coverage = base.coverage.assign(oov_words=["faire l'école buissonnière", None, None])
    axes = draw("word_associations", replace(base, coverage=coverage)).axes
    drawn = {label.get_text() for one in axes for label in one.get_yticklabels()}
    assert "faire l'école\N{HORIZONTAL ELLIPSIS}" in drawn


def test_long_reasons_are_short_in_the_source():
    words = ", ".join("abcdefgh")
    table = scores().assign(value=NAN, reason=f"Cats lost 8 of 8 words ({words})")
    rows = source_data("forest_plot", replace(frames(), scores=table))
    assert set(rows["reason"]) == {"Cats lost 8 of 8 words"}
