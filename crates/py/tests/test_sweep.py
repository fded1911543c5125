"""Sweeps and solutions."""

import math
from fractions import Fraction as F

import astragal as ag
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest


def test_a_sweep_is_exact_at_every_point():
    table = ag.sweep("d20 + bonus >= dc", bonus=range(11), dc=range(10, 26))
    assert len(table) == 11 * 16 and table.columns == ("chance",)
    for row in table:
        chance = ag.odds("d20 + bonus >= dc", bonus=row["bonus"], dc=row["dc"]).chance
        assert row["chance"] == chance
    assert table.at(bonus=5, dc=18)["chance"] == F(2, 5)
    assert table[0] == {"bonus": 0, "dc": 10, "chance": F(11, 20)}
    assert table[-1]["bonus"] == 10 and table["chance"][0] == F(11, 20)
    assert table.to_numpy().shape == (11, 16)
    assert table.to_numpy()[5, 8] == pytest.approx(0.4)
    with pytest.raises(KeyError):
        table.at(bonus=50, dc=18)


def test_what_a_sweep_says():
    numbers = ag.sweep("(n)d6", n=range(1, 4))
    assert numbers.columns == ("mean", "deviation")
    assert numbers["mean"] == [F(7, 2), 7, F(21, 2)] and isinstance(numbers["deviation"][0], float)
    asked = ag.sweep("(n)d6", n=range(1, 4), that=[">= 6", "6"])
    assert asked.columns == (">= 6", "6") and asked[">= 6"][0] == F(1, 6)
    outcome = ag.sweep("cofd.action(pool).outcome", pool=[1, 5])
    assert outcome.columns == ("dramatic_failure", "failure", "success", "exceptional_success")
    field = ag.sweep("cofd.action(pool)", pool=[1, 5], field="outcome")
    assert field["success"] == outcome["success"]
    program = ag.compile("param n = 1; param k = 1; (n)d6 >= k")
    assert ag.sweep(program, n=[1, 2], k=6)["chance"] == [F(1, 6), F(13, 18)]


def test_data_frames_and_files(tmp_path):
    table = ag.sweep("d20 + bonus >= dc", bonus=[0, 5], dc=[10, 20])
    frame = table.to_pandas()
    assert list(frame.columns) == ["bonus", "dc", "chance"] and frame.chance[0] == pytest.approx(0.55)
    assert table.to_pandas(exact=True).chance[0] == F(11, 20)
    assert table.to_polars().shape == (4, 3)
    text = table.to_csv(str(tmp_path / "t.csv"))
    assert (tmp_path / "t.csv").read_text() == text and text.startswith("bonus,dc,chance\n0,10,0.55\n")


def test_threads_and_progress():
    told = []
    serial = ag.sweep("3d6 + x >= y", x=range(30), y=range(30), threads=1)
    both = ag.sweep("3d6 + x >= y", x=range(30), y=range(30), progress=lambda done, all_: told.append((done, all_)))
    assert serial["chance"] == both["chance"]
    assert told[-1] == (900, 900)
    with pytest.raises(ZeroDivisionError):
        ag.sweep("3d6 + x", x=range(300), progress=lambda done, all_: 1 // 0)


def test_points_that_cannot_be_computed():
    with pytest.raises(ag.ProgramError) as wrong:
        ag.sweep("10 / x + d6", x=[1, 0, 2])
    assert wrong.value.at == "x=0" and str(wrong.value).startswith("at x=0:")
    table = ag.sweep("10 / x + d6", x=[1, 0, 2], skip=True)
    assert table["mean"][1] is None and table.skipped == ({"x": 0},)
    assert math.isnan(table.to_numpy("mean")[1])
    with pytest.raises(TypeError):
        ag.sweep("d20")
    with pytest.raises(ValueError, match="no values"):
        ag.sweep("d20 + x", x=[])
    with pytest.raises(ValueError, match="fewer"):
        ag.sweep("d20 + x + y", x=range(10**4), y=range(10**4))


def test_solutions():
    found = ag.solve("d20 + 5 >= ac", "ac", at_least="2/5")
    assert found.values == tuple(range(19)) and found
    assert str(found) == "ac up to 18 gives a chance of at least 2/5"
    assert found.measured(18) == F(2, 5)
    assert ag.solve("d20 + 5 >= ac", "ac", at_least=0.4, values=range(10, 30)).values == tuple(range(10, 19))
    assert ag.solve("(n)d6", "n", at_least=20, of="mean", values=range(1, 10)).values == (6, 7, 8, 9)
    assert ag.solve("(n)d6", "n", at_least="65%", that=">= 20", values=range(1, 11)).values[0] == 7
    none = ag.solve("d20 >= ac", "ac", at_least=1, values=range(5, 10))
    assert not none and "nearest" in none.headline
    with pytest.raises(TypeError):
        ag.solve("d20 >= ac", "ac")
    with pytest.raises(ValueError, match="of="):
        ag.solve("cofd.action(pool).outcome", "pool", at_least="50%", values=range(1, 5))


HIT = "d20 + bonus >= dc"


def columns():
    return {"bonus": [b for b in range(5) for _ in range(10, 20)], "dc": list(range(10, 20)) * 5}


def test_a_batch_in_a_batch_out():
    program = ag.compile(HIT, bonus=0, dc=10)
    expected = [float(ag.odds(program, bonus=b, dc=d).chance) for b, d in zip(*columns().values())]
    lists = ag.sweep_rows(program, columns())
    assert list(lists) == ["bonus", "dc", "chance"] and lists["chance"] == pytest.approx(expected)
    arrays = ag.sweep_rows(program, {name: np.array(of) for name, of in columns().items()})
    assert isinstance(arrays["chance"], np.ndarray) and list(arrays["chance"]) == lists["chance"]
    frame = pd.DataFrame(columns(), index=range(100, 150)).assign(who="anna")
    found = ag.sweep_rows(program, frame)
    assert list(found.columns) == ["bonus", "dc", "who", "chance"] and found.index[0] == 100
    assert list(found.chance) == lists["chance"]
    assert ag.sweep_rows(program, pl.DataFrame(columns()))["chance"].to_list() == lists["chance"]
    arrow = ag.sweep_rows(program, pa.table(columns()))
    assert arrow.column("chance").to_pylist() == lists["chance"]
    assert ag.sweep_rows(HIT, columns())["chance"] == lists["chance"], "a text is compiled"
    exact = ag.sweep_rows(program, columns(), exact=True)
    assert [F(text) for text in exact["chance"]] == [ag.odds(program, bonus=b, dc=d).chance for b, d in zip(*columns().values())]
    assert ag.sweep_rows(program, {"bonus": [], "dc": []})["bonus"] == []
    with pytest.raises(ValueError, match="bonus"):
        ag.sweep_rows(program, {"who": ["anna"]})


def test_polars_takes_it_as_a_function_of_batches():
    program = ag.compile(HIT, bonus=0, dc=10)
    lazy = pl.LazyFrame(columns()).map_batches(
        lambda frame: ag.sweep_rows(program, frame),
        schema={"bonus": pl.Int64, "dc": pl.Int64, "chance": pl.Float64},
    )
    assert lazy.collect()["chance"].to_list() == ag.sweep_rows(program, columns())["chance"]
