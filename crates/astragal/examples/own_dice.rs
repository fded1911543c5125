//! `Faces`: dice of one's own. One trait with one method; everything it needs is in this crate.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use astragal::faces::{DieFaces, Faces, Seeded};
use astragal::{Engine, FaultKind};

/// Shows no face of a die again before all others have come up: a bag of tokens instead of a die. Other dice than those with
/// few faces are thrown as usual.
struct Bag {
    dice: Seeded,
    left: Vec<(DieFaces, Vec<u64>)>,
}

impl Bag {
    /// What is left of the bag that stands for this die.
    fn tokens(&mut self, die: &DieFaces) -> &mut Vec<u64> {
        let known = self.left.iter().position(|(of, _)| of == die);
        let at = known.unwrap_or_else(|| {
            self.left.push((die.clone(), Vec::new()));
            self.left.len() - 1
        });
        let tokens = &mut self.left[at].1;
        if tokens.is_empty() {
            tokens.extend(0..die.count());
        }
        tokens
    }
}

impl Faces for Bag {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        if die.count() > 100 {
            return self.dice.throw(die);
        }
        let left = self.tokens(die).len() as u64;
        let drawn = self.dice.throw(&DieFaces::sides(left))?;
        let drawn = usize::try_from(drawn).unwrap_or(0);
        Ok(self.tokens(die).swap_remove(drawn))
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let program = Engine::new().compile("6d6")?;
    let mut bag = Bag { dice: Seeded::new(7, 0), left: Vec::new() };
    for _ in 0..3 {
        let roll = program.roll(&mut bag)?;
        println!("{}", program.explain(&roll));
        // Six tokens, each once: always 21.
        assert_eq!(roll.value.to_string(), "21");
    }
    Ok(())
}
