"""Fairness metrics of language models, from items to aggregates.

Only `language_model`, `rows_on_device`, `embed_texts`, `score_tokens`, `complete_prompts` and
`tiny_models`, and the interfaces on them, load torch. They write slices (see `slices`); every
metric after them is numpy on those.
"""
