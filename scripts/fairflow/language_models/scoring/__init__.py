"""Shared by the metrics of items: from a model's answers to the score of an item and a query."""
