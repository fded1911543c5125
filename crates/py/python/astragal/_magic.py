"""`%load_ext astragal`, then `%%astragal` before a cell that is a program."""

from __future__ import annotations

from typing import Any

__all__ = ["load_ipython_extension"]


def load_ipython_extension(ipython: Any) -> None:
    """Registers the magic: `%%astragal` shows the odds of a cell, `%%astragal roll` rolls it."""

    def astragal(line: str, cell: str | None = None) -> Any:
        from ._engine import odds, roll

        words = line.split()
        text = line if cell is None else cell
        if cell is not None and words[:1] == ["roll"]:
            return roll(text)
        return odds(text)

    ipython.register_magic_function(astragal, "line_cell", "astragal")
