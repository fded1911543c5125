//! Throws: dice laid on the table, and what is read off them, each worked out once.

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::pool::{Die as PlainDie, Reading, Source, Stage, never_stops};
use astragal_prob::{Law, Natural, Rational};
use astragal_value::{Number, Value};
use dashu_base::Gcd;
use rustc_hash::{FxHashMap, FxHashSet};

use super::deal::laid_together;
use super::joint::Joint;
use super::view::{Act, Dice, Fresh, Laid, Origin, Part, Question, View, Walked};
use super::{Chance, Datum, Frame, Limits, NotSo, Paths, Step, Then};
use crate::eval::call::Body;
use crate::eval::drawn::bag_of;
use crate::eval::fold::set;
use crate::eval::suffix::act_of;
use crate::eval::{Live, Machine};
use crate::plan::{self, Die, Kind, Node, NodeId, Suffix, Walk, suffix_parts};
use crate::state::{PoolRef, Shared, State, States, Sym, Table, Var, VarLaw};

/// A throw with more values than this is left to the general way.
const MOST_VALUES: usize = 1_000;

/// Values with weights.
pub(in crate::eval) struct Atom {
    pub(in crate::eval) outcomes: Vec<(Value, Natural)>,
    pub(in crate::eval) total: Natural,
    /// Notes with the chance of coming past them on the way.
    pub(super) notes: Vec<(Arc<str>, Rational)>,
}

impl Atom {
    /// The law of a number that is not decided; none if it is something else.
    pub(in crate::eval) fn law(&self) -> Option<Law> {
        let whole = |(value, weight): &(Value, Natural)| match value {
            Value::Number(number) => Some((number.to_i64()?, weight.clone())),
            _ => None,
        };
        let weights = self.outcomes.iter().map(whole).collect::<Option<Vec<_>>>()?;
        if weights.len() < 2 { None } else { Law::of_whole(weights) }
    }
}

/// What was worked out before, in whichever path.
#[derive(Default)]
pub(in crate::eval) struct Known {
    /// Expressions that were tried in vain.
    hopeless: FxHashSet<NodeId>,
    /// Expressions whose values could not be gathered.
    pub(super) loose: FxHashSet<NodeId>,
    pub(super) lasting: Lasting,
    laid: FxHashMap<(NodeId, Vec<Value>), Rc<Laid>>,
    acted: FxHashMap<(u32, Vec<Stage>), Rc<Laid>>,
    merged: FxHashMap<Vec<u32>, Rc<Laid>>,
    walks: FxHashMap<WalkKey, Option<Rc<Atom>>>,
    pub(super) parts: FxHashMap<(NodeId, Vec<Value>), Option<Rc<Atom>>>,
    /// Joint answers that depend on walks of this program.
    pub(super) walked_joints: Joints,
    /// What calls of functions yield.
    pub(super) calls: FxHashMap<(usize, Vec<Part>), Option<Rc<Atom>>>,
    /// The same by the body of the function and the values that it looks at: where a path came to nothing,
    /// the calls on it that came to something need not be followed again.
    pub(super) bodies: FxHashMap<(NodeId, Vec<Value>), Rc<Atom>>,
}

/// What was worked out about dice, whichever program throws them.
#[derive(Default)]
pub(crate) struct Lasting {
    tables: FxHashMap<Table, Rc<Laid>>,
    readings: FxHashMap<(u32, View, Reading), Option<Rc<Atom>>>,
    pub(super) joints: Joints,
}

/// Tables, the sizes of hands that are dealt after them, what is asked, and what they may answer.
type Joints = FxHashMap<(u32, Vec<u64>, Rc<Vec<Question>>), Option<Rc<Joint>>>;

impl Lasting {
    fn table(&mut self, table: Table) -> Rc<Laid> {
        if let Some(known) = self.tables.get(&table) {
            return Rc::clone(known);
        }
        let laid = Rc::new(Laid { id: self.tables.len() as u32, table: table.clone() });
        self.tables.insert(table, Rc::clone(&laid));
        laid
    }
}

/// A walk, the dice, and the values that it looks at.
type WalkKey = (NodeId, Vec<(u32, Vec<Stage>)>, Vec<Value>);

impl Known {
    pub(super) fn is_hopeless(&self, place: NodeId) -> bool {
        self.hopeless.contains(&place)
    }

