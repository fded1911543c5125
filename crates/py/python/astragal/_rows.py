"""A program for each row of a table: a batch in, a batch out.

This is all that an engine for many machines needs: `map_partitions` of Dask, `map_batches` of Ray and of polars. The
answer for a row depends on the row alone, so that batches may be cut and ordered as one likes.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from . import _core
from ._program import Program, as_budget
from ._progress import Progress, teller
from ._values import as_floats, as_setting

if TYPE_CHECKING:
    from ._core import Budget, Cancel

__all__ = ["sweep_rows"]


def sweep_rows(
    program: Program | str,
    columns: Any,
    *,
    that: str | Sequence[str] = (),
    field: str | None = None,
    exact: bool = False,
    skip: bool = False,
    threads: int | None = None,
    progress: Progress = False,
    budget: Budget | int | None = None,
    cancel: Cancel | None = None,
) -> Any:
    """The columns with what the program says at each row: the chance of a yes, a mean and a deviation, or the chance of `that`.

    `columns` is a mapping of names to lists or arrays, or a data frame of pandas or polars, or a table of Arrow; what is given back
    is of the same kind. Columns whose names are inputs of the program set them; others are carried along. Numbers are
    floats; with `exact` they are texts such as `13/20`, which every engine can carry. A string is compiled with
    the columns that it names as its inputs. In a cluster, where each worker has its own core, say `threads=1`.
    """
    given = _named(columns)
    program = _compiled(program, given) if isinstance(program, str) else program
    names = [one.name for one in program.inputs if one.name in given]
    if not names:
        known = ", ".join(one.name for one in program.inputs) or "none"
        raise ValueError(f"no column is an input of the program, whose inputs are: {known}")
    axes: list[tuple[str, list[str]]] = []
    codes: list[bytes] = []
    for name in names:
        values, places = _coded(given[name])
        axes.append((name, values))
        codes.append(places)
    asked = [that] if isinstance(that, str) else list(that)
    tell, end = teller(progress)
    core = program._core
    path = field.split(".") if field else []
    try:
        survey = _core.survey(
            core,
            axes,
            codes,
            path,
            asked,
            bool(asked),
            skip,
            threads,
            as_budget(budget),
            cancel,
            tell,
        )
    finally:
        end()
    return _with(columns, _numbers(survey, exact))


def _named(columns: Any) -> Mapping[str, Any]:
    """Columns by their names."""
    if isinstance(columns, Mapping):
        return cast("Mapping[str, Any]", columns)
    names = getattr(columns, "column_names", None) or columns.columns
    return {str(name): columns[name] for name in names}


def _compiled(text: str, given: Mapping[str, Any]) -> Program:
    from ._engine import usual

    words = set(re.findall(r"\w+", text))
    first = {name: _first(column) for name, column in given.items() if name in words}
    return usual().compile(text, inputs=first)


def _first(column: Any) -> Any:
    values = _listed(column[:1])
    return values[0] if values else 0


def _listed(column: Any) -> list[Any]:
    """The values as Python's own."""
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(column, method):
            listed: list[Any] = getattr(column, method)()
            return listed
    return list(column)


def _coded(column: Any) -> tuple[list[str], bytes]:
    """The different values of a column, and where each row's stands among them."""
    places: dict[Any, int] = {}
    codes = array("I", [places.setdefault(value, len(places)) for value in _listed(column)])
    return [as_setting(value) for value in places], codes.tobytes()


def _numbers(survey: _core.Survey, exact: bool) -> dict[str, Any]:
    titles = [title for title, _, _ in survey.columns()]
    if not exact:
        return {title: as_floats(survey.floats(title)) for title in titles}
    return {
        title: [None if value is None else str(value) for value in survey.fractions(title)]
        for title in titles
    }


def _with(columns: Any, found: dict[str, Any]) -> Any:
    """The same kind of table with more columns."""
    kind = type(columns).__module__.partition(".")[0]
    if kind == "pandas":
        return columns.assign(**found)
    if kind == "polars":
        import polars as pl

        return columns.with_columns([pl.Series(name, values) for name, values in found.items()])
    if kind == "pyarrow":
        import pyarrow as pa  # type: ignore[import-untyped]  # pyright: ignore

        for name, values in found.items():
            columns = columns.append_column(name, pa.array(values))  # pyright: ignore[reportUnknownMemberType]
        return columns
    arrays = [column for column in columns.values() if type(column).__module__.startswith("numpy")]
    if arrays:
        import numpy as np

        return {**columns, **{name: np.array(values) for name, values in found.items()}}
    return {**columns, **found}
