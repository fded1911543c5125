//! A guard over what a request takes in truth.
//!
//! Steps are charged by estimates, and memory by the large containers, so that an answer does not depend on the machine.
//! Where an estimate is wrong, the program that waits for the answer should not have to wait with it: a door (a command
//! line, a bot) sets a guard beside its budget, which ends a request that takes longer, or more memory, than so many
//! steps and bytes should.

use std::time::Duration;

/// Steps take about ten nanoseconds; a guard lets them take a quarter more.
const LONGEST_STEP: Duration = Duration::from_nanos(25);
const STEPS: u64 = 2;

/// The system is asked for the memory in use no more often than this: that takes longer than to read the clock.
#[cfg(not(target_family = "wasm"))]
const BETWEEN_WEIGHINGS: Duration = Duration::from_millis(1);

/// How long so many steps may take.
pub(crate) fn time_of(steps: u64) -> Duration {
    Duration::from_nanos((LONGEST_STEP.as_nanos() as u64).saturating_mul(steps / STEPS))
}

/// A guard that reads the clock of the thread's processor time, and the memory of the whole process.
///
/// A debug build is many times slower, and is let go on.
///
/// ```
/// let budget = astragal::Budget::default().with_guard(astragal::guard());
/// assert!(astragal::Engine::new().compile("3d6").unwrap().odds(&budget).is_ok());
/// ```
#[cfg(not(target_family = "wasm"))]
pub fn guard() -> astragal_prob::Guard {
    use std::cell::Cell;
    use std::rc::Rc;

    use astragal_prob::{Guard, OverBudget};

    let in_use = || memory_stats::memory_stats().map_or(0, |memory| memory.physical_mem as u64);
    Guard::new(move |steps, memory| {
        let (begin, before) = (cpu_time::ThreadTime::now(), in_use());
        // It looks now and then only, and what is allowed should not be passed in between.
        let (longest, most) = (time_of(steps), before.saturating_add(memory - memory / 32));
        let next_weighing = Cell::new(Duration::ZERO);
        Rc::new(move || {
            let spent = begin.elapsed();
            if !cfg!(debug_assertions) && spent > longest {
                return Err(OverBudget::Time);
            }
            if spent < next_weighing.get() {
                return Ok(());
            }
            next_weighing.set(spent + BETWEEN_WEIGHINGS);
            if in_use() > most { Err(OverBudget::Memory) } else { Ok(()) }
        })
    })
}
