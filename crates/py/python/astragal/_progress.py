"""How far a long sweep is, told on standard error once it takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

__all__ = ["teller"]

_PATIENCE = 0.5

Progress = Callable[[int, int], object] | bool | None


def teller(wanted: Progress) -> tuple[Callable[[int, int], object] | None, Callable[[], None]]:
    """Whom to tell, and what to do in the end. By itself it speaks to terminals and notebooks only."""
    if callable(wanted):
        return wanted, _nothing
    if wanted is False or wanted is None and not (sys.stderr.isatty() or _in_notebook()):
        return None, _nothing
    begun = time.monotonic()
    told = ""

    def tell(done: int, all_: int) -> None:
        nonlocal told
        passed = time.monotonic() - begun
        if passed < _PATIENCE:
            return
        left = passed * (all_ - done) / done if done else 0.0
        told = f"{done:,} of {all_:,} points, {left:.0f} s to go"
        print(f"\r{told}", end="", file=sys.stderr, flush=True)

    def end() -> None:
        if told:
            print("\r" + " " * (len(told) + 4) + "\r", end="", file=sys.stderr, flush=True)

    return tell, end


def _nothing() -> None:
    """There is nothing to wipe away."""


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
