"""The changes of vectors by which a model comes from another; the file `NAME.py` holds NAME."""

from __future__ import annotations

from fairflow.files.registry import Registry
from fairflow.transforms.base_transform import BaseTransform

TRANSFORMS = Registry(__name__, BaseTransform, "transform")
transform_module = TRANSFORMS.module
transform_class = TRANSFORMS.load
