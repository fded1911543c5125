"""Errors: exceptions with code, place and help; budgets, cancelling, Ctrl-C."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import astragal as ag
import pytest

#: Far beyond a usual budget, and refused only after some work.
LONG = "let a = 60d6; let b = 60d6; {a: a, b: b, c: a * b}"


def test_a_program_that_is_wrong():
    with pytest.raises(ag.ProgramError) as wrong:
        ag.odds("let ä = 3\n4d6r1")
    error = wrong.value
    assert isinstance(error, ValueError)
    assert error.code == "ambiguous-reroll"
    assert (error.place.line, error.place.start) == (2, error.place.start)
    assert "let ä = 3\n4d6r1"[error.place.start : error.place.end] in "4d6r1"
    assert "4d6r1" in str(error), "the line is shown"
    first = error.diagnostics[0]
    assert first.severity == "error" and (first.help or first.edits)
    again = pickle.loads(pickle.dumps(error))
    assert again.code == error.code and str(again) == str(error)


def test_a_program_that_can_fail():
    with pytest.raises(ag.ProgramError, match="chance 1/2"):
        ag.odds("10 / (d2 - 1)")


def test_check_raises_nothing():
    assert ag.check("4d6kh3") == ()
    (found,) = ag.check("4d6 +")[:1]
    assert found.severity == "error" and found.place is not None


def test_budgets():
    with pytest.raises(ag.OverBudget) as over:
        ag.odds("d20 + 3d6", budget=10)
    assert not isinstance(over.value, ValueError) and over.value.code.startswith("over-budget")
    with pytest.raises(ag.OverBudget):
        ag.odds("3d6", budget=ag.Budget(outcomes=5))
    assert ag.odds("3d6", budget=ag.Budget(1_000_000)).mean == 10.5
    assert ag.Budget().steps == ag.Budget(None).steps > 1_000_000
    assert ag.odds("3d6").steps < 100_000


def test_another_thread_cancels():
    token = ag.Cancel()
    timer = threading.Timer(0.2, token.cancel)
    timer.start()
    with pytest.raises(ag.Cancelled):
        ag.odds(SLOW, budget=10**12, cancel=token)
    assert token.cancelled
    with pytest.raises(ag.Cancelled):
        ag.sweep("d20 + x", x=range(3), cancel=token)


def test_other_threads_run_meanwhile():
    token, ticks = ag.Cancel(), 0
    worker = threading.Thread(target=lambda: pytest.raises(ag.Cancelled, ag.odds, SLOW, budget=10**12, cancel=token))
    worker.start()
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        ticks += 1
        time.sleep(0.001)
    token.cancel()
    worker.join()
    assert ticks > 5


#: Takes minutes if nobody stops it.
SLOW = "let a = 400d{1, 2.5, 7.25, 11.125}; let b = 300d7; a * b + max(a, b)"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
@pytest.mark.parametrize(
    "request_",
    [
        f"ag.odds({SLOW!r}, budget=10**12)",
        "ag.sweep('cofd.action(pool, again: a).successes >= n', pool=range(1, 400), a=[8, 9, 10], n=range(1, 40))",
        "ag.roll('200d6', times=10**8)",
    ],
)
def test_ctrl_c_stops_a_computation(request_):
    code = f"import astragal as ag, sys; print('ready', flush=True)\ntry:\n  {request_}\nexcept KeyboardInterrupt:\n  sys.exit(42)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    process.stdout.readline()
    time.sleep(0.7)
    begun = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(20) == 42
    assert time.monotonic() - begun < 10
