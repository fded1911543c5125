"""What a notebook shows. Pictures are images of their own, so that their styles stay theirs; tables need no styles."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from . import _core

__all__ = ["bundle", "odds", "picture", "roll", "table"]

Named = Sequence[tuple[str, _core.Answer]]

_RIGHT = ' style="text-align:right"'
_LEFT = ' style="text-align:left"'


def picture(svg: str, title: str) -> str:
    """A drawing as an image."""
    if not svg:
        return ""
    data = base64.b64encode(svg.encode()).decode()
    return (
        f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(title)}" '
        'style="max-width:100%;height:auto">'
    )


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """A table; the first columns are texts, the others numbers."""

    def cells(tag: str, line: Sequence[str]) -> str:
        styled = ((_LEFT if at < texts else _RIGHT, cell) for at, cell in enumerate(line))
        return "".join(f"<{tag}{style}>{escape(cell)}</{tag}>" for style, cell in styled)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', heads)}</tr></thead><tbody>{body}</tbody></table>"


def odds(title: str, svg: str, answers: Named, aside: Sequence[str]) -> str:
    """The chart, what is known of the whole, and the table, which opens."""
    rows, of, head, numbers, left_out = _core.rows(list(answers), "exactly", False)
    single = len(answers) == 1
    heads = ["outcome"]
    for name, _ in answers:
        heads += [name or of, "exactly"] if single else [name]
    if head and single:
        heads.append(head)
    lines: list[list[str]] = []
    for label, cells, beside in rows:
        line = [label]
        for shown, _, fraction in cells:
            line += [shown, fraction] if single else [shown]
        if head and single:
            line.append(beside)
        lines.append(line)
    below = [*aside, *([f"{left_out} more outcomes"] if left_out else [])]
    words = "".join(f"<div>{escape(line)}</div>" for line in below)
    body = table(heads, lines, 0 if numbers else 1)
    return (
        f"<div>{picture(svg, title)}{words}"
        f"<details><summary>table</summary>{body}</details></div>"
    )


def roll(text: str, value: Any) -> str:
    """A roll, with its value first."""
    lines = "<br>".join(escape(line) for line in text.splitlines())
    return f"<div><strong>{escape(str(value))}</strong><br>{lines}</div>"


def bundle(
    makers: Mapping[str, Callable[[], str]], include: Any = None, exclude: Any = None
) -> dict[str, str]:
    """What a notebook asks for, and no more."""
    wanted = [
        kind
        for kind in makers
        if (not include or kind in include) and not (exclude and kind in exclude)
    ]
    made = ((kind, makers[kind]()) for kind in wanted)
    return {kind: text for kind, text in made if text}
