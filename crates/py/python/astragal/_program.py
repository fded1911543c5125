"""A checked program and its two readings."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from . import _core
from ._errors import Diagnostic
from ._odds import Odds
from ._roll import Roll, Rolls, drawer, written
from ._values import exactly, settings

if TYPE_CHECKING:
    from ._core import Budget, Cancel
    from ._engine import Engine

__all__ = ["Input", "Program", "as_budget"]

#: A program whose text is longer is shown by its beginning.
_LONGEST_TITLE = 60
#: Eight bytes each.
_MOST_ROLLS = 200_000_000


@dataclass(frozen=True)
class Input:
    """An input of a program, declared by `param`."""

    name: str
    type: str
    doc: str | None
    #: The value that was set; none: the default counts.
    value: Any


class Program:
    """A checked program. It can be shared by threads, pickled, rolled and computed as often as one likes."""

    __slots__ = ("_core", "_dialect", "_inputs", "_text", "engine")

    def __init__(
        self, core: _core.Program, engine: Engine, text: str, inputs: dict[str, Any], dialect: str | None
    ) -> None:
        self._core = core
        self._text = text
        self._inputs = inputs
        self._dialect = dialect
        #: What it was compiled by.
        self.engine = engine

    @property
    def text(self) -> str:
        """The text that it was compiled from."""
        return self._text

    @property
    def title(self) -> str:
        """The text on one line, for a chart."""
        line = " ".join(self._text.split())
        return line if len(line) <= _LONGEST_TITLE else line[: _LONGEST_TITLE - 1] + "…"

    @property
    def type(self) -> str:
        """The type of the result, as the language writes it."""
        told = self._core.results()
        if len(told) == 1:
            return told[0][1]
        return "{" + ", ".join(f"{name or 'result'}: {type_}" for name, type_ in told) + "}"

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the result, if it is a record."""
        return tuple(self._core.fields())

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Its inputs."""
        return tuple(Input(*told) for told in self._core.inputs())

    @property
    def decides(self) -> bool:
        """Whether somebody decides in it."""
        return self._core.decides()

    @property
    def hints(self) -> tuple[Diagnostic, ...]:
        """What may be meant otherwise, although the program runs."""
        return Diagnostic.all_of(json.loads(self._core.hints()))

    def set(self, **inputs: Any) -> Program:
        """The same program with other values of its inputs."""
        core = self._core.with_settings(settings(inputs))
        return Program(core, self.engine, self._text, {**self._inputs, **inputs}, self._dialect)

    def odds(
        self,
        *,
        field: str | None = None,
        until: float | None = None,
        budget: Budget | int | None = None,
        cancel: Cancel | None = None,
        inputs: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> Odds:
        """The exact distribution of the result, or of one field of it; inputs are set by name.

        Endless outcomes are listed at least up to `until`. Inputs whose names are taken here are set by `inputs`.
        """
        values = {**inputs, **values} if inputs else values
        path = field.split(".") if field else None
        upto = None if until is None else str(exactly(until))
        answers = self._core.odds(
            settings(values), path, upto, False, as_budget(budget), cancel
        )
        if len(answers) > 1:
            names = ", ".join(repr(answer.name) for answer in answers)
            raise ValueError(f"the program has {len(answers)} results: ask `results()` for {names}")
        return Odds(self, answers[0], values or None)

    def results(
        self,
        *,
        until: float | None = None,
        budget: Budget | int | None = None,
        cancel: Cancel | None = None,
        inputs: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> dict[str, Odds]:
        """The exact distribution of each result by the name after its `show`; the only one without a name is `result`."""
        values = {**inputs, **values} if inputs else values
        upto = None if until is None else str(exactly(until))
        answers = self._core.odds(settings(values), None, upto, False, as_budget(budget), cancel)
        return {answer.name or "result": Odds(self, answer, values or None) for answer in answers}

    def field_odds(
        self,
        *,
        until: float | None = None,
        budget: Budget | int | None = None,
        cancel: Cancel | None = None,
        inputs: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> dict[str, Odds]:
        """The exact distribution of each field of a record by itself."""
        values = {**inputs, **values} if inputs else values
        upto = None if until is None else str(exactly(until))
        answers = self._core.odds(settings(values), None, upto, True, as_budget(budget), cancel)
        return {".".join(answer.field): Odds(self, answer, values or None) for answer in answers}

    @overload
    def roll(
        self,
        *,
        seed: int | None = None,
        number: int = 0,
        faces: Sequence[Any] | None = None,
        random: Any = None,
        times: None = None,
        threads: int | None = None,
        inputs: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> Roll: ...
    @overload
    def roll(
        self,
        *,
        seed: int | None = None,
        number: int = 0,
        faces: Sequence[Any] | None = None,
        random: Any = None,
        times: int,
        threads: int | None = None,
        inputs: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> Rolls: ...
    def roll(
        self,
        *,
        seed: int | None = None,
        number: int = 0,
        faces: Sequence[Any] | None = None,
        random: Any = None,
        times: int | None = None,
        threads: int | None = None,
        inputs: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> Roll | Rolls:
        """Rolls it once, or so many times; inputs are set by name.

        Faces come from a `seed` (and the `number` of the roll, from 0), from a list of `faces`, or from a `random` source: a
        `random.Random`, a numpy `Generator`, or a function that is given `n` and gives a whole number from 0 to
        `n - 1`. Without any of them a seed is drawn, and the roll knows it. So many rolls are made on all cores, or on as
        many `threads` as are allowed.
        """
        values = {**inputs, **values} if inputs else values
        given = settings(values)
        if sum(source is not None for source in (seed, faces, random)) > 1:
            raise TypeError("faces come from one of `seed`, `faces` and `random`")
        if times is not None:
            if faces is not None or random is not None or number:
                raise TypeError("many rolls come from a `seed`")
            if not 0 <= times <= _MOST_ROLLS:
                raise ValueError(f"so many rolls do not fit into memory: at most {_MOST_ROLLS:,}")
            seed = _seed(seed)
            kind, rolled = _core.rolls(self._core, given, seed, times, threads)
            return Rolls(self, values or None, seed, kind, rolled)
        if faces is not None:
            return Roll(_core.roll_faces(self._core, given, written(faces)), None, None)
        if random is not None:
            return Roll(_core.roll_drawn(self._core, given, drawer(random)), None, None)
        seed = _seed(seed)
        return Roll(_core.roll_seeded(self._core, given, seed, number), seed, number)

    def __repr__(self) -> str:
        set_ = "".join(f", {name}={value!r}" for name, value in self._inputs.items())
        return f"<Program {self.title!r}{set_}: {self.type}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.engine, self._text, self._inputs, self._dialect)


def _again(engine: Engine, text: str, inputs: dict[str, Any], dialect: str | None) -> Program:
    """A program that was pickled."""
    return engine.compile(text, inputs=inputs, dialect=dialect)


def _seed(seed: int | None) -> int:
    if seed is None:
        return int.from_bytes(os.urandom(8), "little")
    if not 0 <= seed < 2**64:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    return seed


def as_budget(budget: Budget | int | None) -> Budget | None:
    """A number is so many steps."""
    return _core.Budget(budget) if isinstance(budget, int) else budget
