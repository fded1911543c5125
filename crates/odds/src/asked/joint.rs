//! Dice that are read several times: all readings at once, by one walk over the faces.
//!
//! Whatever is asked, from the highest face down each reading adds up what the dice of certain ranks are
//! worth: the sum of the highest two looks at the first and second die, the number of ones at all dice, the
//! second lowest of eight at the seventh. How many dice came before is known, so the sums so far are all that
//! a walk has to carry, and hands that answer every question alike are never told apart.

use std::rc::Rc;

use astragal_prob::pool::{
    self, Condition, End, Reading, SideSteps, Source, Stage, Way, deal, walk,
};
use astragal_prob::{Meter, Natural, Rational};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::{Asked, Deal, Hands, Question};
use crate::failure::Failure;
use crate::plain::{Kept, Program, Runner, Store, compile};
use crate::plan::{Plan, Walk};
use crate::state::{Shared, Table};
use crate::ways;

/// What dice may answer to the questions, with weights.
pub(crate) struct Joint {
    /// The answers to each question; a hand has a number for each.
    pub(crate) answers: Vec<Vec<Value>>,
    pub(crate) hands: Vec<(Vec<u32>, Natural)>,
    pub(crate) total: Natural,
}

/// What dice may answer, by the dice, the sizes of hands that are dealt after them, and the questions.
pub(crate) type Joints = FxHashMap<(Shared<Table>, Vec<u64>, Vec<Question>), Option<Rc<Joint>>>;

impl Joint {
    /// The answers to a single question.
    pub(crate) fn of_one(outcomes: Vec<(Value, Natural)>, total: Natural) -> Joint {
        let (values, weights): (Vec<_>, Vec<_>) = outcomes.into_iter().unzip();
        let hands = weights.into_iter().enumerate().map(|(at, weight)| (vec![at as u32], weight));
        Joint { answers: vec![values], hands: hands.collect(), total }
    }

    /// What dice on the table may answer; none if there are too many hands, or it is not known how to ask them.
    pub(crate) fn of(
        table: &Table,
        asked: &Asked<'_>,
        plan: &Plan,
        meter: &Meter,
    ) -> Option<Joint> {
        let deal = asked.deal.as_ref();
        let hands = match deal {
            Some(deal) => deal.hands.clone(),
            None => vec![count(table)?],
        };
        let walks = &asked.walks;
        let down = walks.first().is_none_or(|walk| walk.down);
        if walks.iter().any(|walk| walk.down != down) {
            return None;
        }
        let (sides, places) = sides(&asked.questions, walks, &hands, down, plan)?;
        let nowhere = plan.mains.first()?.body.span;
        let steps = sides.into_iter().map(|(own, asked)| {
            let dice = own.numbers().fold(0, |sum: u64, hand| sum.saturating_add(hands[hand]));
            let counts = asked.iter().any(|asked| (asked.from, asked.until) != (0, dice));
            (own.numbers().collect(), Steps::new(asked, counts, nowhere))
        });
        let (sides, steps) = steps.unzip();
        let mut asked = Sides { sides, steps, places };
        let (hands, total) = match deal {
            None => asked.thrown(table, down, meter)?,
            Some(_) if !meter.may(ways::DEALS) => return None,
            Some(deal) => asked.dealt(deal, down, meter)?,
        };
        Some(Joint { answers: asked.answers(), hands, total })
    }
}

/// Dice that are asked: hands, or hands laid together, each with a walk of its own.
struct Sides {
    /// The numbers of the hands.
    sides: Vec<Vec<usize>>,
    steps: Vec<Steps>,
    /// For each question the side, and which of what it is asked.
    places: Vec<(usize, usize)>,
}

/// What is answered together, with weights, and the sum of these.
type Answered = (Vec<(Vec<u32>, Natural)>, Natural);

