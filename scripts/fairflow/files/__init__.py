"""Whole files or none: streams, tables, YAML, parquet and JSON with checksums, downloads."""
