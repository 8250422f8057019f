"""Corpora: documents on disk, their co-occurrences, vectors trained on them, their studies."""

# Of its tables in a study.
KIND = "corpus"
