//! One budget of work for a whole request.
//!
//! A short text can ask for an enormous answer: the table of `9999999d9999999` has 10¹⁴ rows. So
//! every operation that can be large is handed a [`Meter`] and *charges it before working*, by an
//! estimate that counts the size of the numbers too: a product of `n` by `m` terms of `b` bits
//! costs about `n · m · (1 + b / 64)` steps. A refused charge leaves nothing half done. A step is about ten
//! nanoseconds of work, wherever it is spent.
//!
//! Memory is counted apart, in bytes: what is large asks for [`room`](Meter::room) before it is there, and what stays
//! until the end of the request is [`held`](Meter::hold). Long work is paid for piece by piece
//! ([`Meter::in_pieces`]), so that a request can be cancelled in the middle of it.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::ways::{Way, Ways};

/// Why a [`Meter`] refused to go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OverBudget {
    /// The work asked for exceeds what is left.
    Steps,
    /// The memory asked for exceeds what is left.
    Memory,
    /// The time that a [`Guard`] allows has passed.
    Time,
    /// Another thread has cancelled the request.
    Cancelled,
    /// No amount of work would do: no exact answer is known.
    NotKnown,
}

/// Steps of work between two looks of a [`Guard`]. Where they are dearer than they should be, it still looks often enough.
const BETWEEN_LOOKS: u64 = 20_000;

/// Steps of work between two looks of a [`Watcher`].
const BETWEEN_TELLING: u64 = 200_000;

/// Steps of work after which a request should notice that it is cancelled: about two milliseconds.
const PIECE: u64 = 200_000;

/// Is told now and then how many steps are used, and how many are allowed.
#[derive(Clone)]
pub struct Watcher(Arc<dyn Fn(u64, u64) + Send + Sync>);

