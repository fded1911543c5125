//! States: how far the program has come, and what it still remembers.
//!
//! ```text
//! let x = 3d6; let y = 10d6!; {hit: x + y >= 20, rest: y}
//! ```
//!
//! After the two `let`s there is one state, not thousands: `x` is the variable X with the law of 3d6,
//! `y` is Y with the endless law of 10d6!. Sums and multiples stay undecided (`X + Y`). Only a question
//! decides: `X + Y >= 20` splits the state, here by deciding X, because Y is still needed.
//!
//! The variables of a state are independent of one another, always. Two states that differ in a single
//! number, whose variables nothing else mentions, are one state whose number has the mixed law (see
//! [`merge`]).

mod force;
mod merge;
mod symbolic;
mod values;

use std::ops::Deref;

use astragal_prob::pool::{Die, Pool, Source, Stage};
use astragal_prob::{Integer, Law, Meter, Natural, OverBudget, Rational};
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use crate::failure::Failure;

pub(crate) use astragal_prob::{Form, Shared, Var};
pub(crate) use merge::{merge, undecide};
pub(crate) use symbolic::{PoolRef, Sym};
pub(crate) use values::{Drawn, Values};

/// A chance.
pub(crate) type Weight = Rational;

/// What the program still remembers at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The variables of the running function.
    pub(crate) locals: Vec<Sym>,
    /// Values on their way into an operation.
    pub(crate) stack: Vec<Sym>,
    /// The variables of the callers.
    pub(crate) frames: Vec<Vec<Sym>>,
    /// The laws of the random variables, by [`Var`].
    pub(crate) laws: Vec<VarLaw>,
    /// Only possible: it stands for outcomes whose chance is not known, so that they are not listed. Its variables
    /// hang together in a way that their laws do not tell.
    pub(crate) phantom: bool,
    /// A phantom whose own chance is not known either, because something was asked of it.
    pub(crate) loose: bool,
    /// So many calls that are being explored have yielded an unknown on the way here.
    pub(crate) owed: u32,
}

impl State {
    /// What it costs to take it through a form, in steps of the budget: it is looked through, and its chance multiplied.
    pub(crate) fn cost(&self, weight: &Weight) -> u64 {
        const STATE: u64 = 60;
        let limbs = weight.denominator().bit_len() as u64 / 64;
        STATE + self.parts() + limbs.saturating_mul(limbs)
    }

    /// About how many values it holds, those in lists and records included.
    pub(crate) fn breadth(&self) -> usize {
        self.syms().map(Sym::breadth).fold(0, usize::saturating_add)
    }

    /// About how many parts it has that a copy of it is made of.
    pub(crate) fn parts(&self) -> u64 {
        (self.breadth() + self.laws.len() + 4 * self.frames.len()) as u64
    }

    /// About how many bytes it takes by itself: laws are shared with others, dice that lie on the table are not.
    pub(crate) fn bytes(&self) -> u64 {
        let syms = self.breadth();
        let fixed = |(_, source): &(u64, Source)| match source {
            Source::Fixed(dice, _) => dice.len(),
            Source::Die(_) | Source::Total(_) => 0,
        };
        let dice = |law: &VarLaw| match law {
            VarLaw::Dice(table) => table.groups.iter().map(fixed).sum(),
            VarLaw::Number(_) | VarLaw::Values(_) => 0,
        };
        let dice: usize = self.laws.iter().map(dice).sum();
        let own =
            size_of::<State>() + syms * size_of::<Sym>() + self.laws.len() * size_of::<VarLaw>();
        // What lies on the heap is rounded up there, and vectors have room to spare: a stack for four values.
        let spare = own / 2 + 3 * size_of::<Sym>() + 64 * (1 + self.frames.len());
        (own + spare + dice * size_of::<astragal_prob::pool::TableDie>()) as u64
    }
}

/// The law of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VarLaw {
    /// A number.
    Number(Shared<Law>),
    /// Dice on the table.
    Dice(Shared<Table>),
    /// A value that is no number.
    Values(Shared<Values>),
}

/// Dice on the table, with the suffixes that acted before they were bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Table {
    /// Groups of equal dice, in throw order.
    pub(crate) groups: Vec<(u64, Source)>,
    /// One more group whose number of dice is random.
    pub(crate) random: Option<(Shared<Law>, Source)>,
    /// Suffixes.
    pub(crate) stages: Vec<Stage>,
}

