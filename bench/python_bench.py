"""The benchmark's problems through the Python package, beside icepool in the same run.

    python bench/python_bench.py            the sixty problems, then the bars
    python bench/python_bench.py A01 C04    some of them
    python bench/python_bench.py --bars     the bars alone
    python bench/python_bench.py --cluster  the sweep on one and two workers of Dask and Ray; `--cluster 5000`: so many points

It needs an environment with `astragal` and `icepool`. Every answer is checked by its digest, which is that of `bench/src/digest.rs`. Each
question is asked of icepool in a fresh process, since it remembers what it has computed; of ours in this one, from the text.
"""

import hashlib
import json
import math
import subprocess
import sys
import time
from pathlib import Path

import astragal as ag

HERE = Path(__file__).resolve().parent
#: Work for the problems that are large.
STEPS = 40_000_000_000


def programs():
    """Our program for each problem."""
    sections = (HERE / "programs.dice").read_text(encoding="utf-8").split("\n## ")[1:]
    found = {}
    for section in sections:
        heading, _, program = section.partition("\n")
        found[heading.partition(": ")[0]] = program
    return found


def written(outcome):
    if isinstance(outcome, tuple):
        return "(" + ",".join(written(part) for part in outcome) + ")"
    return str(int(outcome)) if isinstance(outcome, bool) else str(outcome)


