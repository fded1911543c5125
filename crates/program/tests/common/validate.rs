//! What both meanings rely on: variables are bound before they are read, dice stand only where dice
//! are expected, calls pass what the function takes.

use std::collections::HashSet;

use astragal_program::core::{
    Die, Expr, Face, Function, FunctionId, Kind, LocalId, Program, Reading, SuffixKind,
};
use astragal_program::types::Type;

/// Panics if the program breaks a promise of the core language.
pub fn program(program: &Program) {
    for function in program.functions.iter().chain([&program.main]) {
        let known = (0..function.parameters as u32).map(LocalId).collect();
        let validator = Validator { program, function };
        assert!(function.parameters <= function.locals.len());
        let pool = validator.is_pool(&function.body, &known);
        assert!(!pool, "{} yields dice", function.name);
    }
}

struct Validator<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Validator<'_> {
    fn holds_dice(&self, function: &Function, id: LocalId) -> bool {
        let local = function.locals.get(id.0 as usize);
        matches!(local.expect("a variable that exists").ty, Type::Pool(_))
    }

    fn callee(&self, id: FunctionId) -> &Function {
        self.program.functions.get(id.0 as usize).expect("a function that exists")
    }

    fn value(&self, e: &Expr, known: &HashSet<LocalId>) {
        assert!(!self.is_pool(e, known), "dice where a value belongs: {}", super::print::expr(e));
    }

    fn dice(&self, e: &Expr, known: &HashSet<LocalId>) {
        assert!(self.is_pool(e, known), "a value where dice belong: {}", super::print::expr(e));
    }

    fn faces(&self, faces: &[Face], known: &HashSet<LocalId>) {
        for face in faces {
            self.value(&face.value, known);
            self.value(&face.weight, known);
        }
    }

    /// Whether an expression yields dice; everything below it is checked.
    fn is_pool(&self, e: &Expr, known: &HashSet<LocalId>) -> bool {
        match &e.kind {
            Kind::Constant(_) => false,
            Kind::Local(id) => {
                assert!(known.contains(id), "v{} is not bound here", id.0);
                self.holds_dice(self.function, *id)
            }
            Kind::Let { local, value, body } => {
                let pool = self.is_pool(value, known);
                assert_eq!(pool, self.holds_dice(self.function, *local), "let v{}", local.0);
                self.is_pool(body, &with(known, [*local]))
            }
            Kind::If { condition, then, otherwise, .. } => {
                self.value(condition, known);
                let (a, b) = (self.is_pool(then, known), self.is_pool(otherwise, known));
                assert_eq!(a, b, "one branch yields dice");
                a
            }
            Kind::Operation { operands, .. } => self.values(operands, known),
            Kind::List(items) => self.values(items, known),
            Kind::Record { shape, fields } => {
                assert_eq!(shape.fields.len(), fields.len());
                self.values(fields, known)
            }
            Kind::Field { record, .. } => {
                self.value(record, known);
                false
            }
            Kind::Call { function, arguments } => {
                let callee = self.callee(*function);
                assert_eq!(callee.parameters, arguments.len(), "{}", callee.name);
                for (id, argument) in (0u32..).map(LocalId).zip(arguments) {
                    let pool = self.is_pool(argument, known);
                    assert_eq!(pool, self.holds_dice(callee, id), "{} v{}", callee.name, id.0);
                }
                false
            }
            Kind::Enter { body, .. } => self.is_pool(body, known),
            Kind::Fold { list, first, carry, item, body } => {
                self.value(list, known);
                self.value(first, known);
                self.value(body, &with(known, [*carry, *item]));
                false
            }
            Kind::Walk { pools, first, carry, face, counts, body, .. } => {
                assert_eq!(pools.len(), counts.len());
                for pool in pools {
                    assert!(self.is_pool(pool, known), "a walk goes over dice");
                }
                self.value(first, known);
                self.value(
                    body,
                    &with(known, [*carry, *face].into_iter().chain(counts.iter().copied())),
                );
                false
            }
            Kind::Repeat { shape, state, first, round } => {
                assert_eq!((shape.fields.len(), state.len()), (state.len(), first.len()));
                self.values(first, known);
                self.value(round, &with(known, state.iter().copied()));
                false
            }
            Kind::Require { condition, message, body } => {
                self.value(condition, known);
                self.value(message, known);
                self.is_pool(body, known)
            }
            Kind::Given { condition, body } => {
                self.value(condition, known);
                self.is_pool(body, known)
            }
            Kind::Note { message, body } => {
                self.value(message, known);
                self.is_pool(body, known)
            }
            Kind::Labelled { value, .. } => {
                self.value(value, known);
                false
            }
            Kind::Input { index, default } => {
                assert!(*index < self.program.inputs.len());
                self.value(default, known);
                false
            }
            Kind::Dice { count, die } => {
                self.value(count, known);
                match die {
                    Die::Sides(sides) => self.value(sides, known),
                    Die::Percent | Die::Fate => {}
                    Die::Faces(faces) => self.faces(faces, known),
                }
                true
            }
            Kind::Symbols { count, faces } => {
                count.iter().for_each(|count| self.value(count, known));
                self.faces(faces, known);
                false
            }
            Kind::Tally { count, faces, .. } => {
                self.value(count, known);
                self.faces(faces, known);
                false
            }
            Kind::Drawn { dice, without, .. } => {
                let pool = self.is_pool(dice, known);
                without.iter().for_each(|gone| {
                    self.is_pool(gone, known);
                });
                pool
            }
            Kind::Gather(members) => !self.values(members, known),
            Kind::Merge(pools) => {
                pools.iter().for_each(|pool| self.dice(pool, known));
                true
            }
            Kind::Measure { percent, of, .. } => {
                percent.iter().for_each(|percent| {
                    self.value(percent, known);
                });
                self.value(of, known);
                false
            }
            Kind::Best(best) => {
                self.value(&best.value, known);
                best.aim.iter().for_each(|aim| self.value(&aim.number, &with(known, [aim.local])));
                false
            }
            Kind::Choose { arms, .. } => {
                for arm in arms {
                    arm.open.iter().for_each(|open| self.value(open, known));
                    self.value(&arm.value, known);
                }
                false
            }
            Kind::Pick { list, .. } => {
                self.value(list, known);
                false
            }
            Kind::Times { count, each } => {
                self.value(count, known);
                self.value(each, known);
                true
            }
            Kind::Suffixed { pool, suffix } => {
                self.dice(pool, known);
                self.suffix(&suffix.kind, known);
                true
            }
            Kind::Read { pool, reading } => {
                self.dice(pool, known);
                match reading {
                    Reading::Total | Reading::Median => {}
                    Reading::NthHighest(n) | Reading::NthLowest(n) => self.value(n, known),
                }
                false
            }
        }
    }

    fn values(&self, list: &[Expr], known: &HashSet<LocalId>) -> bool {
        list.iter().for_each(|e| self.value(e, known));
        false
    }

    fn suffix(&self, kind: &SuffixKind, known: &HashSet<LocalId>) {
        match kind {
            SuffixKind::Keep(_, n)
            | SuffixKind::Drop(_, n)
            | SuffixKind::AtLeast(n)
            | SuffixKind::AtMost(n) => self.value(n, known),
            SuffixKind::Explode { trigger, limit, .. } => {
                trigger.iter().for_each(|condition| self.value(&condition.value, known));
                limit.iter().for_each(|limit| self.value(limit, known));
            }
            SuffixKind::Reroll { condition, .. }
            | SuffixKind::CountFor(condition)
            | SuffixKind::CountAgainst(condition) => self.value(&condition.value, known),
            SuffixKind::InAll { act, most, .. } => {
                self.suffix(act, known);
                self.value(most, known);
            }
            SuffixKind::Unique | SuffixKind::Ascending | SuffixKind::Descending => {}
        }
    }
}

fn with(known: &HashSet<LocalId>, more: impl IntoIterator<Item = LocalId>) -> HashSet<LocalId> {
    known.iter().copied().chain(more).collect()
}