impl Table {
    /// Whether the dice are decided.
    pub(crate) fn is_fixed(&self) -> bool {
        self.random.is_none()
            && self.stages.is_empty()
            && self.groups.iter().all(|(_, source)| matches!(source, Source::Fixed(..)))
    }

    /// The die that all of them are, if they are equal and none lies there already.
    pub(crate) fn one_die(&self) -> Option<&Die> {
        let sources = self.groups.iter().map(|(_, source)| source);
        let mut sources = sources.chain(self.random.iter().map(|(_, source)| source));
        let Some(Source::Die(die)) = sources.next() else { return None };
        sources.all(|source| matches!(source, Source::Die(other) if other == die)).then_some(die)
    }

    /// At least as many as the sets of faces that the dice may show; `usize::MAX` if nobody knows.
    pub(crate) fn most_hands(&self) -> usize {
        if self.random.is_some() || !self.stages.is_empty() {
            return usize::MAX;
        }
        let hands = self.groups.iter().map(|(count, source)| match source {
            Source::Die(die) => {
                die.faces().len().saturating_pow(u32::try_from(*count).unwrap_or(u32::MAX))
            }
            Source::Total(_) => usize::MAX,
            Source::Fixed(..) => 1,
        });
        hands.fold(1, usize::saturating_mul)
    }

    /// The pool with further suffixes; the random group must have been decided.
    pub(crate) fn with(&self, later: &[Stage]) -> Pool {
        let stages = self.stages.iter().chain(later).cloned().collect();
        Pool { groups: self.groups.clone(), stages }
    }
}

/// All states at one place with their chances, and what came of the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct States {
    pub(crate) list: Vec<(State, Weight)>,
    pub(crate) aside: Aside,
}

/// What did not get this far.
#[derive(Clone, Debug, Default)]
pub struct Aside {
    /// The chance that was given up because an endless value had to be cut.
    pub lost: Weight,
    /// What does not count because evidence did not hold: its chance, with the first place where.
    pub rejected: Option<Failure>,
    /// The chance of running for ever, exactly.
    pub never: Weight,
    /// The failures so far, each with its chance; the first is the one to report.
    pub failed: Vec<Failure>,
}

impl Aside {
    /// Both.
    pub fn join(&mut self, other: Aside) {
        self.lost += other.lost;
        other.rejected.into_iter().for_each(|rejected| self.reject(rejected));
        self.never += other.never;
        other.failed.into_iter().for_each(|failure| self.fail(failure));
    }

    /// Whether everything got this far.
    pub fn is_nothing(&self) -> bool {
        self.lost.is_zero()
            && self.never.is_zero()
            && self.rejected.is_none()
            && self.failed.is_empty()
    }

    /// Notes that evidence did not hold.
    pub fn reject(&mut self, rejected: Failure) {
        match &mut self.rejected {
            Some(known) => known.chance += rejected.chance,
            None => self.rejected = Some(rejected),
        }
    }

    /// The chance of everything that does not count.
    pub(crate) fn rejected_chance(&self) -> Weight {
        self.rejected.as_ref().map_or(Weight::ZERO, |rejected| rejected.chance.clone())
    }

    /// Notes a failure; the chances of the same failure are added up.
    pub fn fail(&mut self, failure: Failure) {
        match self.failed.iter_mut().find(|known| known.is_same(&failure)) {
            Some(known) => known.chance += failure.chance,
            None => self.failed.push(failure),
        }
    }
}

impl States {
    pub(crate) fn one(state: State) -> States {
        States::weighted(state, Weight::ONE)
    }

    pub(crate) fn weighted(state: State, weight: Weight) -> States {
        States { list: vec![(state, weight)], aside: Aside::default() }
    }

    /// What it costs, in steps of the budget, that these states meet: each is looked up and weighed, and adding long
    /// chances takes the square of their length.
    pub(crate) fn cost(&self) -> u64 {
        const STATE: u64 = 200;
        let bits = self.list.iter().map(|(_, weight)| weight.denominator().bit_len()).max();
        let limbs = bits.unwrap_or(0) as u64 / 64;
        let parts = self.list.iter().map(|(state, _)| state.parts());
        let parts = parts.fold(0, u64::saturating_add);
        2 * parts + self.list.len() as u64 * (STATE + limbs.saturating_mul(limbs))
    }

