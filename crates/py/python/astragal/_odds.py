"""Odds: the exact distribution of one result."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import _core, _html, _text
from ._policy import Choice
from ._values import as_floats, exactly

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd
    import polars as pl

    from ._program import Program

__all__ = ["Odds"]


class Odds(Mapping[Any, Fraction]):
    """A mapping of outcomes to their exact chances, in ascending order.

    Outcomes are `int` or `Fraction`, `bool`, `str` for texts and variants, `tuple` for lists, and `Record`. Where
    there are endless many, those that matter are listed, `rest` is the chance of the others, and every number can be asked
    for all the same: `odds[200]`, `odds.at_least(200)`.
    """

    __slots__ = ("_answer", "_chances", "_program", "_settings")

    def __init__(
        self, program: Program, answer: _core.Answer, settings: Mapping[str, Any] | None = None
    ) -> None:
        self._program = program
        self._answer = answer
        self._settings = settings
        self._chances: dict[Any, Fraction] | None = None

    # A mapping.

    def _all(self) -> dict[Any, Fraction]:
        if self._chances is None:
            answer = self._answer
            self._chances = dict(zip(answer.values(), answer.chances(), strict=True))
        return self._chances

    def __getitem__(self, outcome: Any) -> Fraction:
        if not self._answer.is_number or self._chances is not None and outcome in self._chances:
            return self._all()[outcome]
        try:
            chance = self._answer.chance(str(exactly(outcome)))
        except (TypeError, ValueError):
            raise KeyError(outcome) from None
        if not chance:
            raise KeyError(outcome)
        return chance

    def __iter__(self) -> Iterator[Any]:
        return iter(self._answer.values())

    def __len__(self) -> int:
        return len(self._answer)

    # The whole.

    @property
    def mean(self) -> Fraction:
        """The exact mean; a `ValueError` says so where it is infinite or not known."""
        return self._answer.mean()

    @property
    def variance(self) -> Fraction:
        """The exact variance; see `mean`."""
        return self._answer.variance()

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return math.sqrt(self._answer.variance())

    @property
    def median(self) -> int | Fraction:
        """The least outcome that is not exceeded in half of all cases."""
        return self.quantile(Fraction(1, 2))

    def quantile(self, chance: float | Fraction | str) -> int | Fraction:
        """The least outcome that is not exceeded with at least this chance."""
        found = self._answer.quantile(str(exactly(chance)))
        if found is None:
            raise ValueError(f"there is no outcome for {chance}")
        return found

    def at_least(self, number: Any) -> Fraction:
        """The exact chance of this number or more."""
        return self._answer.compare(">=", str(exactly(number)))

    def at_most(self, number: Any) -> Fraction:
        """The exact chance of this number or less."""
        return self._answer.compare("<=", str(exactly(number)))

    def chance_of(self, condition: Any) -> Fraction:
        """The exact chance of a condition, such as `">= 15"` or `"success"`, or of an outcome, which may be impossible."""
        if isinstance(condition, str):
            return self._answer.condition(condition)
        return self.get(condition, Fraction(0))

    @property
    def chance(self) -> Fraction:
        """Of a yes or no: the exact chance of a yes."""
        if self.type != "bool":
            raise ValueError(f"the outcome is a {self.type}, not a yes or no: ask `chance_of(\">= 15\")`")
        return self.get(True, Fraction(0))

    @property
    def rest(self) -> Fraction:
        """The chance of everything that is not listed."""
        return self._answer.rest

    @property
    def lost(self) -> Fraction:
        """Where no exact answer is known, chances are lower ends of intervals as wide as this; otherwise 0."""
        return self._answer.lost

    @property
    def exact(self) -> bool:
        """Whether nothing had to be given up."""
        return not self._answer.lost

    @property
    def never(self) -> Fraction:
        """The chance that the program runs for ever; part of `rest`."""
        return self._answer.never

    @property
    def evidence(self) -> Fraction | None:
        """The chance of what is `given` in the program, of which everything else here is given."""
        return self._answer.evidence

    @property
    def notices(self) -> tuple[str, ...]:
        """The notes that are certain."""
        return tuple(self._answer.notices)

    @property
    def steps(self) -> int:
        """The steps of work that it took to know them: what a budget counts."""
        return self._answer.used

    @property
    def type(self) -> str:
        """The type of the outcomes, as the language writes it."""
        return self._answer.type_name

    @property
    def program(self) -> Program:
        """The program that these are the odds of."""
        return self._program

    @property
    def name(self) -> str:
        """The name after `show` and the field; of the only result, the program's text."""
        parts = [part for part in (self._answer.name, *self._answer.field) if part]
        return ".".join(parts) if parts else self._program.title

    # Records.

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields of a record; a record in it has them with dots: `attacker.total`."""
        return tuple(self._answer.fields)

    def field(self, path: str, **options: Any) -> Odds:
        """The odds of one field alone, exactly, also where the record has endless many outcomes."""
        return self._program.odds(field=path, inputs=self._settings, **options)

    def covariance(self, one: str, other: str) -> Fraction:
        """The exact covariance of two fields that are numbers or yes and no (1 and 0)."""
        return self._answer.covariance(one, other)

    def correlation(self, one: str, other: str) -> float:
        """The correlation of two fields, from -1 to 1."""
        of = self._answer.covariance
        return float(of(one, other)) / math.sqrt(of(one, one) * of(other, other))

    # Best play.

    @property
    def policy(self) -> tuple[Choice, ...]:
        """How it is best played, choice by choice; empty if nobody decides."""
        told = self._answer.policy()
        return Choice.all_of(json.loads(told[0])) if told else ()

    @property
    def advice(self) -> str:
        """The same in words; empty if nobody decides."""
        told = self._answer.policy()
        return "\n".join(told[1]) if told else ""

    # For other libraries.

    def weights(self) -> dict[Any, int]:
        """Whole weights in place of chances: what icepool's `Die` and dyce's `H` are made of."""
        weights, _ = self._answer.weights()
        return dict(zip(self._answer.values(), weights, strict=True))

    @property
    def denominator(self) -> int:
        """What the weights are to be divided by."""
        return self._answer.weights()[1]

    def chances(self) -> npt.NDArray[np.float64]:
        """The chances as a numpy array."""
        import numpy as np

        return np.frombuffer(self._answer.chance_floats(), dtype=np.float64)

    def outcomes(self) -> npt.NDArray[Any]:
        """The outcomes as a numpy array: of `int64` or `float64` where they are numbers, of `bool`, otherwise of objects."""
        import numpy as np

        values = self._answer.values()
        if self._answer.is_number:
            whole = all(isinstance(value, int) and abs(value) < 2**63 for value in values)
            return np.array(values if whole else [float(value) for value in values])
        if self.type == "bool":
            return np.array(values, dtype=np.bool_)
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array

    def columns(self, *, exact: bool = False) -> dict[str, list[Any]]:
        """A column for the outcome, or for each field of a record, and one for the chance: floats, or fractions."""
        answer = self._answer
        values = answer.values()
        if answer.fields:
            paths = [path.split(".") for path in answer.fields]
            columns = {".".join(path): [_part(value, path) for value in values] for path in paths}
        else:
            columns = {"outcome": values}
        chances: list[Any] = answer.chances() if exact else as_floats(answer.chance_floats())
        return {**columns, "chance": chances}

    def to_pandas(self, *, exact: bool = False) -> pd.DataFrame:
        """A pandas data frame: see `columns`."""
        import pandas as pd

        return pd.DataFrame(self.columns(exact=exact))

    def to_polars(self, *, exact: bool = False) -> pl.DataFrame:
        """A polars data frame: see `columns`. Fractions are objects there."""
        import polars as pl

        from ._polars import series

        return pl.DataFrame(series(self.columns(exact=exact)))

    def to_dict(self) -> dict[Any, Fraction]:
        """A plain dictionary."""
        return dict(self._all())

    def to_csv(self, path: str | None = None, *, view: str = "exactly") -> str:
        """Every outcome for a spreadsheet, with decimals and fractions; written to a file, if there is a path."""
        text = _core.csv([("", self._answer)], view)
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        return text

    def json(self) -> dict[str, Any]:
        """The whole answer in the shape of Astragal's JSON."""
        told: dict[str, Any] = json.loads(self._answer.json())
        return told

    # To be seen.

    def svg(
        self,
        *,
        view: str = "exactly",
        width: int | None = None,
        height: int | None = None,
        theme: str = "viewer",
    ) -> str:
        """A chart as SVG. `view`: `exactly`, `at least` or `at most`; `theme`: `viewer`, `light` or `dark`."""
        name = ".".join(self._answer.field)
        named = [(name, self._answer)]
        return _core.drawing(self._program.title, named, view, width, height, theme) or ""

    def plot(self, ax: Any = None, *, view: str = "exactly", **options: Any) -> Any:
        """Draws the chances with matplotlib, and gives the axes; options are those of `Axes.bar`."""
        from ._plot import plot

        return plot([(self.name, self)], ax, view, options)

    def __str__(self) -> str:
        return _text.table([("", self._answer)], self._aside())

    def __repr__(self) -> str:
        count = len(self)
        some = f"{count} outcome{'' if count == 1 else 's'}"
        mean = f", mean {float(self.mean):.6g}" if self._answer.has_moments else ""
        rest = f", rest {float(self.rest):.3g}" if self.rest else ""
        return f"<Odds of {self.name}: {some}{mean}{rest}>"

    def _aside(self) -> list[str]:
        """What stands below the table."""
        lines: list[str] = []
        if self._answer.has_moments:
            lines.append(f"mean {_text.readable(self.mean)}, standard deviation {self.sd:.4g}")
        if self.evidence is not None:
            lines.append(f"given what has a chance of {_text.readable(self.evidence)}")
        if self.rest:
            lines.append(f"everything else: {float(self.rest):.3g}")
        return [*lines, *self.notices, *self.advice.splitlines()]

    def _repr_html_(self) -> str:
        picture = self.svg()
        return _html.odds(self.name, picture, [("", self._answer)], self._aside())

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_markdown_(self) -> str:
        return _text.markdown([("", self._answer)], self._aside())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        makers = {
            "text/plain": self.__repr__,
            "text/html": self._repr_html_,
            "text/markdown": self._repr_markdown_,
            "image/svg+xml": self._repr_svg_,
        }
        return _html.bundle(makers, include, exclude)

    def __reduce__(self) -> tuple[Any, ...]:
        path = ".".join(self._answer.field) or None
        return _again, (self._program, path, self._answer.name, self._settings)


def _part(value: Any, path: list[str]) -> Any:
    for name in path:
        value = value[name]
    return value


def _again(
    program: Program, path: str | None, name: str | None, settings: Mapping[str, Any] | None
) -> Odds:
    """Odds that were pickled are computed again: they are exact, so they are the same."""
    if name is not None:
        return program.results(inputs=settings)[name]
    return program.odds(field=path, inputs=settings)
