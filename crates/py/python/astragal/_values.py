"""Values between Python and the language."""

from __future__ import annotations

import operator
import re
from array import array
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

__all__ = [
    "InputValue",
    "Record",
    "as_floats",
    "as_setting",
    "default_literal",
    "exactly",
    "literal",
    "settings",
]

#: What an input can be set to.
InputValue = int | bool | float | str | Fraction | Decimal | None


class Record(tuple[Any, ...]):
    """An outcome with named fields: `outcome.total`, `outcome["total"]`; otherwise a tuple of the values."""

    _names: tuple[str, ...]

    @classmethod
    def of(cls, names: tuple[str, ...], values: tuple[Any, ...]) -> Record:
        """A record with these fields."""
        made = cls(values)
        made._names = names
        return made

    def as_dict(self) -> dict[str, Any]:
        """The fields by their names."""
        return dict(zip(self._names, self, strict=True))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._names:
            raise AttributeError(f"the record has no field {name!r}: it has {', '.join(self._names)}")
        return super().__getitem__(self._names.index(name))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(key)
            return super().__getitem__(self._names.index(key))
        return super().__getitem__(key)

    def __reduce__(self) -> tuple[Any, ...]:
        return Record.of, (self._names, tuple(self))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}: {value!r}" for name, value in self.as_dict().items())
        return f"{{{fields}}}"


def exactly(number: Any) -> Fraction:
    """A number as a fraction; a float is what it is written as, so that 0.1 is a tenth."""
    if isinstance(number, int | Fraction | Decimal):
        return Fraction(number)
    if isinstance(number, str):
        return _read(number)
    if hasattr(number, "__index__"):
        return Fraction(operator.index(number))
    if isinstance(number, float):
        return Fraction(repr(float(number)))
    if hasattr(number, "numerator") and hasattr(number, "denominator"):
        return Fraction(int(number.numerator), int(number.denominator))
    if hasattr(number, "__float__"):
        return Fraction(str(number))
    raise TypeError(f"{number!r} is no number")


def _read(text: str) -> Fraction:
    """`13/20`, `0.65`, `65%`, `1 in 20`."""
    text = text.strip()
    if text.endswith("%"):
        return Fraction(text[:-1].strip()) / 100
    some, among, all_ = text.partition(" in ")
    return Fraction(some) / Fraction(all_) if among else Fraction(text)


def as_floats(numbers: bytes) -> list[float]:
    """64-bit floats in the machine's order."""
    floats = array("d")
    floats.frombytes(numbers)
    return floats.tolist()


def as_setting(value: Any) -> str:
    """A value of an input, as the engine reads it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "true" if value else "false"
    if value is None:
        return "none"
    return str(exactly(value))


def settings(values: Mapping[str, Any] | None) -> list[tuple[str, str]] | None:
    """The values of inputs, as the engine reads them."""
    if not values:
        return None
    return [(name, as_setting(value)) for name, value in values.items()]


_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(/\d+)?")


def default_literal(value: Any) -> str:
    """What a declared input has by default, which tells its type; its value is set apart."""
    if isinstance(value, str):
        text = value.strip()
        if text in ("true", "false", "yes", "no"):
            return "true"
        if _NUMBER.fullmatch(text):
            return "0"
        return '"' + re.sub(r'["\\{}\n]', "", value) + '"'
    text = as_setting(value)
    return text if text in ("true", "false") else "0"


def literal(value: Any) -> str:
    """A value as a program writes it."""
    if isinstance(value, str):
        if re.search(r'["\\{}\n]', value):
            raise ValueError(f"{value!r} has characters that a text in a program cannot have")
        return f'"{value}"'
    if isinstance(value, Record):
        value = value.as_dict()
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        return "{" + ", ".join(f"{name}: {literal(of)}" for name, of in fields.items()) + "}"
    if isinstance(value, list | tuple | range):
        items = cast("list[Any]", value)
        return "[" + ", ".join(literal(item) for item in items) + "]"
    text = as_setting(value)
    return f"({text})" if "/" in text else text
