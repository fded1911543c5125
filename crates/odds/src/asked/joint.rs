//! What dice on the table answer to all that is asked of them ([`astragal_prob::pool::ask`]).
//!
//! A reading looks at the dice of certain ranks and adds up what they are worth; a walk steps on with all of them.

use std::rc::Rc;

use astragal_prob::pool::{
    self, Answer, Answers, Condition, Dice, Reading, Stage, ask, dice_in, ranks_of,
};
use astragal_prob::{Meter, Rational, Weighted};
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::{Asked, Question};
use crate::code::{Kept, Program, Runner, Store, compile};
use crate::plan::{Plan, Walk};
use crate::state::{Shared, Table};
use crate::ways;

/// What dice may answer to the questions, with weights.
pub(crate) type Joint = Answers<Value>;

/// What dice may answer, by the dice, the sizes of hands that are dealt after them, and the questions.
pub(crate) type Joints = FxHashMap<(Shared<Table>, Vec<u64>, Vec<Question>), Option<Rc<Joint>>>;

/// The answers to a single question.
pub(crate) fn of_one(Weighted { outcomes, total }: Weighted<Value>) -> Joint {
    let (values, weights): (Vec<_>, Vec<_>) = outcomes.into_iter().unzip();
    let hands = weights.into_iter().enumerate().map(|(at, weight)| (vec![at as u32], weight));
    Joint { answers: vec![values], hands: hands.collect(), total }
}

/// What dice on the table may answer; none if there are too many hands, or it is not known how to ask them.
pub(crate) fn joint(table: &Table, asked: &Asked<'_>, plan: &Plan, meter: &Meter) -> Option<Joint> {
    let hands = match &asked.deal {
        Some(deal) => deal.hands.clone(),
        None => vec![count(table)?],
    };
    let walks = &asked.walks;
    let down = walks.first().is_none_or(|walk| walk.down);
    if walks.iter().any(|walk| walk.down != down) {
        return None;
    }
    let reads = |question| reads_of(question, walks, &hands, down, plan);
    let questions = asked.questions.iter().map(reads).collect::<Option<Vec<_>>>()?;
    match &asked.deal {
        None => ask(&Dice::Thrown(&table.with(&[])), questions, down, ways::MOST_PATHS, meter),
        Some(deal) => {
            let dice = Dice::Dealt(&deal.bag, &deal.hands);
            meter.may(ways::DEALS).then_some(())?;
            ask(&dice, questions, down, ways::MOST_DEALS, meter)
        }
    }
}

/// How many dice lie on the table, if that is certain and each shows something by itself.
fn count(table: &Table) -> Option<u64> {
    let each = |stage: &Stage| {
        matches!(stage, Stage::Reroll { .. } | Stage::AtLeast(_) | Stage::AtMost(_))
    };
    if table.random.is_some() || !table.stages.iter().all(each) {
        return None;
    }
    Some(dice_in(&table.groups))
}

/// A question by the ranks of the dice, in the order of the walk, and what it makes of them.
fn reads_of(
    question: &Question,
    walks: &[&Walk],
    hands: &[u64],
    down: bool,
    plan: &Plan,
) -> Option<pool::Question<Does>> {
    let view = question.view();
    let hands_seen: Vec<usize> = view.hands.numbers().collect();
    let mut sizes = hands_seen.iter();
    let dice = sizes.try_fold(0u64, |sum, hand| sum.checked_add(*hands.get(*hand)?))?;
    u32::try_from(dice).ok()?;
    let reading = match question {
        Question::Read(_, reading) => reading,
        Question::Walk(_) => &Reading::Sum,
    };
    let (from, until) = ranks_of(&view.stages, reading, dice)?;
    let (from, until) = if down { (from, until) } else { (dice - until, dice - from) };
    let until = if (from, until) == (0, dice) { u64::MAX } else { until };
    let clamps = view.stages.iter();
    let clamps = clamps.filter(|stage| matches!(stage, Stage::AtLeast(_) | Stage::AtMost(_)));
    let clamps: Vec<Stage> = clamps.cloned().collect();
    let answer = match question {
        Question::Read(_, Reading::Sum) => Does::Adds { clamps, marks: view.marks.clone() },
        Question::Read(..) => Does::Adds { clamps, marks: Vec::new() },
        // Faces that are clamped to one would have to be met as one.
        Question::Walk(_) if !clamps.is_empty() => return None,
        Question::Walk(walked) => {
            let walk = *walks.iter().find(|walk| walk.body.id == walked.place)?;
            Does::stepping(walk, &walked.first, &walked.values, plan)?
        }
    };
    Some(pool::Question { hands: hands_seen, from, until, answer })
}

