//! Rolls at a table, thrown again by their keys and placed in their laws.

use std::collections::HashMap;
use std::sync::Arc;

use astragal::Budget;
use astragal_fair::line::Limits;
use astragal_fair::{Bytes, Programs, Wanted};

use crate::law::Law;
use crate::place::Place;
use crate::why::Why;

/// So many steps for the odds of one program: half a second of a machine of today.
const STEPS: u64 = 50_000_000;
/// So many for all programs of an evening.
const STEPS_OF_ALL: u64 = 1_000_000_000;

/// A roll, as far as whoever asks may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The line in which it was rolled.
    pub line: u64,
    /// Whose roll it is.
    pub seat: u64,
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
    /// The house rules by which it was rolled.
    pub rules: Option<Arc<str>>,
    /// The key of its dice.
    pub key: Bytes<32>,
    /// What the log says that it came to, where the engine has not checked it.
    pub value: Option<String>,
}

/// A roll that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// The line in which it was rolled.
    pub line: u64,
    /// Whose roll it is.
    pub seat: u64,
    /// The program.
    pub text: String,
    /// What counted of its result, with the name of the field if it is one.
    pub value: String,
    /// Where that stands.
    pub place: Place,
}

/// Rules, text and inputs of a program.
type Known = (Option<Arc<str>>, String, Vec<(String, String)>);

/// Places rolls, and remembers laws: an evening has many rolls of few programs.
#[derive(Debug)]
pub struct Luck {
    limits: Limits,
    programs: Programs,
    laws: HashMap<Known, Result<Law, Why>>,
    budget: Budget,
    /// Steps that are left for all.
    left: u64,
}

impl Luck {
    /// At a table with these limits.
    pub fn new(limits: Limits) -> Luck {
        Luck::within(limits, Budget::default())
    }

    /// The same with a budget of its own, of which the steps are cut: whoever cancels or looks on does it by that.
    pub fn within(limits: Limits, budget: Budget) -> Luck {
        Luck {
            limits,
            programs: Programs::default(),
            laws: HashMap::new(),
            budget,
            left: STEPS_OF_ALL,
        }
    }

    /// The place of a roll.
    pub fn weigh(&mut self, roll: &Roll) -> Result<Weighed, Why> {
        let wanted = Wanted {
            text: &roll.text,
            inputs: &roll.inputs,
            rules: roll.rules.as_ref(),
            limits: &self.limits,
        };
        let (program, again) = self.programs.again(&wanted, roll.key.0).ok_or(Why::NoResult)?;
        let value = &again.value;
        if roll.value.as_ref().is_some_and(|told| *told != value.to_string()) {
            return Err(Why::OtherRules);
        }
        let key = (roll.rules.clone(), roll.text.clone(), roll.inputs.clone());
        let (budget, left) = (&self.budget, &mut self.left);
        let law = self.laws.entry(key).or_insert_with(|| {
            let steps = STEPS.min(*left);
            let law = Law::of(&program, &budget.clone().with_steps(steps));
            // What was refused has cost what it was allowed.
            *left -= law.as_ref().map_or(steps, |(_, used)| *used).min(*left);
            law.map(|(law, _)| law)
        });
        let law = law.as_ref().map_err(|why| *why)?;
        let place = Place::of(law, value)?;
        let part = law.part.of_value(value).map(ToString::to_string).unwrap_or_default();
        let value = law.part.field().map_or_else(|| part.clone(), |name| format!("{name} {part}"));
        Ok(Weighed { line: roll.line, seat: roll.seat, text: roll.text.clone(), value, place })
    }
}
