//! What dice on the table answer to all that is asked of them ([`astragal_prob::pool::ask`]).
//!
//! A reading looks at the dice of certain ranks and adds up what they are worth; a walk steps on with all of them.

use std::rc::Rc;

use astragal_prob::pool::{
    self, Answer, Answers, Condition, Dice, Pool, Reading, Seen, Stage, ask, dice_in, grown,
    ranks_of,
};
use astragal_prob::{Meter, Rational, Weighted};
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::{Asked, Question, View};
use crate::code::{Kept, Program, Runner, Store, compile, in_any_order};
use crate::plan::{Plan, Walk};
use crate::state::{Shared, Table};
use crate::ways;

/// What dice may answer to the questions, with weights.
pub(crate) type Joint = Answers<Value>;

/// What dice may answer, by the dice of each hand that is thrown, the sizes of hands that are dealt after them, and the
/// questions.
pub(crate) type Joints =
    FxHashMap<(Vec<Shared<Table>>, Vec<u64>, Vec<Question>), Option<Rc<Joint>>>;

/// The answers to a single question.
pub(crate) fn of_one(Weighted { outcomes, total }: Weighted<Value>) -> Joint {
    let (values, weights): (Vec<_>, Vec<_>) = outcomes.into_iter().unzip();
    let hands = weights.into_iter().enumerate().map(|(at, weight)| (vec![at as u32], weight));
    Joint { answers: vec![values], hands: hands.collect(), total }
}

/// What dice on the table may answer; none if there are too many hands, or it is not known how to ask them.
pub(crate) fn joint(
    tables: &[Shared<Table>],
    asked: &Asked<'_>,
    plan: &Plan,
    meter: &Meter,
) -> Option<Joint> {
    let pools = tables.iter().map(|table| {
        let pool = table.with(&[]);
        table.random.is_none().then(|| grown(&pool, meter).unwrap_or(pool))
    });
    let pools: Vec<Pool> = pools.collect::<Option<_>>()?;
    let hands = match &asked.deal {
        Some(deal) => deal.hands.clone(),
        None => pools.iter().map(count).collect::<Option<_>>()?,
    };
    let walks = &asked.walks;
    // A walk over several hands meets the most; the others go its way.
    let leading = walks.iter().max_by_key(|walk| walk.counts.len());
    let down = leading.is_none_or(|walk| walk.down);
    let reads = |question| reads_of(question, walks, &hands, down, plan);
    let questions = asked.questions.iter().map(reads).collect::<Option<Vec<_>>>()?;
    match &asked.deal {
        None => ask(&Dice::Thrown(&pools), questions, down, ways::MOST_PATHS, meter),
        Some(deal) => {
            let dice = Dice::Dealt(&deal.bag, &deal.hands);
            meter.may(ways::DEALS).then_some(())?;
            ask(&dice, questions, down, ways::MOST_DEALS, meter)
        }
    }
}

/// How many dice lie on the table, if each shows something by itself.
fn count(pool: &Pool) -> Option<u64> {
    let each = |stage: &Stage| {
        matches!(stage, Stage::Reroll { .. } | Stage::AtLeast(_) | Stage::AtMost(_))
    };
    pool.stages.iter().all(each).then(|| dice_in(&pool.groups))
}

/// A question by the ranks of the dice, in the order of the walk, and what it makes of them.
fn reads_of(
    question: &Question,
    walks: &[&Walk],
    hands: &[u64],
    down: bool,
    plan: &Plan,
) -> Option<pool::Question<Does>> {
    let reading = match question {
        Question::Read(_, reading) => reading,
        Question::Walk(_) => &Reading::Sum,
    };
    let seen = question.views().iter().map(|view| seen_in(view, reading, hands, down));
    let seen = seen.collect::<Option<Vec<_>>>()?;
    let clamps = question.views().iter().flat_map(|view| &view.stages);
    let clamps = clamps.filter(|stage| matches!(stage, Stage::AtLeast(_) | Stage::AtMost(_)));
    let clamps: Vec<Stage> = clamps.cloned().collect();
    let answer = match question {
        Question::Read(view, reading) => {
            let marks = if *reading == Reading::Sum { view.marks.clone() } else { Vec::new() };
            // Of an even number of dice the median lies between two.
            let halved = *reading == Reading::Median && seen.first()?.1 == 2;
            Does::Adds { clamps, marks, halved }
        }
        // Faces that are clamped to one would have to be met as one.
        Question::Walk(_) if !clamps.is_empty() => return None,
        Question::Walk(walked) => {
            let walk = *walks.iter().find(|walk| walk.body.id == walked.place)?;
            Does::stepping(walk, &walked.first, &walked.values, down, plan)?
        }
    };
    let seen = seen.into_iter().map(|(seen, _)| seen).collect();
    Some(pool::Question { seen, answer })
}

