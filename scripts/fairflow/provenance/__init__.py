"""What a run used and made: records, citations, checksums, a crate, an archive."""
