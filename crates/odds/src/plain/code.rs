//! What an expression without chance is translated to.

use astragal_value::Op;

use super::store::Word;

/// A translated expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Code {
    Word(Word),
    /// What depends on nothing that varies from step to step, worked out before; by its number.
    Term(u32),
    Local(u32),
    Let(u32, Box<(Code, Code)>),
    If(Box<(Code, Code, Code)>),
    /// An operation on two operands.
    Binary(Op, Box<(Code, Code)>),
    Operation(Op, Vec<Code>),
    List(Vec<Code>),
    /// By the number of its shape.
    Record(u32, Vec<Code>),
    Field(Box<Code>, u32),
    Fold(Box<Fold>),
    /// What a throw shows, in its slot; where it is not thrown yet, it is wanted first.
    Throw(u32),
    /// What dice that lie on the table answer.
    Answer(Answer),
    /// Dice on the table as a variable sees them; something to be asked, not a value.
    Dice(u32),
    /// A line for the reader, and what follows.
    Note(Box<(Code, Code)>),
    /// What is not plain: the general way must be taken.
    Elsewhere,
}

/// What is asked of dice on the table: which dice, by the slot of their throw, and which of their questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Answer {
    pub(crate) dice: u32,
    pub(crate) question: u32,
}

/// See [`crate::plan::Kind::Fold`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fold {
    pub(super) list: Code,
    pub(super) first: Code,
    pub(super) carry: u32,
    pub(super) item: u32,
    pub(super) body: Code,
    /// What a round costs.
    pub(super) cost: u64,
}

impl Code {
    /// How many steps of the budget running it takes, folds counted once.
    pub(crate) fn size(&self) -> u64 {
        1 + match self {
            Code::Word(_) | Code::Term(_) | Code::Local(_) | Code::Elsewhere => 0,
            Code::Throw(_) | Code::Answer(_) | Code::Dice(_) => 0,
            Code::Let(_, parts) | Code::Binary(_, parts) | Code::Note(parts) => {
                parts.0.size() + parts.1.size()
            }
            Code::If(parts) => parts.0.size() + parts.1.size().max(parts.2.size()),
            Code::Operation(_, parts) | Code::List(parts) | Code::Record(_, parts) => {
                parts.iter().map(Code::size).sum()
            }
            Code::Field(record, _) => record.size(),
            Code::Fold(fold) => fold.list.size() + fold.first.size(),
        }
    }

    /// Calls `see` with each term in it.
    pub(super) fn terms(&self, see: &mut impl FnMut(u32)) {
        self.leaves(&mut |leaf| {
            if let Code::Term(term) = leaf {
                see(*term);
            }
        });
    }

    /// Calls `see` with each variable that it reads.
    pub(super) fn locals(&self, see: &mut impl FnMut(u32)) {
        self.leaves(&mut |leaf| {
            if let Code::Local(slot) = leaf {
                see(*slot);
            }
        });
    }

    fn leaves(&self, see: &mut dyn FnMut(&Code)) {
        match self {
            Code::Term(_) | Code::Word(_) | Code::Local(_) | Code::Elsewhere => see(self),
            Code::Throw(_) | Code::Answer(_) | Code::Dice(_) => see(self),
            Code::Let(_, parts) | Code::Binary(_, parts) | Code::Note(parts) => {
                parts.0.leaves(see);
                parts.1.leaves(see);
            }
            Code::If(parts) => {
                parts.0.leaves(see);
                parts.1.leaves(see);
                parts.2.leaves(see);
            }
            Code::Operation(_, parts) | Code::List(parts) | Code::Record(_, parts) => {
                parts.iter().for_each(|part| part.leaves(see));
            }
            Code::Field(record, _) => record.leaves(see),
            Code::Fold(fold) => {
                [&fold.list, &fold.first, &fold.body].into_iter().for_each(|part| part.leaves(see));
            }
        }
    }
}
