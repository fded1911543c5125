"""Every block of the pages and of the package's own words is run."""

import doctest
import importlib
import pkgutil
import re
from fractions import Fraction
from pathlib import Path

import astragal
import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "crates/py/README.md", ROOT / "book/src/python.md"]
IDIOMS = ROOT / "book/src/python/from-icepool-and-dyce.md"


def blocks(path):
    return re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_examples_give_what_stands_there(path):
    text = "\n".join(block for block in blocks(path) if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert len(test.examples) > 5
    found = doctest.DocTestRunner().run(test)
    assert found.failed == 0


def test_the_first_lines_lead_to_a_chart():
    for path in PAGES:
        lines = [line for line in blocks(path)[0].splitlines() if line.strip()]
        assert len(lines) <= 3
        names = {}
        exec("\n".join(lines[:-1]), names)
        assert "<img" in eval(lines[-1], names)._repr_html_()


def modules():
    yield astragal
    for found in pkgutil.walk_packages(astragal.__path__, "astragal."):
        if found.name not in ("astragal._core",):
            yield importlib.import_module(found.name)


def test_the_words_of_the_package():
    found = [doctest.testmod(module) for module in modules()]
    assert sum(one.attempted for one in found) > 3
    assert sum(one.failed for one in found) == 0


PREAMBLE, *EACH = blocks(IDIOMS)


def as_fractions(die):
    """Chances of icepool's or dyce's, by outcome."""
    weights = {plain(outcome): count for outcome, count in die.items() if count}
    total = sum(weights.values())
    return {outcome: Fraction(weight, total) for outcome, weight in weights.items()}


def plain(outcome):
    return tuple(outcome) if type(outcome).__name__ in ("Vector", "tuple") else outcome


@pytest.mark.parametrize("block", EACH, ids=range(len(EACH)))
def test_idioms_have_the_same_chances(block):
    names = {}
    exec(PREAMBLE, names)
    exec(block, names)
    assert as_fractions(names["theirs"]) == dict(names["ours"])


def test_there_are_idioms_of_both():
    text = "\n".join(EACH)
    assert len(EACH) >= 30 and text.count("H(") + text.count("P(") >= 8


def test_every_public_name_is_documented():
    page = PAGES[1].read_text() + PAGES[0].read_text()
    missing = [name for name in astragal.__all__ if not getattr(astragal, name).__doc__]
    assert missing == ["__version__"] or not missing
    for name in ["odds", "compile", "roll", "sweep", "solve", "compare", "results", "convert", "Engine", "Budget", "Cancel", "sweep_rows"]:
        assert f"ag.{name}" in page, name