impl Watcher {
    /// A watcher that calls this with the steps used and allowed.
    pub fn new(look: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Watcher(Arc::new(look))
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

/// Ends a request that takes more in truth than is charged for it: its steps are dearer than they should be, or its memory
/// is not counted. What that is, only the program around knows (here is no clock); it begins a watch for each request,
/// which is asked now and then.
#[derive(Clone)]
pub struct Guard(Arc<dyn Fn(u64, u64) -> Watch + Send + Sync>);

/// Whether a request may go on.
pub type Watch = Rc<dyn Fn() -> Result<(), OverBudget>>;

impl Guard {
    /// A guard that begins its watches by this, given the steps and the bytes that are allowed.
    pub fn new(begin: impl Fn(u64, u64) -> Watch + Send + Sync + 'static) -> Self {
        Guard(Arc::new(begin))
    }

    /// Begins a watch over a request with so many steps and bytes.
    pub fn begin(&self, steps: u64, memory: u64) -> Watch {
        (self.0)(steps, memory)
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Guard")
    }
}

/// The work that a request may still do, and the memory that it may take.
pub struct Meter {
    allowed: u64,
    left: Cell<u64>,
    cancel: Option<Arc<AtomicBool>>,
    watcher: Option<Watcher>,
    watch: Option<Watch>,
    /// The watch looks as soon as less than this is left; 0: never. The watcher is told then, if less than that is left.
    next_look: Cell<u64>,
    next_telling: Cell<u64>,
    /// The ways that may be taken, and those that came to something.
    allowed_ways: Ways,
    taken: Cell<Ways>,
    /// Bytes that may be in use, and those that are held: to the end, or as long as a [`Rent`] lasts.
    memory: u64,
    held: Rc<Cell<u64>>,
    /// The steps, or bytes, that the last refusal would have taken in all.
    refused: Cell<Option<u64>>,
    /// Of an attempt: the steps that were used before it, and all that are allowed.
    around: Option<(u64, u64)>,
}

impl Meter {
    /// A meter that allows this many steps.
    pub fn new(steps: u64) -> Self {
        let [next_look, next_telling] = [0, steps.saturating_sub(BETWEEN_TELLING)].map(Cell::new);
        Meter {
            allowed: steps,
            left: Cell::new(steps),
            cancel: None,
            watcher: None,
            watch: None,
            next_look,
            next_telling,
            allowed_ways: Ways::ALL,
            taken: Cell::new(Ways::NONE),
            memory: u64::MAX,
            held: Rc::new(Cell::new(0)),
            refused: Cell::new(None),
            around: None,
        }
    }

    /// A meter that never runs out (in practice: 2⁶⁴ steps).
    pub fn unlimited() -> Self {
        Meter::new(u64::MAX)
    }

    /// The same meter, which also refuses as soon as `flag` is set.
    #[must_use]
    pub fn with_cancel(self, flag: Arc<AtomicBool>) -> Self {
        Meter { cancel: Some(flag), ..self }
    }

    /// The same meter, which tells `watcher` how far the work is.
    #[must_use]
    pub fn with_watcher(self, watcher: Watcher) -> Self {
        let next_look = Cell::new(self.allowed.saturating_sub(BETWEEN_LOOKS));
        Meter { watcher: Some(watcher), next_look, ..self }
    }

    /// The same meter, whose guard begins to watch now: it knows the steps and the memory that are allowed.
    #[must_use]
    pub fn with_guard(self, guard: &Guard) -> Self {
        let next_look = Cell::new(self.allowed.saturating_sub(BETWEEN_LOOKS));
        Meter { watch: Some(guard.begin(self.allowed, self.memory)), next_look, ..self }
    }

    /// The same meter for work that takes no other ways than these.
    #[must_use]
    pub fn with_ways(self, ways: Ways) -> Self {
        Meter { allowed_ways: ways, ..self }
    }

    /// The same meter for work that takes no more bytes than this.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        Meter { memory: bytes, ..self }
    }

    /// Asks for memory that is given back soon.
    pub fn room(&self, bytes: u64) -> Result<(), OverBudget> {
        let all = self.held.get().saturating_add(bytes);
        if all > self.memory {
            self.refused.set(Some(all));
            return Err(OverBudget::Memory);
        }
        Ok(())
    }

    /// Asks for memory that is kept as long as the request lasts.
    pub fn hold(&self, bytes: u64) -> Result<(), OverBudget> {
        self.room(bytes)?;
        self.held.set(self.held.get() + bytes);
        Ok(())
    }

    /// Memory for something that grows, and is given back when it is gone: nothing yet.
    pub fn rent(&self) -> Rent {
        Rent { held: Rc::clone(&self.held), bytes: 0 }
    }

    /// Whether a way may be taken.
    pub fn may(&self, way: Way) -> bool {
        self.allowed_ways.has(way)
    }

    /// Notes that a way came to something.
    pub fn took(&self, way: Way) {
        self.taken.set(self.taken.get().with(way));
    }

    /// Takes a way, if it may be taken, and notes it if that comes to something.
    pub fn by<T, E>(
        &self,
        way: Way,
        take: impl FnOnce() -> Result<Option<T>, E>,
    ) -> Result<Option<T>, E> {
        if !self.may(way) {
            return Ok(None);
        }
        let found = take()?;
        if found.is_some() {
            self.took(way);
        }
        Ok(found)
    }

    /// The ways that may be taken.
    pub fn ways(&self) -> Ways {
        self.allowed_ways
    }

    /// The ways that came to something so far.
    pub fn taken(&self) -> Ways {
        self.taken.get()
    }

    /// Pays for work that is about to be done.
    pub fn charge(&self, steps: u64) -> Result<(), OverBudget> {
        if self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(OverBudget::Cancelled);
        }
        let Some(left) = self.left.get().checked_sub(steps) else {
            self.refused.set(Some(self.used().saturating_add(steps)));
            return Err(OverBudget::Steps);
        };
        self.left.set(left);
        if left < self.next_look.get() {
            self.next_look.set(left.saturating_sub(BETWEEN_LOOKS));
            return self.look();
        }
        Ok(())
    }

    fn look(&self) -> Result<(), OverBudget> {
        if let Some(Watcher(look)) = &self.watcher
            && self.left() < self.next_telling.get()
        {
            self.next_telling.set(self.left().saturating_sub(BETWEEN_TELLING));
            let (before, allowed) = self.around.unwrap_or((0, self.allowed));
            look(before + self.used(), allowed);
        }
        let Some(watch) = &self.watch else { return Ok(()) };
        watch().inspect_err(|_| self.refused.set(None))
    }

    /// Pays for `rows × columns` operations on numbers of `bits` bits.
    pub(crate) fn charge_product(
        &self,
        rows: usize,
        columns: usize,
        bits: usize,
    ) -> Result<(), OverBudget> {
        self.charge(price_of_products(rows, columns, bits))
    }

