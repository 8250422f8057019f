"""What a sub-query is called on a page or in a table."""

from __future__ import annotations


def subquery_label(query: str, subquery: str, label: str) -> str:
    """A sub-query by the label of its query, if it is called by the query's name.

    Queries of words have sub-queries with names for readers; those of items, "query" or
    "query: category".
    """
    called_by_query = subquery == query or subquery.startswith(f"{query}: ")
    return label + subquery.removeprefix(query) if called_by_query else subquery
