"""Inference: the one room with torch. It queries language models and returns their answers."""
