"""How a program in which somebody decides is best played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

__all__ = ["Choice", "Rule"]


@dataclass(frozen=True)
class Rule:
    """What to take when."""

    #: In words: `first 1 to 10`.
    when: str
    #: What is best then.
    take: str
    #: How often best play comes to this.
    chance: Fraction


@dataclass(frozen=True)
class Choice:
    """What somebody has to choose, and how."""

    #: `keep or throw again`
    choice: str
    #: `player` or `opponent`
    who: str
    rules: tuple[Rule, ...]
    #: What best play comes to: a mean, or the chance of a yes; two bounds where it is not known exactly.
    value: Fraction | tuple[Fraction, Fraction] | None
    #: What is lost by always taking the same: `infinite` if that is more than any number, `endless` if such a play
    #: never ends; none where it is not known.
    loss: Mapping[str, Fraction | str | None]

    @classmethod
    def all_of(cls, data: list[dict[str, Any]]) -> tuple[Choice, ...]:
        """Choices from their JSON."""
        return tuple(cls._of(one) for one in data)

    @classmethod
    def _of(cls, one: dict[str, Any]) -> Choice:
        rules = tuple(
            Rule(rule["when"], rule["take"], Fraction(rule["chance"])) for rule in one["rules"]
        )
        loss = {
            label: lost if lost in (None, "infinite", "endless") else Fraction(lost)
            for label, lost in one["loss"].items()
        }
        return cls(one["choice"], one["who"], rules, _quantity(one["value"]), loss)


def _quantity(told: Any) -> Fraction | tuple[Fraction, Fraction] | None:
    """A fraction, or the bounds within which it lies."""
    if isinstance(told, dict):
        bounds = cast("dict[str, str]", told)
        return Fraction(bounds["from"]), Fraction(bounds["to"])
    return None if told is None else Fraction(told)
