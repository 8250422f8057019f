"""Which models can be compared by which scores, and which end of a score is the fairer one.

Models with the same vectors count as one, and a derived model is no rival of its source. Control
queries are associations so common that vectors which do not show them measure nothing: flowers
are nearer to pleasant words than insects are, and musical instruments than weapons. Caliskan et
al. (2017) begin with these two, on which people agree (Greenwald et al. 1998). Where one of them
fails, the model has no rank, enters no comparison, and no count of associations. Control queries
themselves are no findings of bias and enter no mean, rank or count either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fairflow.scores.ranked import ranked_rows
from fairflow.statistics.intervals import FEW_UNITS
from fairflow.studies.tables import columns_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


# Statuses of a model in a comparison.
COMPARED = "compared"
SAME_VECTORS = "same_vectors"
DERIVED = "derived"
FEW_QUERIES = "few_queries"
FAILS_CONTROL = "fails_control"
GROWS_WITH_LENGTH = "grows_with_length"
SCALES_WITH_DIMENSION = "scales_with_dimension"
UNDEFINED = "undefined"
ALONE = "alone"
NO_BIAS = "no_bias"

# Statuses of models by a metric whose values are not comparable between any.
INCOMPARABLE = (GROWS_WITH_LENGTH, SCALES_WITH_DIMENSION, NO_BIAS)
# Statuses of models that are no rivals of the others.
NO_RIVALS = (SAME_VECTORS, DERIVED, FAILS_CONTROL)
# Begins the note of a model with the same vectors as another.
AS_ANOTHER = "the same vectors as "
NOTES = {
    GROWS_WITH_LENGTH: "values grow with the length of vectors and are not comparable between "
    "models",
    SCALES_WITH_DIMENSION: "values depend on the number of dimensions and are not comparable "
    "between models; effect sizes are",
    UNDEFINED: "no (sub-)query is defined by every model that is compared",
    NO_BIAS: "a larger value is neither more bias nor less: models are not ranked by it",
    ALONE: "there is no other model to compare it with",
}

# The smallest two-sided p of a rank correlation is 2 / 5! = 0.017 for five values, 2 / 4! = 0.083
# for four and 1 / 3 for three; of two values the correlation is always 1 or -1.
LEAST_MODELS = 5
TOO_FEW_MODELS = f"fewer than {LEAST_MODELS} models: so few agree by chance too often"


def incomparable(variants: Mapping[str, Any]) -> dict[str, str]:
    """For each variant whose metric does not compare models: the status that says why."""
    hang = {n: SCALES_WITH_DIMENSION for n, one in variants.items() if one.depends_on_dimension}
    grow = {n: GROWS_WITH_LENGTH for n, one in variants.items() if one.grows_with_length}
    no_bias = {n: NO_BIAS for n, one in variants.items() if not one.direction["measures_bias"]}
    return hang | grow | no_bias


def vectors_of(model: str, others: Mapping[str, str | None]) -> str:
    """The name under which models of the same vectors go, whole, in part or at another length.

    It is that of the model to which `others` leads in the end, or the model's own.

    Parameters
    ----------
    others : model -> another one with the same vectors, or None.
    """
    seen: list[str] = []
    while model not in seen:
        seen.append(model)
        model = others.get(model) or model
    return model


def linked(members: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Name -> the first name that it is linked with by common members, directly or by others."""
    groups: list[tuple[list[str], set[str]]] = []
    for name, own in members.items():
        shared = [group for group in groups if not group[1].isdisjoint(own)]
        groups = [group for group in groups if group not in shared]
        names = [other for group in shared for other in group[0]]
        groups.append(([*names, name], set(own).union(*(group[1] for group in shared))))
    return {name: names[0] for names, _ in groups for name in names}


class Unranked(NamedTuple):
    """Why a model is not compared: a status, a note in words, and the model that it repeats."""

    status: str
    note: str
    same_vectors_as: str = ""
    derived_from: str = ""


# Columns of the tables of models: those of `Unranked`.
RIVALRY = Unranked._fields


