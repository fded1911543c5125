//! `Budget`: what a request may cost. Programs of strangers are run within one; what costs too much is an ordinary error.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use astragal::faces::Seeded;
use astragal::{Budget, Engine, RollLimits};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let engine = Engine::new();

    // A step of work is about ten nanoseconds: this is a fiftieth of a second, and 50 megabytes.
    let small = Budget::default().with_steps(2_000_000).with_memory(50 << 20);
    assert!(engine.compile("100d6")?.odds(&small).is_ok());

    // The usual budget ends in seconds, whatever the program; the error says what was allowed and what to do.
    let hostile = engine.compile("let x = 300d1000; let y = 300d999; x * y")?;
    match hostile.odds(&small) {
        Ok(_) => return Err("this was expected to be refused".into()),
        Err(refused) => {
            assert!(refused.is_over_budget());
            println!("{refused}");
        }
    }

    // In truth, too: the guard looks at the time and the memory that are really used.
    let guarded = Budget::default().with_guard(astragal::guard());
    assert!(engine.compile("4d6kh3")?.odds(&guarded).is_ok());

    // A roll has limits of its own.
    let limits = RollLimits::default().with_dice(100);
    let many = engine.compile("1000d6")?.roll_within(&mut Seeded::new(1, 0), &limits);
    assert!(many.is_err_and(|refused| refused.is_over_budget()));
    Ok(())
}
