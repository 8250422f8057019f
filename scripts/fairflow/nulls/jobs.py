"""The jobs of nulls as data."""

import fairflow.nulls.crossed  # noqa: F401  # It registers what its tables are made from.
