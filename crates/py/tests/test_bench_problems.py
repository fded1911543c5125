"""The problems of the benchmark have the right answers through Python too; the quick ones here, all in `bench/python_bench.py`."""

import json
import re
import sys
from pathlib import Path

import astragal as ag
import pytest

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))

from python_bench import digest, programs  # noqa: E402

PROBLEMS = json.loads((BENCH / "problems.json").read_text())["problems"]
#: Large answers take Python a while to write out.
QUICK = [one for one in PROBLEMS if one["outcomes"] <= 3000]


def test_there_are_sixty():
    assert len(PROBLEMS) == 60 and len(QUICK) > 40
    assert all(re.match(r"[A-HZ]\d\d$", one["id"]) for one in PROBLEMS)


@pytest.mark.parametrize("problem", QUICK, ids=[one["id"] for one in QUICK])
def test_the_answer_is_right(problem):
    assert digest(ag.odds(programs()[problem["id"]])) == problem["sha256"]
