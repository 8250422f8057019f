"""The jobs of nulls as data."""

from fairflow.nulls import ceat_jobs, crossed, method_jobs

__all__ = ["ceat_jobs", "crossed", "method_jobs"]
