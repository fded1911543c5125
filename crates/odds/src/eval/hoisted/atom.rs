//! Throws, each worked out once.

use std::rc::Rc;

use astragal_prob::pool::Reading;
use astragal_prob::{Law, Natural, Rational};
use astragal_prob::{Sums, Weighted};
use astragal_value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Limits;
use crate::asked::{Asked, Joint, Joints, Question, View, Walked, joint, of_one};
use crate::eval::call::{Body, place};
use crate::eval::decide::Turn;
use crate::eval::fold::set;
use crate::eval::{Live, Machine};
use crate::plan::{Node, NodeId, Walk};
use crate::state::{Drawn, Form, PoolRef, Shared, State, States, Sym, Table, Var, VarLaw};
use crate::ways;

/// The values of a throw with weights.
pub(in crate::eval) type Atom = Weighted<Value>;

/// The law of a number that is not decided; none if it is something else.
pub(in crate::eval) fn law_of(atom: &Atom) -> Option<Law> {
    let whole = |(value, weight): &(Value, Natural)| match value {
        Value::Number(number) => Some((number.to_i64()?, weight.clone())),
        _ => None,
    };
    let weights = atom.outcomes.iter().map(whole).collect::<Option<Vec<_>>>()?;
    if weights.len() < 2 { None } else { Law::of_whole(weights) }
}

/// What was worked out before.
#[derive(Default)]
pub(in crate::eval) struct Known {
    /// Expressions that were tried in vain.
    pub(super) hopeless: FxHashSet<NodeId>,
    atoms: FxHashMap<Key, Option<Rc<Atom>>>,
    tables: FxHashMap<Key, Option<Shared<Table>>>,
    /// The functions whose throws are being told apart, one inside the other.
    pub(in crate::eval) under_way: Vec<usize>,
    /// Joint answers that depend on walks of this program.
    walked: Joints,
    pub(in crate::eval) lasting: Lasting,
}

/// An expression and the variables that it reads.
type Key = (NodeId, Vec<Option<Value>>);

/// What was worked out about dice, whichever program throws them.
#[derive(Default)]
pub(crate) struct Lasting {
    joints: Joints,
}

impl Known {
    /// Joint answers; those that depend on walks are for this program only.
    fn joints(&mut self, asked: &Asked<'_>) -> &mut Joints {
        if asked.walks.is_empty() { &mut self.lasting.joints } else { &mut self.walked }
    }
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

    /// The values of a throw, from the variables that it reads.
    pub(super) fn atom(
        &mut self,
        node: &'p Node,
        function: Option<usize>,
        variables: &[Option<Value>],
        limits: Limits,
    ) -> Option<Rc<Atom>> {
        let key = key_of(node, variables);
        if let Some(known) = self.known.atoms.get(&key) {
            return known.clone();
        }
        // A function that calls itself is left to the states, which notice it.
        if function.is_some_and(|function| self.known.under_way.contains(&function)) {
            return None;
        }
        let before = self.known.under_way.len();
        self.known.under_way.extend(function);
        let atom = self.hoisted(node, variables, limits);
        self.known.under_way.truncate(before);
        let body = function.map_or(Body::Part(node.id), Body::Function);
        let atom = atom.or_else(|| self.atom_of(body, node, variables)).map(Rc::new);
        self.known.atoms.insert(key, atom.clone());
        atom
    }

    /// The same in the general way.
    fn atom_of(&mut self, body: Body, node: &'p Node, variables: &[Option<Value>]) -> Option<Atom> {
        let summary = self.summary(place(body, locals_of(node, variables), &[]), node).ok()?;
        let list = summary.results.iter().map(|result| {
            let stack = vec![result.value.clone()];
            (State { stack, ..result.state.clone() }, result.chance.clone())
        });
        if !summary.results.iter().all(|result| result.is_known()) {
            return None;
        }
        self.certain_values(States { list: list.collect(), aside: summary.aside.clone() })
    }

    /// What dice on the table may answer.
    pub(super) fn joint(
        &mut self,
        node: &'p Node,
        variables: &[Option<Value>],
        asked: &Asked<'p>,
    ) -> Option<Rc<Joint>> {
        let mut tables = vec![self.table(node, variables)?];
        for beside in &asked.beside {
            tables.push(self.table(beside.node, &beside.variables)?);
        }
        let hands = asked.deal.as_ref().map_or_else(Vec::new, |deal| deal.later_hands().to_vec());
        let key = (tables, hands, asked.questions.clone());
        if let Some(known) = self.known.joints(asked).get(&key) {
            return known.clone();
        }
        let joint = match asked.questions.as_slice() {
            [Question::Read(view, reading)] if key.1.is_empty() && key.0.len() == 1 => {
                self.reading_of_table(&key.0[0], view, reading).map(of_one)
            }
            [Question::Walk(walked)] if key.1.is_empty() && is_each_once(walked, key.0.len()) => {
                let walk = *asked.walks.first()?;
                self.one_walk(&key.0, walk, walked)
            }
            _ => joint(&key.0, asked, self.plan, self.meter),
        };
        let joint = joint.map(Rc::new);
        self.known.joints(asked).insert(key, joint.clone());
        joint
    }

