"""Figures of the replications of single papers."""
