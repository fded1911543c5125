//! What is left of code, once some of its variables are known.
//!
//! ```text
//! max(0, b - first - second)        with b = 20 and first = 7: max(0, 13 - second)
//! ```
//!
//! A round that throws twice can be cut between its throws: what is left to do is all that the second throw needs, and
//! where that is the same, paths have met. What is left mentions only throws that are not made yet, and variables that
//! depend on them; all else in it is worked out, as far as that can be done without them.

use crate::run::Runner;
use crate::tree::{Answer, Code, Fold};
use astragal_value::Store;

impl Runner {
    /// What is left of code in which the variables `open` are not known, nor throws that are not made. All others are as
    /// they are set.
    pub fn residue(&mut self, code: &Code, open: &[u32], store: &mut Store) -> Code {
        self.begin();
        self.left_of(code, &mut open.to_vec(), store)
    }

    fn left_of(&mut self, code: &Code, open: &mut Vec<u32>, store: &mut Store) -> Code {
        match code {
            Code::Word(_) | Code::Dice(_) | Code::Elsewhere => code.clone(),
            Code::Local(slot) if open.contains(slot) => code.clone(),
            Code::Throw(slot) | Code::Answer(Answer { dice: slot, .. })
                if !self.is_thrown(*slot) =>
            {
                code.clone()
            }
            Code::Local(_) | Code::Term(_) | Code::Throw(_) | Code::Answer(_) => {
                self.worked_out(code, store)
            }
            Code::Let(slot, parts) => self.left_of_let(*slot, parts, open, store),
            Code::If(parts) => match self.left_of(&parts.0, open, store) {
                Code::Word(truth) => match truth.as_bool() {
                    Some(true) => self.left_of(&parts.1, open, store),
                    Some(false) => self.left_of(&parts.2, open, store),
                    None => Code::Elsewhere,
                },
                condition => {
                    let then = self.left_of(&parts.1, open, store);
                    let otherwise = self.left_of(&parts.2, open, store);
                    Code::If(Box::new((condition, then, otherwise)))
                }
            },
            Code::Binary(op, parts) => {
                let a = self.left_of(&parts.0, open, store);
                let b = self.left_of(&parts.1, open, store);
                let known = is_word(&a) && is_word(&b);
                self.settled(Code::Binary(*op, Box::new((a, b))), known, store)
            }
            Code::Operation(op, parts) => {
                let (parts, known) = self.left_of_all(parts, open, store);
                self.settled(Code::Operation(*op, parts), known, store)
            }
            Code::List(parts) => {
                let (parts, known) = self.left_of_all(parts, open, store);
                self.settled(Code::List(parts), known, store)
            }
            Code::Record(shape, parts) => {
                let (parts, known) = self.left_of_all(parts, open, store);
                self.settled(Code::Record(*shape, parts), known, store)
            }
            Code::Field(record, index) => {
                // What a record is made of is not thrown away: it may have no value.
                let record = self.left_of(record, open, store);
                let known = is_word(&record);
                self.settled(Code::Field(Box::new(record), *index), known, store)
            }
            Code::Fold(fold) => self.left_of_fold(fold, open, store),
        }
    }

    fn left_of_let(
        &mut self,
        slot: u32,
        (value, body): &(Code, Code),
        open: &mut Vec<u32>,
        store: &mut Store,
    ) -> Code {
        match self.left_of(value, open, store) {
            Code::Word(word) => {
                self.set(slot as usize, word);
                self.left_of(body, open, store)
            }
            value => {
                open.push(slot);
                let body = self.left_of(body, open, store);
                open.pop();
                Code::Let(slot, Box::new((value, body)))
            }
        }
    }

    /// What is left of each, and whether all of it is known.
    fn left_of_all(
        &mut self,
        parts: &[Code],
        open: &mut Vec<u32>,
        store: &mut Store,
    ) -> (Vec<Code>, bool) {
        let parts: Vec<Code> = parts.iter().map(|part| self.left_of(part, open, store)).collect();
        let known = parts.iter().all(is_word);
        (parts, known)
    }

    fn left_of_fold(&mut self, fold: &Fold, open: &mut Vec<u32>, store: &mut Store) -> Code {
        let list = self.left_of(&fold.list, open, store);
        let first = self.left_of(&fold.first, open, store);
        let known = open.len();
        open.extend([fold.carry, fold.item]);
        let body = self.left_of(&fold.body, open, store);
        open.truncate(known);
        let looks_ahead =
            body.any(&mut |part| matches!(part, Code::Local(slot) if open.contains(slot)));
        let known = is_word(&list) && is_word(&first) && !looks_ahead;
        self.settled(Code::Fold(Box::new(Fold { list, first, body, ..fold.clone() })), known, store)
    }

    /// Code whose parts are all known is its value.
    fn settled(&mut self, code: Code, known: bool, store: &mut Store) -> Code {
        if known { self.worked_out(&code, store) } else { code }
    }

    /// Where it has no value, it still has none.
    fn worked_out(&mut self, code: &Code, store: &mut Store) -> Code {
        self.run(code, store).map_or(Code::Elsewhere, Code::Word)
    }
}

impl Code {
    /// The throws that it mentions, by their slots.
    pub fn throws(&self) -> Vec<u32> {
        let mut throws = Vec::new();
        self.any(&mut |part| {
            if let Code::Throw(slot) = part {
                throws.push(*slot);
            }
            false
        });
        throws
    }

    /// The variables that it binds, by their slots.
    pub fn bound(&self) -> Vec<u32> {
        let mut bound = Vec::new();
        self.any(&mut |part| {
            if let Code::Let(slot, _) = part {
                bound.push(*slot);
            }
            false
        });
        bound
    }

    /// A throw that is wanted on every path, and depends on nothing that is bound on the way.
    pub fn first_throw(&self) -> Option<u32> {
        match self {
            Code::Throw(slot) => Some(*slot),
            Code::Let(_, parts) => parts.0.first_throw(),
            Code::If(parts) => parts.0.first_throw(),
            Code::Binary(_, parts) => parts.0.first_throw().or_else(|| parts.1.first_throw()),
            Code::Operation(_, parts) | Code::List(parts) | Code::Record(_, parts) => {
                parts.iter().find_map(Code::first_throw)
            }
            Code::Field(record, _) => record.first_throw(),
            Code::Fold(fold) => fold.list.first_throw().or_else(|| fold.first.first_throw()),
            Code::Word(_) | Code::Term(_) | Code::Local(_) => None,
            Code::Answer(_) | Code::Dice(_) | Code::Elsewhere => None,
        }
    }
}

fn is_word(code: &Code) -> bool {
    matches!(code, Code::Word(_))
}
