"""What a result has to do with the one expected: equal up to a tolerance, key by key."""

import math
from collections.abc import Callable
from typing import Any

from .reference import TOLERANCES

# (expected, found, tolerance)
Comparison = tuple[dict[str, Any], dict[str, Any], float]
FLOAT32, FLOAT64 = TOLERANCES["expected"], TOLERANCES["expected_float64"]
SAME_SOLVER, OPTIMUM = TOLERANCES["rnsb_same_solver"], TOLERANCES["rnsb_exact_optimum"]

# What results hold beyond WEFE's: p_value is in every result of WEAT, also where a set was
# rejected (D3), RNSB tells the two readings of its average apart (D13), and each result says why it
# is undefined and what became of its words.
ADDITIONS = {"p_value", "rnsb_of_mean", "rnsb_sd", "rnsb_between_sets", "mac_difference"}
ADDITIONS |= {"status", "reason", "audit", "n_pairs"}


def attempt(function: Callable[[], Any]) -> Any:
    """What a function returns, or {"error": its type}."""
    try:
        return function()
    except Exception as error:
        return {"error": type(error).__name__}


def differing_keys(expected: dict[str, Any], found: dict[str, Any], tolerance: float) -> set[str]:
    """Keys at which two results differ; `ADDITIONS` may be in `found` only."""
    absent = expected.keys() - found.keys()
    surplus = found.keys() - expected.keys() - ADDITIONS
    common = expected.keys() & found.keys()
    return absent | surplus | {k for k in common if not same(expected[k], found[k], tolerance)}


def same(expected: Any, found: Any, tolerance: float) -> bool:
    """Equal up to an absolute tolerance for each number; None stands for NaN."""
    if expected is None or isinstance(expected, float):
        return _is_number(found) and _close(expected, found, tolerance)
    if isinstance(expected, dict) and "__sampled__" in expected:
        entries = expected["entries"]
        return len(found) == expected["n_entries"] and all(
            key in found and same(value, found[key], tolerance) for key, value in entries.items()
        )
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and expected.keys() == found.keys()
            and all(same(value, found[key], tolerance) for key, value in expected.items())
        )
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(expected) == len(found)
            and all(same(a, b, tolerance) for a, b in zip(expected, found, strict=True))
        )
    return expected == found


def _close(expected: float | None, found: float, tolerance: float) -> bool:
    if expected is None:
        return math.isnan(found)
    return abs(expected - found) <= tolerance


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