/// What a question makes of the dice that show a face.
enum Does {
    /// Adds up what they show, clamped, or the marks that they get.
    Adds { clamps: Vec<Stage>, marks: Vec<(Condition, i8)> },
    /// Steps on from a first value: code of what is carried, the face and how many dice.
    Steps { first: Value, code: Box<(Program, Runner, Store)>, sees_face: bool },
}

impl Does {
    /// The step of a walk, with these values of other variables.
    fn stepping(walk: &Walk, first: &Value, values: &[Value], plan: &Plan) -> Option<Does> {
        let mut store = Store::new();
        let [count] = walk.counts.as_slice() else { return None };
        let variables = [walk.carry, walk.face, *count].into_iter().chain(walk.outside());
        let variables: Vec<_> = variables.map(|local| (local, Kept::No)).collect();
        let program = compile(&walk.body, &variables, plan, &mut store)?;
        let mut runner = Runner::new(program.slots);
        for (at, value) in values.iter().enumerate() {
            runner.set(3 + at, store.word(value));
        }
        let sees_face = walk.body.free.contains(walk.face);
        let code = Box::new((program, runner, store));
        Some(Does::Steps { first: first.clone(), code, sees_face })
    }
}

impl Answer for Does {
    type Value = Value;

    fn first(&self) -> Value {
        match self {
            Does::Adds { .. } => Value::Number(Number::ZERO),
            Does::Steps { first, .. } => first.clone(),
        }
    }

    fn next(&mut self, value: &Value, face: &Rational, dice: u32) -> Option<Value> {
        let dice = Number::from(i64::from(dice));
        match self {
            Does::Adds { clamps, marks } => {
                let worth = worth(face, clamps, marks).multiply(&dice).ok()?;
                value.as_number()?.add(&worth).ok().map(Value::Number)
            }
            Does::Steps { code, .. } => {
                let (program, runner, store) = &mut **code;
                let face = Value::Number(Number::from(face.clone()));
                for (slot, value) in [value, &face, &Value::Number(dice)].into_iter().enumerate() {
                    runner.set(slot, store.word(value));
                }
                runner.begin();
                runner.run(&program.code, store).map(|word| store.value(word))
            }
        }
    }

    fn sees_face(&self) -> bool {
        match self {
            Does::Adds { .. } => true,
            Does::Steps { sees_face, .. } => *sees_face,
        }
    }

    fn is_like(&self, other: &Does) -> bool {
        match (self, other) {
            (Does::Adds { clamps, marks }, Does::Adds { clamps: c, marks: m }) => {
                clamps == c && marks == m
            }
            _ => false,
        }
    }
}

/// What a die is worth that shows this face.
fn worth(face: &Rational, clamps: &[Stage], marks: &[(Condition, i8)]) -> Number {
    let mut face = face.clone();
    for clamp in clamps {
        match clamp {
            Stage::AtLeast(least) if face < *least => face.clone_from(least),
            Stage::AtMost(most) if face > *most => face.clone_from(most),
            _ => {}
        }
    }
    if marks.is_empty() {
        return Number::from(face);
    }
    let held = marks.iter().filter(|(condition, _)| condition.holds(&face));
    Number::from(held.map(|(_, worth)| i64::from(*worth)).sum::<i64>())
}
