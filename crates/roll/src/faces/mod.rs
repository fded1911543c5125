//! Where faces come from: the only source of chance.
//!
//! The roller asks "which face of this die comes up?" and nothing else. [`Seeded`] answers from a
//! stream of random words, [`Scripted`] from a list of faces, [`Odometer`] with every sequence of
//! faces in turn.

mod die;
#[cfg(feature = "rand_core")]
mod generator;
mod odometer;
mod scripted;
mod seeded;
mod ticket;

pub use die::DieFaces;
#[cfg(feature = "rand_core")]
pub use generator::FromRng;
pub use odometer::Odometer;
pub use scripted::Scripted;
pub use seeded::Seeded;

use astragal_program::fault::FaultKind;

/// A source of faces: one method to write for dice of one's own.
///
/// ```
/// use astragal::faces::{DieFaces, Faces};
/// use astragal::{Engine, FaultKind, Value};
///
/// /// A table where a camera reads real dice, and says what they show.
/// struct Camera(Vec<i64>);
///
/// impl Faces for Camera {
///     fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
///         let seen = Value::whole(self.0.pop().ok_or(FaultKind::FacesRanDry)?);
///         die.find(&seen).ok_or_else(|| FaultKind::NoSuchFace(seen, die.name()))
///     }
/// }
///
/// let program = Engine::new().compile("2d6 + 1")?;
/// assert_eq!(program.roll(&mut Camera(vec![4, 5]))?.value.to_string(), "10");
/// assert_eq!(program.roll(&mut Camera(vec![4, 7])).unwrap_err().list()[0].code, "no-such-face");
/// # Ok::<(), astragal::Diagnostics>(())
/// ```
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