    pub(super) fn is_hopeless_from_now(&mut self, place: NodeId) {
        self.hopeless.insert(place);
    }
}

impl Atom {
    /// Weights that add up to a total, without the factor that all of them have.
    fn of_weights(mut outcomes: Vec<(Value, Natural)>, mut total: Natural) -> Atom {
        let mut common = total.clone();
        for (_, weight) in &outcomes {
            if common.is_one() {
                break;
            }
            common = (&common).gcd(weight);
        }
        if !common.is_one() {
            outcomes.iter_mut().for_each(|(_, weight)| *weight /= &common);
            total /= &common;
        }
        Atom { outcomes, total, notes: Vec::new() }
    }

    /// The weights over a common total; none if the chances do not add up to 1.
    pub(in crate::eval) fn of(chances: Vec<(Value, Rational)>) -> Option<Atom> {
        let total = chances.iter().fold(Natural::ONE, |total, (_, chance)| {
            let more = chance.denominator();
            let common = (&total).gcd(more);
            total / common * more
        });
        let mut outcomes: Vec<(Value, Natural)> = Vec::with_capacity(chances.len());
        let mut sum = Natural::ZERO;
        for (value, chance) in chances {
            let (top, bottom) = chance.into_parts();
            let weight = Natural::try_from(top).ok()? * (&total / bottom);
            sum += &weight;
            outcomes.push((value, weight));
        }
        (sum == total).then_some(Atom { outcomes, total, notes: Vec::new() })
    }
}

impl<'m, 'p> Paths<'m, 'p> {
    /// An expression that yields dice.
    pub(super) fn dice(
        &mut self,
        node: &'p Node,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        let place = node.id;
        let (kind, drawn) = match &node.kind {
            Kind::Drawn { dice, .. } => (&dice.kind, true),
            kind => (kind, false),
        };
        match kind {
            Kind::Dice { count, die: Die::Sides(sides) } => {
                self.datum(count, frame, chance, &mut |paths, count, frame, chance| {
                    paths.datum(sides, frame, chance, &mut |paths, sides, frame, chance| {
                        let key = (place, super::values(vec![count.clone(), sides])?);
                        let laid = paths.laid(key, drawn, |machine, key| {
                            let sides = whole(&key[1]).filter(|sides| *sides > 0)?;
                            let die = machine.fair_die(sides, node.span).ok()?;
                            Some((whole(&key[0])?, die))
                        })?;
                        then(paths, Datum::Dice(Dice::fresh(laid)), frame, chance)
                    })
                })
            }
            Kind::Dice { count, die } => {
                let faces = self.faces(die, frame)?;
                self.datum(count, frame, chance, &mut |paths, count, frame, chance| {
                    let mut key = super::values(vec![count])?;
                    key.extend(faces.iter().cloned());
                    let laid = paths.laid((place, key), drawn, |machine, key| {
                        let die = match die {
                            Die::Percent => machine.fair_die(100, node.span).ok()?,
                            _ if drawn => bag_of(weighted(&key[1..])?)?,
                            _ => PlainDie::new(weighted(&key[1..])?)?,
                        };
                        Some((whole(&key[0])?, die))
                    })?;
                    then(paths, Datum::Dice(Dice::fresh(laid)), frame, chance)
                })
            }
            Kind::Suffixed { pool, suffix } => {
                self.datum(pool, frame, chance, &mut |paths, datum, frame, chance| {
                    let Datum::Dice(dice) = datum else { return Err(NotSo) };
                    let dice = paths.suffixed(dice, suffix, frame)?;
                    then(paths, Datum::Dice(dice), frame, chance)
                })
            }
            Kind::Merge(members) => {
                self.all(members, Vec::new(), frame, chance, &mut |paths, data, frame, chance| {
                    let dice = paths.side_by_side(data)?;
                    then(paths, Datum::Dice(dice), frame, chance)
                })
            }
            _ => Err(NotSo),
        }
    }