impl Sides {
    /// The answers of dice that are thrown.
    fn thrown(&mut self, table: &Table, down: bool, meter: &Meter) -> Option<Answered> {
        let way = Way { down, counts: vec![true] };
        let all: &mut dyn pool::Steps<Error = Failure> = self.steps.first_mut()?;
        let ends = walk(&[table.with(&[])], &way, all, meter).ok()?;
        if ends.weights.len() > ways::MOST_PATHS {
            return None;
        }
        let hands = ends.weights.into_iter();
        let hands = hands.map(|(state, weight)| (self.answered(&[state]), weight));
        Some((hands.collect(), ends.total))
    }

    /// The answers of hands that are dealt from one bag.
    fn dealt(&mut self, dealt: &Deal, down: bool, meter: &Meter) -> Option<Answered> {
        let mut faces: Vec<Rational> =
            dealt.bag.faces().iter().map(|(face, _)| face.clone()).collect();
        if down {
            faces.reverse();
        }
        self.steps.iter_mut().for_each(|steps| steps.faces.clone_from(&faces));
        let sides = self.sides.clone();
        let all: &mut dyn SideSteps<Error = Failure> = self;
        // Should there be too many combinations, the general way must have a chance.
        let part = meter.part(2);
        let deals = deal(&dealt.bag, &dealt.hands, &sides, down, all, &part);
        meter.join(&part).ok()?;
        let deals = deals.ok()?;
        if deals.weights.len() > ways::MOST_DEALS {
            return None;
        }
        let hands = deals.weights.into_iter();
        let hands = hands.map(|(states, weight)| (self.answered(&states), weight));
        Some((hands.collect(), deals.total))
    }

    /// The number of the answer to each question, from the states of the sides.
    fn answered(&self, states: &[usize]) -> Vec<u32> {
        let answer = |(side, asked): &(usize, usize)| {
            let steps = &self.steps[*side];
            steps.carried[states[*side] * (1 + steps.asked.len()) + 1 + asked]
        };
        self.places.iter().map(answer).collect()
    }

    /// The answers to each question by their numbers.
    fn answers(&self) -> Vec<Vec<Value>> {
        let values =
            |(side, asked): &(usize, usize)| self.steps[*side].answers[*asked].values.clone();
        self.places.iter().map(values).collect()
    }
}

impl SideSteps for Sides {
    type Error = Failure;

    fn step(
        &mut self,
        side: usize,
        state: usize,
        face: usize,
        count: u64,
    ) -> Result<usize, Failure> {
        pool::Steps::step(&mut self.steps[side], state, face, &[count])
    }
}

/// The walk that answers all questions: it carries how many dice have come and the answers so far.
///
/// Answers are numbered, so that a state is a few small numbers: by far the most steps lead to a state that
/// is known.
struct Steps {
    asked: Vec<Reads>,
    /// Whether it matters how many dice have come: not where all questions look at all dice.
    counts: bool,
    /// A place to blame where there is no way on; nobody is told.
    nowhere: Span,
    faces: Vec<Rational>,
    /// The answers to each question.
    answers: Vec<Answers>,
    /// The states one after the other: how many dice, and the number of each answer.
    carried: Vec<u32>,
    known: FxHashMap<Box<[u32]>, usize>,
    /// The state that a step leads to.
    next: Vec<u32>,
}

/// The answers to a question that came up, numbered.
struct Answers {
    values: Vec<Value>,
    numbers: FxHashMap<Value, u32>,
    /// Where an answer leads with so many dice of a face.
    leads: FxHashMap<(u32, u32, u32), u32>,
}

impl Answers {
    fn new(first: Value) -> Answers {
        let numbers = FxHashMap::from_iter([(first.clone(), 0)]);
        Answers { values: vec![first], numbers, leads: FxHashMap::default() }
    }

    fn number(&mut self, value: Value) -> u32 {
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            self.values.len() as u32 - 1
        })
    }
}

impl Steps {
    fn new(asked: Vec<Reads>, counts: bool, nowhere: Span) -> Self {
        let first = vec![0; 1 + asked.len()];
        Steps {
            counts,
            nowhere,
            faces: Vec::new(),
            answers: asked.iter().map(|asked| Answers::new(asked.first.clone())).collect(),
            known: FxHashMap::from_iter([(first.clone().into(), 0)]),
            carried: first,
            next: Vec::new(),
            asked,
        }
    }

