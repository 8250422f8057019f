"""`wefe.query`: target word sets and attribute word sets."""

from fairflow.queries.query import Query

__all__ = ["Query"]
