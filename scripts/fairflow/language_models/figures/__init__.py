"""Figures of studies of language models."""
