"""Which values of an input reach a goal."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

from . import _html
from ._table import Table
from ._values import exactly

__all__ = ["Solution"]


@dataclass(frozen=True)
class Solution:
    """The values of an input that reach a goal. `str(solution)` says it in one line."""

    input: str
    #: Those that do, in the order in which they were given.
    values: tuple[Any, ...]
    #: `ac up to 18 gives a chance of at least 2/5`
    headline: str
    #: What was measured at every value.
    table: Table
    #: The column that was measured.
    of: str

    @classmethod
    def of_table(cls, table: Table, input: str, of: str, goal: Any, at_most: bool) -> Solution:
        """The values of the only input of a table."""
        survey = table._survey
        written = goal if isinstance(goal, str) else str(exactly(goal))
        headline, places = survey.solve(of, written, at_most)
        values = table.axes[input]
        return cls(input, tuple(values[place] for place in places), headline, table, of)

    def measured(self, value: Any) -> Fraction | float | None:
        """What was measured at one of the values."""
        return self.table.at(**{self.input: value})[self.of]

    def __bool__(self) -> bool:
        return bool(self.values)

    def __str__(self) -> str:
        return self.headline

    def _repr_html_(self) -> str:
        picture = _html.picture(self.table.svg(), self.headline)
        return f"<div><strong>{escape(self.headline)}</strong>{picture}</div>"


def measured_column(table: Table, of: str | None) -> str:
    """The column that is measured, if there is no doubt."""
    if of is not None:
        return of
    titles = [title for title in table.columns if title != "deviation"]
    if len(titles) == 1:
        return titles[0]
    if not titles:
        raise ValueError("the program could not be computed at any of the values")
    raise ValueError(f"say what is to be measured: `of=` one of {', '.join(titles)}")
