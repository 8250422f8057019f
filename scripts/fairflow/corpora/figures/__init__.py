"""Figures of studies of corpora."""
