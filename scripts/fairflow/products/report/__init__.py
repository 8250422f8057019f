"""The report: one HTML page with the tables, figures and words of a run, needing no network."""