    /// Refuses work that costs more than is left, without paying for it yet.
    pub fn afford(&self, steps: u64) -> Result<(), OverBudget> {
        if steps > self.left() {
            self.refused.set(Some(self.used().saturating_add(steps)));
            return Err(OverBudget::Steps);
        }
        Ok(())
    }

    /// Does work in pieces, each of them paid for before it is done, so that it can be cancelled in between: there are
    /// so many parts, each of this price, and `work` is done up to the part that it is given.
    pub fn in_pieces(
        &self,
        parts: usize,
        each: u64,
        mut work: impl FnMut(usize),
    ) -> Result<(), OverBudget> {
        self.afford((parts as u64).saturating_mul(each))?;
        let piece = usize::try_from(PIECE / each.max(1)).unwrap_or(usize::MAX).max(1);
        let mut done = 0;
        while done < parts {
            let next = parts.min(done.saturating_add(piece));
            self.charge((next - done) as u64 * each)?;
            work(next);
            done = next;
        }
        Ok(())
    }

    /// Asks for room for so many numbers of `bits` bits.
    pub(crate) fn room_for_rows(&self, rows: usize, bits: usize) -> Result<(), OverBudget> {
        self.room((rows as u64).saturating_mul(8 + bits as u64 / 8))
    }

    /// Pays for rows of `bits` bits, each a combination of `terms` others.
    pub(crate) fn charge_rows(
        &self,
        rows: usize,
        terms: usize,
        bits: usize,
    ) -> Result<(), OverBudget> {
        self.charge((rows as u64).saturating_mul(price_of_row(terms, bits)))
    }

    /// Pays for so many sums or products of fractions of `bits` bits, each brought to its lowest terms and looked up.
    pub(crate) fn charge_fractions(&self, count: usize, bits: usize) -> Result<(), OverBudget> {
        let limbs = bits as u64 / 64;
        let each = 40 + limbs.saturating_mul(limbs / 2 + 8);
        self.charge((count as u64).saturating_mul(each))
    }

    /// A meter for an attempt that may take one part in so many of what is left; see [`Meter::join`].
    #[must_use]
    pub fn part(&self, parts: u64) -> Meter {
        let part = Meter::new(self.left() / parts.max(1)).with_ways(self.allowed_ways);
        let (memory, held) = (self.memory, Rc::clone(&self.held));
        let (before, allowed) = self.around.unwrap_or((0, self.allowed));
        let around = Some((before + self.used(), allowed));
        let (cancel, watcher, watch) =
            (self.cancel.clone(), self.watcher.clone(), self.watch.clone());
        let next_look = Cell::new(part.allowed.saturating_sub(BETWEEN_LOOKS));
        Meter { cancel, watcher, watch, next_look, memory, held, around, ..part }
    }

    /// Pays for an attempt.
    pub fn join(&self, attempt: &Meter) -> Result<(), OverBudget> {
        self.taken.set(self.taken.get().and(attempt.taken.get()));
        // Why it was refused is told, unless something else is refused later.
        self.refused.set(attempt.refused.get().or(self.refused.get()));
        self.charge(attempt.used())
    }

    /// What the last refusal would have taken in all: steps from the beginning, or bytes.
    pub fn refused(&self) -> Option<u64> {
        self.refused.get()
    }

    /// The steps that are used.
    pub fn used(&self) -> u64 {
        self.allowed - self.left()
    }

    /// The steps that are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }
}

/// The places that a vector takes while it grows to so many: those that it has are copied to twice as many.
pub fn places_to_grow(has: usize, wants: usize) -> usize {
    if wants <= has { has } else { has + wants.max(2 * has) }
}

/// The memory that something takes that grows; it is given back when this is dropped.
///
/// Each part of a walk asks for what it takes itself, and what they take together must not be too much.
#[derive(Debug)]
pub struct Rent {
    held: Rc<Cell<u64>>,
    bytes: u64,
}

