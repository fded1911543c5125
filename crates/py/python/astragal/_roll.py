"""Rolls: one with everything that happened, or a great many for their values."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast, overload

from . import _core, _html
from ._values import exactly, settings

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._program import Program

__all__ = ["Die", "Roll", "Rolls", "Step", "drawer", "written"]


@dataclass(frozen=True)
class Die:
    """One die that was thrown."""

    id: int
    sides: int
    #: What it shows.
    face: Any
    #: What it counts.
    value: Any
    #: What became of it: `kept`, `dropped`, `rerolled`, `exploded`, `clamped`, `counted`.
    fate: tuple[str, ...]
    #: The die that it was thrown for, if another one exploded or was rerolled.
    came_from: int | None
    label: str | None

    @property
    def kept(self) -> bool:
        """Whether it counts in the end."""
        return "kept" in self.fate or "counted" in self.fate


@dataclass(frozen=True)
class Step:
    """One thing that happened, in words, and what came of it."""

    text: str
    value: Any


class Roll:
    """One roll: its value, and everything that happened. `str(roll)` explains it."""

    def __init__(self, roll: _core.Roll, seed: int | None, number: int | None) -> None:
        self._roll = roll
        #: With these two the roll can be made again: `program.roll(seed=…, number=…)`; one of many has no number.
        self.seed = seed
        self.number = number

    @cached_property
    def value(self) -> Any:
        """What was rolled."""
        return self._roll.value()

    @cached_property
    def text(self) -> str:
        """What happened, a line a step."""
        return self._roll.explain()

    @cached_property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self._roll.json())
        return data

    @property
    def dice(self) -> tuple[Die, ...]:
        """Every die that was thrown, in order."""
        return tuple(
            Die(
                die["id"],
                die["sides"],
                die["face"],
                die["value"],
                tuple(die["fate"]),
                die["from"],
                die["label"],
            )
            for die in self._data["dice"]
        )

    @property
    def steps(self) -> tuple[Step, ...]:
        """What happened, step by step."""
        return tuple(Step(step["text"], step["value"]) for step in self._data["steps"])

    @property
    def labels(self) -> dict[str, Any]:
        """What dice with a label come to: `2d6[fire]`."""
        labels: dict[str, Any] = self._data["labels"]
        return labels

    @property
    def notices(self) -> tuple[str, ...]:
        """What the program says besides."""
        return tuple(self._data["notices"])

    def json(self) -> dict[str, Any]:
        """The whole roll in the shape of Astragal's JSON."""
        return self._data

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Roll {self.value!r}: {self.text.splitlines()[0] if self.text else ''}>"

    def _repr_html_(self) -> str:
        return _html.roll(self.text, self.value)


class Rolls(Sequence[Any]):
    """The values of many rolls of one seed. `numpy.asarray(rolls)` is an array of them."""

    def __init__(
        self,
        program: Program,
        inputs: Mapping[str, Any] | None,
        seed: int,
        kind: str,
        values: bytes | list[Any],
    ) -> None:
        self._program = program
        self._inputs = inputs
        self._kind = kind
        self._values = values
        #: What they were rolled from.
        self.seed = seed

    @cached_property
    def _list(self) -> Sequence[Any]:
        if isinstance(self._values, list):
            return self._values
        if self._kind == "whole":
            return array("q", self._values)
        return [bool(byte) for byte in self._values]

    def __len__(self) -> int:
        if isinstance(self._values, list):
            return len(self._values)
        return len(self._values) // (8 if self._kind == "whole" else 1)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._list[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._list)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        array = self.to_numpy()
        if dtype is not None:
            array = array.astype(dtype)
        return array.copy() if copy else array

    def to_numpy(self) -> npt.NDArray[Any]:
        """A numpy array: of `int64`, of `bool`, or of objects. It is read only where nothing was copied."""
        import numpy as np

        if isinstance(self._values, list):
            found = np.empty(len(self._values), dtype=object)
            found[:] = self._values
            return found
        return np.frombuffer(self._values, dtype=np.int64 if self._kind == "whole" else np.bool_)

    def counts(self) -> Counter[Any]:
        """How often each value came up."""
        return Counter(self._list)

    def explain(self, index: int) -> Roll:
        """One of them again, with everything that happened."""
        place = range(len(self))[index]
        core = self._program._core
        roll = _core.roll_of_many(core, settings(self._inputs), self.seed, place)
        return Roll(roll, self.seed, None)

    def __repr__(self) -> str:
        shown = ", ".join(repr(value) for value in self[:8])
        more = ", …" if len(self) > 8 else ""
        return f"<{len(self)} rolls of seed {self.seed}: {shown}{more}>"


def written(faces: Sequence[Any]) -> list[tuple[bool, str]]:
    """Faces as the engine reads them."""
    return [
        (True, face) if isinstance(face, str) else (False, str(exactly(face))) for face in faces
    ]


def drawer(random: Any) -> Callable[[int], int]:
    """A function that draws a whole number below another, from whatever can: `random.Random`, a numpy `Generator`, a function."""
    if hasattr(random, "randrange"):
        draw: Callable[[int], int] = random.randrange
        return draw
    if hasattr(random, "integers"):
        return lambda count: int(random.integers(count))
    if callable(random):
        return cast("Callable[[int], int]", random)
    raise TypeError(f"{random!r} is no random source: give a `random.Random`, or a function `f(n)`")
