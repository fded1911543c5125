//! Small rounds and functions: every path by itself, on finished values.
//!
//! ```text
//! let dice = 8d6
//! {low: nth_highest(dice, 2), high: nth_highest(dice, 1), sum: dice keep highest 2}
//! ```
//!
//! The states of the evaluator can hold undecided numbers, and that has its price: a state is copied, hashed
//! and weighed at each step. Where all variables are decided and little can happen, as in a round of a loop
//! or a call with given arguments, it is cheaper to follow each path to its end, with nothing in hand but
//! finished values and one chance. A throw is a list of values with weights, worked out once ([`atom`]). Dice
//! that are bound and read several times, as above, are decided only as far as they are read ([`joint`]):
//! which readings there will be is found by looking ahead ([`uses`]).
//!
//! Only a shortcut: what is endless, fails, or has too many paths yields nothing, and the caller takes the
//! general way.

mod atom;
mod call;
mod deal;
mod ends;
mod held;
mod joint;
mod plain;
mod uses;
mod view;

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::{Natural, Rational};
use astragal_program::core::LocalId;
use astragal_value::{Op, Value, apply};

use super::Machine;
use crate::plan::{Kind, Node};
use crate::state::Sym;
use crate::ways;
use ends::{Chance, Ends};
use held::Held;
use plain::Plain;

pub(super) use atom::Atom;
pub(super) use atom::Known;
pub(crate) use atom::Lasting;
pub(super) use view::Act;
use view::{Dice, Origin};

/// What is too much, and left to the general way.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Steps in all paths together.
    steps: u32,
    /// Values of one throw.
    values: usize,
}

impl Limits {
    /// For a function: a number that is only added to others is better left undecided.
    pub(super) const FEW: Limits = Limits { steps: 150, values: 24 };
    /// For a round of a loop, whose next state must be decided in any case.
    pub(super) const ROUND: Limits = Limits { steps: 20_000, values: 1_000 };
    /// Values of one throw that are no numbers, and steps more with such.
    const OTHERS: usize = 64;
    const MORE: u32 = 10_000;
    /// Steps more where dice are read several times.
    const SHARED: u32 = 30_000;
    /// The same where they are hands dealt together: the general way would decide them one by one.
    const DEALT: u32 = 300_000;
    /// Steps for each item of a fold, and the values that may be carried then.
    const FOLD: (u32, usize) = (600, 48);
}

/// How deep expressions, and what follows them, may nest.
const DEEPEST: usize = if cfg!(target_family = "wasm") { 60 } else { 400 };

/// A throw that is bound takes at least so many steps.
const STEPS_OF_A_THROW: u32 = 3;

/// No shortcut here.
struct NotSo;

type Step = Result<(), NotSo>;

/// What an expression comes to on one path.
#[derive(Clone)]
enum Datum {
    Value(Value),
    Dice(Dice),
}

/// The variables of the running function on one path.
#[derive(Clone)]
struct Frame {
    values: Vec<Value>,
    /// Those that hold dice.
    dice: Vec<(LocalId, Dice)>,
}

impl Frame {
    fn dice(&self, local: LocalId) -> Option<&Dice> {
        self.dice.iter().find(|(known, _)| *known == local).map(|(_, dice)| dice)
    }

    fn set(&mut self, local: LocalId, datum: Datum) -> Step {
        self.dice.retain(|(known, _)| *known != local);
        match datum {
            Datum::Value(value) => {
                *self.values.get_mut(local.0 as usize).ok_or(NotSo)? = value;
            }
            Datum::Dice(dice) => self.dice.push((local, dice)),
        }
        Ok(())
    }
}

/// What follows an expression.
type Then<'t, 'm, 'p> = dyn FnMut(&mut Paths<'m, 'p>, Datum, &mut Frame, &Chance) -> Step + 't;

/// What follows several expressions.
type ThenAll<'t, 'm, 'p> =
    dyn FnMut(&mut Paths<'m, 'p>, Vec<Datum>, &mut Frame, &Chance) -> Step + 't;

