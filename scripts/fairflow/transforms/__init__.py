"""Transforms that derive one model of word vectors from another; file `NAME.py` defines NAME."""

from __future__ import annotations

from fairflow.files.registry import Registry
from fairflow.transforms.base_transform import BaseTransform

TRANSFORMS = Registry(__name__, BaseTransform, "transform")
transform_module = TRANSFORMS.module
transform_class = TRANSFORMS.load
__getattr__ = TRANSFORMS.class_called
