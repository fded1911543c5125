"""Odds as plain text and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from . import _core

__all__ = ["markdown", "percent", "readable", "table"]

_BAR = 32
_EIGHTHS = " ▏▎▍▌▋▊▉"
#: A fraction with more digits than this is told as a decimal.
_LONGEST = 14

Named = Sequence[tuple[str, _core.Answer]]


def percent(chance: Fraction) -> str:
    """`41.67%`"""
    return f"{float(chance * 100):.2f}%"


def readable(number: Fraction) -> str:
    """`12.2446 (15869/1296)`, or without the fraction if that is long."""
    if number.denominator == 1:
        return str(number.numerator)
    shown = f"{float(number):.6g}"
    text = f"{number.numerator}/{number.denominator}"
    return f"{shown} ({text})" if len(text) <= _LONGEST else shown


def _bar(share: float) -> str:
    eighths = round(share * _BAR * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def table(answers: Named, aside: Sequence[str]) -> str:
    """A line a row, with bars for the only answer."""
    rows, _, head, _, left_out = _core.rows(list(answers), "exactly", False)
    most = max((cell[1] for _, cells, _ in rows for cell in cells), default=1.0) or 1.0
    lines: list[list[str]] = []
    if len(answers) > 1:
        lines.append(["", *(name for name, _ in answers)])
    elif head:
        lines.append(["", "", head])
    for label, cells, beside in rows:
        line = [label, *(cell[0] for cell in cells)]
        if len(answers) == 1:
            line += [*([beside] if head else []), _bar(cells[0][1] / most)]
        lines.append(line)
    text = _aligned(lines)
    if left_out:
        text.append(f"{left_out} more outcomes")
    return "\n".join([*text, *aside])


def _aligned(lines: list[list[str]]) -> list[str]:
    count = max((len(line) for line in lines), default=0)
    full = [line + [""] * (count - len(line)) for line in lines]
    widths = [max(len(line[at]) for line in full) for at in range(count)]
    bars = 1 if count and any("█" in line[-1] or "▏" in line[-1] for line in full) else 0
    return [
        "  ".join(
            cell.ljust(width) if at >= count - bars else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in full
    ]


def markdown(answers: Named, aside: Sequence[str]) -> str:
    """A table in Markdown."""
    rows, of, head, _, left_out = _core.rows(list(answers), "exactly", False)
    names = [name or of for name, _ in answers]
    heads = ["outcome", *names, *([head] if head and len(answers) == 1 else [])]
    lines = [_cells(heads), _cells(["---:"] * len(heads))]
    for label, cells, beside in rows:
        line = [label, *(cell[0] for cell in cells)]
        lines.append(_cells([*line, beside] if head and len(answers) == 1 else line))
    if left_out:
        lines += ["", f"{left_out} more outcomes"]
    return "\n".join([*lines, "", *(f"{line}  " for line in aside)])


def _cells(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
