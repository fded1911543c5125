//! Parts of a program, asked for their odds again and again while what they read is known.
//!
//! Whoever explores a program by itself, as a game in which somebody decides, holds the values of its variables and asks for
//! what a throw may show from there. Values are words of one store; dice that lie on the table are numbered.

mod beyond;
mod dice;

use std::rc::Rc;

use astragal_prob::{Meter, Numbered, OverBudget, Rational};
use astragal_program::core::{Expr, Function, FunctionId, Local, LocalId, Program};
use astragal_program::fault::FaultKind;
use astragal_program::points::Laid;
use astragal_program::types::Type;
use astragal_value::{Store, Value, Word};
use rustc_hash::FxHashMap;

use crate::answer::{law, untangle};
use crate::code::{self, Kept, Runner};
use crate::eval::{Live, Machine, Standing};
use crate::failure::{Failure, over_budget};
use crate::plan::{self, Kind, Plan};
use crate::request::Request;
use crate::state::{State, States, Sym};
use crate::ways;
use crate::{Answer, Budget, Question};
use dice::Dice;

pub use crate::state::Aside;
pub use beyond::Beyond;

/// What is asked of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Its value.
    Value,
    /// Only whether something goes wrong in it: the words of a note.
    Faults,
}

/// An expression, the function whose variables it reads (none: the program itself), and what is asked of it.
pub type Part<'e> = (Option<FunctionId>, &'e Expr, Asked);

/// Expressions of a program, each as if it were a program of its own.
pub struct Parts {
    plan: Plan,
    reads: Vec<Vec<LocalId>>,
    asked: Vec<Asked>,
}

impl Parts {
    /// These expressions; so many variables may be new to their functions. If a text is named, they count only as long as no
    /// note says it.
    pub fn new(
        program: &Program,
        (expressions, new): (&[Part<'_>], usize),
        inputs: &[Option<Value>],
        unsaid: Option<&str>,
        meter: &Meter,
    ) -> Parts {
        let part = |(function, body, asked): &Part<'_>| {
            let around = function.map_or(&program.main, |id| &program.functions[id.0 as usize]);
            let (name, mut locals, span) = (around.name.clone(), around.locals.clone(), body.span);
            locals.extend((0..new).map(|_| Local { name: None, ty: Type::Unknown }));
            let demand = match asked {
                Asked::Value => plan::Demand::All,
                Asked::Faults => plan::Demand::Nothing,
            };
            (Function { name, parameters: 0, locals, body: Expr::clone(body), span }, demand)
        };
        let parts: Vec<_> = expressions.iter().map(part).collect();
        let plan = plan::lower_parts(program, inputs, &parts, unsaid, meter);
        let reads = plan.mains.iter().map(|main| main.body.free.iter().collect()).collect();
        let asked = expressions.iter().map(|(_, _, asked)| *asked).collect();
        Parts { plan, reads, asked }
    }

    /// The variables that a part reads, in order.
    pub fn reads(&self, part: usize) -> &[LocalId] {
        &self.reads[part]
    }

    /// Whether one of them knows of evidence.
    pub fn is_conditioned(&self) -> bool {
        self.plan.conditioned
    }

    /// Whether nothing of a part is asked: only faults, and there are none.
    pub fn is_nothing(&self, part: usize) -> bool {
        matches!(self.plan.mains[part].body.kind, Kind::Nothing)
    }

    /// Whether a part is a function of what it reads, and nothing else.
    pub fn is_still(&self, part: usize) -> bool {
        self.plan.mains[part].body.is_still()
    }
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// A value.
    Value(Word),
    /// Dice on the table, by their number.
    Dice(u32),
}

/// What a part may come to.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// What it may be, with chances.
    pub outcomes: Vec<(Held, Rational)>,
    /// What did not get so far.
    pub aside: Aside,
    /// Of a number that has no end, all that is not listed, if that is known; else nothing.
    pub beyond: Vec<Beyond>,
}

impl Told {
    /// Whether it is known of everything that did not get so far that it lies beyond.
    pub fn is_told_beyond(&self) -> bool {
        let Aside { lost: _, never, rejected, failed } = &self.aside;
        !self.beyond.is_empty() && never.is_zero() && rejected.is_none() && failed.is_empty()
    }

    /// Whether everything is listed, or known to lie beyond.
    pub fn is_all_told(&self) -> bool {
        self.aside.is_nothing() || self.is_told_beyond()
    }
}

/// Somebody who asks.
pub struct Asker<'p> {
    parts: &'p Parts,
    machine: Machine<'p>,
    /// The values that are held.
    pub store: Store,
    dice: Dice,
    code: Vec<Option<(code::Program, Runner)>>,
    /// Parts whose throws are told from the rest; none where that is in vain.
    standing: Vec<Option<Standing<'p>>>,
    known: FxHashMap<(usize, Box<[Held]>), Rc<Told>>,
    /// Parts that take long although nothing is thrown, and what they came to.
    long: Vec<bool>,
    found: FxHashMap<(usize, Box<[Held]>), Held>,
}

