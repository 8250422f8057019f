"""Word vectors on disk: file formats, conversion, the indexed store, and the slice of a query."""
