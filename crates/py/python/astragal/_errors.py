"""Exceptions: what is wrong, where, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Cancelled", "Diagnostic", "Edit", "Label", "OverBudget", "ProgramError"]


@dataclass(frozen=True)
class Label:
    """A place in a text, in characters from its beginning, and what is to be said of it."""

    source: str
    start: int
    end: int
    line: int
    column: int
    text: str = ""


@dataclass(frozen=True)
class Edit:
    """What to write at a place instead."""

    place: Label
    replacement: str


@dataclass(frozen=True)
class Diagnostic:
    """One thing to be said of a program. The first label is the place that it is about."""

    severity: str
    code: str
    message: str
    labels: tuple[Label, ...]
    help: tuple[str, ...]
    edits: tuple[Edit, ...]

    @property
    def place(self) -> Label | None:
        """Where it is."""
        return self.labels[0] if self.labels else None

    @classmethod
    def all_of(cls, data: list[dict[str, Any]]) -> tuple[Diagnostic, ...]:
        """Diagnostics from their JSON."""
        return tuple(cls._of(one) for one in data)

    @classmethod
    def _of(cls, one: dict[str, Any]) -> Diagnostic:
        edits: list[Edit] = []
        for edit in one["edits"]:
            replacement = edit.pop("replacement")
            edits.append(Edit(Label(**edit), replacement))
        labels = tuple(Label(**label) for label in one["labels"])
        help_ = tuple(one["help"])
        return cls(one["severity"], one["code"], one["message"], labels, help_, tuple(edits))


class _Told:
    """What all exceptions about a program have. The message is drawn, with the line that it is about."""

    diagnostics: tuple[Diagnostic, ...]
    #: Of a sweep: at which values of the inputs.
    at: str | None = None

    def _keep(self, drawn: str, diagnostics: Sequence[Diagnostic]) -> None:
        self.drawn = drawn
        self.diagnostics = tuple(diagnostics)

    @property
    def code(self) -> str:
        """The code of the first diagnostic, such as `unknown-name`."""
        return self.diagnostics[0].code if self.diagnostics else ""

    @property
    def place(self) -> Label | None:
        """Where the first diagnostic is."""
        return self.diagnostics[0].place if self.diagnostics else None

    @property
    def help(self) -> tuple[str, ...]:
        """What the first diagnostic proposes."""
        return self.diagnostics[0].help if self.diagnostics else ()

    def __str__(self) -> str:
        return f"at {self.at}:\n{self.drawn}" if self.at else self.drawn


class ProgramError(_Told, ValueError):
    """The program is wrong."""

    def __init__(self, drawn: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(drawn, diagnostics)
        self._keep(drawn, diagnostics)


class OverBudget(_Told, Exception):
    """The program is right, and costs more than it may."""

    def __init__(self, drawn: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(drawn, diagnostics)
        self._keep(drawn, diagnostics)


class Cancelled(_Told, Exception):
    """Somebody has stopped the computation."""

    def __init__(self, drawn: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(drawn, diagnostics)
        self._keep(drawn, diagnostics)
