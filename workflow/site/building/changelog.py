"""The changelog of the project as a page of the site."""

from __future__ import annotations

from pathlib import Path


def changelog_page(root: Path) -> dict[str, str]:
    """Path on the site -> text."""
    return {"changelog.md": (root / "CHANGELOG.md").read_text(encoding="utf-8")}
