"""Columns for polars, which has no fractions: they are objects there."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import polars as pl

__all__ = ["series"]


def series(columns: Mapping[str, list[Any]]) -> list[pl.Series]:
    """A series for each column."""
    return [_one(name, values) for name, values in columns.items()]


def _one(name: str, values: list[Any]) -> pl.Series:
    if any(isinstance(value, Fraction | tuple) for value in values):
        return pl.Series(name, values, dtype=pl.Object)
    return pl.Series(name, values, strict=False)
