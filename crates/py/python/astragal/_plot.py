"""Charts by matplotlib, for those who want to go on drawing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._odds import Odds

__all__ = ["plot"]


def plot(named: Sequence[tuple[str, Odds]], ax: Any, view: str, options: dict[str, Any]) -> Any:
    """Bars beside each other, one colour for each roll."""
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots()[1]  # pyright: ignore[reportUnknownMemberType]
    numbers = all(_are_numbers(odds) for _, odds in named)
    places: dict[Any, float] = {}
    width = 0.8 / len(named)
    for at, (name, odds) in enumerate(named):
        chances = [100 * chance for chance in _seen(odds, view)]
        outcomes = list(odds)
        if numbers:
            across = [float(outcome) for outcome in outcomes]
        else:
            across = [places.setdefault(outcome, float(len(places))) for outcome in outcomes]
        shift = (at - (len(named) - 1) / 2) * width
        settings = {"width": width, "label": name, **options}
        ax.bar([place + shift for place in across], chances, **settings)
    if not numbers:
        ax.set_xticks(list(places.values()), [str(outcome) for outcome in places])
    ax.set_ylabel("chance in %" if view == "exactly" else f"{view}, in %")
    if len(named) > 1:
        ax.legend()
    else:
        ax.set_title(named[0][0])
    return ax


def _are_numbers(odds: Odds) -> bool:
    return all(not isinstance(outcome, bool | str | tuple) and outcome is not None for outcome in odds)


def _seen(odds: Odds, view: str) -> list[float]:
    """The chances as a view sees them: of an outcome, of it or more, of it or less."""
    if view == "exactly" or not _are_numbers(odds):
        return [float(chance) for chance in odds.chances()]
    exact = list(odds.values())
    if view == "at most":
        return [float(chance) for chance in accumulate(exact)]
    if view == "at least":
        return [float(1 - upto + own) for upto, own in zip(accumulate(exact), exact, strict=True)]
    raise ValueError(f"`{view}` is no view: there are `exactly`, `at least` and `at most`")
