"""Asks icepool one problem of the benchmark and prints the CPU seconds and the answer's digest as JSON.

    python icepool_bench.py A01        one problem, in this process, with nothing remembered
    python icepool_bench.py --version  icepool's version and Python's

The digest is that of bench/src/digest.rs. A minute of CPU is the limit; the system ends the process then.
"""

import hashlib
import json
import math
import resource
import sys
import time

import icepool
from icepool import Again, Deck, Die, Pool, coin, d4, d6, d8, d10, d12, d20, d100, z6

LIMIT = 60


def darkness(again, depth):
    """The successes of one die that counts from 8 and is rolled again from `again`, `depth` times at most."""

    def successes(face):
        hit = int(face >= 8)
        return hit + Again if face >= again else hit

    return d10.map(successes, again_depth=depth)


def rote():
    """A die that, if it fails, is rolled once more."""
    second, rest = darkness(10, 9), 1 + darkness(10, 8)
    return d10.map(lambda face: second if face <= 7 else rest if face == 10 else 1)


def mixed(dice, keep):
    return Pool(dice).highest(keep).sum()


def pairs_won(mine, theirs):
    return mine.sort_pair('>', theirs).size()


def risk(attackers, defenders):
    """Fights until one side is gone; each fight is computed once."""
    fights = {}

    def fight(a, b):
        if a == 0 or b == 0:
            return (a, b)
        if (a, b) not in fights:
            mine, theirs = min(a, 3), min(b, 2)
            pairs = min(mine, theirs)
            won = pairs_won(d6.pool(mine).highest(pairs), d6.pool(theirs).highest(pairs))
            fights[a, b] = won.map(lambda wins: (a - (pairs - wins), b - wins))
        return fights[a, b]

    return Die([(attackers, defenders)]).map(fight, star=True, repeat='inf')


def ruin(start, end, up, of):
    def step(coins, won):
        return coins if coins in (0, end) else coins + (1 if won else -1)

    return icepool.map(step, Die([start]), coin(up, of), repeat='inf')


def most_common(counts):
    """The face shown most often, and how often; of equals the highest."""
    face = max(range(1, 7), key=lambda face: (counts[face], face))
    return (face, counts[face])


def chase():
    def throw(face, kept):
        if kept == 5:
            return (face, kept)

        def after(*rolled):
            counts = [0] * 7
            counts[face] = kept
            for die in rolled:
                counts[die] += 1
            return most_common(counts)

        return d6.pool(5 - kept).expand().map(after, star=True)

    first = d6.pool(5).expand().map(lambda *r: most_common([r.count(f) for f in range(7)]), star=True)
    return first.map(throw, star=True, repeat=2).marginals[1]


def grown():
    """Throw by throw: before 2.2, `again_count` leaves out what does not end within the count."""

    def throw(dice, total):
        if dice == 0:
            return (dice, total)
        return d6.map(lambda face: (dice + 1, total) if face == 6 else (dice - 1, total + face))

    return Die([(1, 0)]).map(throw, star=True, repeat=21).marginals[1]


def weighted(number):
    return Die({face: 1 + number * face % 17 for face in range(1, 11)})