/// The paths through an expression, followed one after the other.
struct Paths<'m, 'p> {
    machine: &'m mut Machine<'p>,
    steps: u32,
    /// All the steps that there were.
    allowed: u32,
    /// On how many paths this place will be come by, if none takes another branch.
    fan: u32,
    /// Steps that may be added once.
    more: u32,
    values: usize,
    depth: usize,
    /// The functions being run inside each other.
    calls: Vec<usize>,
    /// Notes with the chance of coming past them.
    notes: Vec<(Arc<str>, Rational)>,
    ends: Ends,
}

impl<'p> Machine<'p> {
    /// Takes over what is known about dice from the work on another question.
    pub(crate) fn remember(&mut self, lasting: Lasting) {
        self.known.lasting = lasting;
    }

    /// What is known about dice, for the work on another question.
    pub(crate) fn remembered(&mut self) -> Lasting {
        std::mem::take(&mut self.known.lasting)
    }

    /// The values of an expression whose variables are decided, with their chances, which add up to 1. None
    /// if it is not worth while to follow each path.
    pub(super) fn atom_by_paths(
        &mut self,
        node: &'p Node,
        values: &[Value],
        limits: Limits,
    ) -> Option<Atom> {
        if !self.meter.may(ways::PATHS) {
            return None;
        }
        let atom = match self.known_body(node, values, limits) {
            None => self.ends_of(node, values, limits).and_then(Ends::atom)?,
            Some(known) => known,
        };
        self.meter.took(ways::PATHS);
        Some(atom)
    }

    /// The same if it is the body of a function that a path has come through.
    fn known_body(&mut self, node: &Node, values: &[Value], limits: Limits) -> Option<Atom> {
        if self.known.bodies.is_empty() {
            return None;
        }
        let read = |local: LocalId| values.get(local.0 as usize).cloned();
        let read = node.free.iter().map(read).collect::<Option<Vec<_>>>()?;
        let known = self.known.bodies.get(&(node.id, read))?;
        let is_number = matches!(known.outcomes.first(), Some((Value::Number(_), _)));
        if is_number && known.outcomes.len() > limits.values {
            return None;
        }
        let known = Rc::clone(known);
        self.take_notes(known.notes.iter().cloned());
        let (outcomes, total) = (known.outcomes.clone(), known.total.clone());
        Some(Atom { outcomes, total, notes: Vec::new() })
    }

    /// Takes over the notes that are certain.
    fn take_notes(&mut self, notes: impl IntoIterator<Item = (Arc<str>, Rational)>) {
        for (note, chance) in notes {
            if chance == Rational::ONE && !self.notices.contains(&note) {
                self.notices.push(note);
            }
        }
    }

    /// The variables that an expression reads; none if one is not decided.
    pub(super) fn values_for(&self, node: &Node, locals: &[Sym]) -> Option<Vec<Value>> {
        let mut values = vec![Value::None; locals.len()];
        for local in node.free.iter() {
            let at = local.0 as usize;
            *values.get_mut(at)? = locals.get(at)?.to_value()?;
        }
        Some(values)
    }

    /// The value of an expression without chance.
    pub(super) fn plain_value(&self, node: &Node, values: &mut [Value]) -> Option<Value> {
        Plain { plan: self.plan, meter: self.meter }.value(node, values, 0)
    }

