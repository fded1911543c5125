//! What an expression without chance is translated to.

use astragal_value::{Op, Word};

/// A translated expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A finished value.
    Word(Word),
    /// What depends on nothing that varies from step to step, worked out before; by its number.
    Term(u32),
    /// A variable, by its slot.
    Local(u32),
    /// Binds a slot: the value, and where it is known.
    Let(u32, Box<(Code, Code)>),
    /// A condition and two branches.
    If(Box<(Code, Code, Code)>),
    /// An operation on two operands.
    Binary(Op, Box<(Code, Code)>),
    /// Any other operation.
    Operation(Op, Vec<Code>),
    /// A list.
    List(Vec<Code>),
    /// By the number of its shape.
    Record(u32, Vec<Code>),
    /// A field of a record, by its place.
    Field(Box<Code>, u32),
    /// Goes through a list.
    Fold(Box<Fold>),
    /// What a throw shows, in its slot; where it is not thrown yet, it is wanted first.
    Throw(u32),
    /// What dice that lie on the table answer.
    Answer(Answer),
    /// Dice on the table as a variable sees them; something to be asked, not a value.
    Dice(u32),
    /// What is not plain: the general way must be taken.
    Elsewhere,
}

/// What is asked of dice on the table: which dice, by the slot of their throw, and which of their questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// Which dice.
    pub dice: u32,
    /// Which question.
    pub question: u32,
}

/// Goes through a list, carrying a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fold {
    /// The list.
    pub list: Code,
    /// The first carried value.
    pub first: Code,
    /// The slot of the carried value.
    pub carry: u32,
    /// The slot of the item.
    pub item: u32,
    /// The next carried value.
    pub body: Code,
    /// What a round costs.
    pub cost: u64,
}

impl Code {
    /// How many steps of the budget running it takes, folds counted once.
    pub fn size(&self) -> u64 {
        1 + match self {
            Code::Word(_) | Code::Term(_) | Code::Local(_) | Code::Elsewhere => 0,
            Code::Throw(_) | Code::Answer(_) | Code::Dice(_) => 0,
            Code::Let(_, parts) | Code::Binary(_, parts) => parts.0.size() + parts.1.size(),
            Code::If(parts) => parts.0.size() + parts.1.size().max(parts.2.size()),
            Code::Operation(_, parts) | Code::List(parts) | Code::Record(_, parts) => {
                parts.iter().map(Code::size).sum()
            }
            Code::Field(record, _) => record.size(),
            Code::Fold(fold) => fold.list.size() + fold.first.size(),
        }
    }

    /// Whether something holds for it or for a part of it.
    pub fn any(&self, holds: &mut dyn FnMut(&Code) -> bool) -> bool {
        holds(self)
            || match self {
                Code::Word(_) | Code::Term(_) | Code::Local(_) | Code::Elsewhere => false,
                Code::Throw(_) | Code::Answer(_) | Code::Dice(_) => false,
                Code::Let(_, parts) | Code::Binary(_, parts) => {
                    parts.0.any(holds) || parts.1.any(holds)
                }
                Code::If(parts) => parts.0.any(holds) || parts.1.any(holds) || parts.2.any(holds),
                Code::Operation(_, parts) | Code::List(parts) | Code::Record(_, parts) => {
                    parts.iter().any(|part| part.any(holds))
                }
                Code::Field(record, _) => record.any(holds),
                Code::Fold(fold) => fold.any(holds),
            }
    }

    /// Whether it may come to nothing where the program fails or does not count: then it is run even where nobody
    /// needs its value.
    pub fn may_fail(&self) -> bool {
        self.any(&mut |part| match part {
            Code::Binary(op, _) | Code::Operation(op, _) => fails(*op),
            part => matches!(part, Code::Elsewhere | Code::Fold(_)),
        })
    }

    /// What it appends to a list, once for each from 1 up to a count, if that is all it does and always the same: a word
    /// or a term. So a hand is kept as it is.
    pub fn appended(&self, list: u32, count: u32) -> Option<&Code> {
        let is_local = |code: &Code, slot| matches!(code, Code::Local(local) if *local == slot);
        let Code::Fold(fold) = self else { return None };
        let Code::Binary(Op::Range, ends) = &fold.list else { return None };
        let Code::Binary(Op::Append, parts) = &fold.body else { return None };
        let one = matches!(ends.0, Code::Word(from) if from.as_number() == Some(1));
        let all = one && is_local(&ends.1, count) && is_local(&fold.first, list);
        (all && is_local(&parts.0, fold.carry)).then_some(())?;
        matches!(parts.1, Code::Word(_) | Code::Term(_)).then_some(&parts.1)
    }

    /// The terms that it uses, in order.
    pub fn terms(&self) -> Vec<u32> {
        let mut terms = Vec::new();
        self.any(&mut |part| {
            if let Code::Term(term) = part {
                terms.push(*term);
            }
            false
        });
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}

impl Fold {
    /// Whether something holds for a part of it.
    pub fn any(&self, holds: &mut dyn FnMut(&Code) -> bool) -> bool {
        self.list.any(holds) || self.first.any(holds) || self.body.any(holds)
    }
}

/// Whether an operation has no result for some operands.
fn fails(op: Op) -> bool {
    match op {
        Op::Divide | Op::FloorDivide | Op::Remainder | Op::Power => true,
        Op::At | Op::Range | Op::Word => true,
        Op::Add | Op::Subtract | Op::Multiply | Op::Negate => false,
        Op::Floor | Op::Ceil | Op::Round | Op::Abs | Op::Min | Op::Max => false,
        Op::Equal | Op::NotEqual | Op::Less | Op::AtMost | Op::Greater | Op::AtLeast => false,
        Op::Not | Op::Join | Op::Length | Op::Append | Op::Sort | Op::Reverse => false,
    }
}