impl<'p> Asker<'p> {
    /// Nothing is asked yet.
    pub fn new(parts: &'p Parts, states: usize, meter: &'p Meter) -> Asker<'p> {
        let mut store = Store::new();
        let machine = Machine::new(&parts.plan, meter, states);
        let (mut code, mut standing) = (Vec::new(), Vec::new());
        for (main, reads) in parts.plan.mains.iter().zip(&parts.reads) {
            let variables: Vec<_> = reads.iter().map(|local| (*local, Kept::No)).collect();
            let mut compile = || {
                let program = code::compile(&main.body, &variables, &parts.plan, &mut store)?;
                let mut runner = Runner::new(program.slots);
                runner.prepare(&program.terms, &mut store);
                Some((program, runner))
            };
            code.push(if main.body.is_still() { compile() } else { None });
            // Dice that stay dice, and what only reads them, are left to the states.
            let simple = main.body.throws() && !code::is_pool(&main.body);
            let told = || machine.standing(&main.body, main.locals, reads, &mut store);
            standing.push(simple.then(told).flatten());
        }
        let (dice, known, found) = Default::default();
        let long = vec![false; parts.reads.len()];
        Asker { parts, machine, store, dice, code, standing, known, long, found }
    }

    /// The variable that a part is, if it is nothing but that.
    pub fn only_reads(&self, part: usize) -> Option<LocalId> {
        match self.parts.plan.mains[part].body.kind {
            Kind::Local(local) => Some(local),
            _ => None,
        }
    }

    /// What a part comes to that is a function of what it reads; none where that is not so simple.
    #[inline]
    pub fn at_once(&mut self, part: usize, held: &[Held]) -> Result<Option<Held>, Failure> {
        let Some((program, runner)) = &mut self.code[part] else { return Ok(None) };
        let key = self.long[part].then(|| (part, Box::<[Held]>::from(held)));
        if let Some(known) = key.as_ref().and_then(|key| self.found.get(key)) {
            return Ok(Some(*known));
        }
        for (slot, held) in held.iter().enumerate() {
            let Held::Value(word) = held else { return Ok(None) };
            runner.set(slot, *word);
        }
        runner.begin();
        let found = runner.run(&program.code, &mut self.store);
        let price = 4 + program.code.size() + runner.folded;
        self.machine.pay(price, self.parts.plan.mains[part].body.span)?;
        self.long[part] |= runner.folded > ways::LONG_FOLD;
        let found = found.map(Held::Value);
        if let (Some(key), Some(found)) = (key, found) {
            self.found.insert(key, found);
        }
        Ok(found)
    }

    /// What a part may come to, what it reads being held.
    pub fn tell(&mut self, part: usize, held: &[Held]) -> Result<Rc<Told>, Failure> {
        if let Some(held) = self.at_once(part, held)? {
            let outcomes = vec![(held, Rational::ONE)];
            return Ok(Rc::new(Told { outcomes, ..Told::default() }));
        }
        let key = (part, held.into());
        if let Some(known) = self.known.get(&key) {
            return Ok(Rc::clone(known));
        }
        let simply = self.simply(part, held);
        let told = Rc::new(match simply {
            Some(told) => told,
            None => self.told(part, held)?,
        });
        if self.known.len() >= ways::MOST_TOLD {
            self.known.clear();
        }
        self.known.insert(key, Rc::clone(&told));
        Ok(told)
    }

    /// The same with throws told from the rest; none where it is not so simple.
    fn simply(&mut self, part: usize, held: &[Held]) -> Option<Told> {
        let standing = self.standing[part].as_mut()?;
        let word = |held: &Held| match held {
            Held::Value(word) => Some(*word),
            Held::Dice(_) => None,
        };
        let words = held.iter().map(word).collect::<Option<Vec<Word>>>()?;
        let Some(found) = standing.outcomes(&mut self.machine, &words, &mut self.store) else {
            self.standing[part] = None;
            return None;
        };
        let outcomes = found.into_iter().map(|(word, chance)| (Held::Value(word), chance));
        Some(Told { outcomes: outcomes.collect(), ..Told::default() })
    }

    fn told(&mut self, part: usize, held: &[Held]) -> Result<Told, Failure> {
        let main = &self.parts.plan.mains[part];
        let mut states = self.ends(part, held)?;
        if self.parts.asked[part] == Asked::Faults {
            // Nobody reads what is left of the value, so that all that went well is one outcome.
            let none = Sym::from_value(&Value::None);
            states.list.iter_mut().for_each(|(state, _)| state.stack = vec![none.clone()]);
        }
        let was_known = states.aside.is_nothing();
        let states = self.machine.decided(states, 1, main.body.span)?;
        let mut told = Told { aside: states.aside, ..Told::default() };
        let mut places = Numbered::default();
        for (mut state, chance) in states.list {
            let value = state.stack.pop().unwrap_or(Sym::Gone);
            let Some(held) = self.held(value, &mut state) else {
                return Err(Failure::refused(FaultKind::NotKnown, main.body.span));
            };
            let place = places.number(held);
            match told.outcomes.get_mut(place) {
                Some((_, known)) => *known += chance,
                None => told.outcomes.push((held, chance)),
            }
        }
        if was_known && !told.aside.lost.is_zero() {
            told.beyond = self.beyond(part, held, &told)?;
        }
        Ok(told)
    }

    /// What a part comes to, as far as it is decided.
    fn ends(&mut self, part: usize, held: &[Held]) -> Result<States, Failure> {
        let main = &self.parts.plan.mains[part];
        let mut start = State { locals: vec![Sym::Gone; main.locals], ..State::default() };
        for (local, held) in self.parts.reads[part].iter().zip(held) {
            start.locals[local.0 as usize] = match held {
                Held::Value(word) => Sym::from_value(&self.store.value(*word)),
                Held::Dice(number) => self.dice.pool(*number, &mut start),
            };
        }
        let mut states = self.machine.run(&main.body, States::one(start), &Live::default())?;
        for (state, _) in &mut states.list {
            // What is bound lies on the table from then on, and suffixes have acted.
            let value = state.stack.pop().unwrap_or(Sym::Gone);
            let value = state.acted(value);
            state.stack.push(value);
        }
        // A number that is made of several is listed as one: what is listed of it is complete then.
        let is_made = |(state, _): &(State, _)| {
            let form = state.stack.last().and_then(Sym::open_form);
            form.is_some_and(|form| form.terms.len() > 1)
        };
        if states.list.iter().any(is_made) {
            let untangled = untangle(&mut states, self.machine.meter);
            untangled.map_err(|over| Failure::refused(over_budget(over), main.body.span))?;
        }
        Ok(states)
    }

    /// What is not listed of a number that has no end, or of the total of dice.
    fn beyond(&mut self, part: usize, held: &[Held], told: &Told) -> Result<Vec<Beyond>, Failure> {
        let of_dice = matches!(told.outcomes.first(), Some((Held::Dice(_), _)));
        let listed = told.outcomes.iter().map(|(held, chance)| match held {
            Held::Value(word) if !of_dice => match self.store.value(*word) {
                Value::Number(number) => Some((number.to_rational(), chance.clone())),
                _ => None,
            },
            Held::Dice(number) if of_dice => {
                let dice = self.dice.laid(*number).dice().iter();
                let total = dice.fold(Rational::ZERO, |sum, (shows, _)| sum + shows.to_rational());
                Some((total, chance.clone()))
            }
            Held::Value(_) | Held::Dice(_) => None,
        });
        let Some(listed) = listed.collect::<Option<Vec<_>>>() else { return Ok(Vec::new()) };
        let span = self.parts.plan.mains[part].body.span;
        let refused = |over| Failure::refused(over_budget(over), span);
        let mut states = self.ends(part, held)?;
        if states.list.iter().any(|(state, _)| state.phantom) {
            return Ok(Vec::new());
        }
        if of_dice {
            if !states.list.iter().all(|(state, _)| dice::are_plain(state)) {
                return Ok(Vec::new());
            }
            states = self.machine.totals(states, span)?;
        }
        let meter = self.machine.meter;
        let law = match law(&states, meter) {
            Ok(Some(law)) => law,
            Ok(None) | Err(OverBudget::NotKnown) => return Ok(Vec::new()),
            Err(over) => return Err(refused(over)),
        };
        let found = beyond::beyond(&law, &listed, &told.aside.lost, meter);
        let mut found = match found {
            Ok(found) => found.unwrap_or_default(),
            Err(OverBudget::NotKnown) => Vec::new(),
            Err(over) => return Err(refused(over)),
        };
        found.iter_mut().for_each(|beyond| beyond.of_dice = of_dice);
        Ok(found)
    }

    /// Dice on the table, by their number.
    pub fn lying(&self, number: u32) -> &Laid {
        self.dice.laid(number)
    }

    /// Dice that lie on the table.
    pub fn laid(&mut self, dice: Laid) -> Held {
        Held::Dice(self.dice.number(dice))
    }

    /// What is held from now on.
    fn held(&mut self, value: Sym, state: &mut State) -> Option<Held> {
        if state.phantom {
            return None;
        }
        if let Some(value) = value.to_value() {
            return Some(Held::Value(self.store.word(&value)));
        }
        let Sym::Pool(pool) = value else { return None };
        let laid = dice::laid(&pool, state.table(pool.var)?)?;
        Some(self.laid(laid))
    }
}

/// The answers to a question about a program whose results were found elsewhere, with their chances.
pub fn answers_about(
    program: &Program,
    question: &Question,
    budget: &Budget,
    meter: &Meter,
    results: Vec<(Value, Rational)>,
    aside: Aside,
    conditioned: bool,
) -> Result<Vec<Answer>, Failure> {
    let list = results.into_iter().map(|(value, chance)| {
        (State { stack: vec![Sym::from_value(&value)], ..State::default() }, chance)
    });
    let states = States { list: list.collect(), aside };
    Request { program, question, budget, meter }.answers_from(states, conditioned)
}
