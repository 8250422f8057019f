"""A samples file of lm-eval, read again: its own numbers, and ours with intervals by clusters.

lm-eval's standard errors take its items as independent. Here the items of one cluster (pairs that
share a sentence, questions of one template, sentences about one occupation) are drawn together.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.query_entry import items_of
from fairflow.language_models.items.text_items import SentenceItem
from fairflow.language_models.scoring.item_metric import ItemScores, Measured, mean_of
from fairflow.language_models.slices import lm_eval_samples as samples_files
from fairflow.language_models.slices.answers import ScoredText
from fairflow.language_models.slices.lm_eval_samples import Sample
from fairflow.scores.item_cell import ItemVariant, score_items
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics, Uncertainty, quantify

NAMED = re.compile(r"samples_(.+?)(_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl")