def no_rivals(
    scores: pd.DataFrame, vectors: Mapping[str, str], derived: Mapping[str, str]
) -> dict[str, Unranked]:
    """The models that are not compared with others.

    Parameters
    ----------
    scores, vectors : as for `repeated_models`.
    derived : model -> the model that it is derived from, with other vectors: a debiased model is
        evidence on the method, not a further model.
    """
    came = {
        model: Unranked(DERIVED, f"derived from {other}; not ranked with its source", "", other)
        for model, other in derived.items()
    }
    independent = scores[~scores["model"].isin([*derived])]
    return came | {
        model: Unranked(SAME_VECTORS, same_vectors_note(other), other)
        for model, other in repeated_models(independent, vectors).items()
    }


def same_vectors_note(other: str) -> str:
    """Why a model with the vectors of another one is not compared."""
    return f"{AS_ANOTHER}{other}, which is compared in its place"


def repeated_models(scores: pd.DataFrame, vectors: Mapping[str, str]) -> dict[str, str]:
    """Model -> the one of the same vectors that is compared with others in its place.

    Of several models of the same vectors that with the most defined scores is compared, and the
    first in the table among equals; so that no model is ever compared with itself.

    Parameters
    ----------
    scores : a study's table.
    vectors : model -> the name of its vectors (`vectors_of`); a model's own name by default.
    """
    headline = ranked_rows(scores)
    defined = headline.groupby("model", sort=False)["value"].count()
    names = defined.index.map(lambda model: vectors.get(model, model))
    represented = defined.groupby(names).transform("idxmax")
    return {model: other for model, other in represented.items() if model != other}


# The variant that measures them; another variant of WEAT where this one is missing.
USUAL_METRIC = "weat_es_caliskan"
# Vectors of words have p far below it, noise one control in a hundred.
CONTROL_ALPHA = 0.01
FEW = f"a set has fewer than {FEW_UNITS} words"

CONTROL_PASSES, CONTROL_FAILS = "passes", "fails"
CONTROL_UNDEFINED, CONTROL_UNTESTED = "undefined", "not tested"
# Further statuses of a model, in the column `control_status`: none fails and some is undefined or
# not tested; there is no control; the metric does not rest on vectors.
CONTROL_UNKNOWN, NO_CONTROL, NOT_OF_VECTORS = "unknown", "none", "not of vectors"
DOUBTFUL = (CONTROL_FAILS, CONTROL_UNKNOWN)
# Columns: whether a query is a control; of a model, what its controls say, and the same in words.
IS_CONTROL = "control_query"
CONTROL = ("control_status", "control")
NOT_OF_VECTORS_TEXT = "none: the metric does not rest on vectors"

# Behind the label of a model that fails one, in figures and tables.
FLAG = "fails a control query"

CONTROL_COLUMNS = columns_of("controls")


def control_metric(metrics: Mapping[str, Any]) -> str | None:
    """The variant that measures control queries; None without a variant of WEAT.

    Parameters
    ----------
    metrics : variant -> its entry in config/metrics.yaml.
    """
    of_weat = [name for name, entry in metrics.items() if entry.get("metric") == "weat"]
    return USUAL_METRIC if USUAL_METRIC in of_weat else next(iter(of_weat), None)


