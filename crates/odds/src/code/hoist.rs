//! Expressions that throw: their throws told from what is done with them.
//!
//! ```text
//! let dice = 6d20
//! if nth_lowest(dice, 1) == 1 then min(dice drop lowest keep lowest, d20) else dice keep lowest
//! ```
//!
//! Here two things are thrown, `dice` and the `d20`. All the rest is code without chance, in which a throw is a
//! slot. Dice that are bound are one throw too: what shows on them is a hand, and each reading of them is a
//! question whose answer the hand knows. So the six dice are 210 hands and not 230,230.
//!
//! What depends on no throw before it is one throw as a whole, however much it throws itself: `d20 + 2d6 >= 15`
//! has two values. A call of a function that throws is one throw, worked out once for each of its arguments.

use astragal_prob::Rational;
use astragal_program::core::LocalId;
use astragal_value::{Number, Value};

use super::beside::Groups;
use super::compile::{Compiler, Part, Scope, Varies};
use crate::asked::{
    Act, Asked, Beside, Deal, Hands, Question, View, Walked, bag_of, reading_of, weighted, whole,
};
use crate::eval::act_of;
use crate::plan::{Die, Kind, Node, Reading, Suffix, Walk, parts};
use crate::ways;
use astragal_code::{Answer, Code};

/// A part of an expression that throws.
pub(crate) struct Thrown<'p> {
    /// Where its value is found.
    pub(crate) slot: u32,
    pub(crate) node: &'p Node,
    /// The function of which it is the body, if it is a call.
    pub(crate) function: Option<usize>,
    /// The variables that it reads.
    pub(crate) reads: Vec<(LocalId, Code)>,
    /// What its values depend on: the largest expressions without chance inside it. `(min(3, mine))d6` has the same
    /// values for all that is at least 3.
    pub(crate) keys: Vec<Code>,
    /// How many variables its function has.
    pub(crate) locals: usize,
    /// What is asked of it, if it is dice on the table.
    pub(crate) asked: Option<Asked<'p>>,
}

/// The throws found so far.
pub(super) struct Hoist<'p> {
    pub(super) throws: Vec<Thrown<'p>>,
    seen: Vec<Seen>,
    /// Which dice are thrown together.
    pub(super) beside: Groups,
    /// How many variables the function has in which we are.
    locals: usize,
    whole: Whole,
}

/// What may be a throw as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    /// No loop: it is work that is done twice if the rest comes to nothing.
    Small,
    /// Loops too.
    Loop,
    /// In a round, whose throws are worked out once for all nodes: also a choice between throws, a call with fresh dice,
    /// and whatever depends on nothing that is carried. Fewer throws make fewer paths.
    Round,
}

/// Dice on the table as a variable sees them.
struct Seen {
    throw: usize,
    view: View,
    /// Whether they are still to be bound.
    is_fresh: bool,
}

impl Hoist<'_> {
    pub(super) fn within(locals: usize, whole: Whole, beside: Groups) -> Self {
        Hoist { throws: Vec::new(), seen: Vec::new(), beside, locals, whole }
    }
}

