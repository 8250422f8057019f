"""The tables of a study, made from scores: aggregates, rankings, comparisons, conclusions."""
