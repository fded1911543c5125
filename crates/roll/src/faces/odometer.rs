//! Every sequence of faces in turn, each with its exact chance.
//!
//! The law of the language is that the odds of a program are its rolls over every sequence of faces.
//! An odometer turns the shipped roller through all of them: each throw of a run is a wheel, and after
//! the run the last wheel that can turn turns by one. For `d2 + d2` the runs are 1 1, 1 2, 2 1, 2 2.
//!
//! ```text
//! let mut odometer = Odometer::new(20);
//! loop {
//!     let value = roll(…, &mut odometer, …);
//!     if odometer.was_cut() { cut += odometer.chance() } else { odds[value] += odometer.chance() }
//!     if !odometer.advance() { break }
//! }
//! ```
//!
//! An endless process has endless sequences: a run that wants more than the allowed number of throws
//! is cut. It fails with [`FaultKind::FacesRanDry`], [`Odometer::was_cut`] tells it from other
//! failures, and its chance, that of the faces thrown so far, is what lies beyond the cut.

use astragal_program::fault::FaultKind;
use dashu_int::UBig;
use dashu_ratio::RBig;

use super::{DieFaces, Faces};

/// A source of faces that goes through all sequences.
#[derive(Clone, Debug)]
pub struct Odometer {
    wheels: Vec<Wheel>,
    /// How many wheels this run has read.
    read: usize,
    max_throws: usize,
    cut: bool,
}

#[derive(Clone, Debug)]
struct Wheel {
    face: u64,
    die: DieFaces,
}

impl Odometer {
    /// All sequences of at most `max_throws` faces.
    pub fn new(max_throws: usize) -> Odometer {
        Odometer { wheels: Vec::new(), read: 0, max_throws, cut: false }
    }

    /// Whether this run wanted more throws than allowed.
    pub fn was_cut(&self) -> bool {
        self.cut
    }

    /// The chance of this run's faces.
    pub fn chance(&self) -> RBig {
        let weights = self.wheels.iter().map(|wheel| UBig::from(wheel.die.weight(wheel.face)));
        let totals = self.wheels.iter().map(|wheel| UBig::from(wheel.die.total()));
        RBig::from_parts(weights.product::<UBig>().into(), totals.product())
    }

    /// Turns to the next sequence; `false` when all have been seen.
    pub fn advance(&mut self) -> bool {
        self.wheels.truncate(self.read);
        self.read = 0;
        self.cut = false;
        while let Some(wheel) = self.wheels.last_mut() {
            wheel.face += 1;
            if wheel.face < wheel.die.count() {
                return true;
            }
            self.wheels.pop();
        }
        false
    }
}

impl Faces for Odometer {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        if self.read == self.max_throws {
            self.cut = true;
            return Err(FaultKind::FacesRanDry);
        }
        if self.read == self.wheels.len() {
            self.wheels.push(Wheel { face: 0, die: die.clone() });
        }
        let face = self.wheels[self.read].face;
        self.read += 1;
        Ok(face)
    }
}

#[cfg(test)]
mod tests {
    use astragal_value::Value;

    use super::*;

    #[test]
    fn all_sequences_are_seen_once_and_their_chances_sum_to_one() {
        let weighted =
            DieFaces::listed(vec![(Value::whole(1), 3), (Value::whole(2), 1)]).expect("two faces");
        let mut odometer = Odometer::new(9);
        let (mut runs, mut sum) = (0, RBig::ZERO);
        loop {
            odometer.throw(&DieFaces::sides(3)).unwrap();
            odometer.throw(&weighted).unwrap();
            runs += 1;
            sum += odometer.chance();
            if !odometer.advance() {
                break;
            }
        }
        assert_eq!((runs, sum), (6, RBig::ONE));
    }

    #[test]
    fn an_endless_run_is_cut_and_its_chance_is_known() {
        let mut odometer = Odometer::new(3);
        let (mut ended, mut cut) = (RBig::ZERO, RBig::ZERO);
        loop {
            let run = loop {
                match odometer.throw(&DieFaces::sides(6)) {
                    Ok(5) => continue,
                    other => break other,
                }
            };
            assert_eq!(run.is_err(), odometer.was_cut());
            *(if run.is_err() { &mut cut } else { &mut ended }) += odometer.chance();
            if !odometer.advance() {
                break;
            }
        }
        assert_eq!(cut, RBig::from_parts(1.into(), 216u32.into()));
        assert_eq!(ended + cut, RBig::ONE);
    }
}
