"""A program that uses the package as its types say. It is checked, and not run."""

from fractions import Fraction

import astragal as ag
from astragal.systems import cofd

odds: ag.Odds = ag.odds("4d6kh3")
chance: Fraction = odds[18] + odds.at_least(15) + odds.mean
median: int | Fraction = odds.median
sd: float = odds.sd
roll: ag.Roll = ag.roll("4d6kh3", seed=7)
rolls: ag.Rolls = ag.roll("4d6kh3", times=3)
faces = [die.face for die in roll.dice if die.kept]
program: ag.Program = ag.compile("d20 + bonus >= dc", bonus=3, dc=15)
table: ag.Table = ag.sweep(program, bonus=range(11), dc=range(10, 26))
size: int = table.to_numpy().size
names: list[str] = list(odds.to_pandas().columns)
solution: ag.Solution = ag.solve(program, "dc", at_least="2/3")
duels: tuple[ag.Duel, ...] = ag.compare("3d6", "2d10").duels
action: ag.Program = cofd.action(7, again=9)
engine = ag.Engine(files={"house.dice": "fn lucky() = 2d20kh1"})
both: dict[str, ag.Odds] = engine.results('show "a" = d6; show "b" = 2d6')
try:
    ag.odds("3d6", budget=ag.Budget(10), cancel=ag.Cancel())
except ag.ProgramError as error:
    place = error.place
    where: int = place.line if place is not None else 0
except (ag.OverBudget, ag.Cancelled) as stopped:
    words: str = str(stopped)
