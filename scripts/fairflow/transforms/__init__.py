"""Transforms that derive one model of word vectors from another; file `NAME.py` defines NAME."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairflow.files.registry import Registry

if TYPE_CHECKING:
    from fairflow.transforms.base_transform import BaseTransform

TRANSFORMS: Registry[BaseTransform] = Registry(
    __name__, "fairflow.transforms.base_transform.BaseTransform", "transform"
)
transform_module = TRANSFORMS.module
transform_class = TRANSFORMS.load
__getattr__ = TRANSFORMS.class_called