    /// The faces of a die and their weights, in turn.
    fn faces(&mut self, die: &'p Die, frame: &mut Frame) -> Result<Vec<Value>, NotSo> {
        let number = |n: i64| Value::Number(Number::from(n));
        let faces = match die {
            Die::Sides(_) => return Err(NotSo),
            Die::Percent => return Ok(Vec::new()),
            Die::Fate => return Ok([-1, 1, 0, 1, 1, 1].map(number).to_vec()),
            Die::Faces(faces) => faces,
        };
        let mut values = Vec::with_capacity(2 * faces.len());
        for node in faces.iter().flat_map(|face| [&face.value, &face.weight]) {
            values.push(self.still_value(node, frame)?);
        }
        Ok(values)
    }

    fn still_value(&mut self, node: &'p Node, frame: &mut Frame) -> Result<Value, NotSo> {
        if self.is_still(node, frame) { self.value(node, frame) } else { Err(NotSo) }
    }

    fn laid(
        &mut self,
        key: (NodeId, Vec<Value>),
        drawn: bool,
        make: impl FnOnce(&mut Machine<'p>, &[Value]) -> Option<(u64, PlainDie)>,
    ) -> Result<Rc<Laid>, NotSo> {
        if let Some(known) = self.machine.known.laid.get(&key) {
            return Ok(Rc::clone(known));
        }
        let (count, die) = make(self.machine, &key.1).ok_or(NotSo)?;
        if drawn && Natural::from(count) > *die.total() {
            return Err(NotSo);
        }
        let groups = vec![(count, Source::Die(die))];
        let stages = if drawn { vec![Stage::Drawn] } else { Vec::new() };
        let known = &mut self.machine.known;
        let laid = known.lasting.table(Table { groups, random: None, stages });
        known.laid.insert(key, Rc::clone(&laid));
        Ok(laid)
    }

    /// Dice after one more suffix. One that throws acts on the table, at once.
    fn suffixed(
        &mut self,
        mut dice: Dice,
        suffix: &'p Suffix,
        frame: &mut Frame,
    ) -> Result<Dice, NotSo> {
        let mut numbers = Vec::new();
        for node in suffix_parts(&suffix.kind) {
            let Value::Number(number) = self.still_value(node, frame)? else { return Err(NotSo) };
            numbers.push(number);
        }
        let act = act_of(&suffix.kind, numbers).ok_or(NotSo)?;
        let throws = matches!(&act, Act::Stage(stage) if crate::state::throws(stage));
        dice.view = dice.view.after(act);
        if !throws {
            return Ok(dice);
        }
        let Origin::Fresh(fresh) = &dice.origin else { return Err(NotSo) };
        if dice.is_bound {
            return Err(NotSo);
        }
        let stages = std::mem::take(&mut dice.view.stages);
        let laid = self.acted(fresh, stages)?;
        Ok(Dice { view: dice.view, ..Dice::fresh(laid) })
    }

    fn acted(&mut self, fresh: &Fresh, stages: Vec<Stage>) -> Result<Rc<Laid>, NotSo> {
        let key = (fresh.table.id, stages);
        if let Some(known) = self.machine.known.acted.get(&key) {
            return Ok(Rc::clone(known));
        }
        let old = &fresh.table.table;
        let pool = old.with(&key.1);
        if never_stops(&pool).is_some() {
            return Err(NotSo);
        }
        let table = Table { stages: pool.stages, ..old.clone() };
        let laid = self.machine.known.lasting.table(table);
        self.machine.known.acted.insert(key, Rc::clone(&laid));
        Ok(laid)
    }

    fn side_by_side(&mut self, data: Vec<Datum>) -> Result<Dice, NotSo> {
        if let Some(hands) = laid_together(&data) {
            return Ok(hands);
        }
        let mut tables = Vec::with_capacity(data.len());
        for datum in data {
            match datum {
                Datum::Dice(Dice { origin: Origin::Fresh(fresh), view, is_bound: false })
                    if view == View::default() && fresh.table.table.stages.is_empty() =>
                {
                    tables.push(Rc::clone(&fresh.table));
                }
                _ => return Err(NotSo),
            }
        }
        let key: Vec<u32> = tables.iter().map(|laid| laid.id).collect();
        if let Some(known) = self.machine.known.merged.get(&key) {
            return Ok(Dice::fresh(Rc::clone(known)));
        }
        let groups = tables.iter().flat_map(|laid| laid.table.groups.iter().cloned()).collect();
        let known = &mut self.machine.known;
        let laid = known.lasting.table(Table { groups, random: None, stages: Vec::new() });
        known.merged.insert(key, Rc::clone(&laid));
        Ok(Dice::fresh(laid))
    }

    /// Reads a number off dice.
    pub(super) fn read(
        &mut self,
        pool: &'p Node,
        reading: &'p plan::Reading,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        self.datum(pool, frame, chance, &mut |paths, datum, frame, chance| {
            let Datum::Dice(dice) = datum else { return Err(NotSo) };
            let rank = match reading {
                plan::Reading::NthHighest(n) | plan::Reading::NthLowest(n) => {
                    Some(paths.still_value(n, frame)?)
                }
                plan::Reading::Total | plan::Reading::Median => None,
            };
            let reading = reading_of(reading, rank.as_ref()).ok_or(NotSo)?;
            match &dice.origin {
                Origin::Held(held) => {
                    let question = Question::Read(dice.view.clone(), reading);
                    paths.answered(held, &question, frame, chance, then)
                }
                Origin::Fresh(fresh) => {
                    let atom = paths.read_fresh(fresh, dice.view.clone(), reading)?;
                    once(fresh, || paths.each(&atom, frame, chance, then))
                }
            }
        })
    }

    fn read_fresh(
        &mut self,
        fresh: &Fresh,
        view: View,
        reading: Reading,
    ) -> Result<Rc<Atom>, NotSo> {
        let key = (fresh.table.id, view, reading);
        if let Some(known) = self.machine.known.lasting.readings.get(&key) {
            return known.clone().ok_or(NotSo);
        }
        let atom = self.machine.reading_of_table(&fresh.table.table, &key.1, &key.2).map(Rc::new);
        self.machine.known.lasting.readings.insert(key, atom.clone());
        atom.ok_or(NotSo)
    }

    /// Goes through the faces of dice.
    pub(super) fn walk(
        &mut self,
        walk: &'p Walk,
        node: &'p Node,
        frame: &mut Frame,
        chance: &Chance,
        then: &mut Then<'_, 'm, 'p>,
    ) -> Step {
        self.all(&walk.pools, Vec::new(), frame, chance, &mut |paths, pools, frame, chance| {
            let first = paths.still_value(&walk.first, frame)?;
            if let [Datum::Dice(Dice { origin: Origin::Held(held), view, .. })] = pools.as_slice() {
                let values = looked_at(walk, frame)?;
                let place = walk.body.id;
                let locals = frame.values.len();
                let walked = Walked { place, view: view.clone(), first, values, locals };
                return paths.answered(held, &Question::Walk(walked), frame, chance, then);
            }
            let mut fresh = Vec::with_capacity(pools.len());
            let mut dice = Vec::with_capacity(pools.len());
            for pool in pools {
                let Datum::Dice(Dice { origin: Origin::Fresh(one), view, .. }) = pool else {
                    return Err(NotSo);
                };
                dice.push((one.table.id, view.stages));
                fresh.push(one);
            }
            let mut values = looked_at(walk, frame)?;
            values.insert(0, first);
            let key = (walk.body.id, dice, values);
            let known = paths.machine.known.walks.get(&key).cloned();
            let atom = match known {
                Some(known) => known,
                None => {
                    let atom = paths.walked(walk, node, &fresh, &key, frame).map(Rc::new);
                    paths.machine.known.walks.insert(key, atom.clone());
                    atom
                }
            };
            let atom = atom.ok_or(NotSo)?;
            once_each(&fresh, &mut || paths.each(&atom, frame, chance, then))
        })
    }

    fn walked(
        &mut self,
        walk: &'p Walk,
        node: &'p Node,
        fresh: &[Rc<Fresh>],
        key: &WalkKey,
        frame: &Frame,
    ) -> Option<Atom> {
        let mut start = State { locals: vec![Sym::Gone; frame.values.len()], ..State::default() };
        for local in walk.outside() {
            let value = frame.values.get(local.0 as usize)?;
            set(&mut start.locals, local, Sym::from_value(value));
        }
        set(&mut start.locals, walk.carry, Sym::from_value(key.2.first()?));
        let pools = fresh
            .iter()
            .zip(&key.1)
            .map(|(fresh, (_, later))| (Shared::new(fresh.table.table.clone()), later.clone()));
        let walked = self.machine.walked(walk, start, pools.collect(), node.span).ok()?;
        let (outcomes, total) = walked.certain(Limits::ROUND.values)?;
        Some(Atom::of_weights(outcomes, total))
    }

    /// An expression that the general way works out, from the values of its variables.
    pub(super) fn of_part(&mut self, node: &'p Node, frame: &mut Frame) -> Result<Rc<Atom>, NotSo> {
        let (key, locals) = self.part(node, frame)?;
        if let Some(known) = self.machine.known.parts.get(&key) {
            return known.clone().ok_or(NotSo);
        }
        let atom = self.machine.values_of_part(node, locals).and_then(Atom::of).map(Rc::new);
        self.machine.known.parts.insert(key, atom.clone());
        atom.ok_or(NotSo)
    }

    /// Dice that the general way lays out.
    pub(super) fn dice_of_part(
        &mut self,
        node: &'p Node,
        frame: &mut Frame,
    ) -> Result<Dice, NotSo> {
        let (key, locals) = self.part(node, frame)?;
        if let Some(known) = self.machine.known.laid.get(&key) {
            return Ok(Dice::fresh(Rc::clone(known)));
        }
        let start = State { locals, ..State::default() };
        let states = self.machine.run(node, States::one(start), &Live::default());
        let mut states = states.map_err(|_| NotSo)?;
        let (mut state, _) = states.list.pop().ok_or(NotSo)?;
        if !states.list.is_empty() || !states.aside.is_nothing() || state.phantom {
            return Err(NotSo);
        }
        let Some(Sym::Pool(pool)) = state.stack.pop() else { return Err(NotSo) };
        let table = state.table(pool.var).ok_or(NotSo)?;
        if table.random.is_some() || !pool.later.is_empty() || !pool.marks.is_empty() {
            return Err(NotSo);
        }
        let table = Table::clone(table);
        let laid = self.machine.known.lasting.table(table);
        self.machine.known.laid.insert(key, Rc::clone(&laid));
        Ok(Dice::fresh(laid))
    }

    /// The variables that an expression reads, as a key and for the general way.
    #[expect(clippy::type_complexity, reason = "a key and what it stands for")]
    fn part(
        &mut self,
        node: &'p Node,
        frame: &Frame,
    ) -> Result<((NodeId, Vec<Value>), Vec<Sym>), NotSo> {
        let mut locals = vec![Sym::Gone; frame.values.len()];
        let mut values = Vec::new();
        for local in node.free.iter() {
            if frame.dice(local).is_some() {
                return Err(NotSo);
            }
            let value = frame.values.get(local.0 as usize).ok_or(NotSo)?;
            set(&mut locals, local, Sym::from_value(value));
            values.push(value.clone());
        }
        Ok(((node.id, values), locals))
    }
}