/// The dice of a view by their ranks, in the order of the walk, and how many they are.
fn seen_in(view: &View, reading: &Reading, hands: &[u64], down: bool) -> Option<(Seen, u64)> {
    let seen: Vec<usize> = view.hands.numbers().collect();
    let mut sizes = seen.iter();
    let dice = sizes.try_fold(0u64, |sum, hand| sum.checked_add(*hands.get(*hand)?))?;
    u32::try_from(dice).ok()?;
    let (from, until) = ranks_of(&view.stages, reading, dice)?;
    let (from, until) = if down { (from, until) } else { (dice - until, dice - from) };
    let count = until - from;
    let until = if count == dice { u64::MAX } else { until };
    Some((Seen { hands: seen, from, until }, count))
}

/// What a question makes of the dice that show a face.
enum Does {
    /// Adds up what they show, clamped, or half of it, or the marks that they get.
    Adds { clamps: Vec<Stage>, marks: Vec<(Condition, i8)>, halved: bool },
    /// Steps on from a first value: code of what is carried, the face and how many dice.
    Steps { first: Value, code: Box<(Program, Runner, Store)>, sees_face: bool },
    /// The same where the walk goes the other way: notes the faces, and which of the numbers of dice its steps look at. In the
    /// end it goes through them from the last to the first.
    Notes { steps: Box<Does>, looks: Vec<bool> },
}

impl Does {
    /// The step of a walk, with these values of other variables.
    fn stepping(
        walk: &Walk,
        first: &Value,
        values: &[Value],
        down: bool,
        plan: &Plan,
    ) -> Option<Does> {
        let mut store = Store::new();
        let variables = [walk.carry, walk.face].into_iter();
        let variables = variables.chain(walk.counts.iter().copied()).chain(walk.outside());
        let variables: Vec<_> = variables.map(|local| (local, Kept::No)).collect();
        let program = compile(&walk.body, &variables, plan, &mut store)?;
        let mut runner = Runner::new(program.slots);
        for (at, value) in values.iter().enumerate() {
            runner.set(2 + walk.counts.len() + at, store.word(value));
        }
        let sees_face = walk.body.free.contains(walk.face);
        let turned = walk.down != down && !in_any_order(&program.code, 0);
        // What is noted of several hands are all of them.
        (!turned || walk.counts.len() == 1).then_some(())?;
        let code = Box::new((program, runner, store));
        let steps = Does::Steps { first: first.clone(), code, sees_face };
        let looks = walk.counts.iter().map(|count| walk.body.free.contains(*count)).collect();
        Some(if turned { Does::Notes { steps: Box::new(steps), looks } } else { steps })
    }
}

impl Answer for Does {
    type Value = Value;

    fn first(&self) -> Value {
        match self {
            Does::Adds { .. } => Value::Number(Number::ZERO),
            Does::Steps { first, .. } => first.clone(),
            Does::Notes { .. } => Value::List([].into()),
        }
    }

    fn next(&mut self, value: &Value, face: &Rational, dice: &[u32]) -> Option<Value> {
        let mut dice = dice.iter().map(|dice| Number::from(i64::from(*dice)));
        match self {
            Does::Adds { clamps, marks, halved } => {
                let mut worth = worth(face, clamps, marks).multiply(&dice.next()?).ok()?;
                if *halved {
                    worth = worth.divide(&Number::from(2i64)).ok()?;
                }
                value.as_number()?.add(&worth).ok().map(Value::Number)
            }
            Does::Steps { code, .. } => {
                let (program, runner, store) = &mut **code;
                let face = Value::Number(Number::from(face.clone()));
                runner.set(0, store.word(value));
                runner.set(1, store.word(&face));
                for (at, dice) in dice.enumerate() {
                    runner.set(2 + at, store.word(&Value::Number(dice)));
                }
                runner.begin();
                runner.run(&program.code, store).map(|word| store.value(word))
            }
            Does::Notes { looks, .. } => {
                let Value::List(noted) = value else { return None };
                let met = dice
                    .zip(looks)
                    .map(|(dice, looks)| Value::Number(if *looks { dice } else { Number::ONE }));
                let face = Value::Number(Number::from(face.clone()));
                let step = Value::List(std::iter::once(face).chain(met).collect());
                Some(Value::List(noted.iter().cloned().chain([step]).collect()))
            }
        }
    }

    fn last(&mut self, value: &Value) -> Option<Value> {
        let (Does::Notes { steps, .. }, Value::List(noted)) = (&mut *self, value) else {
            return Some(value.clone());
        };
        noted.iter().rev().try_fold(steps.first(), |carried, step| {
            let Value::List(step) = step else { return None };
            let mut numbers = step.iter().map(Value::as_number);
            let face = numbers.next()??.to_rational();
            let dice = numbers.map(|dice| dice?.to_u64()?.try_into().ok());
            steps.next(&carried, &face, &dice.collect::<Option<Vec<u32>>>()?)
        })
    }

    fn sees_face(&self) -> bool {
        match self {
            Does::Adds { .. } => true,
            Does::Steps { sees_face, .. } => *sees_face,
            Does::Notes { .. } => true,
        }
    }

    fn is_like(&self, other: &Does) -> bool {
        match (self, other) {
            (
                Does::Adds { clamps, marks, halved },
                Does::Adds { clamps: c, marks: m, halved: h },
            ) => clamps == c && marks == m && halved == h,
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
