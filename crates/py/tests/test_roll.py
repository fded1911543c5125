"""Rolls: explained, replayable, and a great many."""

import random
import statistics

import astragal as ag
import numpy as np
import pytest


def test_a_roll_explains_itself():
    roll = ag.roll("4d6kh3", faces=[3, 6, 2, 5])
    assert roll.value == 14
    assert str(roll) == roll.text == "4d6 keep highest 3: 3 6 (2) 5 = 14"
    assert [die.face for die in roll.dice] == [3, 6, 2, 5]
    assert [die.kept for die in roll.dice] == [True, True, False, True]
    assert roll.dice[2].fate == ("dropped",) and roll.dice[0].sides == 6
    assert roll.steps and roll.json()["value"] == 14
    assert "14" in roll._repr_html_() and "Roll 14" in repr(roll)


def test_a_seed_and_a_number_name_a_roll():
    one, other = ag.roll("10d6", seed=7), ag.roll("10d6", seed=7)
    assert str(one) == str(other) and one.seed == 7 and one.number == 0
    assert str(ag.roll("10d6", seed=7, number=3)) != str(one)
    fresh = ag.roll("10d6")
    assert str(ag.roll("10d6", seed=fresh.seed)) == str(fresh)
    # The test vector of the stream's format.
    assert [die.face for die in ag.roll("16d6", seed=1).dice] == [5, 5, 3, 5, 3, 6, 4, 2, 2, 1, 3, 4, 3, 3, 6, 6]


def test_other_sources_of_chance():
    assert ag.roll("3d6", random=lambda sides: sides - 1).value == 18
    one = ag.roll("10d6", random=random.Random(3))
    assert one.value == ag.roll("10d6", random=random.Random(3)).value
    assert 10 <= ag.roll("10d6", random=np.random.default_rng(1)).value <= 60
    with pytest.raises(ValueError, match="from 0 to 5"):
        ag.roll("d6", random=lambda sides: 6)
    with pytest.raises(ZeroDivisionError):
        ag.roll("d6", random=lambda sides: 1 // 0)
    with pytest.raises(TypeError):
        ag.roll("d6", random=3)
    with pytest.raises(TypeError):
        ag.roll("d6", seed=1, faces=[3])
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="seed"):
            ag.roll("d6", seed=seed)
    with pytest.raises(ValueError, match="memory"):
        ag.roll("d6", times=10**12)
    with pytest.raises(ag.ProgramError, match="face"):
        ag.roll("d6", faces=[7])


def test_inputs_and_programs():
    program = ag.compile("d20 + bonus", bonus=3)
    assert program.roll(faces=[10]).value == 13
    assert program.roll(faces=[10], bonus=5).value == 15
    assert ag.roll(program, faces=[10]).value == 13
    assert ag.roll("d20 + bonus", bonus=7, faces=[1]).value == 8


def test_any_of_many_rolls_can_be_explained():
    program = ag.compile("1d20+5")
    rolls = program.roll(times=50_000, seed=11)
    assert len(rolls) == 50_000 and rolls.seed == 11
    array = rolls.to_numpy()
    assert array.dtype == np.int64 and array.min() == 6 and array.max() == 25
    assert abs(array.mean() - 15.5) < 0.15
    for number in (0, 1, 77, 20_000, 49_999):
        assert rolls[number] == rolls.explain(number).value
    assert rolls[0] == program.roll(seed=11).value and rolls[1024] == program.roll(seed=11, number=1).value
    assert rolls.explain(-1).value == rolls[-1]
    assert list(rolls) == list(array) and np.asarray(rolls).sum() == sum(rolls)
    one = program.roll(times=50_000, seed=11, threads=1)
    assert list(one) == list(rolls), "threads make no difference"
    assert sum(rolls.counts().values()) == 50_000 and "50000 rolls" in repr(rolls)
    assert rolls[:3] == rolls[0:3] and len(rolls[:3]) == 3


def test_many_rolls_of_every_kind():
    truths = ag.roll("d20 >= 11", times=1000, seed=1)
    assert truths.to_numpy().dtype == np.bool_ and {True, False} == set(truths)
    outcomes = ag.roll("cofd.action(5).outcome", times=200, seed=1)
    assert set(outcomes) <= {"failure", "success", "exceptional_success"}
    assert outcomes.to_numpy().dtype == object
    halves = ag.roll("d6 / 2", times=100, seed=1)
    assert halves.explain(5).value == halves[5]
    given = ag.roll("let a = 2d6; given a >= 10; a", times=300, seed=5)
    assert set(given) == {10, 11, 12}
    assert given.explain(7).value == given[7]
    played = ag.roll('maximise do let first = d20; choose "keep" => first; "again" => d20 end end', times=50, seed=2)
    assert all(played.explain(at).value == value for at, value in enumerate(played))
    records = ag.roll("let a = d6; {a: a, b: a + 1}", times=10, seed=1)
    assert records[0].b == records[0].a + 1
    assert len(ag.roll("d6", times=0, seed=1)) == 0
    with pytest.raises(ag.ProgramError):
        ag.roll("10 / (d2 - 1)", times=100, seed=1)
    with pytest.raises(TypeError):
        ag.roll("d6", times=3, faces=[1, 2, 3])


def test_rolls_fall_as_the_odds_say():
    rolls = ag.roll("4d6kh3", times=40_000, seed=3)
    odds = ag.odds("4d6kh3")
    assert abs(statistics.fmean(rolls) - float(odds.mean)) < 5 * odds.sd / 200
    square = sum(
        (count - 40_000 * odds[value]) ** 2 / (40_000 * odds[value])
        for value, count in rolls.counts().items()
    )
    assert square < 45, "chi-square with 15 degrees of freedom"
