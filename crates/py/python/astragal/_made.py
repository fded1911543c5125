"""What the compiled module makes by Python's means: fractions, records, exceptions."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

from ._core import Budget
from ._errors import Cancelled, Diagnostic, OverBudget, ProgramError
from ._values import Record

__all__ = ["budget", "error", "fraction", "from_bytes", "record"]

from_bytes = int.from_bytes
record = Record.of


def _plainly() -> Callable[[int, int], Fraction]:
    """Makes a fraction without looking for a common divisor, which there is none of: Python has two ways for it."""
    coprime = getattr(Fraction, "_from_coprime_ints", None)
    if coprime is not None:
        return cast("Callable[[int, int], Fraction]", coprime)
    plain = cast("Any", Fraction)
    try:
        plain(1, 2, _normalize=False)
    except TypeError:
        return Fraction
    return lambda top, bottom: plain(top, bottom, _normalize=False)


fraction = _plainly()

_KINDS: dict[str, type[ProgramError | OverBudget | Cancelled]] = {
    "program": ProgramError,
    "budget": OverBudget,
    "cancelled": Cancelled,
}


def error(kind: str, drawn: str, data: str) -> Exception:
    """The exception for diagnostics, given in words and as JSON."""
    return _KINDS[kind](drawn, Diagnostic.all_of(json.loads(data)))


def budget(
    steps: int | None, memory: int | None, states: int | None, outcomes: int | None
) -> Budget:
    """A budget that was pickled."""
    return Budget(steps, memory=memory, states=states, outcomes=outcomes)
