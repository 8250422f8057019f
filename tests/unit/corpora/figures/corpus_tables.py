"""Tables of a corpus of any size, as figures and findings read them."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

NAN = float("nan")
MEASURES = (("counts", "log_odds_ratio"), ("sgns", "weat_es"))
ENDS = ("", "_words", "_all")
MISSING = "no co-occurrence of Female terms with Family"


def corpus_tables(
    queries: Sequence[str],
    divisions: Mapping[str, Sequence[str]] | None = None,
    missing: bool = False,
    measures: Sequence[tuple[str, str]] = MEASURES,
) -> dict[str, pd.DataFrame]:
    """Those that figures read, by name.

    Parameters
    ----------
    divisions : name -> labels of its subcorpora, years where they have any. missing : no value.
    """
    divisions = divisions or {"half_centuries": ["1850-1899", "1900-1949", "1950-1999"]}
    random = np.random.default_rng(0)
    rows = []
    for division, labels in divisions.items():
        for embedding, metric in measures:
            for query in queries:
                for place, label in enumerate(labels):
                    years = label[:4].isdigit()
                    position = float(label[:4]) + 25 if years else NAN
                    named = {"division": division, "subcorpus": f"{division}_{place}"}
                    named |= {"label": label, "position": position, "embedding": embedding}
                    value = NAN if missing else float(random.normal(0.3 * place))
                    rows.append(
                        corpus_row(
                            value,
                            metric=metric,
                            query=query,
                            subquery=f"Female and Male terms {query} wrt Family and Career",
                            **named,
                        )
                    )
    return {"corpus_scores": pd.DataFrame(rows)}


def corpus_row(value: float, half: float = 0.4, **columns: object) -> dict[str, object]:
    """A row of corpus_scores with an interval of this half-width, and other columns."""
    row = {"division": "half_centuries", "subcorpus": "s", "label": "1850-1899", "position": 1875.0}
    row |= {"embedding": "counts", "metric": "log_odds_ratio", "value": value}
    row |= {"query": "q", "subquery": "Female terms and Male terms wrt Family and Career"}
    for wide, end in enumerate(ENDS, start=1):
        size = half * (1 + 0.2 * wide) if end else half
        row |= {f"low{end}": value - size, f"high{end}": value + size}
    row |= {"excess": value, "excess_low": value - half, "excess_high": value + half}
    row["excess_p"] = value * 0 + (0.001 if abs(value) > half else 0.5)
    row |= {
        "null_mean": 0.0,
        "null_low": value * 0 - 0.2,
        "null_high": value * 0 + 0.2,
        "smallest_effect": half,
    }
    row |= {"analytic_low": value - half / 1.5, "analytic_high": value + half / 1.5}
    row |= {"ratio": 1.5 + 0 * value, "n_first": 234, "n_second": 5120}
    row |= {"share_documents": 0.7, "share_seeds": 0.0, "share_words": 0.3, "seed_values": ""}
    if columns.get("metric", "log_odds_ratio") != "log_odds_ratio":
        row |= {"analytic_low": NAN, "analytic_high": NAN, "ratio": NAN}
        row |= {"share_documents": 0.2, "share_seeds": 0.2, "share_words": 0.6}
        row["seed_values"] = f"{value - 0.1} {value + 0.2}" if value == value else ""
    return row | {"reason": "" if value == value else MISSING} | columns
