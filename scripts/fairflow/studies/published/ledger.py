"""The ledger: every published number with its verdict, as a table and as a page to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import pandas as pd

from fairflow.studies.published.comparison import ABSENT, DIFFERS, VERDICTS, unexpected
from fairflow.studies.published.publication import DERIVED
from fairflow.studies.wording import listed

_PLACES = ("place", "place_from_end")
# What the places of one list have in common.
_LIST = ["study", "table", "published_model", "metric", "scope", "measure"]


def ledger_counts(ledger: pd.DataFrame) -> pd.DataFrame:
    """Numbers by study, file and verdict, and those that differ although declared reproducible."""
    keys = ["study", "file"]
    groups = ledger.groupby(keys, sort=False, dropna=False)["verdict"]
    of_verdict = groups.value_counts().unstack(fill_value=0).reindex(columns=VERDICTS, fill_value=0)
    lost = unexpected(ledger).groupby(keys, dropna=False).size()
    table = groups.size().rename("numbers").to_frame().join(of_verdict)
    not_expected = lost.reindex(table.index, fill_value=0)
    return table.assign(**{"not expected": not_expected}).reset_index()


def reach(ledger: pd.DataFrame) -> pd.DataFrame:
    """By study: how many numbers there are, and how far this run comes with them.

    The places of one list count as one number, which comes out if each of them does.

    Returns
    -------
    Columns study, numbers, from vectors (computed from the vectors of a model), of these equal
    (at the printed decimals, within a tolerance or within the draws), from print (follow from
    other numbers in print, without vectors), only shown.
    """
    ledger = ledger.assign(study=ledger["study"].fillna("none")).reset_index(drop=True)
    shown = ledger["verdict"] == ABSENT
    printed = ledger["measure"].isin(DERIVED) & ~shown
    kinds = {
        "numbers": ledger["verdict"].notna(),
        "from vectors": ~shown & ~printed,
        "of these equal": ~shown & ~printed & (ledger["verdict"] != DIFFERS),
        "from print": printed,
        "only shown": shown,
    }
    of_lists = ledger.groupby(_LIST, dropna=False, sort=False).ngroup()
    one = of_lists.where(ledger["measure"].isin(_PLACES), -1 - ledger.index)
    groups = pd.DataFrame(kinds).groupby([ledger["study"], one], sort=False)
    each = groups.any().assign(
        **{name: groups[name].all() for name in ("of these equal", "only shown")}
    )
    return each.groupby(level=0, sort=False).sum().reset_index()


def ledger_page(
    ledger: pd.DataFrame,
    contradictions: Sequence[Mapping[str, str]],
    commands: Mapping[str, str] | None = None,
) -> str:
    """The ledger as Markdown: counts, what differs and why, what is not computed and why.

    Parameters
    ----------
    commands : study that this run does not compute -> the command that does.
    """
    absent = ledger[ledger["verdict"] == ABSENT].groupby(["file", "reason"], sort=False)
    parts = [
        "# Ledger of published numbers",
        "Each published number next to ours. *match*: equal at the printed decimals, or undefined "
        "in both. *within tolerance*: within a stated distance of a number whose authors stopped "
        "their solver early. "
        "*within the draws*: a mean over random splits that its authors drew without a seed, in "
        "the central 99.9 % of means over as many seeded splits; `ledger.csv` has its quantile. "
        "*differs*: with the cause, `unknown` where we found no cause. *not computed*: with the "
        "reason. `ledger.csv` holds every number.",
        "## What this run computes",
        _reach(reach(ledger), commands or {}),
        "## Counts",
        _table(ledger_counts(ledger)),
        "## Declared reproducible, and different",
        _numbers(failed) if len(failed := unexpected(ledger)) else "None.",
        "## What differs",
        *_different(ledger[ledger["verdict"] == DIFFERS]),
        "## What is not computed",
        _table(absent.size().rename("numbers").reset_index()),
        "## Where publications contradict themselves or each other",
        _table(pd.DataFrame(contradictions)) if contradictions else "None is listed.",
    ]
    return "\n\n".join(parts) + "\n"


def _reach(studies: pd.DataFrame, commands: Mapping[str, str]) -> str:
    total = studies.sum(numeric_only=True)
    sentences = (
        f"This run computes {total['from vectors']:,} of {total['numbers']:,} published numbers "
        f"from the vectors of its models and reproduces {total['of these equal']:,} of them. "
        f"{total['from print']:,} more follow from other published numbers (ranks, sums, "
        "correlations, intervals) and are checked against these. The run shows the other "
        f"{total['only shown']:,} without a computed value, because their study or model is not "
        "in this run. The places of a list count as one number here and as one number each below."
    )
    elsewhere = studies["study"].map(commands)
    for row in studies[
        elsewhere.isna() & ~studies[["of these equal", "from print"]].any(axis=1)
    ].to_dict("records"):
        none = f"This run reproduces none of the {row['numbers']} numbers of {row['study']}."
        sentences += f" **{none}**"
    for command, rows in studies.groupby(elsewhere, sort=False):
        count = rows["numbers"].sum()
        computes = f"`{command}` computes the {count:,} numbers of {listed(rows['study'])}"
        sentences += f" {computes if command else f'No study computes {count:,} numbers'}."
    shown = studies.assign(command=elsewhere.fillna("this run")).replace("", "none")
    return f"{sentences}\n\n{_table(shown)}"


def _different(rows: pd.DataFrame) -> Iterable[str]:
    if rows.empty:
        yield "Nothing."
    for (table, cause), group in rows.groupby(["table", "cause"], sort=False):
        yield f"### {table}: {cause}"
        yield _numbers(group)


def _numbers(rows: pd.DataFrame) -> str:
    shown = rows.assign(
        model=rows["model"].fillna(rows["published_model"]),
        measured=rows["scope"].str.cat(rows["item"].where(rows["item"] == "", ": " + rows["item"])),
        published=list(map(_printed, rows["published"], rows["decimals"])),
        ours=list(map(_printed, rows["computed"], rows["decimals"])),
        drawn=[
            "" if pd.isna(q) else f"quantile {q:.3f} of means over {int(n)} seeded splits"
            for n, q in zip(rows["draws"], rows["quantile"], strict=True)
        ],
    )
    remarks = shown[["erratum", "note", "reason", "drawn"]].itertuples(index=False)
    shown["remark"] = ["; ".join(filter(None, parts)) for parts in remarks]
    names = ["model", "metric", "measure", "measured", "published", "ours", "remark"]
    return _table(shown[names])


def _printed(value: float, decimals: float) -> str:
    """A number with one decimal more than was printed, so that the difference can be seen."""
    return "undefined" if pd.isna(value) else f"{value:.{int(decimals) + 1}f}"


def _table(frame: pd.DataFrame) -> str:
    """A frame as a table in Markdown."""
    cells = frame.astype(object).where(frame.notna(), "").astype(str)
    shown = [list(map(str, frame.columns)), ["---"] * len(frame.columns), *cells.to_numpy()]
    escaped = [
        [escape(cell, quote=False).replace("|", "\\|").replace("\n", " ") for cell in line]
        for line in shown
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in escaped)
