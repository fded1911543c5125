"""How a program in which somebody decides is best played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

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
    #: What best play comes to: a mean, or the chance of a yes.
    value: Fraction | None
    #: What is lost by always taking the same; none where that is not known.
    loss: Mapping[str, Fraction | None]

    @classmethod
    def all_of(cls, data: list[dict[str, Any]]) -> tuple[Choice, ...]:
        """Choices from their JSON."""
        return tuple(cls._of(one) for one in data)

    @classmethod
    def _of(cls, one: dict[str, Any]) -> Choice:
        rules = tuple(
            Rule(rule["when"], rule["take"], Fraction(rule["chance"])) for rule in one["rules"]
        )
        value = None if one["value"] is None else Fraction(one["value"])
        loss = {
            label: None if lost is None else Fraction(lost) for label, lost in one["loss"].items()
        }
        return cls(one["choice"], one["who"], rules, value, loss)