impl<'p> Compiler<'_, 'p> {
    /// Goes on in a function with so many variables; yields the number of the one before.
    pub(super) fn enter(&mut self, locals: usize) -> usize {
        self.hoist.as_mut().map_or(0, |hoist| std::mem::replace(&mut hoist.locals, locals))
    }

    /// How many throws and hands were found so far.
    pub(super) fn throws_so_far(&self) -> usize {
        let size = |thrown: &Thrown<'_>| 1 + thrown.asked.as_ref().map_or(0, Asked::hands);
        self.hoist.as_ref().map_or(0, |hoist| hoist.throws.iter().map(size).sum())
    }

    /// The throw of dice that are bound here for the first time.
    pub(super) fn thrown_here(&mut self, seen: u32) -> Option<u32> {
        let hoist = self.hoist.as_mut()?;
        let seen = hoist.seen.get_mut(seen as usize)?;
        std::mem::take(&mut seen.is_fresh).then(|| hoist.throws[seen.throw].slot)
    }

    /// Whether an expression is one throw as a whole.
    pub(super) fn is_throw(&self, node: &Node, scope: &Scope) -> bool {
        if self.hoist.is_none() || !node.throws() || sees_dice(node, scope) {
            return false;
        }
        match &node.kind {
            Kind::Let { .. } => is_closed(node, scope),
            Kind::If { then, otherwise, .. } if self.is_round() => {
                then.throws() || otherwise.throws() || self.is_alone(node, scope)
            }
            Kind::If { .. } | Kind::Operation { .. } => self.is_alone(node, scope),
            Kind::Field { record, .. } => matches!(record.kind, Kind::Call { .. }),
            // Dice that are handed over are bound there.
            Kind::Call { arguments, .. } if !self.is_round() && arguments.iter().any(is_pool) => {
                false
            }
            Kind::Call { function, .. } => {
                self.plan.functions.get(*function).is_none_or(|callee| callee.body.throws())
            }
            Kind::Drawn { dice, .. } => !matches!(dice.kind, Kind::Dice { .. }),
            Kind::Fold { .. }
            | Kind::Walk(_)
            | Kind::Repeat(_)
            | Kind::Symbols { .. }
            | Kind::Tally { .. }
            | Kind::Measure { .. }
            | Kind::Read { .. } => true,
            Kind::Nothing
            | Kind::Constant(_)
            | Kind::Local(_)
            | Kind::List(_)
            | Kind::Record { .. }
            | Kind::Enter { .. }
            | Kind::Require { .. }
            | Kind::Given { .. }
            | Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Merge(_)
            | Kind::Times { .. }
            | Kind::Suffixed { .. } => false,
        }
    }

    fn is_round(&self) -> bool {
        self.hoist.as_ref().is_some_and(|hoist| hoist.whole == Whole::Round)
    }

    /// Whether nothing that an expression reads depends on a throw, and nothing in it that is carried through a loop is
    /// used but by throws: then the whole has fewer values than they have, as `action(dice).successes >= 1`.
    fn is_alone(&self, node: &Node, scope: &Scope) -> bool {
        is_closed(node, scope)
            || depends_on(node, scope) < Varies::Within
                && match &node.kind {
                    Kind::Operation { operands, .. } => {
                        operands.iter().all(|part| self.is_alone(part, scope))
                    }
                    Kind::If { condition, then, otherwise } => {
                        [condition, then, otherwise].iter().all(|part| self.is_alone(part, scope))
                    }
                    _ => self.is_throw(node, scope),
                }
    }

    /// A throw; none if it looks at dice on the table.
    pub(super) fn throw(
        &mut self,
        node: &'p Node,
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Part> {
        let slot = match &node.kind {
            Kind::Repeat(_) if self.hoist.as_ref()?.whole == Whole::Small => return None,
            Kind::Call { arguments, .. }
                if self.is_round() && (is_closed(node, scope) || arguments.iter().any(is_pool)) =>
            {
                self.thrown(node, scope, None)?
            }
            Kind::Call { function, arguments } => {
                let callee = self.plan.functions.get(*function)?;
                let mut reads = Vec::new();
                for (local, argument) in self.parameters(arguments, scope, depth)? {
                    reads.push((local, self.settled(argument)));
                }
                let (slot, locals) = (self.slot(), callee.locals);
                let (node, function) = (&callee.body, Some(*function));
                let keys = varying(&reads);
                let thrown = Thrown { slot, node, function, reads, keys, locals, asked: None };
                self.hoist.as_mut()?.throws.push(thrown);
                slot
            }
            _ => self.thrown(node, scope, None)?,
        };
        Some(Part { code: Code::Throw(slot), varies: Varies::Within })
    }

    /// The arguments of a call that somebody asks for, by the variables that they become.
    pub(super) fn parameters(
        &mut self,
        arguments: &'p [Node],
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Vec<(LocalId, Part)>> {
        let mut parameters = Vec::with_capacity(arguments.len());
        for (local, argument) in (0u32..).map(LocalId).zip(arguments) {
            if self.hoist.is_none() || !matches!(argument.kind, Kind::Nothing) {
                parameters.push((local, self.argument(argument, scope, depth)?));
            }
        }
        Some(parameters)
    }

    /// An argument. If it is a call of what another call yields, equal values of it meet first: a throw for each way
    /// to come to them would be dear.
    fn argument(&mut self, node: &'p Node, scope: &mut Scope, depth: usize) -> Option<Part> {
        if self.hoist.is_some() && is_of_calls(node) && is_closed(node, scope) {
            let slot = self.thrown(node, scope, None)?;
            return Some(Part { code: Code::Throw(slot), varies: Varies::Within });
        }
        self.part(node, scope, depth)
    }

    fn thrown(
        &mut self,
        node: &'p Node,
        scope: &mut Scope,
        asked: Option<Asked<'p>>,
    ) -> Option<u32> {
        let mut reads = Vec::new();
        for local in node.free.iter() {
            match &scope.get(&local)?.code {
                Code::Dice(_) => return None,
                code => reads.push((local, code.clone())),
            }
        }
        let mut keys = Vec::new();
        if self.keys(node, node, scope, &mut keys).is_none() {
            keys = varying(&reads);
        }
        let slot = self.slot();
        let hoist = self.hoist.as_mut()?;
        let locals = hoist.locals;
        hoist.throws.push(Thrown { slot, node, function: None, reads, keys, locals, asked });
        Some(slot)
    }

    /// The largest expressions without chance in a part of a throw that depend on something.
    fn keys(
        &mut self,
        node: &'p Node,
        throw: &Node,
        scope: &mut Scope,
        keys: &mut Vec<Code>,
    ) -> Option<()> {
        if depends_on(node, scope) == Varies::Never {
            return Some(());
        }
        if node.is_still() && node.free.iter().all(|local| throw.free.contains(local)) {
            let part = self.part(node, scope, 1)?;
            let key = self.settled(part);
            if !keys.contains(&key) {
                keys.push(key);
            }
            return Some(());
        }
        parts(&node.kind).into_iter().try_for_each(|part| self.keys(part, throw, scope, keys))
    }

    /// Fresh dice, laid on the table.
    pub(super) fn lay(&mut self, node: &'p Node, scope: &mut Scope) -> Option<Part> {
        self.laid(node, scope, None)
    }

    fn laid(&mut self, node: &'p Node, scope: &mut Scope, deal: Option<Deal>) -> Option<Part> {
        self.hoist.as_ref()?;
        let led = self.hoist.as_mut()?.beside.lay();
        self.thrown(node, scope, Some(Asked::of(deal)))?;
        let (throw, view) = match led {
            Some(leader) => (leader, View::of(self.lay_beside(leader)?)),
            None => (self.hoist.as_ref()?.throws.len() - 1, View::default()),
        };
        self.hoist.as_mut()?.beside.is_in(throw);
        Some(self.see(throw, view, true))
    }

    /// Makes the last throw a hand of an earlier one.
    fn lay_beside(&mut self, leader: usize) -> Option<Hands> {
        let thrown = self.hoist.as_mut()?.throws.pop()?;
        let mut variables = vec![None; thrown.locals];
        for (local, code) in &thrown.reads {
            let Code::Word(word) = code else { return None };
            *variables.get_mut(local.0 as usize)? = Some(self.store.value(*word));
        }
        let asked = self.hoist.as_mut()?.throws.get_mut(leader)?.asked.as_mut()?;
        asked.throw(Beside { node: thrown.node, variables })
    }

    /// The throw whose hands a walk looks at, and what it sees of each. Where it looks at several throws that depend on
    /// nothing, it is noted that they belong together.
    fn views(&mut self, parts: &[Part]) -> Option<(usize, Vec<View>)> {
        let seen: Vec<(usize, View)> =
            parts.iter().map(|part| self.view(part)).collect::<Option<_>>()?;
        let first = seen.first()?.0;
        let hoist = self.hoist.as_mut()?;
        if seen.iter().all(|(throw, _)| *throw == first) {
            return Some((first, seen.into_iter().map(|(_, view)| view).collect()));
        }
        let alone = |throw: &Thrown<'_>| {
            throw.keys.is_empty() && throw.asked.as_ref().is_some_and(|asked| asked.deal.is_none())
        };
        if seen.iter().all(|(throw, _)| hoist.throws.get(*throw).is_some_and(alone)) {
            seen.iter().for_each(|(throw, _)| {
                if *throw != first {
                    hoist.beside.belong(first, *throw);
                }
            });
        }
        None
    }

    fn see(&mut self, throw: usize, view: View, is_fresh: bool) -> Part {
        let mut number = 0;
        if let Some(hoist) = &mut self.hoist {
            number = hoist.seen.len() as u32;
            hoist.seen.push(Seen { throw, view, is_fresh });
        }
        Part { code: Code::Dice(number), varies: Varies::Never }
    }

    /// The throw and the view of dice that a variable has seen.
    fn view(&self, part: &Part) -> Option<(usize, View)> {
        let Code::Dice(number) = part.code else { return None };
        let seen = self.hoist.as_ref()?.seen.get(number as usize)?;
        (!seen.is_fresh).then(|| (seen.throw, seen.view.clone()))
    }

    /// Dice after one more suffix.
    pub(super) fn suffixed(
        &mut self,
        node: &'p Node,
        pool: &'p Node,
        suffix: &'p Suffix,
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Part> {
        if !sees_dice(pool, scope) {
            return self.lay(node, scope);
        }
        let part = self.part(pool, scope, depth)?;
        let (throw, view) = self.view(&part)?;
        let mut numbers = Vec::new();
        for node in suffix.kind.numbers() {
            let Value::Number(number) = self.stated(node, scope, depth)? else { return None };
            numbers.push(number);
        }
        let act = act_of(&suffix.kind, numbers)?;
        if matches!(&act, Act::Stage(stage) if stage.throws()) {
            return None;
        }
        Some(self.see(throw, view.after(act), false))
    }

    /// Dice of several pools in one.
    pub(super) fn laid_together(
        &mut self,
        node: &'p Node,
        members: &'p [Node],
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Part> {
        if !sees_dice(node, scope) {
            return self.lay(node, scope);
        }
        let mut views = Vec::with_capacity(members.len());
        let mut throws = Vec::with_capacity(members.len());
        for member in members {
            let part = self.part(member, scope, depth)?;
            let (throw, view) = self.view(&part)?;
            throws.push(throw);
            views.push(view);
        }
        let (throw, others) = throws.split_first()?;
        if others.iter().any(|other| other != throw) {
            return None;
        }
        Some(self.see(*throw, View::together(&views)?, false))
    }

    /// Dice drawn from a bag: the first hand of a deal, or one more.
    pub(super) fn draw(
        &mut self,
        node: &'p Node,
        dice: &'p Node,
        without: &'p [Node],
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Part> {
        self.hoist.as_ref()?;
        let Kind::Dice { count, die } = &dice.kind else { return None };
        let bag = self.bag(die, scope, depth);
        let count = self.stated(count, scope, depth).as_ref().and_then(whole);
        if !sees_dice(node, scope) {
            let whole_bag = bag.filter(|_| without.is_empty()).and_then(bag_of);
            let deal = whole_bag.zip(count).and_then(|(bag, count)| Deal::first(bag, count));
            return self.laid(node, scope, deal);
        }
        let mut bag = bag?;
        let mut throw = None;
        let mut out = Vec::new();
        for part in without {
            if !sees_dice(part, scope) {
                let Value::List(faces) = self.stated(part, scope, depth)? else { return None };
                take_out(&mut bag, &faces)?;
                continue;
            }
            let part = self.part(part, scope, depth)?;
            let (from, view) = self.view(&part)?;
            if throw.is_some_and(|throw| throw != from) {
                return None;
            }
            throw = Some(from);
            out.push(view);
        }
        bag.retain(|(_, copies)| *copies > 0);
        let out = View::together(&out)?;
        let bag = bag_of(bag)?;
        let deal = self.hoist.as_mut()?.throws.get_mut(throw?)?.asked.as_mut()?.deal.as_mut()?;
        let hand = deal.draw(count?, &bag, &out)?;
        Some(self.see(throw?, View::of(hand), false))
    }

    /// How many of each face lie in a bag, if the text says so.
    fn bag(
        &mut self,
        die: &'p Die,
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Vec<(Rational, u64)>> {
        let sides = match die {
            Die::Sides(sides) => whole(&self.stated(sides, scope, depth)?)?,
            Die::Percent => 100,
            Die::Fate => return Some([-1, 0, 1].map(|face| (Rational::from(face), 1)).to_vec()),
            Die::Faces(faces) => {
                let mut values = Vec::with_capacity(2 * faces.len());
                for part in faces.iter().flat_map(|face| [&face.value, &face.weight]) {
                    values.push(self.stated(part, scope, depth)?);
                }
                return weighted(&values);
            }
        };
        (sides <= ways::LARGEST_CODE as u64)
            .then(|| (1..=sides).map(|face| (Rational::from(face), 1)).collect())
    }

    /// The value of an expression that depends on nothing.
    fn stated(&mut self, node: &'p Node, scope: &mut Scope, depth: usize) -> Option<Value> {
        if node.throws() {
            return None;
        }
        match self.part(node, scope, depth)?.code {
            Code::Word(word) => Some(self.store.value(word)),
            _ => None,
        }
    }

    /// A reading of dice on the table.
    pub(super) fn asked(
        &mut self,
        pool: &'p Node,
        reading: &'p Reading,
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Part> {
        if let Kind::If { condition, then, otherwise } = &pool.kind {
            let condition = self.part(condition, scope, depth)?;
            let then = self.asked(then, reading, scope, depth)?;
            let otherwise = self.asked(otherwise, reading, scope, depth)?;
            return self.choice(condition, then, otherwise);
        }
        let part = self.part(pool, scope, depth)?;
        let (throw, view) = self.view(&part)?;
        let rank = match reading.number() {
            Some(n) => whole(&self.stated(n, scope, depth)?).filter(|rank| *rank > 0)?,
            None => 0,
        };
        let reading = reading_of(reading, rank);
        self.ask(throw, Question::Read(view, reading))
    }

    /// A walk over dice on the table.
    pub(super) fn asked_by_walk(
        &mut self,
        walk: &'p Walk,
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Part> {
        self.hoist.as_ref()?;
        let parts = walk.pools.iter().map(|pool| self.part(pool, scope, depth));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        let (throw, views) = self.views(&parts)?;
        let first = self.stated(&walk.first, scope, depth)?;
        let mut values = Vec::new();
        for local in walk.outside() {
            let Code::Word(word) = scope.get(&local)?.code else { return None };
            values.push(self.store.value(word));
        }
        let hoist = self.hoist.as_mut()?;
        let asked = hoist.throws.get_mut(throw)?.asked.as_mut()?;
        let place = asked.walk(walk);
        let walked = Walked { place, views, first, values, locals: hoist.locals };
        self.ask(throw, Question::Walk(walked))
    }

    fn ask(&mut self, throw: usize, question: Question) -> Option<Part> {
        let thrown = self.hoist.as_mut()?.throws.get_mut(throw)?;
        let question = thrown.asked.as_mut()?.question(question);
        let answer = Answer { dice: thrown.slot, question };
        Some(Part { code: Code::Answer(answer), varies: Varies::Within })
    }
}

/// Whether an expression looks at dice on the table.
fn sees_dice(node: &Node, scope: &Scope) -> bool {
    let is_dice = |part: &Part| matches!(part.code, Code::Dice(_));
    scope.iter().any(|(local, part)| is_dice(part) && node.free.contains(*local))
}

/// Whether dice are what an expression yields.
pub(crate) fn is_pool(node: &Node) -> bool {
    match &node.kind {
        Kind::Dice { .. }
        | Kind::Suffixed { .. }
        | Kind::Merge(_)
        | Kind::Gather(_)
        | Kind::Times { .. } => true,
        Kind::Drawn { dice, .. } => is_pool(dice),
        _ => false,
    }
}

/// Whether an expression is a call of what throws.
pub(crate) fn is_of_calls(node: &Node) -> bool {
    match &node.kind {
        Kind::Call { arguments, .. } => arguments
            .iter()
            .any(|argument| argument.throws() && matches!(argument.kind, Kind::Call { .. })),
        _ => false,
    }
}

/// Whether an expression reads nothing that depends on a throw, or is carried.
fn is_closed(node: &Node, scope: &Scope) -> bool {
    depends_on(node, scope) == Varies::Never
}

/// What an expression depends on. Its own variables depend on something.
fn depends_on(node: &Node, scope: &Scope) -> Varies {
    let of = |local| scope.get(&local).map_or(Varies::Within, |part| part.varies);
    node.free.iter().map(of).max().unwrap_or(Varies::Never)
}

/// Those that are not the same each time.
fn varying(reads: &[(LocalId, Code)]) -> Vec<Code> {
    let codes = reads.iter().map(|(_, code)| code);
    codes.filter(|code| !matches!(code, Code::Word(_))).cloned().collect()
}

/// Takes faces out of a bag; none if one of them is not there.
fn take_out(bag: &mut [(Rational, u64)], faces: &[Value]) -> Option<()> {
    for face in faces {
        let face = face.as_number().map(Number::to_rational)?;
        let (_, copies) = bag.iter_mut().find(|(known, _)| *known == face)?;
        *copies = copies.checked_sub(1)?;
    }
    Some(())
}
