//! Every sequence of faces in turn, each with its exact chance.
//!
//! A run asks the tape which face comes up; the tape remembers what it said, and after the run its last wheel
//! that can turn turns by one. For `d2 + d2` the runs read 1 1, 1 2, 2 1, 2 2. A run is cut where its faces so
//! far are rarer than allowed, so that endless processes are followed to where it matters; what is cut has the
//! chance of those faces. The same tape drives the roller.

use astragal::Rational;
use astragal::faces::{DieFaces, Faces};
use astragal_program::fault::FaultKind;

/// How far sequences of faces are followed.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The most throws of one run.
    pub throws: usize,
    /// No die is thrown after faces that are rarer than that.
    pub rarest: Rational,
    /// The most runs; the chance of those that are not made counts as cut.
    pub runs: usize,
}

/// A die with more faces is not thrown: no number of runs would see them.
pub const MOST_FACES: u64 = 5_000;

/// A tape of choices.
#[derive(Debug)]
pub struct Tape {
    wheels: Vec<Wheel>,
    /// How many wheels this run has read.
    read: usize,
    bounds: Bounds,
    /// Whether this run wanted more than it is given.
    pub cut: bool,
}

#[derive(Debug)]
struct Wheel {
    face: usize,
    weights: Vec<u64>,
    total: u64,
    /// The chance of the faces on the wheels before this one, and of this one's face too.
    before: Rational,
    chance: Rational,
}

impl Wheel {
    fn new(weights: Vec<u64>, before: Rational) -> Wheel {
        let total = weights.iter().sum();
        Wheel { face: 0, weights, total, chance: Rational::ZERO, before }.turned_to(0)
    }

    fn turned_to(mut self, face: usize) -> Wheel {
        let part = Rational::from_parts(self.weights[face].into(), self.total.into());
        self.face = face;
        self.chance = &self.before * part;
        self
    }
}

impl Tape {
    /// All sequences within these bounds, from the first.
    pub fn new(bounds: &Bounds) -> Tape {
        Tape { wheels: Vec::new(), read: 0, bounds: bounds.clone(), cut: false }
    }

    /// How far sequences are followed.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Which of these faces comes up, each with its weight. None: the run is cut here.
    pub fn throw(&mut self, weights: impl FnOnce() -> Vec<u64>) -> Option<usize> {
        if self.read == self.wheels.len() {
            let before = self.chance();
            if self.read == self.bounds.throws || before < self.bounds.rarest {
                self.cut = true;
                return None;
            }
            self.wheels.push(Wheel::new(weights(), before));
        }
        self.read += 1;
        Some(self.wheels[self.read - 1].face)
    }

    /// The faces that this run has read.
    pub fn faces(&self) -> impl Iterator<Item = usize> + '_ {
        self.wheels[..self.read].iter().map(|wheel| wheel.face)
    }

    /// The chance of this run's faces.
    pub fn chance(&self) -> Rational {
        self.read.checked_sub(1).map_or(Rational::ONE, |last| self.wheels[last].chance.clone())
    }

    /// Turns to the next sequence; `false` when all have been seen.
    pub fn advance(&mut self) -> bool {
        self.wheels.truncate(self.read);
        self.read = 0;
        self.cut = false;
        while let Some(wheel) = self.wheels.pop() {
            if wheel.face + 1 < wheel.weights.len() {
                let next = wheel.face + 1;
                self.wheels.push(wheel.turned_to(next));
                return true;
            }
        }
        false
    }
}

/// The roller asks for faces by their place on the die.
impl Faces for Tape {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        if die.count() > MOST_FACES {
            self.cut = true;
            return Err(FaultKind::FacesRanDry);
        }
        let weights = || (0..die.count()).map(|face| die.weight(face)).collect();
        Tape::throw(self, weights).map(|face| face as u64).ok_or(FaultKind::FacesRanDry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(throws: usize) -> Bounds {
        Bounds { throws, rarest: Rational::ZERO, runs: 1_000 }
    }

    #[test]
    fn all_sequences_are_seen_once_with_their_chances() {
        let mut tape = Tape::new(&bounds(9));
        let mut seen = Vec::new();
        loop {
            let first = Tape::throw(&mut tape, || vec![3, 1]).unwrap();
            let second = if first == 1 { Tape::throw(&mut tape, || vec![1, 1]) } else { None };
            seen.push((first, second, tape.chance().to_string()));
            if !tape.advance() {
                break;
            }
        }
        let chance = |text: &str| text.to_owned();
        assert_eq!(
            seen,
            [(0, None, chance("3/4")), (1, Some(0), chance("1/8")), (1, Some(1), chance("1/8"))]
        );
    }

    #[test]
    fn rare_faces_and_long_runs_are_cut() {
        let rare = Bounds { rarest: Rational::from_parts(1.into(), 8u8.into()), ..bounds(9) };
        for (bounds, throws) in [(bounds(3), 3), (rare, 4)] {
            let mut tape = Tape::new(&bounds);
            let thrown = std::iter::from_fn(|| Tape::throw(&mut tape, || vec![1, 1]));
            assert_eq!(thrown.count(), throws);
            assert!(tape.cut);
        }
    }
}
