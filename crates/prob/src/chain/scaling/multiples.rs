//! Of what the carried numbers are always multiples: what is doubled in each round is even, and half of it is whole.

use super::{Place, Scaling, Turn};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Rational};

/// So often a number may turn out to be a multiple of less than was thought: one that is halved again and again is of
/// nothing.
const MOST_TURNS: usize = 40;

/// The greatest number of which each is always a multiple; none if there is no such number.
pub(super) struct Multiples {
    carried: Vec<Option<Rational>>,
    ends: Vec<Vec<Option<Rational>>>,
}

impl Multiples {
    pub(super) fn of(scaling: &Scaling, meter: &Meter) -> Result<Multiples, OverBudget> {
        let first =
            scaling.first.iter().map(|value| Some(number::common_step(value, &Rational::ZERO)));
        let mut found =
            Multiples { carried: first.collect(), ends: vec![Vec::new(); scaling.ends] };
        for round in 0.. {
            let before = found.carried.clone();
            for turn in &scaling.turns {
                let after = found.after(turn, meter)?;
                match turn.to {
                    Place::Node(_) => meet(&mut found.carried, after),
                    Place::End(end) if found.ends[end].is_empty() => found.ends[end] = after,
                    Place::End(end) => meet(&mut found.ends[end], after),
                }
            }
            if found.carried == before {
                break;
            }
            if round >= MOST_TURNS {
                // Nothing is known of those that are still becoming less; each time at least one is left out.
                for (now, before) in found.carried.iter_mut().zip(before) {
                    *now = now.take().filter(|now| Some(now) == before.as_ref());
                }
            }
        }
        Ok(found)
    }

    /// Of what the numbers of an end are multiples.
    pub(super) fn at_end(&self, end: usize, numbers: usize) -> Vec<Option<Rational>> {
        let mut known = self.ends[end].clone();
        known.resize(numbers, None);
        known
    }

    fn after(&self, turn: &Turn, meter: &Meter) -> Result<Vec<Option<Rational>>, OverBudget> {
        let mut after = Vec::with_capacity(turn.numbers.len());
        for form in &turn.numbers {
            let mut sum = Some(number::common_step(&form.constant, &Rational::ZERO));
            for (var, factor) in &form.terms {
                let law = turn.laws.get(var.0 as usize);
                let own = match law.map(|law| (law, law.carried_place())) {
                    None => None,
                    Some((_, Some(place))) => self.carried.get(place).cloned().flatten(),
                    Some((law, None)) => Some(law.multiple_of(meter)?),
                };
                let both = sum.zip(own);
                sum = both.map(|(sum, own)| number::common_step(&sum, &(own * factor)));
            }
            after.push(sum);
        }
        Ok(after)
    }
}

/// Each is a multiple of both.
fn meet(known: &mut [Option<Rational>], more: Vec<Option<Rational>>) {
    for (known, more) in known.iter_mut().zip(more) {
        let both = known.take().zip(more);
        *known = both.map(|(known, more)| number::common_step(&known, &more));
    }
}