    /// About how many bytes the states take: they are taken to be like the last and the middle one.
    pub(crate) fn bytes(&self) -> u64 {
        let each = |at: usize| {
            let (state, weight) = &self.list[at];
            state.bytes() + weight.denominator().bit_len() as u64 / 4
        };
        match self.list.len() {
            0 => 0,
            count => (count as u64).saturating_mul(each(count / 2).max(each(count - 1))),
        }
    }

    /// The chance of all of them whose chance is known.
    pub(crate) fn mass(&self) -> Weight {
        if let [(state, weight)] = self.list.as_slice()
            && !state.loose
        {
            return weight.clone();
        }
        let known = self.list.iter().filter(|(state, _)| !state.loose);
        sum_of(known.map(|(_, weight)| weight))
    }
}

/// Fractions with the same denominator add up fast, and chances have few denominators.
fn sum_of<'a>(weights: impl Iterator<Item = &'a Weight>) -> Weight {
    let mut sums: FxHashMap<&Natural, Integer> = FxHashMap::default();
    for weight in weights {
        *sums.entry(weight.denominator()).or_default() += weight.numerator();
    }
    sums.into_iter().fold(Weight::ZERO, |sum, (denominator, numerator)| {
        sum + Weight::from_parts(numerator, denominator.clone())
    })
}

/// The law of a number that is this in each state, with these chances; none if it is no number in one of them, or there
/// is no state.
pub(crate) fn mixed<'a>(
    numbers: impl Iterator<Item = (&'a State, Option<Form>, &'a Weight)> + Clone,
    meter: &Meter,
) -> Result<Option<Law>, OverBudget> {
    let mass = sum_of(numbers.clone().map(|(.., weight)| weight));
    let mut parts = Vec::new();
    for (state, number, weight) in numbers {
        let Some(number) = number else { return Ok(None) };
        parts.push((weight, state.law_of(&number, meter)?));
    }
    if parts.len() < 2 {
        return Ok(parts.pop().map(|(_, law)| law));
    }
    let parts: Vec<_> = parts.into_iter().map(|(weight, law)| (weight / &mass, law)).collect();
    Law::mixture(&parts, meter).map(Some)
}

impl State {
    /// A new variable with this law; a constant stays a constant.
    pub(crate) fn number(&mut self, law: Law) -> Sym {
        match law.as_constant() {
            Some(value) => Sym::number(Form::constant(value.clone())),
            None => Sym::number(Form::variable(self.variable(VarLaw::Number(Shared::new(law))))),
        }
    }

    pub(crate) fn variable(&mut self, law: VarLaw) -> Var {
        self.laws.push(law);
        Var(self.laws.len() as u32 - 1)
    }

    pub(crate) fn law(&self, var: Var) -> Option<&Shared<Law>> {
        match self.laws.get(var.0 as usize) {
            Some(VarLaw::Number(law)) => Some(law),
            _ => None,
        }
    }

    pub(crate) fn table(&self, var: Var) -> Option<&Shared<Table>> {
        match self.laws.get(var.0 as usize) {
            Some(VarLaw::Dice(table)) => Some(table),
            _ => None,
        }
    }

    /// Everything it remembers.
    pub(crate) fn syms(&self) -> impl Iterator<Item = &Sym> {
        self.locals.iter().chain(&self.stack).chain(self.frames.iter().flatten())
    }

    pub(crate) fn syms_mut(&mut self) -> impl Iterator<Item = &mut Sym> {
        self.locals.iter_mut().chain(&mut self.stack).chain(self.frames.iter_mut().flatten())
    }

    /// Whether it mentions any of these variables.
    pub(crate) fn mentions(&self, vars: &[Var]) -> bool {
        let mut found = false;
        self.syms().for_each(|sym| sym.visit(&mut |var| found |= vars.contains(&var)));
        found
    }

    /// Replaces a variable by a form everywhere.
    pub(crate) fn substitute(&mut self, var: Var, form: &Form) {
        self.syms_mut().for_each(|sym| sym.map_forms(&|old: &Form| old.with(var, form)));
    }