    fn ends_of(&mut self, node: &'p Node, values: &[Value], limits: Limits) -> Option<Ends> {
        let place = node.id;
        if self.known.is_hopeless(place) {
            return None;
        }
        let mut frame = Frame { values: values.to_vec(), dice: Vec::new() };
        let mut paths = Paths {
            machine: self,
            steps: limits.steps,
            allowed: limits.steps,
            fan: 1,
            more: Limits::MORE,
            values: limits.values,
            depth: 0,
            calls: Vec::new(),
            notes: Vec::new(),
            ends: Ends::default(),
        };
        let certain = Chance::certain();
        let followed = paths.datum(node, &mut frame, &certain, &mut |paths, datum, _, chance| {
            let Datum::Value(value) = datum else { return Err(NotSo) };
            paths.ends.add(value, chance);
            Ok(())
        });
        let Paths { notes, ends, calls, .. } = paths;
        if followed.is_err() {
            self.known.is_hopeless_from_now(place);
            // Nor will the calls come to more by themselves in which it went wrong.
            for callee in calls.iter().filter_map(|function| self.plan.functions.get(*function)) {
                self.known.is_hopeless_from_now(callee.body.id);
            }
            return None;
        }
        self.take_notes(notes);
        Some(ends)
    }
}

impl<'m, 'p> Paths<'m, 'p> {
    /// Whether an expression is without chance and looks at no dice.
    fn is_still(&self, node: &'p Node, frame: &Frame) -> bool {
        node.is_still() && frame.dice.iter().all(|(local, _)| !node.free.contains(*local))
    }

