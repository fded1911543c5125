"""What a sweep found: numbers at every combination of values of a program's inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import isnan, prod
from typing import TYPE_CHECKING, Any

from . import _core, _html
from ._progress import Progress, teller
from ._values import as_floats, as_setting

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd
    import polars as pl

    from ._core import Budget, Cancel
    from ._program import Program

__all__ = ["Table", "survey_of"]

#: The most rows that a notebook shows.
_MOST_ROWS = 60

Number = Fraction | float | None


class Table(Sequence[dict[str, Any]]):
    """The answers of a sweep: a sequence of rows, and a mapping of titles to columns by `table["chance"]`.

    Chances and means are fractions; a deviation, which has none, is a float. None stands where there is no such number.
    """

    def __init__(
        self, program: Program, axes: Mapping[str, list[Any]], survey: _core.Survey
    ) -> None:
        #: The program.
        self.program = program
        #: The inputs with their values, in order; the last one is the fastest.
        self.axes = dict(axes)
        self._survey = survey
        self._known: dict[str, list[Number]] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """The titles of the numbers: `chance`, `mean`, `deviation`, `>= 15`, `success`."""
        return tuple(title for title, _, _ in self._survey.columns())

    @property
    def skipped(self) -> tuple[dict[str, Any], ...]:
        """The points at which the program could not be computed."""
        return tuple(self._point(at) for at in self._survey.refused())

    def column(self, title: str) -> list[Number]:
        """One number at each point, exactly."""
        if title not in self._known:
            rounded = any(name == title and is_rounded for name, _, is_rounded in self._survey.columns())
            self._known[title] = (
                [None if isnan(value) else value for value in self._floats(title)]
                if rounded
                else list(self._survey.fractions(title))
            )
        return self._known[title]

    def _floats(self, title: str) -> list[float]:
        return as_floats(self._survey.floats(title))

    def _point(self, at: int) -> dict[str, Any]:
        point: dict[str, Any] = {}
        for name, values in reversed(self.axes.items()):
            at, place = divmod(at, len(values))
            point[name] = values[place]
        return {name: point[name] for name in self.axes}

    def at(self, **inputs: Any) -> dict[str, Number]:
        """The numbers at one point."""
        place = 0
        for name, values in self.axes.items():
            if name not in inputs or inputs[name] not in values:
                raise KeyError(f"{name}={inputs.get(name)!r}")
            place = place * len(values) + values.index(inputs[name])
        return {title: self.column(title)[place] for title in self.columns}

    def __len__(self) -> int:
        return len(self._survey)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self.column(key)
        if isinstance(key, slice):
            places: list[int] = list(range(len(self)))[key]
            return [self[at] for at in places]
        at = range(len(self))[int(key)]
        return {**self._point(at), **{title: self.column(title)[at] for title in self.columns}}

    def rows(self) -> Iterator[dict[str, Any]]:
        """The points, each with its inputs and its numbers."""
        titles = self.columns
        numbers = zip(*(self.column(title) for title in titles), strict=True)
        for point, row in zip(product(*self.axes.values()), numbers, strict=True):
            yield {**dict(zip(self.axes, point, strict=True)), **dict(zip(titles, row, strict=True))}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.rows()

    # For other libraries.

    def to_dict(self, *, exact: bool = False) -> dict[str, list[Any]]:
        """The inputs and the numbers as columns: floats, or fractions."""
        points = list(product(*self.axes.values()))
        columns: dict[str, list[Any]] = {
            name: [point[at] for point in points] for at, name in enumerate(self.axes)
        }
        for title in self.columns:
            columns[title] = list(self.column(title)) if exact else self._floats(title)
        return columns

    def to_numpy(self, title: str | None = None) -> npt.NDArray[np.float64]:
        """One number as an array with an axis for each input."""
        import numpy as np

        title = self.columns[0] if title is None else title
        shape = [len(values) for values in self.axes.values()]
        return np.frombuffer(self._survey.floats(title), dtype=np.float64).reshape(shape)

    def to_pandas(self, *, exact: bool = False) -> pd.DataFrame:
        """A pandas data frame with a row for each point."""
        import pandas as pd

        return pd.DataFrame(self.to_dict(exact=exact))

    def to_polars(self, *, exact: bool = False) -> pl.DataFrame:
        """A polars data frame with a row for each point."""
        import polars as pl

        from ._polars import series

        return pl.DataFrame(series(self.to_dict(exact=exact)))

    def to_csv(self, path: str | None = None) -> str:
        """A line for each point, with decimals; written to a file, if there is a path."""
        import csv
        import io

        text = io.StringIO(newline="")
        columns = self.to_dict()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text.getvalue())
        return text.getvalue()

    # To be seen.

    def svg(
        self, *, width: int | None = None, height: int | None = None, theme: str = "viewer"
    ) -> str:
        """Lines over one input, a heat map over two; nothing over more."""
        return self._survey.drawing(self.program.title, width, height, theme) or ""

    def __repr__(self) -> str:
        sizes = " × ".join(f"{len(values)} {name}" for name, values in self.axes.items())
        return f"<Table of {self.program.title}: {sizes}; {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        titles = self.columns
        texts = {title: self._survey.texts(title) for title in titles}
        count = min(len(self), _MOST_ROWS)
        rows = [
            [
                *(str(value) for value in self._point(at).values()),
                *(texts[title][at] for title in titles),
            ]
            for at in range(count)
        ]
        table = _html.table([*self.axes, *titles], rows, 0)
        more = f"<div>{len(self) - count} more rows</div>" if len(self) > count else ""
        picture = _html.picture(self.svg(), self.program.title)
        return f"<div>{picture}<details><summary>table</summary>{table}{more}</details></div>"

    def _repr_svg_(self) -> str | None:
        return self.svg() or None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        makers = {
            "text/plain": self.__repr__,
            "text/html": self._repr_html_,
            "image/svg+xml": self.svg,
        }
        return _html.bundle(makers, include, exclude)


def survey_of(
    program: Program,
    axes: Mapping[str, list[Any]],
    *,
    field: str | None,
    that: list[str],
    skip: bool,
    threads: int | None,
    progress: Progress,
    budget: Budget | None,
    cancel: Cancel | None,
) -> Table:
    """A program at every combination of values."""
    points = prod(len(values) for values in axes.values())
    if points > MOST_POINTS:
        raise ValueError(f"that is {points:,} points, more than {MOST_POINTS:,}: take fewer values")
    tell, end = teller(progress)
    written = [(name, [as_setting(value) for value in values]) for name, values in axes.items()]
    core = program._core
    try:
        survey = _core.survey(
            core,
            written,
            None,
            field.split(".") if field else [],
            that,
            bool(that),
            skip,
            threads,
            budget,
            cancel,
            tell,
        )
    finally:
        end()
    return Table(program, axes, survey)


#: More points than this do not fit into memory: split them, and sweep the parts with `sweep_rows`.
MOST_POINTS = 10_000_000