impl<'p> Machine<'p> {
    fn reading_of_table(&mut self, table: &Table, view: &View, reading: &Reading) -> Option<Atom> {
        let pool = PoolRef { var: Var(0), later: view.stages.clone(), marks: view.marks.clone() };
        let state = State {
            laws: vec![VarLaw::Dice(Shared::new(table.clone()))],
            stack: vec![Sym::Pool(pool)],
            ..State::default()
        };
        let mut after = States::default();
        let nowhere = self.plan.mains.first()?.body.span;
        self.read_one(reading, state, &Rational::ONE, nowhere, &mut after).ok()?;
        if let Some(atom) = number_with_table(&after) {
            return atom;
        }
        Atom::of(self.certain_values(after)?)
    }

    pub(in crate::eval) fn values_of_part(
        &mut self,
        node: &'p Node,
        locals: Vec<Sym>,
    ) -> Option<Vec<(Value, Rational)>> {
        let key = Body::Part(node.id);
        let summary = self.summary(key, node, locals, &[]).ok()?;
        let list = summary.results.iter().map(|result| {
            let stack = vec![result.value.clone()];
            let (laws, phantom) = (result.laws.clone(), result.phantom);
            (State { stack, laws, phantom, ..State::default() }, result.chance.clone())
        });
        self.certain_values(States { list: list.collect(), aside: summary.aside.clone() })
    }