impl Rent {
    /// Asks for so many bytes in all, instead of those that it had.
    #[inline]
    pub fn grow(&mut self, bytes: u64, meter: &Meter) -> Result<(), OverBudget> {
        if bytes <= self.bytes {
            return Ok(());
        }
        meter.hold(bytes - self.bytes)?;
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Rent {
    fn drop(&mut self) {
        self.held.set(self.held.get().saturating_sub(self.bytes));
    }
}

/// The price of `rows × columns` operations on numbers of `bits` bits.
pub(crate) fn price_of_products(rows: usize, columns: usize, bits: usize) -> u64 {
    let limbs = 1 + bits as u128 / 64;
    let steps = (rows as u128).saturating_mul(columns as u128).saturating_mul(limbs);
    u64::try_from(steps).unwrap_or(u64::MAX)
}

/// The price of a row of `bits` bits that is a combination of `terms` others. A step is worth many products of machine
/// words, but few that are written down.
pub(crate) fn price_of_row(terms: usize, bits: usize) -> u64 {
    const PRODUCTS_IN_A_STEP: u64 = 16;
    const WRITTEN_IN_A_STEP: u64 = 3;
    let limbs = 1 + bits as u64 / 64;
    let products = (terms as u64 + 2).saturating_mul(limbs);
    1 + limbs / WRITTEN_IN_A_STEP + products / PRODUCTS_IN_A_STEP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_beyond_what_is_left_is_refused_and_takes_nothing() {
        let meter = Meter::new(10);
        assert_eq!(meter.charge(7), Ok(()));
        assert_eq!(meter.charge(4), Err(OverBudget::Steps));
        assert_eq!(meter.left(), 3);
    }

    #[test]
    fn a_watcher_looks_now_and_then() {
        let looks = Arc::new(std::sync::Mutex::new(Vec::new()));
        let seen = Arc::clone(&looks);
        let look = move |used, allowed| seen.lock().expect("no look fails").push((used, allowed));
        let meter = Meter::new(1_000_000).with_watcher(Watcher::new(look));
        for _ in 0..1_000 {
            assert_eq!(meter.charge(1_000), Ok(()));
        }
        let looks = looks.lock().expect("no look fails");
        assert_eq!(looks[0], (210_000, 1_000_000));
        assert_eq!(looks.len(), 4);
    }

    #[test]
    fn a_guard_ends_a_request_and_its_attempts() {
        let asked = Rc::new(Cell::new(0));
        let guard = Guard::new(|steps, memory| {
            assert_eq!((steps, memory), (1_000_000, 100));
            let looks = Cell::new(0);
            Rc::new(move || {
                looks.set(looks.get() + 1);
                if looks.get() < 3 { Ok(()) } else { Err(OverBudget::Time) }
            })
        });
        let meter = Meter::new(1_000_000).with_memory(100).with_guard(&guard);
        let part = meter.part(1);
        for _ in 0..6 {
            if part.charge(150_000) == Err(OverBudget::Time) {
                asked.set(part.used());
            }
        }
        assert_eq!(asked.get(), 900_000);
    }

    #[test]
    fn memory_that_is_held_leaves_less_room() {
        let meter = Meter::unlimited().with_memory(100);
        assert_eq!(meter.room(80), Ok(()));
        assert_eq!(meter.hold(60), Ok(()));
        assert_eq!(meter.room(80), Err(OverBudget::Memory));
        assert_eq!(meter.refused(), Some(140));
    }

    #[test]
    fn rented_memory_is_given_back() {
        let meter = Meter::unlimited().with_memory(100);
        let (mut one, mut other) = (meter.rent(), meter.rent());
        assert_eq!(one.grow(60, &meter), Ok(()));
        assert_eq!(other.grow(50, &meter), Err(OverBudget::Memory));
        assert_eq!(one.grow(90, &meter), Ok(()));
        drop(one);
        assert_eq!(other.grow(50, &meter), Ok(()));
    }

    #[test]
    fn long_work_is_paid_for_in_pieces() {
        let meter = Meter::new(10 * PIECE);
        let mut done = Vec::new();
        assert_eq!(meter.in_pieces(10, PIECE / 4, |part| done.push(part)), Ok(()));
        assert_eq!(done, [4, 8, 10]);
        assert_eq!(meter.used(), 10 * (PIECE / 4));
        let refused = meter.in_pieces(100, PIECE, |part| done.push(part));
        assert_eq!((refused, done.len()), (Err(OverBudget::Steps), 3));
        assert_eq!(meter.refused(), Some(100 * PIECE + 10 * (PIECE / 4)));
    }

    #[test]
    fn a_cancelled_request_is_refused_at_its_next_charge() {
        let flag = Arc::new(AtomicBool::new(false));
        let meter = Meter::unlimited().with_cancel(Arc::clone(&flag));
        assert_eq!(meter.charge(1), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(meter.charge(1), Err(OverBudget::Cancelled));
    }
}
