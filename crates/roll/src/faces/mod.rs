//! Where faces come from: the only source of chance.
//!
//! The roller asks "which face of this die comes up?" and nothing else. [`Seeded`] answers from a
//! stream of random words, [`Scripted`] from a list of faces, [`Odometer`] with every sequence of
//! faces in turn.

mod die;
mod odometer;
mod scripted;
mod seeded;

pub use die::DieFaces;
pub use odometer::Odometer;
pub use scripted::Scripted;
pub use seeded::Seeded;

use astragal_program::fault::FaultKind;

/// A source of faces.
pub trait Faces {
    /// Which face of the die comes up, counted from 0 as the die lists them.
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind>;

    /// Fills in which faces of equal dice come up: the same as so many single throws, one after the other.
    fn throw_all(&mut self, die: &DieFaces, faces: &mut [u64]) -> Result<(), FaultKind> {
        for face in faces {
            *face = self.throw(die)?;
        }
        Ok(())
    }

    /// Called once after the last throw of a roll that went well.
    fn finish(&mut self) -> Result<(), FaultKind> {
        Ok(())
    }
}
