"""The engine, and the functions of an engine without house rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from . import _core
from ._compare import Comparison
from ._errors import Diagnostic
from ._odds import Odds
from ._program import Program, as_budget
from ._roll import Roll, Rolls
from ._solution import Solution, measured_column
from ._table import Table, survey_of
from ._values import as_setting, default_literal

if TYPE_CHECKING:
    from ._core import Budget, Cancel
    from .systems import System

__all__ = [
    "Engine",
    "check",
    "compare",
    "compile",
    "convert",
    "format",
    "odds",
    "results",
    "roll",
    "solve",
    "sweep",
]

#: Called now and then with the points that are done and all points; `False`: nobody is told.
Progress = Callable[[int, int], object] | bool | None


class Engine:
    """Compiles programs, with house rules of one's own.

    `files` are texts by the names that `use "…"` calls them by. The names of a `system` (`cofd`) or of a `house` file
    are known without their prefix.
    """

    __slots__ = ("_core", "_files", "_house", "_system")

    def __init__(
        self,
        files: Mapping[str, str] | None = None,
        *,
        system: str | None = None,
        house: str | None = None,
    ) -> None:
        self._files = dict(files or {})
        self._system = system
        self._house = house
        self._core = _core.Engine(self._files, system, house)

    def compile(
        self,
        text: str,
        *,
        dialect: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        budget: Budget | int | None = None,
        cancel: Cancel | None = None,
        **values: Any,
    ) -> Program:
        """A checked program. Inputs that it names and does not declare are declared, and set to these values.

        `dialect` reads another tool's notation: `roll20`, `foundry`, `avrae`, `rpg-dice-roller`, `dicemaiden`, `anydice`.
        """
        if inputs:
            values = {**inputs, **values}
        if dialect is not None:
            return self._foreign(text, dialect, values, as_budget(budget), cancel)
        return Program(self._checked(text, values), self, text, values, None)

    def _checked(self, text: str, values: dict[str, Any]) -> _core.Program:
        if not values:
            return self._core.compile(text, None, [], [])
        literals = [(name, default_literal(value)) for name, value in values.items()]
        set_ = [(name, as_setting(value)) for name, value in values.items()]
        return self._core.compile(text, None, literals, set_)

    def _foreign(
        self,
        text: str,
        dialect: str,
        values: dict[str, Any],
        budget: Budget | None,
        cancel: Cancel | None,
    ) -> Program:
        if dialect.lower() != "anydice":
            ours, _ = self._core.converted(text, dialect)
            return Program(self._checked(ours, values), self, ours, values, None)
        if values:
            raise TypeError("an AnyDice program has no inputs")
        core = self._core.compile_anydice(text, budget, cancel)
        return Program(core, self, text, {}, dialect)

    def odds(
        self,
        text: str | Program,
        *,
        field: str | None = None,
        until: float | None = None,
        dialect: str | None = None,
        budget: Budget | int | None = None,
        cancel: Cancel | None = None,
        inputs: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> Odds:
        """The exact distribution of a program's result: see `Program.odds`."""
        if isinstance(text, Program):
            return text.odds(
                field=field, until=until, budget=budget, cancel=cancel, inputs=inputs, **values
            )
        program = self.compile(
            text, dialect=dialect, inputs=inputs, budget=budget, cancel=cancel, **values
        )
        return program.odds(field=field, until=until, budget=budget, cancel=cancel)

    def results(self, text: str | Program, **options: Any) -> dict[str, Odds]:
        """The exact distribution of each `show` of a program: see `Program.results`."""
        program, options = self._program(text, options)
        return program.results(**options)

    @overload
    def roll(
        self, text: str | Program, *, times: None = None, dialect: str | None = None, **options: Any
    ) -> Roll: ...
    @overload
    def roll(
        self, text: str | Program, *, times: int, dialect: str | None = None, **options: Any
    ) -> Rolls: ...
    def roll(
        self,
        text: str | Program,
        *,
        times: int | None = None,
        dialect: str | None = None,
        **options: Any,
    ) -> Roll | Rolls:
        """Rolls a program, once or so many times: see `Program.roll`."""
        program, options = self._program(text, {**options, "dialect": dialect})
        if times is not None:
            return program.roll(times=times, **options)
        return program.roll(times=None, **options)

    def _program(
        self, text: str | Program, options: dict[str, Any]
    ) -> tuple[Program, dict[str, Any]]:
        """The program, and what is not said to its compiler."""
        dialect = options.pop("dialect", None)
        if isinstance(text, Program):
            return text, options
        own = {name: value for name, value in options.items() if name in _OPTIONS}
        values = {name: value for name, value in options.items() if name not in _OPTIONS}
        inputs = own.pop("inputs", None)
        return self.compile(text, dialect=dialect, inputs=inputs, **values), own

    def sweep(
        self,
        text: str | Program,
        *,
        that: str | Sequence[str] = (),
        field: str | None = None,
        skip: bool = False,
        threads: int | None = None,
        progress: Progress = None,
        budget: Budget | int | None = None,
        cancel: Cancel | None = None,
        inputs: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> Table:
        """A program at every combination of values of its inputs, exactly, on all cores.

        Inputs are given lists or ranges; one with a single value is set to it. The table says the chance of a yes, the mean
        and deviation of a number, the chances of an enumeration; or the chances of what is asked by `that`: `">= 15"`.
        The `budget` is for each point. With `skip`, points that cannot be computed have no answer, and the others do.
        `progress` is called with the points that are done and all points; without, long sweeps say it by themselves.
        """
        values = {**inputs, **values} if inputs else values
        axes = {name: list(value) for name, value in values.items() if _is_axis(value)}
        if not axes:
            raise TypeError("there are no values to sweep over: give an input a list or a range")
        fixed = {name: value for name, value in values.items() if name not in axes}
        program = self._swept(text, axes, fixed)
        return survey_of(
            program,
            axes,
            field=field,
            that=[that] if isinstance(that, str) else list(that),
            skip=skip,
            threads=threads,
            progress=progress,
            budget=as_budget(budget),
            cancel=cancel,
        )

    def _swept(
        self, text: str | Program, axes: Mapping[str, list[Any]], fixed: dict[str, Any]
    ) -> Program:
        empty = [name for name, axis in axes.items() if not axis]
        if empty:
            raise ValueError(f"`{empty[0]}` has no values")
        if isinstance(text, Program):
            return text.set(**fixed) if fixed else text
        first = {name: axis[0] for name, axis in axes.items()}
        return self.compile(text, inputs={**fixed, **first})

    def solve(
        self,
        text: str | Program,
        input: str,
        *,
        at_least: Any = None,
        at_most: Any = None,
        values: Iterable[Any] = range(101),
        that: str | None = None,
        of: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Solution:
        """Which values of an input give a chance or a mean of at least, or at most, so much: `"65%"`, `"2/3"`, `12.5`.

        Every one of the `values` is computed, exactly. What is measured is the chance of a yes or of `that`, or a mean; where
        there are several, `of` names the column of the sweep. The rest is as for `sweep`.
        """
        if (at_least is None) == (at_most is None):
            raise TypeError("say either `at_least` or `at_most`")
        goal = at_least if at_most is None else at_most
        asked = {**(inputs or {}), input: list(values)}
        that_ = () if that is None else (that,)
        table = self.sweep(text, that=that_, skip=True, inputs=asked, **options)
        column = measured_column(table, of)
        return Solution.of_table(table, input, column, goal, at_most is not None)

    def compare(self, *programs: str | Program | Odds, field: str | None = None) -> Comparison:
        """Several rolls in one chart, and how often each is higher than another."""
        return Comparison(
            tuple(
                one if isinstance(one, Odds) else self.odds(one, field=field) for one in programs
            )
        )

    def check(self, text: str) -> tuple[Diagnostic, ...]:
        """Everything that there is to say of a program, without an exception; nothing if it is fine."""
        _, data, _ = self._core.check(text)
        return Diagnostic.all_of(json.loads(data))

    def format(self, text: str) -> str:
        """The program in its canonical layout."""
        return self._core.layout(text)

    def convert(self, text: str, dialect: str | None = None) -> str:
        """Another tool's notation in our own; AnyDice's programs are known by their words, others by their `dialect`."""
        ours = _core.convert(text, dialect)
        if ours is not None:
            return ours
        if dialect is None:
            return self._core.layout(text).rstrip("\n")
        return self._core.converted(text, dialect)[0]

    def house(self, file: str) -> System:
        """The functions of one of the files, to be called from Python as those of a system are."""
        from .systems import System

        told = json.loads(self._core.documentation_of_file(file))
        return System(told, self, f'use "{file}"\n')

    def __repr__(self) -> str:
        return f"<Engine with {len(self._files)} files>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _engine, (self._files, self._system, self._house)


#: What a roll or a result is asked with, and is no input.
_OPTIONS = frozenset(
    ["seed", "number", "faces", "random", "threads", "until", "budget", "cancel", "inputs"]
)


def _engine(files: dict[str, str], system: str | None, house: str | None) -> Engine:
    """An engine that was pickled; that without house rules is there already."""
    if not files and system is None and house is None:
        return _USUAL
    return Engine(files, system=system, house=house)


def _is_axis(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


_USUAL = Engine()

compile = _USUAL.compile
odds = _USUAL.odds
results = _USUAL.results
roll = _USUAL.roll
sweep = _USUAL.sweep
solve = _USUAL.solve
compare = _USUAL.compare
check = _USUAL.check
format = _USUAL.format
convert = _USUAL.convert


def usual() -> Engine:
    """The engine without house rules."""
    return _USUAL