    /// Dice that are only walked over, once.
    fn one_walk(
        &mut self,
        tables: &[Shared<Table>],
        walk: &'p Walk,
        walked: &Walked,
    ) -> Option<Joint> {
        let outside = walk.outside();
        let mut locals = vec![Sym::Gone; walked.locals];
        for (local, value) in outside.iter().zip(&walked.values) {
            set(&mut locals, *local, Sym::from_value(value));
        }
        set(&mut locals, walk.carry, Sym::from_value(&walked.first));
        let start = State { locals, ..State::default() };
        let hands = walked.views.iter().map(|view| (view.hands.numbers().next(), &view.stages));
        let pools = hands.map(|(hand, stages)| Some((tables.get(hand?)?.clone(), stages.clone())));
        let pools = pools.collect::<Option<Vec<_>>>()?;
        let ends = self.walked(walk, start, pools, walk.body.span).ok()?;
        ends.certain(Limits::ROUND.values).map(of_one)
    }

    /// Dice as they lie on the table; none if that depends on chance.
    fn table(&mut self, node: &'p Node, variables: &[Option<Value>]) -> Option<Shared<Table>> {
        let key = key_of(node, variables);
        if let Some(known) = self.known.tables.get(&key) {
            return known.clone();
        }
        let start = State { locals: locals_of(node, variables), ..State::default() };
        let states = self.run(node, States::one(start), &Live::default());
        let table = states.ok().and_then(laid).map(Shared::new);
        self.known.tables.insert(key, table.clone());
        table
    }

    /// The values of a number that is read off dice.
    fn reading_of_table(&mut self, table: &Table, view: &View, reading: &Reading) -> Option<Atom> {
        let pool = PoolRef { var: Var(0), later: view.stages.clone(), marks: view.marks.clone() };
        let state = State {
            laws: vec![VarLaw::Dice(Shared::new(table.clone()))],
            stack: vec![Sym::Pool(pool)],
            ..State::default()
        };
        let mut after = States::default();
        let nowhere = self.plan.mains.first()?.body.span;
        let mut turn = Turn { weight: &Rational::ONE, span: nowhere, after: &mut after };
        self.read_one(reading, state, &mut turn).ok()?;
        self.certain_values(after)
    }

    /// The values on top of the stacks, if nothing is endless, lost or failed.
    fn certain_values(&mut self, mut states: States) -> Option<Atom> {
        if let Some(drawn) = only_variable(&states) {
            return drawn.weights(ways::MOST_VALUES);
        }
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
            if state.phantom || all > ways::MOST_VALUES {
                return None;
            }
        }
        let decided = self.decided(states, 1, self.plan.mains.first()?.body.span).ok()?;
        if !decided.aside.is_nothing() {
            return None;
        }
        let value =
            |(mut state, chance): (State, Rational)| Some((state.stack.pop()?.to_value()?, chance));
        let values = decided.list.into_iter().map(value).collect::<Option<Vec<_>>>()?;
        let all = Weighted::of_chances(values).filter(Weighted::is_all)?;
        let mut sums = Sums::default();
        all.outcomes.into_iter().for_each(|(value, weight)| sums.add(value, weight));
        Some(Weighted { outcomes: sums.list, total: all.total })
    }
}

/// Whether a walk goes over each of so many hands once.
fn is_each_once(walked: &Walked, hands: usize) -> bool {
    let mut seen: Vec<usize> = walked.views.iter().flat_map(|view| view.hands.numbers()).collect();
    seen.sort_unstable();
    walked.views.len() == hands && seen.into_iter().eq(0..hands)
}

fn key_of(node: &Node, variables: &[Option<Value>]) -> Key {
    let read = node.free.iter().map(|local| variables.get(local.0 as usize).cloned().flatten());
    (node.id, read.collect())
}

/// The variables that an expression reads, for the general way.
pub(in crate::eval) fn locals_of(node: &Node, variables: &[Option<Value>]) -> Vec<Sym> {
    let mut locals = vec![Sym::Gone; variables.len()];
    for local in node.free.iter() {
        if let Some(Some(value)) = variables.get(local.0 as usize) {
            set(&mut locals, local, Sym::from_value(value));
        }
    }
    locals
}

/// The dice on top of the stack, if they are certain.
fn laid(mut states: States) -> Option<Table> {
    let (mut state, _) = states.list.pop()?;
    if !states.list.is_empty() || !states.aside.is_nothing() || state.phantom {
        return None;
    }
    let top = state.stack.pop()?;
    let Sym::Pool(pool) = state.acted(top) else { return None };
    let table = state.table(pool.var)?;
    (table.random.is_none() && pool.marks.is_empty()).then(|| Table::clone(table))
}

/// The law of the only thing that came of something, if it is a single variable.
fn only_variable(states: &States) -> Option<Drawn> {
    let [(state, weight)] = states.list.as_slice() else { return None };
    if state.phantom || *weight != Rational::ONE || !states.aside.is_nothing() {
        return None;
    }
    match state.stack.last()? {
        Sym::Drawn(var) => state.values(*var).cloned().map(Drawn::Values),
        Sym::Number(Form { constant, terms }) => match terms.as_slice() {
            [(var, factor)] if *factor == Rational::ONE && constant.is_zero() => {
                state.law(*var).cloned().map(Drawn::Number)
            }
            _ => None,
        },
        _ => None,
    }
}