def digest(odds):
    """The digest of an exact answer."""
    weights = odds.weights()
    common = math.gcd(*weights.values())
    lines = [f"{written(outcome)}:{weight // common}\n" for outcome, weight in weights.items()]
    lines.append(f"denominator:{odds.denominator // common}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def measured(work):
    """The best of a few times, in seconds of CPU, and the result."""
    best, result, spent = math.inf, None, 0.0
    for _ in range(50):
        begun = time.process_time()
        result = work()
        seconds = time.process_time() - begun
        best, spent = min(best, seconds), spent + seconds
        if spent > 0.3:
            break
    return best, result


def icepool(name):
    """Icepool's seconds, or none if it gives no answer within a minute; and its digest."""
    best, told = None, None
    for _ in range(3):
        asked = subprocess.run(
            [sys.executable, str(HERE / "icepool_bench.py"), name], capture_output=True, text=True
        )
        if asked.returncode != 0:
            return None, None
        told = json.loads(asked.stdout)
        best = told["seconds"] if best is None else min(best, told["seconds"])
        if best > 0.3:
            break
    return best, told["sha256"]


def problems(names):
    """The table of problems, and the geometric mean of the ratios."""
    listed = json.loads((HERE / "problems.json").read_text())["problems"]
    ours, ratios, unfinished = programs(), [], 0
    print(f"{'':4} {'ours':>12} {'icepool':>12} {'ratio':>10}")
    for problem in listed:
        name = problem["id"]
        if names and name not in names:
            continue
        seconds, odds = measured(lambda text=ours[name]: ag.odds(text, budget=STEPS))
        assert digest(odds) == problem["sha256"], f"{name}: another answer"
        theirs, told = icepool(name)
        if theirs is None:
            unfinished += 1
            print(f"{name:4} {seconds * 1e6:10.1f}µs {'–':>12}")
            continue
        assert told == problem["sha256"], f"{name}: icepool has another answer"
        ratios.append(theirs / seconds)
        print(f"{name:4} {seconds * 1e6:10.1f}µs {theirs * 1e6:10.1f}µs {ratios[-1]:10.1f}", flush=True)
    mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
    print(f"all exact; {len(ratios)} answered by icepool, {unfinished} not within a minute")
    print(f"geometric mean of the ratios: {mean:.0f}")


def bars():
    """What is promised of single questions and of rolls."""
    program = ag.compile("4d6kh3")

    def each(work, times=2000):
        best = math.inf
        for _ in range(15):
            begun = time.process_time()
            for _ in range(times):
                work()
            best = min(best, (time.process_time() - begun) / times)
        return best

    compiled = each(lambda: program.odds())
    text = each(lambda: ag.odds("4d6kh3"))
    theirs, _ = icepool("A01")
    print(f"4d6kh3: compiled already {compiled * 1e6:.1f} µs, from text {text * 1e6:.1f} µs")
    print(f"icepool in a fresh process: {theirs * 1e6:.0f} µs, {theirs / text:.0f} times as long")
    for threads in (1, None):
        wall, cpu = math.inf, math.inf
        rolled = ag.compile("1d20+5")
        for _ in range(9):
            begun, used = time.perf_counter(), time.process_time()
            rolled.roll(times=1_000_000, seed=1, threads=threads).to_numpy()
            wall = min(wall, time.perf_counter() - begun)
            cpu = min(cpu, time.process_time() - used)
        print(f"1,000,000 rolls of 1d20+5, threads={threads}: {wall:.3f} s of time, {cpu:.3f} s of CPU")


def cluster(points=100_000):
    """The sweep of the bar, in one process and on one and two workers."""
    import pandas as pd

    text = "cofd.action(pool, again: a).successes >= n"
    program = ag.compile(text, pool=5, a=10, n=1)
    pools, agains = range(1, 26), (8, 9, 10, 11)
    count = max(1, points // (len(pools) * len(agains)))
    table = [(pool, a, n) for n in range(1, count + 1) for pool in pools for a in agains]
    frame = pd.DataFrame(table, columns=["pool", "a", "n"]).sample(frac=1, random_state=1)
    frame = frame.reset_index(drop=True)
    for threads in (1, 2):
        begun, used = time.perf_counter(), time.process_time()
        serial = ag.sweep_rows(program, frame, threads=threads)
        wall, cpu = time.perf_counter() - begun, time.process_time() - used
        print(f"one process, {threads} thread(s): {len(frame)} points in {wall:.1f} s, {cpu:.1f} s of CPU", flush=True)
    _dask(program, frame, serial)
    _ray(program, frame, serial)


def _dask(program, frame, serial):
    import dask.dataframe as dd
    import pandas as pd
    from dask.distributed import Client, LocalCluster

    meta = frame.iloc[:0].assign(chance=pd.Series(dtype="float64"))
    times = {}
    for workers in (1, 2):
        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as local, Client(local):
            parts = dd.from_pandas(frame, npartitions=32)
            answers = parts.map_partitions(
                lambda part: ag.sweep_rows(program, part, threads=1), meta=meta
            )
            dd.from_pandas(frame.head(64), npartitions=8).map_partitions(
                lambda part: ag.sweep_rows(program, part, threads=1), meta=meta
            ).compute()
            begun = time.perf_counter()
            found = answers.compute()
            times[workers] = time.perf_counter() - begun
            assert found.chance.tolist() == serial.chance.tolist()
    print(f"Dask: one worker {times[1]:.1f} s, two {times[2]:.1f} s: {times[1] / times[2]:.2f} times", flush=True)


def _ray(program, frame, serial):
    import ray
    import ray.data

    times = {}
    for workers in (1, 2):
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="ERROR")

        @ray.remote
        def part(of):
            return ag.sweep_rows(program, of, threads=1)

        def all_parts(of, count):
            size = -(-len(of) // count)
            return [part.remote(of.iloc[at : at + size]) for at in range(0, len(of), size)]

        ray.get(all_parts(frame.head(64), 8))
        begun = time.perf_counter()
        found = ray.get(all_parts(frame, 32))
        times[workers] = time.perf_counter() - begun
        ray.shutdown()
        assert [chance for one in found for chance in one.chance] == serial.chance.tolist()
    print(f"Ray: one worker {times[1]:.1f} s, two {times[2]:.1f} s: {times[1] / times[2]:.2f} times", flush=True)


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)
    words = sys.argv[1:]
    if words[:1] == ["--cluster"]:
        cluster(*(int(word) for word in words[1:]))
    else:
        if words != ["--bars"]:
            problems(words)
        if not words or words == ["--bars"]:
            bars()