    /// The values on top of the stacks, if nothing is endless, lost or failed.
    fn certain_values(&mut self, mut states: States) -> Option<Vec<(Value, Rational)>> {
        let size = |law: &VarLaw| match law {
            VarLaw::Number(law) => law.support_size(),
            VarLaw::Values(values) => Some(values.count()),
            VarLaw::Dice(_) => None,
        };
        let mut all = 0usize;
        for (state, _) in &mut states.list {
            state.tidy();
            let sizes = state.laws.iter().map(size);
            let cases =
                sizes.into_iter().try_fold(1usize, |all, size| Some(all.saturating_mul(size?)))?;
            all = all.saturating_add(cases);
            if state.phantom || all > MOST_VALUES {
                return None;
            }
        }
        let decided = self.decided(states, 1, self.plan.mains.first()?.body.span).ok()?;
        if !decided.aside.is_nothing() {
            return None;
        }
        let mut values: FxHashMap<Value, Rational> = FxHashMap::default();
        let mut order = Vec::new();
        for (mut state, chance) in decided.list {
            let value = state.stack.pop()?.to_value()?;
            match values.get_mut(&value) {
                Some(known) => *known += chance,
                None => {
                    order.push(value.clone());
                    values.insert(value, chance);
                }
            }
        }
        order.into_iter().map(|value| values.remove_entry(&value)).collect()
    }
}

