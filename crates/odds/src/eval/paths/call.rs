//! Calls and folds on a path.

use std::rc::Rc;

use astragal_program::core::LocalId;
use astragal_value::Value;

use super::atom::Atom;
use super::view::Part;
use super::{Chance, Datum, Frame, Limits, NotSo, Paths, Step, Then};
use crate::plan::Node;

impl<'m, 'p> Paths<'m, 'p> {
    pub(super) fn call(
        &mut self,
        function: usize,
        arguments: Vec<Datum>,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        let callee = self.machine.plan.functions.get(function).ok_or(NotSo)?;
        if self.calls.contains(&function) {
            return Err(NotSo);
        }
        let mut inner = Frame { values: Vec::with_capacity(callee.locals), dice: Vec::new() };
        let mut fresh = Vec::new();
        for (at, datum) in arguments.into_iter().enumerate() {
            let local = LocalId(at as u32);
            inner.values.push(match datum {
                Datum::Value(value) => value,
                Datum::Dice(dice) if dice.is_bound => {
                    inner.dice.push((local, dice));
                    Value::None
                }
                Datum::Dice(dice) => {
                    fresh.push((local, Datum::Dice(dice)));
                    Value::None
                }
            });
        }
        inner.values.resize(callee.locals, Value::None);
        self.calls.push(function);
        self.arguments(fresh, &callee.body, &mut inner, chance, &mut |paths, inner, chance| {
            paths.datum(&callee.body, inner, chance, &mut |paths, datum, _, chance| {
                let called = paths.calls.pop();
                then(paths, datum, frame, chance)?;
                paths.calls.extend(called);
                Ok(())
            })
        })?;
        self.calls.pop();
        Ok(())
    }

    /// What a call with these arguments yields; none if it is better not known.
    pub(super) fn known_call(&mut self, function: usize, arguments: &[Datum]) -> Option<Rc<Atom>> {
        let parts = arguments.iter().map(Part::of).collect::<Option<Vec<_>>>()?;
        let key = (function, parts);
        if let Some(known) = self.machine.known.calls.get(&key) {
            return known.clone();
        }
        let mut outer = Frame { values: Vec::new(), dice: Vec::new() };
        let certain = Chance::certain();
        let body = self.machine.plan.functions.get(function).map(|callee| &callee.body)?;
        let place = body.id;
        if self.machine.known.loose.contains(&place) {
            return None;
        }
        let atom = self.gathered(&mut |paths, then| {
            paths.call(function, arguments.to_vec(), &mut outer, &certain, then)
        });
        let atom = atom.ok();
        match &atom {
            None => {
                self.machine.known.loose.insert(place);
            }
            // What is certain is soon found again.
            Some(atom) if atom.outcomes.len() < 2 => {}
            Some(atom) => {
                let value = |local: LocalId| match arguments.get(local.0 as usize) {
                    Some(Datum::Value(value)) => Some(value.clone()),
                    _ => None,
                };
                if let Some(values) = body.free.iter().map(value).collect() {
                    self.machine.known.bodies.insert((place, values), Rc::clone(atom));
                }
            }
        }
        self.machine.known.calls.insert(key, atom.clone());
        atom
    }

    /// Binds the fresh dice among the arguments of a call.
    pub(super) fn arguments(
        &mut self,
        mut dice: Vec<(LocalId, Datum)>,
        body: &'p Node,
        inner: &mut Frame,
        chance: &Chance,
        then: &mut dyn FnMut(&mut Self, &mut Frame, &Chance) -> Step,
    ) -> Step {
        match dice.pop() {
            None => then(self, inner, chance),
            Some((local, datum)) => {
                self.bound(local, datum, body, inner, chance, &mut |paths, inner, chance| {
                    paths.arguments(dice.clone(), body, inner, chance, then)
                })
            }
        }
    }

    /// A fold whose carried values are added up after each item; none if that cannot be.
    pub(super) fn folded(
        &mut self,
        items: &[Value],
        first: &'p Node,
        (carry, item): (LocalId, LocalId),
        body: &'p Node,
        frame: &Frame,
    ) -> Option<Rc<Atom>> {
        let place = body.id;
        let bound = frame
            .dice
            .iter()
            .any(|(local, _)| body.free.contains(*local) || first.free.contains(*local));
        if bound || items.len() < 2 || self.machine.known.loose.contains(&place) {
            return None;
        }
        let mut inner = frame.clone();
        let certain = Chance::certain();
        self.steps = self.steps.max(Limits::FOLD.0);
        let mut now =
            self.gathered(&mut |paths, then| paths.datum(first, &mut inner, &certain, then));
        let mut notes = Vec::new();
        for next in items {
            let Ok(before) = &now else { break };
            notes.extend(before.notes.iter().cloned());
            let (before, total) = (Rc::clone(before), Rc::new(before.total.clone()));
            // Where values meet, a long list takes many steps but few paths.
            self.steps = self.steps.max(Limits::FOLD.0);
            now = self.gathered(&mut |paths, then| {
                for (value, weight) in &before.outcomes {
                    if paths.ends.list.len() > Limits::FOLD.1.max(paths.values) {
                        return Err(NotSo);
                    }
                    let chance = Chance { weight: weight.clone(), total: Rc::clone(&total) };
                    inner.set(carry, Datum::Value(value.clone()))?;
                    inner.set(item, Datum::Value(next.clone()))?;
                    paths.datum(body, &mut inner, &chance, then)?;
                }
                Ok(())
            });
        }
        match now.ok().and_then(Rc::into_inner) {
            Some(mut atom) => {
                atom.notes.splice(0..0, notes);
                Some(Rc::new(atom))
            }
            None => {
                self.machine.known.loose.insert(place);
                None
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a fold under way")]
    pub(super) fn fold(
        &mut self,
        items: &[Value],
        carried: Datum,
        names: (LocalId, LocalId),
        body: &'p Node,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        let Some((item, rest)) = items.split_first() else {
            return then(self, carried, frame, chance);
        };
        let Datum::Value(_) = carried else { return Err(NotSo) };
        // Later rounds bind the same variables again, and earlier ones are not done with theirs.
        let mut inner = frame.clone();
        inner.set(names.0, carried)?;
        inner.set(names.1, Datum::Value(item.clone()))?;
        self.datum(body, &mut inner, chance, &mut |paths, datum, _, chance| {
            paths.fold(rest, datum, names, body, frame, chance, then)
        })
    }
}