    /// Where a state leads with so many dice of a face.
    fn after(&mut self, state: usize, face: usize, dice: u32) -> Option<usize> {
        let size = 1 + self.asked.len();
        self.next.clear();
        self.next.extend_from_slice(&self.carried[state * size..][..size]);
        let (come, numbers) = self.next.split_first_mut()?;
        let (before, after) = (u64::from(*come), u64::from(*come) + u64::from(dice));
        if self.counts {
            *come = u32::try_from(after).ok()?;
        }
        let asked = self.asked.iter_mut();
        for ((asked, number), answers) in asked.zip(numbers).zip(&mut self.answers) {
            let dice = match self.counts {
                true => after.min(asked.until).saturating_sub(before.max(asked.from)) as u32,
                false => dice,
            };
            if dice == 0 {
                continue;
            }
            let key = (*number, face as u32, dice);
            *number = match answers.leads.get(&key) {
                Some(known) => *known,
                None => {
                    let before = &answers.values[*number as usize];
                    let value = asked.next(before, &self.faces[face], dice)?;
                    let lead = answers.number(value);
                    answers.leads.insert(key, lead);
                    lead
                }
            };
        }
        if let Some(known) = self.known.get(self.next.as_slice()) {
            return Some(*known);
        }
        let new = self.known.len();
        if new > 10 * ways::MOST_PATHS {
            return None;
        }
        self.known.insert(self.next.as_slice().into(), new);
        self.carried.extend_from_slice(&self.next);
        Some(new)
    }
}

impl pool::Steps for Steps {
    type Error = Failure;

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        self.faces = faces.to_vec();
        let sees = self.asked.iter().any(|asked| match &asked.does {
            Does::Adds { .. } => true,
            Does::Steps { sees_face, .. } => *sees_face,
        });
        if sees { (0..faces.len()).collect() } else { vec![0; faces.len()] }
    }

    fn step(&mut self, state: usize, face: usize, counts: &[u64]) -> Result<usize, Failure> {
        let dice = counts.first().and_then(|dice| u32::try_from(*dice).ok());
        let lead = dice.and_then(|dice| self.after(state, face, dice));
        lead.ok_or_else(|| Failure::refused(FaultKind::NotKnown, self.nowhere))
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
    let dice = table.groups.iter().map(|(count, source)| match source {
        Source::Fixed(dice) => dice.len() as u64,
        Source::Die(_) | Source::Total(_) => *count,
    });
    Some(dice.fold(0, u64::saturating_add))
}

/// The sides that are asked something, what they are asked, and which of it, of which side, answers each
/// question: the highest die is the highest without the lowest too, so different questions may ask for the same.
#[expect(clippy::type_complexity, reason = "what is asked, and where the questions find it")]
fn sides(
    questions: &[Question],
    walks: &[&Walk],
    hands: &[u64],
    down: bool,
    plan: &Plan,
) -> Option<(Vec<(Hands, Vec<Reads>)>, Vec<(usize, usize)>)> {
    let mut sides: Vec<(Hands, Vec<Reads>)> = Vec::new();
    let mut places = Vec::with_capacity(questions.len());
    for question in questions {
        let seen = question.view().hands;
        let dice = seen.numbers().try_fold(0u64, |sum, hand| sum.checked_add(*hands.get(hand)?))?;
        u32::try_from(dice).ok()?;
        let side = sides.iter().position(|(known, _)| *known == seen).unwrap_or_else(|| {
            sides.push((seen, Vec::new()));
            sides.len() - 1
        });
        let reads = Reads::of(question, walks, dice, down, plan)?;
        let known = &mut sides[side].1;
        let same = known.iter().position(|known| known.is_like(&reads));
        places.push((side, same.unwrap_or(known.len())));
        if same.is_none() {
            known.push(reads);
        }
    }
    Some((sides, places))
}

