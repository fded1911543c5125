//! Measuring: the CPU time of the best of several runs, which other work on the machine disturbs least.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// Below so many seconds, reading the clock is itself a good part of a run: such runs are timed in batches.
const TINY: f64 = 50e-6;

/// The time of the fastest run, in seconds of CPU, and what the last run gave; runs until the time given has
/// passed, at least once and at most a hundred times.
pub fn best<T>(within: Duration, mut work: impl FnMut() -> T) -> (f64, T) {
    let begin = Instant::now();
    let mut run = || {
        let start = ProcessTime::now();
        let result = black_box(work());
        (start.elapsed().as_secs_f64(), result)
    };
    let (mut best, mut result) = run();
    for _ in 1..100 {
        if begin.elapsed() > within {
            break;
        }
        drop(result);
        let (seconds, again) = run();
        (best, result) = (best.min(seconds), again);
    }
    if best < TINY {
        best = each(|| drop(black_box(work())));
    }
    (best, result)
}

/// The time of one run of short work, in seconds of CPU: the best of five batches of about 20 ms.
pub fn each(mut work: impl FnMut()) -> f64 {
    let mut batch = |runs: u64| {
        let start = ProcessTime::now();
        (0..runs).for_each(|_| work());
        start.elapsed().as_secs_f64()
    };
    let mut runs = 1;
    while batch(runs) < 0.02 {
        runs *= 2;
    }
    (0..5).map(|_| batch(runs) / runs as f64).fold(f64::INFINITY, f64::min)
}
