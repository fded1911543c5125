//! Looking ahead: how often dice that are being bound will be read, and how.
//!
//! The rest of the program is gone through without a throw. Conditions and numbers that depend on decided
//! variables alone are worked out, so `if read == all then lowest_double(dice) else …` asks nothing of the
//! branch that is not taken; a condition that depends on chance asks both. What is found only has to be
//! enough: dice that are read otherwise than was foreseen are left to the general way.

use astragal_prob::pool::Reading;
use astragal_program::core::LocalId;
use astragal_value::Value;

use super::atom::reading_of;
use super::deal::Deal;
use super::plain::Plain;
use super::view::{Question, View, Walked};
use super::{Frame, Paths};
use crate::eval::Machine;
use crate::eval::suffix::act_of;
use crate::plan::{Kind, Locals, Node, Reading as PlanReading, Suffix, Walk, parts, suffix_parts};
use crate::state::Table;

/// More steps ahead than this are not looked.
const FURTHEST: u32 = 4_000;
const DEEPEST: u32 = 60;

/// Looks for the readings of dice.
pub(super) struct Look<'a, 'p> {
    pub(super) machine: &'a mut Machine<'p>,
    /// The hands so far, if the dice are drawn.
    pub(super) deal: Option<Deal>,
    questions: Vec<Question>,
    walks: Vec<&'p Walk>,
    steps: u32,
    depth: u32,
}

/// What is known at a place: values of variables, and which hold the dice, perhaps seen in part.
#[derive(Clone)]
pub(super) struct Scene {
    values: Vec<Value>,
    known: Locals,
    dice: Vec<(LocalId, View)>,
}

/// How often dice are read at most; none if that, or how, is not known.
type Times = Option<usize>;

/// What will be asked of dice.
pub(super) struct Foreseen<'p> {
    pub(super) questions: Vec<Question>,
    pub(super) walks: Vec<&'p Walk>,
    pub(super) deal: Option<Deal>,
}