/// What a question looks at: the ranks of the dice, in the order of the walk, and what it makes of them.
struct Reads {
    from: u64,
    until: u64,
    first: Value,
    does: Does,
}

/// What a question makes of the dice that show a face.
enum Does {
    /// Adds up what they show, clamped, or the marks that they get.
    Adds { clamps: Vec<Stage>, marks: Vec<(Condition, i8)> },
    /// Steps on: code of what is carried, the face and how many dice.
    Steps { code: Box<(Program, Runner, Store)>, sees_face: bool },
}

impl Reads {
    fn is_like(&self, other: &Reads) -> bool {
        let does = match (&self.does, &other.does) {
            (
                Does::Adds { clamps, marks },
                Does::Adds { clamps: other_clamps, marks: other_marks },
            ) => clamps == other_clamps && marks == other_marks,
            _ => false,
        };
        does && (self.from, self.until) == (other.from, other.until)
    }

    fn of(
        question: &Question,
        walks: &[&Walk],
        dice: u64,
        down: bool,
        plan: &Plan,
    ) -> Option<Reads> {
        let (view, reading) = match question {
            Question::Read(view, reading) => (view, reading),
            Question::Walk(walked) => (&walked.view, &Reading::Sum),
        };
        let (mut from, mut until) = (0u64, dice);
        let mut clamps = Vec::new();
        for stage in &view.stages {
            match stage {
                Stage::Keep(End::Highest, n) => until = until.min(from.saturating_add(*n)),
                Stage::Keep(End::Lowest, n) => from = from.max(until.saturating_sub(*n)),
                Stage::Drop(End::Highest, n) => from = from.saturating_add(*n).min(until),
                Stage::Drop(End::Lowest, n) => until = until.saturating_sub(*n).max(from),
                Stage::AtLeast(_) | Stage::AtMost(_) => clamps.push(stage.clone()),
                _ => return None,
            }
        }
        let nth = |rank: u64| (rank >= 1 && rank <= until - from).then_some(rank);
        let mut marks = Vec::new();
        match reading {
            Reading::Sum => marks.clone_from(&view.marks),
            Reading::NthHighest(n) => (from, until) = (from + nth(*n)? - 1, from + n),
            Reading::NthLowest(n) => (from, until) = (until - nth(*n)?, until - n + 1),
            Reading::Marks(_) | Reading::Median => return None,
        }
        let (from, until) = if down { (from, until) } else { (dice - until, dice - from) };
        let (first, does) = match question {
            Question::Read(..) => (Value::Number(Number::ZERO), Does::Adds { clamps, marks }),
            // Faces that are clamped to one would have to be met as one.
            Question::Walk(_) if !clamps.is_empty() => return None,
            Question::Walk(walked) => {
                let same = |walk: &&&Walk| walk.body.id == walked.place;
                let walk = *walks.iter().find(same)?;
                (walked.first.clone(), Does::stepping(walk, &walked.values, plan)?)
            }
        };
        Some(Reads { from, until, first, does })
    }

    /// The value after so many dice that show this face.
    fn next(&mut self, value: &Value, face: &Rational, dice: u32) -> Option<Value> {
        let dice = Number::from(i64::from(dice));
        match &mut self.does {
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
}

impl Does {
    /// The step of a walk, with these values of other variables.
    fn stepping(walk: &Walk, values: &[Value], plan: &Plan) -> Option<Does> {
        let mut store = Store::new();
        let [count] = walk.counts.as_slice() else { return None };
        let outside = walk.outside();
        let variables = [walk.carry, walk.face, *count].into_iter().chain(outside);
        let variables: Vec<_> = variables.map(|local| (local, Kept::No)).collect();
        let program = compile(&walk.body, &variables, plan, &mut store)?;
        let mut runner = Runner::new(program.slots);
        for (at, value) in values.iter().enumerate() {
            runner.set(3 + at, store.word(value));
        }
        let sees_face = walk.body.free.contains(walk.face);
        Some(Does::Steps { code: Box::new((program, runner, store)), sees_face })
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
