"""A chart has a mark for each score, its names stored once."""

import base64
import gzip

import pandas as pd

from fairflow.products.report.page import packed
from fairflow.products.report.score_details import chart

NAN = float("nan")
STUDY = {"labels": {"a": "Model A", "weat": "WEAT"}, "signed": ["weat", "unused"]}
REASON = "Cats lost 7 of 9 words (a, b, c, d, e, f, g), more than the allowed share of 0.2"


def row(model: str, metric: str, value: float, **more: object) -> dict[str, object]:
    names = {"criterion": "One", "subquery": "q: Cats", "model": model, "metric": metric}
    return {**names, "value": value, "ci_low": value - 1, "ci_high": value + 1, **more}


def test_marks_hold_places_of_names_and_numbers():
    rows = [row("a", "weat", 1.23456, p_bh=0.5), row("b", "rnd", NAN, reason=REASON)]
    ranking = pd.DataFrame({"model": ["a", "b"], "status": ["compared", "same_vectors"]})
    made = chart(pd.DataFrame(rows), ranking, STUDY | {"subject": "a"}, "rnd")
    assert made["names"] == {
        "criterion": ["One"],
        "metric": ["WEAT", "rnd"],
        "model": ["Model A", "b"],
        "subquery": ["q: Cats"],
    }
    assert made["marks"] == [
        [0, 0, 0, 0, 1.235, 0.2346, 2.235, None, None, 0.5, None],
        [0, 1, 1, 0, None, None, None, None, None, None, 0],
    ]
    assert made["reasons"] == ["Cats lost 7 of 9 words"]
    assert (made["signed"], made["quiet"], made["first"]) == ([0], [1], 1)


def test_without_a_ranking_every_model_is_drawn():
    made = chart(pd.DataFrame([row("a", "weat", 1.0)]), pd.DataFrame(), STUDY, None)
    assert (made["quiet"], made["first"]) == ([], 0)


def test_what_is_packed_comes_out_again_and_is_the_same_each_time():
    text = "Größe </script> 0.5," * 100
    assert gzip.decompress(base64.b64decode(packed(text))).decode() == text
    assert packed(text) == packed(text)
    assert len(packed(text)) < 200
