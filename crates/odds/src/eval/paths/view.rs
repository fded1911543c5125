//! Dice as a path sees them: fresh on the table, or decided as far as they are read.

use std::cell::Cell;
use std::rc::Rc;

use astragal_prob::pool::{Condition, Reading, Stage};
use astragal_value::Value;

use super::Datum;
use super::held::Held;
use crate::plan::NodeId;
use crate::state::Table;

/// Dice and what was done to them since they were thrown.
#[derive(Clone)]
pub(super) struct Dice {
    pub(super) origin: Origin,
    pub(super) view: View,
    /// Whether a variable holds them.
    pub(super) is_bound: bool,
}

/// Where dice come from.
#[derive(Clone)]
pub(super) enum Origin {
    Fresh(Rc<Fresh>),
    Held(Rc<Held>),
}

/// Dice that are not decided. They can be read once: a second reading would depend on the first.
pub(super) struct Fresh {
    pub(super) table: Rc<Laid>,
    pub(super) is_used: Cell<bool>,
}

/// Dice on the table, numbered so that they are easily told from others.
pub(super) struct Laid {
    pub(super) id: u32,
    pub(super) table: Table,
}

/// What is asked of dice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// A number that is read off them.
    Read(View, Reading),
    /// Where a walk over their faces leads.
    Walk(Walked),
}

impl Question {
    /// What is seen of the dice.
    pub(super) fn view(&self) -> &View {
        match self {
            Question::Read(view, _) => view,
            Question::Walk(walked) => &walked.view,
        }
    }
}

/// A walk (by its step), the dice that it sees, its first value and what else it looks at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Walked {
    pub(super) place: NodeId,
    pub(super) view: View,
    pub(super) first: Value,
    pub(super) values: Vec<Value>,
    /// How many variables its function has.
    pub(super) locals: usize,
}

/// Some of the hands that are dealt together, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Hands(u64);

impl Default for Hands {
    fn default() -> Self {
        Hands(1)
    }
}

impl Hands {
    pub(super) const NONE: Hands = Hands(0);

    /// A hand by its number; none if it is too large.
    pub(super) fn one(number: usize) -> Option<Hands> {
        1u64.checked_shl(u32::try_from(number).ok()?).map(Hands)
    }

    /// The hands of both; none if they have one in common.
    pub(super) fn and(self, other: Hands) -> Option<Hands> {
        (self.0 & other.0 == 0).then_some(Hands(self.0 | other.0))
    }

    pub(super) fn numbers(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |number| self.0 >> number & 1 == 1)
    }
}

/// What is done to dice after they are bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct View {
    /// Which of the hands that are dealt together; dice that are thrown are the first.
    pub(super) hands: Hands,
    pub(super) stages: Vec<Stage>,
    pub(super) marks: Vec<(Condition, i8)>,
}

/// One thing done to dice.
#[derive(Clone, Debug)]
pub(in crate::eval) enum Act {
    Stage(Stage),
    Mark(Condition, i8),
}

impl View {
    /// Hands of a deal as they are.
    pub(super) fn of(hands: Hands) -> View {
        View { hands, ..View::default() }
    }

    /// Several hands laid together; none if something was done to one of them.
    pub(super) fn together(views: &[View]) -> Option<View> {
        let mut all = Hands::NONE;
        for view in views {
            if *view != View::of(view.hands) {
                return None;
            }
            all = all.and(view.hands)?;
        }
        Some(View::of(all))
    }

    pub(super) fn after(&self, act: Act) -> View {
        let mut view = self.clone();
        match act {
            Act::Stage(stage) => view.stages.push(stage),
            Act::Mark(condition, worth) => view.marks.push((condition, worth)),
        }
        view
    }
}

impl Dice {
    pub(super) fn of(origin: Origin) -> Dice {
        let is_bound = matches!(origin, Origin::Held(_));
        Dice { origin, view: View::default(), is_bound }
    }

    pub(super) fn fresh(table: Rc<Laid>) -> Dice {
        Dice::of(Origin::Fresh(Rc::new(Fresh { table, is_used: Cell::new(false) })))
    }

    pub(super) fn held(held: &Rc<Held>, view: View) -> Dice {
        Dice { view, ..Dice::of(Origin::Held(Rc::clone(held))) }
    }

    pub(super) fn bound(mut self) -> Dice {
        self.is_bound = true;
        self
    }
}

/// An argument of a call, as far as the result depends on it: a value, or dice that are thrown for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Value(Value),
    Dice(u32, View),
}

impl Part {
    /// None for dice that something else may look at too.
    pub(super) fn of(datum: &Datum) -> Option<Part> {
        match datum {
            Datum::Value(value) => Some(Part::Value(value.clone())),
            Datum::Dice(Dice { origin: Origin::Fresh(fresh), view, is_bound: false }) => {
                Some(Part::Dice(fresh.table.id, view.clone()))
            }
            Datum::Dice(_) => None,
        }
    }
}