/// The values of a number that is the only thing that came of something, as they stand in its table. Nothing
/// if it is something else; no atom if there are too many.
fn number_with_table(states: &States) -> Option<Option<Atom>> {
    let [(state, weight)] = states.list.as_slice() else { return None };
    let Some(Sym::Number(form)) = state.stack.last() else { return None };
    let [(var, factor)] = form.terms.as_slice() else { return None };
    let plain = *factor == Rational::ONE && form.constant.is_zero() && *weight == Rational::ONE;
    if !plain || state.phantom || !states.aside.is_nothing() {
        return None;
    }
    let table = state.law(*var)?.as_table()?;
    if table.count() > MOST_VALUES {
        return Some(None);
    }
    let number = |value| Value::Number(Number::from(value));
    let outcomes = table.outcomes().map(|(value, weight)| (number(value), weight.clone()));
    let (outcomes, total) = (outcomes.collect(), table.total().clone());
    Some(Some(Atom { outcomes, total, notes: Vec::new() }))
}

/// The values that the step of a walk looks at, besides those that it is given.
fn looked_at(walk: &Walk, frame: &Frame) -> Result<Vec<Value>, NotSo> {
    let mut values = Vec::new();
    for local in walk.outside() {
        if frame.dice(local).is_some() {
            return Err(NotSo);
        }
        values.push(frame.values.get(local.0 as usize).ok_or(NotSo)?.clone());
    }
    Ok(values)
}

/// Reads dice that nothing must read again before that is over and done with.
fn once(fresh: &Fresh, read: impl FnOnce() -> Step) -> Step {
    if fresh.is_used.replace(true) {
        return Err(NotSo);
    }
    let done = read();
    fresh.is_used.set(false);
    done
}

fn once_each(fresh: &[Rc<Fresh>], read: &mut dyn FnMut() -> Step) -> Step {
    match fresh.split_first() {
        None => read(),
        Some((first, rest)) => once(first, || once_each(rest, read)),
    }
}

pub(super) fn reading_of(reading: &plan::Reading, rank: Option<&Value>) -> Option<Reading> {
    let rank = || whole(rank?).filter(|rank| *rank > 0);
    Some(match reading {
        plan::Reading::Total => Reading::Sum,
        plan::Reading::Median => Reading::Median,
        plan::Reading::NthHighest(_) => Reading::NthHighest(rank()?),
        plan::Reading::NthLowest(_) => Reading::NthLowest(rank()?),
    })
}

pub(super) fn whole(value: &Value) -> Option<u64> {
    let number = value.as_number()?;
    number.to_i64().and_then(|n| u64::try_from(n).ok())
}

/// Faces and weights, given in turn.
pub(super) fn weighted(values: &[Value]) -> Option<Vec<(Rational, u64)>> {
    let pair = |pair: &[Value]| Some((pair[0].as_number()?.to_rational(), whole(&pair[1])?));
    let faces: Option<Vec<_>> = values.chunks_exact(2).map(pair).collect();
    faces.filter(|faces| faces.iter().all(|(_, weight)| *weight > 0))
}
