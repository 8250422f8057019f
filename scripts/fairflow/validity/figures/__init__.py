"""Figures of how far scores can be trusted."""

# Figures that show nothing of fewer models.
LEAST_MODELS = {"specification_curve": 2}
