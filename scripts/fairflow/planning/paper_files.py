"""The files of a paper, from the studies that are planned."""

from __future__ import annotations

from collections.abc import Mapping

from fairflow.planning.plan import Study


def figure_stems(studies: Mapping[str, Study]) -> list[str]:
    """'study/figures/figure' of every figure."""
    return [f"{s.name}/figures/{figure}" for s in studies.values() for figure in s.figures]


def score_table_stems(studies: Mapping[str, Study]) -> list[str]:
    """'study/tables/scores_metric' of every metric of every study."""
    return [
        f"{s.name}/tables/scores_{metric}" for s in studies.values() for metric in s.scored_metrics
    ]


def contents(studies: Mapping[str, Study]) -> dict[str, dict[str, object]]:
    """Title, metrics and figures of each study, as an article shows them."""
    return {
        s.name: {"title": s.title, "metrics": s.scored_metrics, "figures": list(s.figures)}
        for s in studies.values()
    }