    /// Follows the paths through an expression, and what follows it.
    fn datum(
        &mut self,
        node: &'p Node,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        if self.is_still(node, frame) {
            let value = self.value(node, frame)?;
            return then(self, Datum::Value(value), frame, chance);
        }
        self.steps = self.steps.checked_sub(1).ok_or(NotSo)?;
        self.machine.meter.charge(40).map_err(|_| NotSo)?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(NotSo);
        }
        let done = match self.closed(node, frame) {
            Some(atom) => self.each(&atom, frame, chance, then),
            None => self.form(node, frame, chance, then),
        };
        self.depth -= 1;
        done
    }

    /// The values of an expression that depends on no variable; none if it is better not known.
    fn closed(&mut self, node: &'p Node, frame: &mut Frame) -> Option<Rc<Atom>> {
        if self.depth < 2 || !node.free.is_empty() || !is_composed(node) {
            return None;
        }
        let key = (node.id, Vec::new());
        if let Some(known) = self.machine.known.parts.get(&key) {
            return known.clone();
        }
        let certain = Chance::certain();
        let atom = self.gathered(&mut |paths, then| paths.form(node, frame, &certain, then)).ok();
        self.machine.known.parts.insert(key, atom.clone());
        atom
    }

    /// The values that something comes to, equal ones added up. It must not look at dice that are bound: they
    /// would not be known to be the same for what follows.
    fn gathered(
        &mut self,
        run: &mut dyn FnMut(&mut Self, &mut Then<'_, 'm, 'p>) -> Step,
    ) -> Result<Rc<Atom>, NotSo> {
        let (depth, calls) = (self.depth, self.calls.clone());
        let fan = std::mem::replace(&mut self.fan, 1);
        let outer = (std::mem::take(&mut self.ends), std::mem::take(&mut self.notes));
        let done = run(self, &mut |paths, datum, _, chance| {
            let Datum::Value(value) = datum else { return Err(NotSo) };
            paths.ends.add(value, chance);
            Ok(())
        });
        let ends = std::mem::replace(&mut self.ends, outer.0);
        let notes = std::mem::replace(&mut self.notes, outer.1);
        self.fan = fan;
        if done.is_err() {
            (self.depth, self.calls) = (depth, calls);
        }
        done?;
        ends.atom().map(|atom| Rc::new(Atom { notes, ..atom })).ok_or(NotSo)
    }

    /// An expression, its equal values added up before going on.
    fn merged(
        &mut self,
        node: &'p Node,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        let bound = frame.dice.iter().any(|(local, _)| node.free.contains(*local));
        let place = node.id;
        let loose = self.machine.known.loose.contains(&place);
        if loose || !may_meet(node) || (!bound && node.is_still()) {
            return self.datum(node, frame, chance, then);
        }
        if bound {
            return self.brought_together(node, frame, chance, then);
        }
        let certain = Chance::certain();
        match self.gathered(&mut |paths, then| paths.datum(node, frame, &certain, then)) {
            Ok(atom) => self.each(&atom, frame, chance, then),
            Err(NotSo) => {
                self.machine.known.loose.insert(place);
                self.datum(node, frame, chance, then)
            }
        }
    }

    fn form(
        &mut self,
        node: &'p Node,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        match &node.kind {
            Kind::Nothing | Kind::Constant(_) => Err(NotSo),
            Kind::Local(local) => {
                let dice = frame.dice(*local).ok_or(NotSo)?.clone();
                then(self, Datum::Dice(dice), frame, chance)
            }
            Kind::Let { local, value, body } => {
                // A throw that is bound takes some steps on each path: where there are too many, none is taken.
                let throws = self.fan > 1 && !self.is_still(value, frame);
                if throws && self.fan.saturating_mul(STEPS_OF_A_THROW) > self.allowed {
                    return Err(NotSo);
                }
                self.merged(value, frame, chance, &mut |paths, datum, frame, chance| {
                    paths.bound(*local, datum, body, frame, chance, &mut |paths, frame, chance| {
                        paths.datum(body, frame, chance, then)
                    })
                })
            }
            Kind::If { condition, then: yes, otherwise } => {
                self.merged(condition, frame, chance, &mut |paths, datum, frame, chance| {
                    let holds = truth(&datum).ok_or(NotSo)?;
                    paths.datum(if holds { yes } else { otherwise }, frame, chance, then)
                })
            }
            Kind::Operation { op, operands } => {
                self.all(operands, Vec::new(), frame, chance, &mut |paths, data, frame, chance| {
                    let value = apply(*op, &values(data)?).map_err(|_| NotSo)?;
                    then(paths, Datum::Value(value), frame, chance)
                })
            }
            Kind::List(items) => {
                self.all(items, Vec::new(), frame, chance, &mut |paths, data, frame, chance| {
                    let list = Value::List(values(data)?.into());
                    then(paths, Datum::Value(list), frame, chance)
                })
            }
            Kind::Record { shape, fields } => {
                self.all(fields, Vec::new(), frame, chance, &mut |paths, data, frame, chance| {
                    let record = Value::Record(Arc::clone(shape), values(data)?.into());
                    then(paths, Datum::Value(record), frame, chance)
                })
            }
            Kind::Field { record, index } => {
                self.datum(record, frame, chance, &mut |paths, datum, frame, chance| {
                    let Datum::Value(Value::Record(_, fields)) = datum else { return Err(NotSo) };
                    let field = fields.get(*index).ok_or(NotSo)?.clone();
                    then(paths, Datum::Value(field), frame, chance)
                })
            }
            Kind::Call { function, arguments } => self.arguments_of(
                arguments,
                Vec::new(),
                frame,
                chance,
                &mut |paths, data, frame, chance| match paths.known_call(*function, &data) {
                    Some(atom) => paths.each(&atom, frame, chance, then),
                    None => paths.call(*function, data, frame, chance, then),
                },
            ),
            Kind::Enter { body } => self.datum(body, frame, chance, then),
            Kind::Note { message, body } => {
                self.note(message, frame, chance)?;
                self.datum(body, frame, chance, then)
            }
            Kind::Require { condition, body, .. } => {
                self.datum(condition, frame, chance, &mut |paths, datum, frame, chance| {
                    truth(&datum).filter(|holds| *holds).ok_or(NotSo)?;
                    paths.datum(body, frame, chance, then)
                })
            }
            Kind::Fold { list, first, carry, item, body } => {
                self.datum(list, frame, chance, &mut |paths, datum, frame, chance| {
                    let Datum::Value(Value::List(items)) = datum else { return Err(NotSo) };
                    let names = (*carry, *item);
                    if let Some(atom) = paths.folded(&items, first, names, body, frame) {
                        return paths.each(&atom, frame, chance, then);
                    }
                    paths.datum(first, frame, chance, &mut |paths, datum, frame, chance| {
                        paths.fold(&items, datum, names, body, frame, chance, then)
                    })
                })
            }
            Kind::Dice { .. } | Kind::Suffixed { .. } | Kind::Merge(_) => {
                self.dice(node, frame, chance, then)
            }
            Kind::Read { pool, reading } => self.read(pool, reading, frame, chance, then),
            Kind::Walk(walk) => self.walk(walk, node, frame, chance, then),
            Kind::Drawn { dice, without } if matches!(dice.kind, Kind::Dice { .. }) => {
                match without.as_slice() {
                    [] => self.dice(node, frame, chance, then),
                    without => self.dealt(node, without, frame, chance, then),
                }
            }
            Kind::Repeat(_) | Kind::Symbols { .. } | Kind::Tally { .. } | Kind::Drawn { .. } => {
                // A loop is work that would be done twice if the path came to nothing.
                if self.values < Limits::ROUND.values {
                    return Err(NotSo);
                }
                let atom = self.of_part(node, frame)?;
                self.each(&atom, frame, chance, then)
            }
            Kind::Times { .. } | Kind::Gather(_) => {
                let dice = self.dice_of_part(node, frame)?;
                then(self, Datum::Dice(dice), frame, chance)
            }
            Kind::Given { .. } => Err(NotSo),
        }
    }

    /// The value of an expression without chance.
    fn value(&mut self, node: &'p Node, frame: &mut Frame) -> Result<Value, NotSo> {
        self.steps = self.steps.checked_sub(1).ok_or(NotSo)?;
        let plain = Plain { plan: self.machine.plan, meter: self.machine.meter };
        plain.value(node, &mut frame.values, 0).ok_or(NotSo)
    }

    /// Several expressions from left to right.
    fn all(
        &mut self,
        nodes: &'p [Node],
        done: Vec<Datum>,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut ThenAll<'_, 'm, 'p>,
    ) -> Step {
        self.in_turn(nodes, |_| false, done, frame, chance, then)
    }

    /// The same for the arguments of a call. Equal values of an argument that is a call too are added up
    /// first: a call of each would be dear.
    fn arguments_of(
        &mut self,
        nodes: &'p [Node],
        done: Vec<Datum>,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut ThenAll<'_, 'm, 'p>,
    ) -> Step {
        let is_call = |node: &Node| matches!(node.kind, Kind::Call { .. });
        self.in_turn(nodes, is_call, done, frame, chance, then)
    }

    /// Several expressions from left to right; equal values of those that `adds_up` says are one path.
    fn in_turn(
        &mut self,
        nodes: &'p [Node],
        adds_up: fn(&Node) -> bool,
        mut done: Vec<Datum>,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut ThenAll<'_, 'm, 'p>,
    ) -> Step {
        while let Some(node) = nodes.get(done.len()) {
            if self.is_still(node, frame) {
                done.push(Datum::Value(self.value(node, frame)?));
                continue;
            }
            let mut onward = |paths: &mut Self, datum, frame: &mut Frame, chance: &Chance| {
                let done = done.iter().cloned().chain([datum]).collect();
                paths.in_turn(nodes, adds_up, done, frame, chance, then)
            };
            return match adds_up(node) {
                true => self.merged(node, frame, chance, &mut onward),
                false => self.datum(node, frame, chance, &mut onward),
            };
        }
        then(self, done, frame, chance)
    }

    /// Goes on with each value of a throw.
    fn each(
        &mut self,
        atom: &Rc<Atom>,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        if atom.outcomes.len() > self.values {
            // What is no number has to be decided value by value in any case.
            let is_number = matches!(atom.outcomes.first(), Some((Value::Number(_), _)));
            if is_number || atom.outcomes.len() > Limits::OTHERS {
                return Err(NotSo);
            }
            self.allowed += self.more;
            self.steps += std::mem::take(&mut self.more);
        }
        for (text, part) in &atom.notes {
            let chance =
                Rational::from_parts(chance.weight.clone().into(), Natural::clone(&chance.total));
            self.noted(Arc::clone(text), part * chance);
        }
        if let [(value, _)] = atom.outcomes.as_slice() {
            return then(self, Datum::Value(value.clone()), frame, chance);
        }
        let total = chance.total_with(&atom.total);
        let fan = self.fan;
        self.fan = fan.saturating_mul(u32::try_from(atom.outcomes.len()).unwrap_or(u32::MAX));
        for (value, weight) in &atom.outcomes {
            let datum = Datum::Value(value.clone());
            then(self, datum, frame, &chance.and(weight, &total))?;
        }
        self.fan = fan;
        Ok(())
    }

    /// Binds a variable. Fresh dice are decided as far as they will be read, if that is more than once.
    fn bound(
        &mut self,
        local: LocalId,
        datum: Datum,
        scope: &'p Node,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut dyn FnMut(&mut Self, &mut Frame, &Chance) -> Step,
    ) -> Step {
        let Datum::Dice(dice) = &datum else {
            frame.set(local, datum)?;
            return then(self, frame, chance);
        };
        let joint = match self.machine.meter.may(ways::ASKED_DICE) {
            true => self.decided(local, dice, scope, frame)?,
            false => None,
        };
        let Some(joint) = joint else {
            frame.set(local, Datum::Dice(dice.clone().bound()))?;
            return then(self, frame, chance);
        };
        let (joint, places) = joint;
        let way = if places.is_empty() { ways::ASKED_DICE } else { ways::DEALS };
        self.machine.meter.took(way);
        let steps = if places.is_empty() { Limits::SHARED } else { Limits::DEALT };
        self.steps = self.steps.max(steps);
        self.allowed = self.allowed.max(steps);
        let total = chance.total_with(&joint.total);
        let (held, weight) = Held::new(joint, places);
        frame.set(local, Datum::Dice(Dice::of(Origin::Held(Rc::new(held)))))?;
        then(self, frame, &chance.and(&weight, &total))
    }

    fn note(&mut self, message: &'p Node, frame: &mut Frame, chance: &Chance) -> Step {
        if !self.is_still(message, frame) {
            return Err(NotSo);
        }
        let Value::Text(text) = self.value(message, frame)? else { return Err(NotSo) };
        let total = Natural::clone(&chance.total);
        let part = Rational::from_parts(chance.weight.clone().into(), total);
        self.noted(text, part);
        Ok(())
    }

    fn noted(&mut self, text: Arc<str>, part: Rational) {
        match self.notes.iter_mut().find(|(known, _)| *known == text) {
            Some((_, chance)) => *chance += part,
            None => self.notes.push((text, part)),
        }
    }
}

/// Whether an expression is made of others, so that knowing its values at once may save work.
fn is_composed(node: &Node) -> bool {
    matches!(
        node.kind,
        Kind::Let { .. }
            | Kind::If { .. }
            | Kind::Operation { .. }
            | Kind::List(_)
            | Kind::Record { .. }
            | Kind::Field { .. }
            | Kind::Call { .. }
            | Kind::Enter { .. }
            | Kind::Fold { .. }
    )
}

/// Whether different throws may come to the same value.
fn may_meet(node: &Node) -> bool {
    match &node.kind {
        Kind::Operation { op, operands } => {
            !matches!(op, Op::Add | Op::Subtract | Op::Negate) || operands.iter().any(may_meet)
        }
        _ => is_composed(node),
    }
}

fn truth(datum: &Datum) -> Option<bool> {
    match datum {
        Datum::Value(value) => value.as_bool(),
        Datum::Dice(_) => None,
    }
}

fn values(data: Vec<Datum>) -> Result<Vec<Value>, NotSo> {
    let value = |datum| match datum {
        Datum::Value(value) => Ok(value),
        Datum::Dice(_) => Err(NotSo),
    };
    data.into_iter().map(value).collect()
}