def control_table(scores: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Whether each control query passes on each model: positive, with p < 0.01.

    With too few words a test that finds nothing says nothing: "not tested".

    Parameters
    ----------
    scores : rows of the score files of the control queries. labels : of queries.

    """
    import numpy as np
    import pandas as pd

    if scores.empty:
        return pd.DataFrame(columns=CONTROL_COLUMNS)
    rows = ranked_rows(scores)
    clear = (rows["value"] > 0) & (rows["p_value"] < CONTROL_ALPHA)
    few_words = rows["statistics"] == "few_words"
    cases = [rows["value"].isna(), rows["p_value"].isna(), clear, few_words]
    statuses = [CONTROL_UNDEFINED, CONTROL_UNTESTED, CONTROL_PASSES, CONTROL_UNTESTED]
    reasons = [rows["reason"], rows["statistics_note"], None, FEW]
    return rows.assign(
        query_label=rows["query"].map(labels).fillna(rows["query"]),
        oov_words=rows["oov_words"].map(", ".join),
        status=np.select(cases, statuses, CONTROL_FAILS),
        reason=np.select(cases, reasons, np.array(None)),
    )[CONTROL_COLUMNS].reset_index(drop=True)


def control_facts(controls: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """Model -> "passes", "fails" or "unknown"; and in words which control does not, and why."""
    found = {}
    for model, rows in controls.groupby("model", sort=False):
        statuses = {*rows["status"]}
        if statuses == {CONTROL_PASSES}:
            found[str(model)] = CONTROL_PASSES, CONTROL_PASSES
        else:
            status = CONTROL_FAILS if CONTROL_FAILS in statuses else CONTROL_UNKNOWN
            found[str(model)] = status, "; ".join(map(_remark, rows.to_dict("records")))
    return found


def _remark(row: Mapping[str, Any]) -> str:
    if row["status"] in (CONTROL_PASSES, CONTROL_FAILS):
        return f"{row['query']} {row['status']} ({row['value']:.2f}, p {row['p_value']:.2g})"
    # The words that are lost are in the table.
    reason = str(row["reason"]).split(" (")[0]
    return f"{row['query']} {row['status']} ({reason})"


def with_controls(
    scores: pd.DataFrame,
    controls: pd.DataFrame,
    queries: Iterable[str] = (),
    of_others: Iterable[str] = (),
) -> pd.DataFrame:
    """A study's scores with what control queries say of each model, which all tables go by.

    Parameters
    ----------
    controls : from `control_table`. queries : the control queries of the study.
    of_others : the metrics that measure no words, which no query of words controls.

    Returns
    -------
    `scores` with the columns `IS_CONTROL` (whether the row is one) and, of its model,
    control_status ("passes"; "fails"; "unknown", where some control is undefined or not tested and
    none fails; "none" without any; "not of vectors") and control (the same in words).
    """
    known, items = control_facts(controls), {*of_others}
    facts = [
        (NOT_OF_VECTORS, NOT_OF_VECTORS_TEXT)
        if metric in items
        else known.get(model, (NO_CONTROL, NO_CONTROL))
        for metric, model in zip(scores["metric"], scores["model"], strict=True)
    ]
    return scores.assign(
        **{IS_CONTROL: scores["query"].isin([*queries])},
        control_status=[status for status, _ in facts],
        control=[remark for _, remark in facts],
    )


def without_controls(scores: pd.DataFrame) -> pd.DataFrame:
    """The rows of queries that are no controls."""
    return scores[~scores[IS_CONTROL]] if IS_CONTROL in scores else scores


def readable(scores: pd.DataFrame) -> pd.DataFrame:
    """The rows that something can be read from: no controls, and of no model that fails one."""
    rows = without_controls(scores)
    return rows[rows["control_status"] != CONTROL_FAILS] if "control_status" in rows else rows


def failing_models(
    table: pd.DataFrame, statuses: Sequence[str] = (CONTROL_FAILS,)
) -> dict[str, str]:
    """Model -> the remark on its control queries, for the models in a table that fail one.

    Parameters
    ----------
    statuses : which statuses of controls count; `DOUBTFUL` for those that do not pass all.
    """
    if "control_status" not in table:
        return {}
    rows = table[table["control_status"].isin([*statuses])].drop_duplicates("model")
    return dict(zip(rows["model"], rows["control"], strict=True))


def flagged(labels: Mapping[str, str], scores: pd.DataFrame) -> dict[str, str]:
    """Labels, in which a model that fails a control query says so."""
    failing = failing_models(scores)
    return {
        name: f"{label} ({FLAG})" if name in failing else label for name, label in labels.items()
    }


Scores = TypeVar("Scores", "pd.Series", "np.ndarray")


def unfairness(scores: Scores, direction: Mapping[str, bool]) -> Scores:
    """Scores of one metric as numbers that are the smaller, the fairer.

    Parameters
    ----------
    direction : signed (both signs mean association, so that sizes are compared) and
        larger_is_fairer.
    """
    size = abs(scores) if direction["signed"] else scores
    return -size if direction["larger_is_fairer"] else size
