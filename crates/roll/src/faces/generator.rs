//! Faces from any random generator.

use astragal_program::fault::FaultKind;
use rand_core::Rng;

use super::ticket::below;
use super::{DieFaces, Faces};

/// Faces drawn from a generator that implements the traits of `rand_core`, without bias. What may fail, such as the
/// system's own randomness, goes through `rand_core::UnwrapErr`.
///
/// ```
/// use astragal::Engine;
/// use astragal::faces::FromRng;
/// use chacha20::ChaCha20Rng;
/// use chacha20::rand_core::SeedableRng;
///
/// let mut faces = FromRng(ChaCha20Rng::seed_from_u64(7));
/// let roll = Engine::new().compile("4d6kh3")?.roll(&mut faces)?;
/// assert_eq!(roll.dice.len(), 4);
/// # Ok::<(), astragal::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct FromRng<R>(pub R);

impl<R: Rng> Faces for FromRng<R> {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        Ok(die.face_of(below(die.total(), || self.0.next_u64())))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use rand_core::TryRng;

    use super::*;

    /// These words, one after the other.
    struct Words(Vec<u64>);

    impl TryRng for Words {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            self.try_next_u64().map(|word| word as u32)
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0.remove(0))
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            bytes.fill(0);
            Ok(())
        }
    }

    #[test]
    fn the_first_word_is_the_first_face_and_the_last_the_last() {
        let mut faces = FromRng(Words(vec![u64::MAX / 2, u64::MAX, 4]));
        let die = DieFaces::sides(6);
        assert_eq!([(); 3].map(|()| faces.throw(&die)), [Ok(2), Ok(5), Ok(0)]);
    }

    #[test]
    fn a_word_that_favours_some_faces_is_passed_over() {
        // 2^64 mod 6 is 4: of the words whose product is in the first four, one too many falls on a face.
        let mut faces = FromRng(Words(vec![0, u64::MAX]));
        assert_eq!(faces.throw(&DieFaces::sides(6)), Ok(5));
        assert!(faces.0.0.is_empty());
    }
}
