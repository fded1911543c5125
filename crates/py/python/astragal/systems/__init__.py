"""The built-in rule systems: `astragal.systems.cofd.action(7, again=9)` is a program, ready to be rolled and known.

>>> from astragal.systems import cofd
>>> cofd.action(7).odds(field="outcome")["success"] > 0.5
True

Every function has the words of its system's own file: `help(cofd.action)`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from .. import _core
from .._program import Program
from .._values import literal

if TYPE_CHECKING:
    from .._engine import Engine

    cofd: System
    crucible: System
    kaiser: System
    srd: System
    stormchaser: System

__all__ = ["Function", "System", "cofd", "crucible", "kaiser", "srd", "stormchaser"]  # pyright: ignore[reportUnsupportedDunderAll]


class _Written:
    """A default, shown as the system's file writes it; it is left to the file."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class Function:
    """A rule of a system. Called, it is a program."""

    def __init__(self, system: System, told: Mapping[str, Any]) -> None:
        self._system = system
        self._told = told
        self._names = {_python_name(one["name"]): one["name"] for one in told["parameters"]}
        self._rolls = {one["name"] for one in told["parameters"] if one["roll"]}
        self.__name__ = str(told["name"])
        self.__qualname__ = f"{system.name}.{self.__name__}"
        self.__doc__ = told["doc"]
        self.__signature__ = inspect.Signature(list(_parameters(told["parameters"])))

    def text(self, *arguments: Any, **named: Any) -> str:
        """The call as the language writes it: `cofd.action(7, again: 9)`."""
        bound = self.__signature__.bind(*arguments, **named)
        written = [
            f"{self._names[name]}: {self._argument(self._names[name], value)}"
            for name, value in bound.arguments.items()
        ]
        return f"{self._system.name}.{self.__name__}({', '.join(written)})"

    def _argument(self, name: str, value: Any) -> str:
        if isinstance(value, Program):
            return f"({value.text})"
        # A roll that is handed on unthrown is written, not quoted.
        if name in self._rolls and isinstance(value, str):
            return f"({value})"
        return literal(value)

    def __call__(self, *arguments: Any, **named: Any) -> Program:
        return self._system.compile(self.text(*arguments, **named))

    def __repr__(self) -> str:
        return f"<{self.__qualname__}{self.__signature__}>"


class System:
    """A rule system, or a file of house rules: its functions by their names."""

    def __init__(self, told: Mapping[str, Any], engine: Engine | None, before: str = "") -> None:
        self._engine = engine
        self._before = before
        #: Its name, as programs write it.
        self.name: str = told["name"]
        self._functions = {one["name"]: Function(self, one) for one in told["functions"]}
        #: The enumerations with their variants, in order.
        self.enumerations: dict[str, tuple[str, ...]] = {
            one["name"]: tuple(one["variants"]) for one in told["enumerations"]
        }
        self.__doc__ = told["doc"]

    def compile(self, text: str) -> Program:
        """A program in which the system is known."""
        if self._engine is None:
            from .._engine import usual

            return usual().compile(self._before + text)
        return self._engine.compile(self._before + text)

    def __getattr__(self, name: str) -> Function:
        functions: dict[str, Function] = self.__dict__.get("_functions", {})
        if name in functions:
            return functions[name]
        known = ", ".join(functions)
        raise AttributeError(f"the system has no function {name!r}: there are {known}")

    def __iter__(self) -> Iterator[Function]:
        return iter(self._functions.values())

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._functions]

    def __repr__(self) -> str:
        return f"<System {self.name}: {self.__doc__}>"


def _python_name(name: str) -> str:
    import keyword

    return f"{name}_" if keyword.iskeyword(name) else name


def _parameters(all_told: Sequence[Mapping[str, Any]]) -> Iterator[inspect.Parameter]:
    """As Python writes them: what must be said after something that may be left out is said by its name."""
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    optional = False
    for told in all_told:
        default = told["default"]
        if optional and default is None:
            kind = inspect.Parameter.KEYWORD_ONLY
        optional = optional or default is not None
        yield inspect.Parameter(
            _python_name(told["name"]),
            kind,
            default=inspect.Parameter.empty if default is None else _Written(default),
            annotation=inspect.Parameter.empty if told["type"] is None else told["type"],
        )


@cache
def _all() -> dict[str, System]:
    pages: dict[str, Any] = json.loads(_core.documentation())
    return {name: System(told, None) for name, told in pages.items()}


def __getattr__(name: str) -> System:
    systems = _all()
    if name in systems:
        return systems[name]
    raise AttributeError(f"there is no system {name!r}: there are {', '.join(systems)}")


def __dir__() -> list[str]:
    return [*globals(), *_all()]
