"""Several rolls side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, overload

from . import _core, _html, _text

if TYPE_CHECKING:
    import pandas as pd

    from ._odds import Odds

__all__ = ["Comparison", "Duel"]


@dataclass(frozen=True)
class Duel:
    """Two rolls, thrown against each other."""

    first: str
    second: str
    first_higher: Fraction
    equal: Fraction
    second_higher: Fraction


class Comparison(Sequence["Odds"]):
    """Odds of the same type in one chart, and how often each is higher than another."""

    def __init__(self, odds: tuple[Odds, ...]) -> None:
        if len(odds) < 2:
            raise TypeError("there is nothing to compare with: give two programs")
        other = next((one for one in odds if one.type != odds[0].type), None)
        if other is not None:
            raise ValueError(
                f"`{odds[0].name}` is a {odds[0].type} and `{other.name}` is a {other.type}: "
                "they cannot be compared; `field=` chooses a part of a result"
            )
        self._odds = odds

    def _named(self) -> list[tuple[str, _core.Answer]]:
        return [(one.name, one._answer) for one in self._odds]

    @property
    def duels(self) -> tuple[Duel, ...]:
        """Each pair of numbers, thrown independently; none for what is no number."""
        found: list[Duel] = []
        for (first, one), (second, other) in combinations(self._named(), 2):
            chances = _core.duel(one, other)
            if chances is not None:
                found.append(Duel(first, second, *chances))
        return tuple(found)

    def __len__(self) -> int:
        return len(self._odds)

    @overload
    def __getitem__(self, index: int) -> Odds: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Odds]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._odds[index]

    def __iter__(self) -> Iterator[Odds]:
        return iter(self._odds)

    def to_pandas(self) -> pd.DataFrame:
        """A pandas data frame: the outcomes, and a column of chances for each roll."""
        import pandas as pd

        series = {
            one.name: pd.Series(one.chances(), index=pd.Index(one.outcomes())) for one in self._odds
        }
        frame = pd.DataFrame(series).fillna(0.0).sort_index()
        return frame.rename_axis("outcome").reset_index()

    def to_csv(self, path: str | None = None, *, view: str = "exactly") -> str:
        """Every outcome for a spreadsheet; written to a file, if there is a path."""
        text = _core.csv(self._named(), view)
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        return text

    def svg(
        self,
        *,
        view: str = "exactly",
        width: int | None = None,
        height: int | None = None,
        theme: str = "viewer",
    ) -> str:
        """A chart as SVG: see `Odds.svg`."""
        return _core.drawing(self._title(), self._named(), view, width, height, theme) or ""

    def plot(self, ax: Any = None, *, view: str = "exactly", **options: Any) -> Any:
        """Draws the chances with matplotlib, and gives the axes."""
        from ._plot import plot

        return plot([(one.name, one) for one in self._odds], ax, view, options)

    def _title(self) -> str:
        return " or ".join(one.name for one in self._odds)

    def _aside(self) -> list[str]:
        return [
            f"{duel.first} is higher: {_text.percent(duel.first_higher)}, equal: "
            f"{_text.percent(duel.equal)}, {duel.second} is higher: {_text.percent(duel.second_higher)}"
            for duel in self.duels
        ]

    def __str__(self) -> str:
        return _text.table(self._named(), self._aside())

    def __repr__(self) -> str:
        return f"<Comparison of {self._title()}>"

    def _repr_html_(self) -> str:
        return _html.odds(self._title(), self.svg(), self._named(), self._aside())

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        makers = {
            "text/plain": self.__str__,
            "text/html": self._repr_html_,
            "text/markdown": lambda: _text.markdown(self._named(), self._aside()),
            "image/svg+xml": self._repr_svg_,
        }
        return _html.bundle(makers, include, exclude)
