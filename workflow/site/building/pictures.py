"""The pictures of the README, from workflow/report."""

from __future__ import annotations

from pathlib import Path


def pictures(root: Path) -> dict[str, bytes]:
    """Path on the site -> bytes of each picture."""
    return {
        f"assets/{path.name}": path.read_bytes()
        for path in sorted((root / "workflow/report").glob("*.svg"))
    }
