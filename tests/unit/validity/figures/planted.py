"""Tables of validity of any size, as figures read them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

NORMS = {
    ("gender", "glasgow"): ("Glasgow norms of gender", 4670),
    ("gender", "occupations"): ("share of women in US occupations", 44),
    ("gender", "survey_gender"): ("survey of Kozlowski et al., gender", 59),
    ("class", "survey_class"): ("survey of Kozlowski et al., class", 59),
    ("race", "survey_race"): ("survey of Kozlowski et al., race", 59),
    ("valence", "valence"): ("Glasgow norms of valence", 5550),
}
METRICS = {"weat": "WEAT", "ripa": "RIPA", "rnd": "RND"}
SEEDS = [f"Author and others {2000 + n}" for n in range(12)]
MISSING = "fewer than 10 words have a value"


def planted(
    models: Sequence[str],
    queries: Sequence[tuple[str, str]],
    missing: bool = False,
    metric: str = "weat_es",
) -> dict[str, pd.DataFrame]:
    """Those that figures read, by name.

    Parameters
    ----------
    queries : criterion and id of each. missing : without any value.
    """
    random = np.random.default_rng(0)
    return {
        "yardsticks": _yardsticks(models, random, missing),
        "seed_swap": _swaps(models, queries, random, missing, metric),
        "eat_patterns": _patterns(models, queries, random, missing),
    }


def _values(random: np.random.Generator, size: int, missing: bool) -> np.ndarray:
    return np.full(size, np.nan) if missing else random.normal(size=size)


def _yardsticks(models: Sequence[str], random: np.random.Generator, missing: bool) -> pd.DataFrame:
    rows = [
        {
            **{"model": model, "concept": concept, "norm": norm, "norm_label": label},
            **{"metric": metric, "label": short, "n_norm": n, "n_words": n - 3 * place},
        }
        for place, model in enumerate(models)
        for (concept, norm), (label, n) in NORMS.items()
        for metric, short in METRICS.items()
    ]
    frame = pd.DataFrame(rows)
    r = np.tanh(0.5 + 0.2 * _values(random, len(frame), missing))
    half = 1.96 / np.sqrt(frame["n_norm"])
    return frame.assign(
        pearson=r, pearson_low=r - half, pearson_high=r + half, reason=MISSING * missing
    )


def _swaps(
    models: Sequence[str],
    queries: Sequence[tuple[str, str]],
    random: np.random.Generator,
    missing: bool,
    metric: str,
) -> pd.DataFrame:
    cells = [
        {"model": model, "criterion": criterion, "query": query, "role": role, "concept": "gender"}
        for model in models
        for criterion, query in queries
        for role in ("targets", "attributes")
    ]
    frame = pd.DataFrame([cell | {"seeds": seeds} for cell in cells for seeds in SEEDS])
    own = np.repeat(_values(random, len(cells), missing), len(SEEDS))
    value = own + 0.4 * random.normal(size=len(frame))
    frame = frame.assign(metric=metric, measure="effect_size", is_own=frame["seeds"] == SEEDS[0])
    value = np.where(frame["is_own"], own, value)
    return frame.assign(
        value=value,
        own_value=own,
        same_sign=np.sign(own) == np.sign(value),
        holds_together=random.random(len(frame)) > 0.3,
        reason=MISSING * missing,
    )


def _patterns(
    models: Sequence[str],
    queries: Sequence[tuple[str, str]],
    random: np.random.Generator,
    missing: bool,
) -> pd.DataFrame:
    rows = [
        {"model": model, "criterion": criterion, "query": query}
        for model in models
        for criterion, query in queries
    ]
    names = {"first_target": "Flowers", "second_target": "Insects"}
    names |= {"first_attribute": "Pleasant terms", "second_attribute": "Unpleasant terms"}
    frame = pd.DataFrame(rows).assign(**names)
    for at, mean in {"xa": 0.20, "xb": 0.05, "ya": 0.12, "yb": 0.08}.items():
        means = mean + 0.02 * _values(random, len(frame), missing)
        frame = frame.assign(**{f"mean_{at}": means, f"sd_{at}": means * 0 + 0.03})
    for target in "xy":
        difference = frame[f"mean_{target}a"] - frame[f"mean_{target}b"]
        frame = frame.assign(**{f"d_{target}": difference / 0.03, f"p_{target}": 0.01})
    pattern = "" if missing else "both nearer to Pleasant terms, Flowers more so"
    return frame.assign(pattern=pattern, reason=MISSING * missing)
