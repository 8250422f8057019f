"""Corpora: documents as word numbers on disk, their co-occurrences, and vectors trained on them."""