impl<'a, 'p> Look<'a, 'p> {
    /// The readings of the dice in a variable's scope, if there may be several on one path, or if more hands
    /// are dealt from the same bag.
    pub(super) fn at(
        paths: &'a mut Paths<'_, 'p>,
        local: LocalId,
        (table, view): (&Table, &View),
        scope: &'p Node,
        frame: &Frame,
    ) -> Option<Foreseen<'p>> {
        let mut known = Locals::default();
        for other in scope.free.iter().filter(|other| frame.dice(*other).is_none()) {
            known.insert(other);
        }
        known.remove(local);
        let values = frame.values.clone();
        let mut scene = Scene { values, known, dice: vec![(local, view.clone())] };
        let mut look = Look {
            machine: paths.machine,
            deal: Deal::first(table),
            questions: Vec::new(),
            walks: Vec::new(),
            steps: FURTHEST,
            depth: 0,
        };
        let times = look.times(scope, &mut scene)?;
        let Look { questions, walks, deal, .. } = look;
        let dealt = deal.as_ref().is_some_and(|deal| deal.hands.len() > 1);
        (times > 1 || dealt).then_some(Foreseen { questions, walks, deal })
    }

    fn times(&mut self, node: &'p Node, scene: &mut Scene) -> Times {
        if !scene.dice.iter().any(|(local, _)| node.free.contains(*local)) {
            return Some(0);
        }
        self.steps = self.steps.checked_sub(1)?;
        self.depth += 1;
        let times = if self.depth > DEEPEST { None } else { self.form(node, scene) };
        self.depth -= 1;
        times
    }

    fn form(&mut self, node: &'p Node, scene: &mut Scene) -> Times {
        match &node.kind {
            Kind::Read { pool, reading } => {
                let rank = match reading {
                    PlanReading::NthHighest(n) | PlanReading::NthLowest(n) => {
                        Some(self.value(n, scene)?)
                    }
                    PlanReading::Total | PlanReading::Median => None,
                };
                let reading = reading_of(reading, rank.as_ref())?;
                self.seen(pool, scene, &mut Vec::new(), &reading)
            }
            Kind::Let { local, value, body } => {
                let times = self.bind(*local, value, scene)?;
                Some(times + self.times(body, scene)?)
            }
            Kind::If { condition, then, otherwise } => {
                let times = self.times(condition, scene)?;
                Some(
                    times
                        + match self.value(condition, scene) {
                            Some(Value::Bool(true)) => self.times(then, scene)?,
                            Some(_) => self.times(otherwise, scene)?,
                            None => self.times(then, scene)?.max(self.times(otherwise, scene)?),
                        },
                )
            }
            Kind::Call { function, arguments } => {
                let (times, body, mut inner) = self.enter(*function, arguments, scene)?;
                Some(times + self.times(body, &mut inner)?)
            }
            Kind::Fold { list, first, carry, item, body } => {
                let mut times = self.times(list, scene)? + self.times(first, scene)?;
                let Value::List(items) = self.value(list, scene)? else { return None };
                for next in items.iter() {
                    scene.forget(*carry);
                    scene.know(*item, next.clone());
                    times += self.times(body, scene)?;
                }
                Some(times)
            }
            Kind::Walk(walk) => self.walked(walk, scene),
            Kind::Repeat(_)
            | Kind::Times { .. }
            | Kind::Symbols { .. }
            | Kind::Tally { .. }
            | Kind::Drawn { .. }
            | Kind::Gather(_)
            | Kind::Merge(_)
            | Kind::Dice { .. }
            | Kind::Suffixed { .. }
            | Kind::Local(_) => None,
            Kind::Nothing
            | Kind::Constant(_)
            | Kind::Operation { .. }
            | Kind::List(_)
            | Kind::Record { .. }
            | Kind::Field { .. }
            | Kind::Enter { .. }
            | Kind::Require { .. }
            | Kind::Given { .. }
            | Kind::Note { .. } => {
                let mut times = 0;
                for part in parts(&node.kind) {
                    times += self.times(part, scene)?;
                }
                Some(times)
            }
        }
    }

    /// Follows an expression that yields the dice, through suffixes still to come, to where they are.
    fn seen(
        &mut self,
        node: &'p Node,
        scene: &mut Scene,
        acts: &mut Vec<super::view::Act>,
        reading: &Reading,
    ) -> Times {
        self.steps = self.steps.checked_sub(1)?;
        match &node.kind {
            Kind::Local(local) => {
                let (_, view) = scene.dice.iter().find(|(known, _)| known == local)?;
                let view =
                    acts.iter().rev().fold(view.clone(), |view, act| view.after(act.clone()));
                self.ask(Question::Read(view, reading.clone()));
                Some(1)
            }
            Kind::Drawn { .. } | Kind::Merge(_) => {
                let view = self.alias(node, scene)?;
                let view = acts.iter().rev().fold(view, |view, act| view.after(act.clone()));
                self.ask(Question::Read(view, reading.clone()));
                Some(1)
            }
            Kind::Suffixed { pool, suffix } => {
                acts.push(self.act(suffix, scene)?);
                let times = self.seen(pool, scene, acts, reading);
                acts.pop();
                times
            }
            Kind::If { condition, then, otherwise } => {
                let times = self.times(condition, scene)?;
                Some(
                    times
                        + match self.value(condition, scene) {
                            Some(Value::Bool(true)) => self.seen(then, scene, acts, reading)?,
                            Some(_) => self.seen(otherwise, scene, acts, reading)?,
                            None => {
                                let then = self.seen(then, scene, acts, reading)?;
                                then.max(self.seen(otherwise, scene, acts, reading)?)
                            }
                        },
                )
            }
            Kind::Let { local, value, body } => {
                let times = self.bind(*local, value, scene)?;
                Some(times + self.seen(body, scene, acts, reading)?)
            }
            Kind::Call { function, arguments } => {
                let (times, body, mut inner) = self.enter(*function, arguments, scene)?;
                self.depth += 1;
                let inside = match self.depth > DEEPEST {
                    true => None,
                    false => self.seen(body, &mut inner, acts, reading),
                };
                self.depth -= 1;
                Some(times + inside?)
            }
            Kind::Enter { body } | Kind::Note { body, .. } => self.seen(body, scene, acts, reading),
            _ => None,
        }
    }

    /// A walk over the dice alone.
    fn walked(&mut self, walk: &'p Walk, scene: &mut Scene) -> Times {
        let [pool] = walk.pools.as_slice() else { return None };
        let view = self.alias(pool, scene)?;
        let first = self.value(&walk.first, scene)?;
        let mut values = Vec::new();
        for local in walk.outside() {
            let known = scene.known.contains(local);
            values.push(scene.values.get(local.0 as usize).filter(|_| known)?.clone());
        }
        let place = walk.body.id;
        self.ask(Question::Walk(Walked { place, view, first, values, locals: scene.values.len() }));
        if !self.walks.iter().any(|known| std::ptr::eq(*known, walk)) {
            self.walks.push(walk);
        }
        Some(1)
    }

    fn ask(&mut self, question: Question) {
        if !self.questions.contains(&question) {
            self.questions.push(question);
        }
    }

    fn act(&mut self, suffix: &'p Suffix, scene: &mut Scene) -> Option<super::view::Act> {
        let mut numbers = Vec::new();
        for node in suffix_parts(&suffix.kind) {
            let Value::Number(number) = self.value(node, scene)? else { return None };
            numbers.push(number);
        }
        act_of(&suffix.kind, numbers)
    }

    fn bind(&mut self, local: LocalId, value: &'p Node, scene: &mut Scene) -> Times {
        if let Some(view) = self.alias(value, scene) {
            scene.dice.push((local, view));
            return Some(0);
        }
        let times = self.times(value, scene)?;
        match self.value(value, scene) {
            Some(value) => scene.know(local, value),
            None => scene.forget(local),
        }
        Some(times)
    }

    /// The dice under another name.
    pub(super) fn alias(&mut self, node: &'p Node, scene: &mut Scene) -> Option<View> {
        match &node.kind {
            Kind::Local(local) => {
                let (_, view) = scene.dice.iter().find(|(known, _)| known == local)?;
                Some(view.clone())
            }
            Kind::Suffixed { pool, suffix } => {
                let view = self.alias(pool, scene)?;
                Some(view.after(self.act(suffix, scene)?))
            }
            Kind::Drawn { .. } => self.dealt(node, scene),
            Kind::Merge(members) => {
                let views = members.iter().map(|member| self.alias(member, scene));
                View::together(&views.collect::<Option<Vec<_>>>()?)
            }
            _ => None,
        }
    }

    fn enter(
        &mut self,
        function: usize,
        arguments: &'p [Node],
        scene: &mut Scene,
    ) -> Option<(usize, &'p Node, Scene)> {
        let callee = self.machine.plan.functions.get(function)?;
        let mut inner = Scene {
            values: vec![Value::None; callee.locals],
            known: Locals::default(),
            dice: Vec::new(),
        };
        let mut times = 0;
        for (at, argument) in arguments.iter().enumerate() {
            let local = LocalId(at as u32);
            match self.alias(argument, scene) {
                Some(view) => inner.dice.push((local, view)),
                None => {
                    times += self.times(argument, scene)?;
                    if let Some(value) = self.value(argument, scene) {
                        inner.know(local, value);
                    }
                }
            }
        }
        Some((times, &callee.body, inner))
    }

    /// The value of an expression, if it is certain.
    pub(super) fn value(&mut self, node: &'p Node, scene: &mut Scene) -> Option<Value> {
        let certain = node.free.iter().all(|local| scene.known.contains(local));
        if !certain || !node.is_still() {
            return None;
        }
        let plain = Plain { plan: self.machine.plan, meter: self.machine.meter };
        plain.value(node, &mut scene.values, 0)
    }
}

impl Scene {
    fn know(&mut self, local: LocalId, value: Value) {
        if let Some(slot) = self.values.get_mut(local.0 as usize) {
            *slot = value;
            self.known.insert(local);
        }
    }

    fn forget(&mut self, local: LocalId) {
        self.known.remove(local);
    }
}