    /// Puts one variable in place of those of a form, if nothing mentions them but in multiples of that combination.
    /// Whether it did.
    pub(crate) fn collapse(&mut self, form: &Form, meter: &Meter) -> Result<bool, OverBudget> {
        let Some((first, factor)) = form.terms.first() else { return Ok(false) };
        let mut whole = true;
        self.syms().for_each(|sym| {
            sym.leaves(&mut |leaf| {
                whole &= leaf.open_form().is_none_or(|other| form.is_whole_in(other));
            });
        });
        if !whole {
            return Ok(false);
        }
        let combination = Form { constant: Rational::ZERO, terms: form.terms.clone() };
        let law = match self.law_of(&combination, meter) {
            Err(OverBudget::NotKnown) => return Ok(false),
            law => law?,
        };
        let new = self.variable(VarLaw::Number(Shared::new(law)));
        // In each form, put the new variable for the first old one and drop the others.
        self.substitute(*first, &Form::variable(new).scaled(&(Rational::ONE / factor)));
        for (var, _) in &form.terms[1..] {
            self.substitute(*var, &Form::constant(Rational::ZERO));
        }
        Ok(true)
    }

    /// Gives a variable another law.
    pub(crate) fn set_law(&mut self, var: Var, law: VarLaw) {
        if let Some(known) = self.laws.get_mut(var.0 as usize) {
            *known = law;
        }
    }

    /// The same state in which a variable has another law.
    pub(crate) fn with_law(&self, var: Var, law: VarLaw) -> State {
        let mut state = self.clone();
        state.set_law(var, law);
        state
    }

    /// The law of a form: its variables are independent.
    pub(crate) fn law_of(&self, form: &Form, meter: &Meter) -> Result<Law, OverBudget> {
        form.law(|var| self.law(var).map(Deref::deref), meter)
    }

    /// Takes over values from elsewhere, with the laws of the variables that they mention: what is remembered
    /// here keeps its own.
    pub(crate) fn adopt<'a>(
        &mut self,
        values: impl IntoIterator<Item = &'a mut Sym>,
        laws: impl IntoIterator<Item = VarLaw>,
    ) {
        let offset = self.laws.len() as u32;
        values.into_iter().for_each(|value| value.rename(&|var: Var| Var(var.0 + offset)));
        self.laws.extend(laws);
    }

    /// Numbers the variables in the order of their first mention and forgets the others.
    pub(crate) fn tidy(&mut self) {
        let mut order: Vec<Var> = Vec::new();
        self.syms().for_each(|sym| {
            sym.visit(&mut |var| {
                if !order.contains(&var) {
                    order.push(var);
                }
            });
        });
        let in_order = order.iter().enumerate().all(|(place, var)| var.0 as usize == place);
        if in_order && order.len() == self.laws.len() {
            return;
        }
        let new_name = |var: Var| {
            let place = order.iter().position(|known| *known == var).unwrap_or(0);
            Var(place as u32)
        };
        let laws = order.iter().filter_map(|var| self.laws.get(var.0 as usize).cloned()).collect();
        self.syms_mut().for_each(|sym| sym.rename(&new_name));
        self.laws = laws;
    }
}

impl State {
    /// A pool that is bound lies on the table from then on: suffixes that throw have acted. (They act on
    /// fresh dice only, so nothing else mentions them.)
    pub(crate) fn sealed(&mut self, value: Sym) -> Sym {
        match value {
            Sym::Pool(ref pool) if pool.later.iter().any(Stage::throws) => self.acted(value),
            other => other,
        }
    }

    /// The same pool with its suffixes moved to the table. Only for dice that nothing else mentions.
    pub(crate) fn acted(&mut self, value: Sym) -> Sym {
        match value {
            Sym::Pool(pool) if !pool.later.is_empty() => match self.table(pool.var).cloned() {
                Some(table) => {
                    let stages = table.stages.iter().cloned().chain(pool.later).collect();
                    let sealed = Table { stages, ..Table::clone(&table) };
                    let var = self.variable(VarLaw::Dice(Shared::new(sealed)));
                    Sym::Pool(PoolRef { var, later: Vec::new(), marks: pool.marks })
                }
                None => Sym::Gone,
            },
            other => other,
        }
    }
}
