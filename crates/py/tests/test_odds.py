"""Odds: mappings of exact chances, and what can be asked of them."""

import math
import pickle
from fractions import Fraction as F

import astragal as ag
import numpy as np
import pytest

#: One may throw again, once.
AGAIN = 'maximise do let first = d20; choose "keep" => first; "throw again" => d20 end end'


def test_a_mapping_of_outcomes_to_fractions():
    odds = ag.odds("4d6kh3")
    assert len(odds) == 16
    assert list(odds) == list(range(3, 19))
    assert odds[18] == F(7, 432) and isinstance(odds[18], F)
    assert sum(odds.values()) == 1
    assert 2 not in odds and 18 in odds
    assert odds.get(2, 0) == 0
    assert dict(odds) == odds.to_dict()
    with pytest.raises(KeyError):
        odds[19]
    with pytest.raises(KeyError):
        odds["crit"]


def test_what_is_known_of_the_whole():
    odds = ag.odds("4d6kh3")
    assert odds.mean == F(15869, 1296)
    assert odds.sd == math.sqrt(odds.variance)
    assert odds.median == 12
    assert odds.quantile(0.95) == odds.quantile("95%") == odds.quantile(F(95, 100)) == 17
    assert odds.at_least(15) == F(25, 108)
    assert odds.at_most(4) == F(5, 1296)
    assert odds.chance_of(">= 15") == odds.at_least(15)
    assert odds.chance_of(2) == 0
    assert odds.rest == 0 and odds.exact and odds.lost == 0 and odds.evidence is None
    assert odds.type == "number" and odds.name == "4d6kh3"


def test_yes_and_no_variants_texts_lists():
    assert ag.odds("d20 + 5 >= 15").chance == F(11, 20)
    with pytest.raises(ValueError, match="not a yes or no"):
        ag.odds("d6").chance
    outcome = ag.odds("cofd.action(pool).outcome", pool=7)
    assert set(outcome) <= {"dramatic_failure", "failure", "success", "exceptional_success"}
    assert outcome.chance_of("success") == outcome["success"]
    with pytest.raises(ValueError, match="no numbers"):
        outcome.mean
    assert ag.odds("[d2, d2]")[1, 2] == F(1, 4)
    assert ag.odds("d6 / 4")[F(3, 4)] == F(1, 6)


def test_moments_of_loops_that_multiply():
    stress = ag.odds("(repeat with m = 1, f = d10 next m = m * 2, f = d10 until f > 1).m")
    assert stress.mean == F(9, 4) and "mean 2.25" in str(stress)
    petersburg = ag.odds("(repeat with m = 1, f = d2 next m = m * 2, f = d2 until f > 1).m")
    with pytest.raises(ValueError, match="infinite"):
        petersburg.mean
    assert repr(petersburg).startswith("<Odds of")
    with pytest.raises(ValueError, match="beyond the list"):
        petersburg.at_least(4)


def test_inputs_are_set_by_name_declared_or_not():
    assert ag.odds("param ac = 15; d20 + 5 >= ac", ac=18).chance == F(2, 5)
    assert ag.odds("d20 + bonus >= ac", bonus=5, ac=18).chance == F(2, 5)
    program = ag.compile("d20 + bonus >= ac", bonus=5, ac=18)
    assert program.odds(ac=15).chance == F(11, 20)
    assert program.odds().chance == F(2, 5), "a program stays as it is"
    assert program.set(ac=1).odds().chance == 1
    assert [one.name for one in program.inputs] == ["bonus", "ac"]
    assert [one.value for one in program.inputs] == [5, 18]
    assert ag.odds("d20 + seed", inputs={"seed": 3}).mean == F(27, 2)
    assert ag.odds("x * d6", x=0.1)[F(1, 10)] == F(1, 6), "a float is what it is written as"
    assert ag.odds("if lucky then 1 else 0", lucky=True)[1] == 1
    with pytest.raises(ag.ProgramError) as wrong:
        ag.odds("d20 + bonus", bonnus=3)
    assert wrong.value.code in ("unknown-name", "unknown-input")


def test_endless_rolls_have_a_rest_and_every_number_can_be_asked_for():
    odds = ag.odds("d6!")
    assert 0 < odds.rest < F(1, 1000)
    assert sum(odds.values()) + odds.rest == 1
    assert odds.mean == F(21, 5)
    assert odds[605] == F(1, 6**101)
    assert odds.at_least(601) == F(1, 6**100)
    assert len(ag.odds("d6!", until=300)) > len(odds)


def test_records_are_joint_and_have_fields():
    joint = ag.odds("let a = d6; let b = d6; {high: max(a, b), total: a + b}")
    assert joint.fields == ("high", "total")
    outcome = next(iter(joint))
    assert (outcome.high, outcome["total"], tuple(outcome)) == (1, 2, (1, 2))
    assert joint[1, 2] == F(1, 36)
    assert joint.field("total") == ag.odds("2d6")
    assert joint.covariance("total", "total") == F(35, 6)
    assert 0.8 < joint.correlation("high", "total") < 0.95
    assert set(joint.columns()) == {"high", "total", "chance"}
    frame = joint.to_pandas()
    assert list(frame.columns) == ["high", "total", "chance"] and math.isclose(frame.chance.sum(), 1)
    apart = joint.program.field_odds()
    assert apart["high"] == joint.field("high")
    assert pickle.loads(pickle.dumps(outcome)) == outcome


