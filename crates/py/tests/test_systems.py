"""Systems and house rules, called from Python."""

import inspect
import pickle
from fractions import Fraction as F

import astragal as ag
import pytest
from astragal.systems import cofd


def test_a_rule_is_a_function_with_the_words_of_its_file():
    program = ag.systems.cofd.action(7)
    assert isinstance(program, ag.Program)
    assert program.odds(field="outcome") == ag.odds("cofd.action(7).outcome")
    assert cofd.action(7, again=9).odds(field="successes") == ag.odds("cofd.action(7, again: 9).successes")
    assert cofd.action(pool=7, again=9).text == "cofd.action(pool: 7, again: 9)"
    assert cofd.action.__doc__ and "Example" in cofd.pool.__doc__
    assert list(inspect.signature(cofd.pool).parameters)[:3] == ["attribute", "skill", "specialty"]
    assert cofd.pool(4, 3, specialty=True, penalties=[2]).odds()[6] == 1
    assert cofd.pool(4, 0, untrained="mental").odds()[1] == 1
    assert "exceptional_success" in cofd.enumerations["Outcome"]
    assert "action" in dir(cofd) and "cofd" in dir(ag.systems)
    assert pickle.loads(pickle.dumps(program)).text == program.text
    assert {system for system in ("cofd", "crucible", "kaiser", "srd", "stormchaser")} <= set(dir(ag.systems))


def test_what_there_is_not():
    with pytest.raises(AttributeError, match="action"):
        cofd.acton
    with pytest.raises(AttributeError, match="srd"):
        ag.systems.gurps
    with pytest.raises(TypeError):
        cofd.action(7, agian=9)
    with pytest.raises(ValueError):
        cofd.pool(4, 0, untrained='x" + 1d6 + "')


@pytest.mark.parametrize("name", ["cofd", "crucible", "kaiser", "srd", "stormchaser"])
def test_every_function_has_a_signature_and_examples_run(name):
    system = getattr(ag.systems, name)
    assert system.__doc__
    examples = 0
    for function in system:
        inspect.signature(function)
        for line in (function.__doc__ or "").splitlines():
            if line.strip().startswith("Example: "):
                ag.compile(line.strip().removeprefix("Example: ").rstrip("."))
                examples += 1
    assert examples > 0


HOUSE = "## Two dice, the better counts.\nfn lucky(sides = 20, bonus = 0) = 2d(sides)kh1 + bonus\nlet anna = {bonus: 7}"


def test_house_rules():
    engine = ag.Engine(files={"house.dice": HOUSE})
    assert engine.odds('use "house.dice"\nhouse.lucky()')[20] == F(39, 400)
    house = engine.house("house.dice")
    assert house.lucky.__doc__ == "Two dice, the better counts."
    assert house.lucky(6, bonus=1).odds()[7] == F(11, 36)
    opened = ag.Engine(files={"house.dice": HOUSE}, house="house.dice")
    assert opened.odds("lucky(6)")[6] == F(11, 36)
    assert opened.roll("lucky(6) + anna.bonus", faces=[2, 5]).value == 12
    assert ag.Engine(system="cofd").odds("action(7).outcome") == ag.odds("cofd.action(7).outcome")
    with pytest.raises(ValueError, match="cofd"):
        ag.Engine(system="gurps")
    with pytest.raises(ag.ProgramError):
        ag.odds('use "house.dice"\nhouse.lucky()')
    assert engine.sweep('use "house.dice"\nhouse.lucky(n)', n=[4, 6]).columns == ("mean", "deviation")
