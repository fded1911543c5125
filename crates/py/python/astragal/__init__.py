"""One dice language: roll it, or know its exact odds.

>>> import astragal as ag
>>> odds = ag.odds("4d6kh3")
>>> odds[18], odds.at_least(15)
(Fraction(7, 432), Fraction(25, 108))
>>> str(ag.roll("4d6kh3", faces=[3, 6, 2, 5]))
'4d6 keep highest 3: 3 6 (2) 5 = 14'

In a notebook odds, comparisons and sweeps show themselves as charts and tables.
"""

from . import systems
from ._compare import Comparison, Duel
from ._core import Budget, Cancel, __version__
from ._engine import (
    Engine,
    check,
    compare,
    compile,
    convert,
    format,
    odds,
    results,
    roll,
    solve,
    sweep,
)
from ._errors import Cancelled, Diagnostic, Edit, Label, OverBudget, ProgramError
from ._magic import load_ipython_extension
from ._odds import Odds
from ._policy import Choice, Rule
from ._program import Input, Program
from ._roll import Die, Roll, Rolls, Step
from ._rows import sweep_rows
from ._solution import Solution
from ._table import Table
from ._values import Record

__all__ = [
    "Budget",
    "Cancel",
    "Cancelled",
    "Choice",
    "Comparison",
    "Diagnostic",
    "Die",
    "Duel",
    "Edit",
    "Engine",
    "Input",
    "Label",
    "Odds",
    "OverBudget",
    "Program",
    "ProgramError",
    "Record",
    "Roll",
    "Rolls",
    "Rule",
    "Solution",
    "Step",
    "Table",
    "__version__",
    "check",
    "compare",
    "compile",
    "convert",
    "format",
    "load_ipython_extension",
    "odds",
    "results",
    "roll",
    "solve",
    "sweep",
    "sweep_rows",
    "systems",
]