PROBLEMS = {
    'A01': lambda: d6.highest(4, 3),
    'A03': lambda: 3 @ d6,
    'A04': lambda: d20.explode(depth=9),
    'A05': lambda: 8 @ darkness(10, 9),
    'A07': lambda: 20 @ darkness(8, 20),
    'A08': lambda: 10 @ rote(),
    'A09': lambda: 10 @ darkness(10, 9) - 8 @ darkness(10, 9),
    'A10': lambda: d12 + d10 + d8,
    'B02': lambda: 1000 @ d6,
    'B03': lambda: 100 @ d100,
    'B05': lambda: 3000 @ d6,
    'B07': lambda: (10 @ d10) @ d10,
    'C02': lambda: d10.explode(depth=4).highest(10, 5),
    'C04': lambda: d20.highest(20, 10),
    'C05': lambda: d6.highest(100, 50),
    'C06': lambda: d20.middle(50, 2),
    'C07': lambda: d100.pool(51)[25],
    'C09': lambda: d6.highest(4, 3).pool(6).expand(),
    'C10': lambda: mixed({d4: 4, d6: 4, d8: 4, d10: 4, d12: 4}, 3),
    'C12': lambda: mixed({d6: 3, d6.explode(depth=3): 3, Die([0, 2, 4, 6, 8, 10]): 3}, 4),
    'C13': lambda: mixed({z6: 4, d8: 4, Die([1, 1, 2, 3, 5, 8]): 4, d6.explode(depth=3): 4}, 5),
    'C14': lambda: d6.highest(200, 100),
    'C15': lambda: d20.highest(50, 25),
    'C16': lambda: d10.explode(depth=9).highest(20, 10),
    'C17': lambda: d20.pool(20)[1, ..., 1].expand(),
    'D01': lambda: d10.pool(10).largest_count(),
    'D02': lambda: d10.pool(20).largest_count_and_outcome(),
    'D03': lambda: d10.pool(50).largest_count(),
    'D04': lambda: d10.pool(10).all_counts(filter=2),
    'D05': lambda: d10.pool(20).all_counts(filter=1),
    'D06': lambda: d10.pool(15).largest_straight(),
    'D07': lambda: d20.pool(30).largest_straight(),
    'D09': lambda: d20.pool(20).unique().size(),
    'D10': lambda: d12.pool(12).keep_counts('>=', 2).sum(),
    'D12': lambda: d20.pool(30).all_counts(filter=1),
    'E01': lambda: pairs_won(d6.pool(3).highest(2), d6.pool(2)),
    'E02': lambda: pairs_won(d6.pool(10), d6.pool(10)),
    'E03': lambda: pairs_won(d10.pool(10), d10.pool(10)),
    'E04': lambda: pairs_won(d10.pool(20), d10.pool(20)),
    'E06': lambda: risk(30, 30),
    'E07': lambda: (d6.pool(6) - d6.pool(5)).highest_outcome_and_count(),
    'E09': lambda: icepool.tupleize(d6.highest(6), d6.highest(6), d6.highest(6)),
    'F02': lambda: Deck({0: 36, 1: 4, 2: 4, 3: 4, 4: 4}).deal(13).sum(),
    'F04': lambda: Deck(range(1, 101)).deal(10).sum(),
    'F05': lambda: Deck(range(13), times=4).deal(7).largest_straight(),
    'F06': lambda: Deck(range(1, 14), times=4).deal(26).highest(10).sum(),
    'G01': grown,
    'G02': lambda: ruin(10, 20, 2, 5),
    'G03': lambda: (6 @ darkness(10, 9)).time_to_sum(10, 10, dnf=11),
    'G04': lambda: d6.time_to_sum(100),
    'G05': chase,
    'G07': lambda: ruin(50, 100, 18, 38),
    'G08': lambda: d6.explode_to_pool(10, depth=5).highest(3).sum(),
    'H01': lambda: d10.pool(10).expand(),
    'H03': lambda: d6.highest(400, 200),
    'H05': lambda: 10000 @ d6,
    'H09': lambda: ruin(200, 400, 18, 38),
    'H11': lambda: d100.highest(100, 50),
    'H12': lambda: (100 @ d10) @ d10,
    'W01': lambda: mixed([weighted(number) for number in range(1, 15)], 7),
    'Z01': lambda: d100.pool(1000)[700],
}


def is_tuple(outcome):
    return isinstance(outcome, tuple) or type(outcome).__name__ == 'Vector'


def written(outcome):
    if is_tuple(outcome):
        return '(' + ','.join(written(part) for part in outcome) + ')'
    return str(int(outcome)) if isinstance(outcome, bool) else str(outcome)


def digest(die):
    weights = [(tuple(o) if is_tuple(o) else o, q) for o, q in die.items() if q]
    weights.sort(key=lambda pair: pair[0])
    common = math.gcd(*(weight for _, weight in weights))
    lines = [f'{written(outcome)}:{weight // common}\n' for outcome, weight in weights]
    lines.append(f'denominator:{sum(weight for _, weight in weights) // common}\n')
    return hashlib.sha256(''.join(lines).encode()).hexdigest()


def main(name):
    if name == '--version':
        print(f'icepool {icepool.__version__} on Python {sys.version.split()[0]}')
        return
    # Sums of n dice recurse n deep.
    sys.setrecursionlimit(1_000_000)
    sys.set_int_max_str_digits(0)
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
    # The clock of the thread: under a limit, the clock of the process moves in ticks of milliseconds.
    start = time.thread_time()
    answer = PROBLEMS[name]()
    seconds = time.thread_time() - start
    print(json.dumps({'seconds': seconds, 'sha256': digest(answer)}))


main(sys.argv[1])
