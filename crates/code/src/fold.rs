//! One way through code, for whatever is to be known of it.
//!
//! Running code on values is one reading of it. What it comes to on a whole range of numbers, or on many numbers at once,
//! is another, and whether it only adds to a number a third. All of them go through the same forms in the same order; a
//! [`Domain`] says what each form is to it:
//!
//! | domain | a value is | file |
//! |---|---|---|
//! | words | a word | `run.rs` |
//! | reaches | what is known of a word: a range, or a row of numbers | `reach.rs`, `lanes.rs` |
//! | roles | what it is to a part of the carried value | `lift.rs` |

use astragal_value::Op;

use crate::tree::{Answer, Code, Fold};
use astragal_value::Word;

/// A condition, what follows where it holds, and what follows where it does not.
pub type Choice = (Code, Code, Code);

/// A meaning of code.
///
/// Code means a `V`; where it has no meaning, or none that is known, there is none. `S` is changed on the way and belongs
/// to somebody else.
pub trait Domain<V, S> {
    fn word(&mut self, word: Word) -> Option<V>;
    fn term(&mut self, term: u32) -> Option<V>;
    fn local(&mut self, slot: u32, store: &mut S) -> Option<V>;
    /// A variable has this value from now on.
    fn bind(&mut self, slot: u32, value: V);
    /// The condition, and what follows where it holds and where not.
    fn choice(&mut self, parts: &Choice, store: &mut S) -> Option<V>;
    fn binary(&mut self, op: Op, a: V, b: V, store: &mut S) -> Option<V>;
    /// An operation on another number of operands.
    fn operation(&mut self, op: Op, operands: &[Code], store: &mut S) -> Option<V>;
    fn list(&mut self, _: &[Code], _: &mut S) -> Option<V> {
        None
    }
    fn record(&mut self, shape: u32, fields: &[Code], store: &mut S) -> Option<V>;
    fn field(&mut self, record: &Code, index: u32, store: &mut S) -> Option<V>;
    fn fold(&mut self, _: &Fold, _: &mut S) -> Option<V> {
        None
    }

    /// What a throw shows, by its slot.
    fn thrown(&mut self, _: u32) -> Option<V> {
        None
    }
    /// What dice on the table answer.
    fn answer(&mut self, _: Answer) -> Option<V> {
        None
    }

    /// What a part of code means. A domain may have a shorter way for leaves.
    #[inline]
    fn part(&mut self, code: &Code, store: &mut S) -> Option<V> {
        self.of(code, store)
    }

    /// What code means.
    fn of(&mut self, code: &Code, store: &mut S) -> Option<V> {
        match code {
            Code::Word(word) => self.word(*word),
            Code::Term(term) => self.term(*term),
            Code::Local(slot) => self.local(*slot, store),
            Code::Let(slot, parts) => {
                let value = self.part(&parts.0, store)?;
                self.bind(*slot, value);
                self.part(&parts.1, store)
            }
            Code::If(parts) => self.choice(parts, store),
            Code::Binary(op, parts) => {
                let a = self.part(&parts.0, store)?;
                let b = self.part(&parts.1, store)?;
                self.binary(*op, a, b, store)
            }
            Code::Operation(op, operands) => self.operation(*op, operands, store),
            Code::List(items) => self.list(items, store),
            Code::Record(shape, fields) => self.record(*shape, fields, store),
            Code::Field(record, index) => self.field(record, *index, store),
            Code::Fold(fold) => self.fold(fold, store),
            Code::Throw(slot) => self.thrown(*slot),
            Code::Answer(asked) => self.answer(*asked),
            Code::Dice(_) | Code::Elsewhere => None,
        }
    }
}
