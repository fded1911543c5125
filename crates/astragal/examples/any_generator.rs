//! Feature `rand_core`: dice from any random generator of the Rust world.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use astragal::Engine;
use astragal::faces::FromRng;
use astragal::rand_core::SeedableRng;
use chacha20::ChaCha20Rng;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let program = Engine::new().compile("1d20 + 5")?;
    // `rand::rng()` and a thread's own generator go in the same way.
    let mut faces = FromRng(ChaCha20Rng::seed_from_u64(7));
    let mut seen = [0; 26];
    for _ in 0..20_000 {
        let value = program.value(&mut faces).map_err(|fault| program.report(&fault))?;
        let value = value.as_number().and_then(|number| number.to_u64()).ok_or("a number")?;
        seen[usize::try_from(value)?] += 1;
    }
    println!("{:?}", &seen[6..]);
    // Each about a thousand times: the same seed throws the same dice, so this never changes.
    assert!(seen[6..].iter().all(|count| (850..1150).contains(count)));
    assert!(seen[..6].iter().all(|count| *count == 0));
    Ok(())
}