def test_evidence():
    odds = ag.odds("let a = 2d6; given a >= 10; a")
    assert odds.evidence == F(1, 6)
    assert odds[12] == F(1, 6)


def test_several_results():
    both = ag.results('show "a" = d6; show "b" = 2d6')
    assert list(both) == ["a", "b"] and both["b"].mean == 7
    assert ag.results("d6")["result"].mean == F(7, 2)
    with pytest.raises(ValueError, match="2 results"):
        ag.odds('show "a" = d6; show "b" = 2d6')


def test_best_play_tells_its_policy():
    odds = ag.odds(AGAIN)
    (choice,) = odds.policy
    assert choice.who == "player" and choice.value == odds.mean == 13
    assert {rule.take for rule in choice.rules} == {"keep", "throw again"}
    assert sum(rule.chance for rule in choice.rules) == 1
    assert choice.loss["keep"] == F(5, 2)
    assert "throw again" in odds.advice and odds.program.decides
    assert ag.odds("d6").policy == () and ag.odds("d6").advice == ""


def test_weights_and_arrays():
    odds = ag.odds("4d6kh3")
    assert odds.weights()[18] == 21 and odds.denominator == 1296
    assert odds.outcomes().dtype == np.int64 and odds.chances().dtype == np.float64
    assert math.isclose(float(odds.chances().sum()), 1.0)
    assert float(odds.chances() @ odds.outcomes()) == pytest.approx(float(odds.mean))
    big = ag.odds("300d100")
    assert sum(big.weights().values()) == big.denominator == 100**300
    assert big[300] == F(1, 100**300)
    assert ag.odds("d6 >= 3").outcomes().dtype == np.bool_
    assert ag.odds("cofd.action(3).outcome").outcomes().dtype == object


def test_data_frames():
    odds = ag.odds("2d6")
    frame = odds.to_pandas()
    assert list(frame.columns) == ["outcome", "chance"] and len(frame) == 11
    assert odds.to_pandas(exact=True).chance[5] == F(1, 6)
    polars = odds.to_polars()
    assert polars.columns == ["outcome", "chance"] and polars["outcome"].sum() == 77
    assert odds.to_polars(exact=True)["chance"][5] == F(1, 6)
    assert odds.to_csv().splitlines()[1].startswith("2,")


def test_the_json_is_that_of_the_other_doors():
    told = ag.odds("d4").json()
    assert told["outcomes"][0] == {"value": 1, "chance": "1/4", "decimal": 0.25}


def test_odds_programs_and_engines_are_pickled():
    program = ag.compile("d20 + bonus >= ac", bonus=5, ac=18)
    again = pickle.loads(pickle.dumps(program))
    assert again.text == program.text and again.odds() == program.odds()
    assert pickle.loads(pickle.dumps(program.odds(ac=15))).chance == F(11, 20)
    house = ag.Engine(files={"house.dice": "fn lucky() = 2d20kh1"})
    own = house.compile('use "house.dice"\nhouse.lucky()')
    assert pickle.loads(pickle.dumps(own)).odds()[20] == F(39, 400)
    budget = pickle.loads(pickle.dumps(ag.Budget(123)))
    assert budget.steps == 123
    joint = ag.odds("let a = d6; {a: a, b: a + 1}")
    assert pickle.loads(pickle.dumps(joint)) == joint
    assert pickle.loads(pickle.dumps(joint.field("b"))) == joint.field("b")


def test_other_notations():
    assert ag.odds("4d6kh3", dialect="roll20") == ag.odds("4d6kh3")
    assert ag.odds("output [highest 3 of 4d6]", dialect="anydice") == ag.odds("4d6kh3")
    assert ag.convert("4d6dl1", "foundry") == ag.convert("4d6dl1", "foundry").strip()
    assert ag.odds(ag.convert("output 2d6 + 1")) == ag.odds("2d6 + 1")
    with pytest.raises(ValueError, match="roll20"):
        ag.convert("4d6", "nobody")
    assert ag.format("2d6+1 ").strip() == "2d6 + 1" or ag.format("2d6+1").strip() == "2d6+1"


def test_compare_and_duels():
    comparison = ag.compare("3d6", "2d10")
    (duel,) = comparison.duels
    assert duel.first_higher + duel.equal + duel.second_higher == 1
    won = sum(p * q for a, p in ag.odds("3d6").items() for b, q in ag.odds("2d10").items() if a > b)
    assert duel.first_higher == won
    assert len(comparison) == 2 and comparison[0].name == "3d6"
    assert list(comparison.to_pandas().columns) == ["outcome", "3d6", "2d10"]
    assert "2d10 is higher" in str(comparison)
    with pytest.raises(ValueError, match="cannot be compared"):
        ag.compare("3d6", "d6 >= 3")
    with pytest.raises(TypeError):
        ag.compare("3d6")
