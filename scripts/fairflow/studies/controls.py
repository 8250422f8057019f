"""Control queries: associations so common that vectors which do not show them measure nothing.

Flowers are nearer to pleasant words than insects are, and musical instruments than weapons:
Caliskan et al. (2017) begin with these two, on which people agree (Greenwald et al. 1998). Where
they do not come out, a small score is no sign of fairness, and every rank of the model says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# Queries that are controls in a study that names none, as far as the configuration has them.
USUAL_CONTROLS = ("weat_1", "weat_2")
# The variant that they are measured by; any other of WEAT, where there is none of this name.
USUAL_METRIC = "weat_es_caliskan"
ALPHA = 0.05

COMES_OUT, FAILS, UNDEFINED, UNTESTED = "comes out", "fails", "undefined", "not tested"
NO_CONTROL = "none"
NOT_OF_VECTORS = "none: the metric does not rest on vectors"

COLUMNS = ["model", "query", "query_label", "metric", "value", "p_value", "p_side"]
COLUMNS += ["lost_words", "status", "reason"]


def control_metric(metrics: Mapping[str, Any]) -> str | None:
    """The variant that control queries are measured by, or None if there is none of WEAT.

    Parameters
    ----------
    metrics : variant -> its entry in config/metrics.yaml.
    """
    of_weat = [name for name, entry in metrics.items() if entry.get("metric") == "weat"]
    return USUAL_METRIC if USUAL_METRIC in of_weat else next(iter(of_weat), None)


def control_table(scores: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Whether each control query comes out on each model: positive, with p < 0.05.

    Parameters
    ----------
    scores : rows of the score files of the control queries. labels : of queries.

    Returns
    -------
    Columns model, query, query_label, metric, value, p_value, p_side, lost_words, status ("comes
    out", "fails", "undefined" or "not tested"), reason (of the last two).
    """
    import pandas as pd

    rows = scores[scores["headline"]].to_dict("records") if len(scores) else []
    return pd.DataFrame([_row(row, labels) for row in rows], columns=COLUMNS)


def _row(row: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    value, p_value = row["value"], row["p_value"]
    if math.isnan(value):
        status, reason = UNDEFINED, row["reason"]
    elif math.isnan(p_value):
        status, reason = UNTESTED, row["statistics_note"]
    else:
        status, reason = COMES_OUT if value > 0 and p_value < ALPHA else FAILS, None
    return {
        **{name: row[name] for name in COLUMNS if name in row},
        "query_label": labels.get(row["query"], row["query"]),
        "lost_words": ", ".join(row["lost_words"]),
        "status": status,
        "reason": reason,
    }


def control_remarks(controls: pd.DataFrame) -> dict[str, str]:
    """Model -> what its control queries say: "comes out", or which do not and why."""
    return {
        str(model): "; ".join(_remark(row) for row in rows.to_dict("records"))
        if (rows["status"] != COMES_OUT).any()
        else COMES_OUT
        for model, rows in controls.groupby("model", sort=False)
    }


def _remark(row: Mapping[str, Any]) -> str:
    if row["status"] in (COMES_OUT, FAILS):
        return f"{row['query']} {row['status']} ({row['value']:.2f}, p {row['p_value']:.2g})"
    # The words that are lost are in the table.
    reason = str(row["reason"]).split(" (")[0]
    return f"{row['query']} {row['status']} ({reason})"


def failing(remark: object) -> bool:
    """Whether a remark, as in the column `control` of a ranking, tells of a control that fails."""
    return isinstance(remark, str) and f" {FAILS} (" in remark


def doubtful(remark: object) -> bool:
    """Whether it tells of a control that fails, or of one that could not be had."""
    return isinstance(remark, str) and any(
        f" {s} (" in remark for s in (FAILS, UNDEFINED, UNTESTED)
    )


def with_controls(
    ranking: pd.DataFrame, controls: pd.DataFrame, of_items: Iterable[str] = ()
) -> pd.DataFrame:
    """A ranking with the column control: what the model's control queries say; "none" without any.

    Parameters
    ----------
    ranking : from `fairflow.studies.ranking.rank_models`; published rows have nothing there.
    of_items : the metrics that measure items, which no query of words controls.
    """
    remarks, items = control_remarks(controls), set(of_items)

    def remark(source: str, metric: str, model: str) -> str:
        if source != "computed":
            return ""
        return NOT_OF_VECTORS if metric in items else remarks.get(model, NO_CONTROL)

    keys: Sequence[pd.Series] = [ranking[name] for name in ("source", "metric", "model")]
    return ranking.assign(control=[remark(*key) for key in zip(*keys, strict=True)])
