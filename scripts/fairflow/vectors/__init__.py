"""Word vectors on disk: formats, conversion, the indexed store and the slices of a query."""
