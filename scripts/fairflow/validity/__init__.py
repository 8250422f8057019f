"""How far scores can be trusted: validity, reliability, and what other choices would have given."""

# Kinds of its tables: of studies that measure words, and of those with several specifications.
VALIDITY, SEVERAL = "validity", "several specifications"
