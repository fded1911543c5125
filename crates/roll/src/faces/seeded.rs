//! Faces from a seed: *astragal stream v1*.
//!
//! A seed and the number of a roll name one sequence of faces, the same on every machine and in every
//! version, so that any roll of a log can be replayed by itself. The format:
//!
//! 1. **Words.** The keystream of ChaCha with 8 rounds, as 32-bit little-endian words from block 0 on.
//!    The key is the seed (8 bytes, little-endian), then the 18 bytes `astragal stream v1`, then six
//!    zero bytes. The 64-bit nonce is the number of the roll; the block counter has 64 bits.
//! 2. **Ticket.** A throw of a die whose weights sum to `t` draws a whole number below `t`:
//!    * if `t` is at most 2³², take the next word `w` and let `m = w · t`; while `m mod 2³²` is below
//!      `2³² mod t`, take another word; the ticket is `m / 2³²`, rounded down (Lemire, without bias);
//!    * otherwise the same with 64-bit words, each made of two words, the lower half first.
//! 3. **Face.** The weights are laid end to end in the order of the faces; the ticket's place is the
//!    face. `dF` lists −1, 0, +1; `d%` lists 1 to 100.
//!
//! Test vectors: seed 1, roll 0 throws `d6` as 5 5 3 5 3 6 4 2 2 1 3 4 3 3 6 6; seed 1, roll 7 throws
//! `d20` as 19 17 19 10 15 11 6 11 8 4 13 1 14 11 18 10; seed 2⁶⁴ − 1, roll 2⁶⁴ − 1 throws a die of
//! 10,000,000,000 sides as 3607276227 8756049197 8733986486. More are in the tests.

use astragal_program::fault::FaultKind;
use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::ticket::below;
use super::{DieFaces, Faces};

/// The name of the format, as it stands in the key.
const FORMAT: &[u8; 18] = b"astragal stream v1";

/// How many words are drawn from the cipher at a time: what it makes in one go.
const DRAWN: usize = 64;

/// Faces drawn from a seed.
#[derive(Debug)]
pub struct Seeded {
    cipher: ChaCha8Rng,
    /// Words of the stream, of which the first `used` are used up.
    words: [u32; DRAWN],
    used: usize,
}

impl Seeded {
    /// The faces of the given roll of a seed. Rolls are numbered from 0.
    pub fn new(seed: u64, roll: u64) -> Seeded {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..26].copy_from_slice(FORMAT);
        let mut cipher = ChaCha8Rng::from_seed(key);
        cipher.set_stream(roll);
        Seeded { cipher, words: [0; DRAWN], used: DRAWN }
    }

    fn word(&mut self) -> u32 {
        if self.used == DRAWN {
            self.draw();
        }
        let word = self.words[self.used];
        self.used += 1;
        word
    }

    #[cold]
    fn draw(&mut self) {
        let mut bytes = [0; 4 * DRAWN];
        self.cipher.fill_bytes(&mut bytes);
        let (words, _) = bytes.as_chunks::<4>();
        for (word, bytes) in self.words.iter_mut().zip(words) {
            *word = u32::from_le_bytes(*bytes);
        }
        self.used = 0;
    }

    fn ticket(&mut self, total: u64) -> u64 {
        match u32::try_from(total) {
            Ok(total) => u64::from(self.ticket32(total)),
            Err(_) if total == 1 << 32 => u64::from(self.word()),
            Err(_) => self.ticket64(total),
        }
    }

    fn ticket32(&mut self, total: u32) -> u32 {
        let mut product = u64::from(self.word()) * u64::from(total);
        while is_biased(product, total) {
            product = u64::from(self.word()) * u64::from(total);
        }
        (product >> 32) as u32
    }

    /// Tickets below the same total, as if drawn one by one: a word that would bias a ticket is passed over.
    fn tickets32(&mut self, total: u32, tickets: &mut [u64]) {
        let mut filled = 0;
        while filled < tickets.len() {
            if self.used == DRAWN {
                self.draw();
            }
            let words = &self.words[self.used..];
            let words = &words[..words.len().min(tickets.len() - filled)];
            self.used += words.len();
            for word in words {
                let product = u64::from(*word) * u64::from(total);
                tickets[filled] = product >> 32;
                filled += usize::from(!is_biased(product, total));
            }
        }
    }

    fn ticket64(&mut self, total: u64) -> u64 {
        below(total, || self.word64())
    }

    fn word64(&mut self) -> u64 {
        let low = u64::from(self.word());
        low | u64::from(self.word()) << 32
    }
}

/// Whether a word times the total would favour some tickets. A division tells, but hardly ever needs to.
#[inline]
fn is_biased(product: u64, total: u32) -> bool {
    let low = product as u32;
    low < total && low < total.wrapping_neg() % total
}

impl Faces for Seeded {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        Ok(die.face_of(self.ticket(die.total())))
    }

    fn throw_all(&mut self, die: &DieFaces, faces: &mut [u64]) -> Result<(), FaultKind> {
        let total = die.total();
        if let [face] = faces {
            *face = die.face_of(self.ticket(total));
            return Ok(());
        }
        match u32::try_from(total) {
            Ok(total) => self.tickets32(total, faces),
            Err(_) => faces.iter_mut().for_each(|face| *face = self.ticket(total)),
        }
        if die.counts_from().is_none() {
            faces.iter_mut().for_each(|face| *face = die.face_of(*face));
        }
        Ok(())
    }
}
