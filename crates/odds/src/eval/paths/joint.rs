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
use astragal_program::core::LocalId;
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};
use rustc_hash::FxHashMap;

use super::deal::Deal;
use super::plain::Plain;
use super::uses::{Foreseen, Look};
use super::view::{Dice, Hands, Laid, Origin, Question};
use super::{Frame, NotSo, Paths};
use crate::failure::Failure;
use crate::plan::{Node, NodeId, Walk};
use crate::state::Table;
use crate::ways;

/// More hands than this are left to the general way.
const MOST_HANDS: usize = 12_000;
/// The same of hands dealt together, which the general way would decide one by one.
const MOST_DEALS: usize = 200_000;

/// What the dice may answer to the questions, with weights.
pub(super) struct Joint {
    pub(super) questions: Rc<Vec<Question>>,
    /// The answers to each question; a hand has a number for each.
    pub(super) answers: Vec<Vec<Value>>,
    pub(super) hands: Vec<(Vec<u32>, Natural)>,
    pub(super) total: Natural,
}

/// What dice may answer, and the places where hands that are dealt with them are drawn.
type Decided = (Rc<Joint>, Vec<NodeId>);

impl<'p> Paths<'_, 'p> {
    /// What dice that are bound here will answer; none if they are read at most once, or are bound already.
    pub(super) fn decided(
        &mut self,
        local: LocalId,
        dice: &Dice,
        scope: &'p Node,
        frame: &Frame,
    ) -> Result<Option<Decided>, NotSo> {
        let Origin::Fresh(fresh) = &dice.origin else { return Ok(None) };
        if dice.is_bound {
            return Ok(None);
        }
        let seen = (&fresh.table.table, &dice.view);
        let Some(Foreseen { questions, walks, deal }) = Look::at(self, local, seen, scope, frame)
        else {
            return Ok(None);
        };
        let (hands, places) = match &deal {
            Some(deal) => (deal.hands[1..].to_vec(), deal.places.clone()),
            None => Default::default(),
        };
        let key = (fresh.table.id, hands, Rc::new(questions));
        let known = &self.machine.known;
        let known = if walks.is_empty() { &known.lasting.joints } else { &known.walked_joints };
        if let Some(known) = known.get(&key) {
            return known.clone().map(|joint| Some((joint, places))).ok_or(NotSo);
        }
        let joint = self.joint(&fresh.table, deal.as_ref(), &key.2, &walks).map(Rc::new);
        let known = &mut self.machine.known;
        let known =
            if walks.is_empty() { &mut known.lasting.joints } else { &mut known.walked_joints };
        known.insert(key, joint.clone());
        joint.map(|joint| Some((joint, places))).ok_or(NotSo)
    }

    fn joint(
        &mut self,
        laid: &Laid,
        deal: Option<&Deal>,
        questions: &Rc<Vec<Question>>,
        walks: &[&'p Walk],
    ) -> Option<Joint> {
        let hands = match deal {
            Some(deal) => deal.hands.clone(),
            None => vec![count(&laid.table)?],
        };
        let down = walks.first().is_none_or(|walk| walk.down);
        if walks.iter().any(|walk| walk.down != down) {
            return None;
        }
        let (sides, places) = sides(questions, walks, &hands, down)?;
        let plain = Plain { plan: self.machine.plan, meter: self.machine.meter };
        let nowhere = self.machine.plan.mains.first()?.body.span;
        let steps = sides.iter().map(|(own, asked)| {
            let dice = own.numbers().fold(0, |sum: u64, hand| sum.saturating_add(hands[hand]));
            let counts = asked.iter().any(|asked| (asked.from, asked.until) != (0, dice));
            Steps::new(asked, counts, plain, nowhere)
        });
        let steps = steps.collect();
        let sides = sides.iter().map(|(hands, _)| hands.numbers().collect()).collect();
        let mut asked = Sides { sides, steps, places };
        let (hands, total) = match deal {
            None => asked.thrown(laid, down, self.machine.meter)?,
            Some(_) if !self.machine.meter.may(ways::DEALS) => return None,
            Some(deal) => asked.dealt(deal, down, self.machine.meter)?,
        };
        let (questions, answers) = (Rc::clone(questions), asked.answers());
        Some(Joint { questions, answers, hands, total })
    }
}

/// Dice that are asked: hands, or hands laid together, each with a walk of its own.
struct Sides<'a, 'p> {
    /// The numbers of the hands.
    sides: Vec<Vec<usize>>,
    steps: Vec<Steps<'a, 'p>>,
    /// For each question the side, and which of what it is asked.
    places: Vec<(usize, usize)>,
}

/// What is answered together, with weights, and the sum of these.
type Answered = (Vec<(Vec<u32>, Natural)>, Natural);

impl Sides<'_, '_> {
    /// The answers of dice that are thrown.
    fn thrown(&mut self, laid: &Laid, down: bool, meter: &Meter) -> Option<Answered> {
        let way = Way { down, counts: vec![true] };
        let all: &mut dyn pool::Steps<Error = Failure> = self.steps.first_mut()?;
        let ends = walk(&[laid.table.with(&[])], &way, all, meter).ok()?;
        if ends.weights.len() > MOST_HANDS {
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
        meter.charge(part.used()).ok()?;
        let deals = deals.ok()?;
        if deals.weights.len() > MOST_DEALS {
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

impl SideSteps for Sides<'_, '_> {
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
struct Steps<'a, 'p> {
    asked: &'a [Asked<'p>],
    plain: Plain<'a>,
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

impl<'a, 'p> Steps<'a, 'p> {
    fn new(asked: &'a [Asked<'p>], counts: bool, plain: Plain<'a>, nowhere: Span) -> Self {
        let first = vec![0; 1 + asked.len()];
        Steps {
            asked,
            plain,
            counts,
            nowhere,
            faces: Vec::new(),
            answers: asked.iter().map(|asked| Answers::new(asked.first.clone())).collect(),
            known: FxHashMap::from_iter([(first.clone().into(), 0)]),
            carried: first,
            next: Vec::new(),
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
        for ((asked, number), answers) in self.asked.iter().zip(numbers).zip(&mut self.answers) {
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
                    let value = asked.next(before, &self.faces[face], dice, &self.plain)?;
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
        if new > 10 * MOST_HANDS {
            return None;
        }
        self.known.insert(self.next.as_slice().into(), new);
        self.carried.extend_from_slice(&self.next);
        Some(new)
    }
}

impl pool::Steps for Steps<'_, '_> {
    type Error = Failure;

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        self.faces = faces.to_vec();
        let sees = self.asked.iter().any(|asked| match &asked.does {
            Does::Adds { .. } => true,
            Does::Steps { walk, .. } => walk.body.free.contains(walk.face),
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
fn sides<'p>(
    questions: &[Question],
    walks: &[&'p Walk],
    hands: &[u64],
    down: bool,
) -> Option<(Vec<(Hands, Vec<Asked<'p>>)>, Vec<(usize, usize)>)> {
    let mut sides: Vec<(Hands, Vec<Asked<'p>>)> = Vec::new();
    let mut places = Vec::with_capacity(questions.len());
    for question in questions {
        let seen = question.view().hands;
        let dice = seen.numbers().try_fold(0u64, |sum, hand| sum.checked_add(*hands.get(hand)?))?;
        u32::try_from(dice).ok()?;
        let side = sides.iter().position(|(known, _)| *known == seen).unwrap_or_else(|| {
            sides.push((seen, Vec::new()));
            sides.len() - 1
        });
        let asked = Asked::of(question, walks, dice, down)?;
        let known = &mut sides[side].1;
        let same = known.iter().position(|known| known.is_like(&asked));
        places.push((side, same.unwrap_or(known.len())));
        if same.is_none() {
            known.push(asked);
        }
    }
    Some((sides, places))
}

/// A question: the ranks of the dice that it looks at, in the order of the walk, and what it makes of them.
struct Asked<'p> {
    from: u64,
    until: u64,
    first: Value,
    does: Does<'p>,
}

/// What a question makes of the dice that show a face.
enum Does<'p> {
    /// Adds up what they show, clamped, or the marks that they get.
    Adds { clamps: Vec<Stage>, marks: Vec<(Condition, i8)> },
    /// Steps on, with these values of other variables.
    Steps { walk: &'p Walk, values: Vec<(LocalId, Value)>, locals: usize },
}

impl<'p> Asked<'p> {
    fn is_like(&self, other: &Asked<'p>) -> bool {
        let does = match (&self.does, &other.does) {
            (
                Does::Adds { clamps, marks },
                Does::Adds { clamps: other_clamps, marks: other_marks },
            ) => clamps == other_clamps && marks == other_marks,
            _ => false,
        };
        does && (self.from, self.until) == (other.from, other.until)
    }

    fn of(question: &Question, walks: &[&'p Walk], dice: u64, down: bool) -> Option<Asked<'p>> {
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
                let values = walk.outside().into_iter().zip(walked.values.iter().cloned());
                let locals = walked.locals;
                (walked.first.clone(), Does::Steps { walk, values: values.collect(), locals })
            }
        };
        Some(Asked { from, until, first, does })
    }

    /// The value after so many dice that show this face.
    fn next(&self, value: &Value, face: &Rational, dice: u32, plain: &Plain<'_>) -> Option<Value> {
        let dice = Number::from(i64::from(dice));
        match &self.does {
            Does::Adds { clamps, marks } => {
                let worth = worth(face, clamps, marks).multiply(&dice).ok()?;
                value.as_number()?.add(&worth).ok().map(Value::Number)
            }
            Does::Steps { walk, values, locals } => {
                let mut frame = vec![Value::None; *locals];
                let face = Value::Number(Number::from(face.clone()));
                let count = *walk.counts.first()?;
                let given =
                    [(walk.carry, value.clone()), (walk.face, face), (count, Value::Number(dice))];
                for (local, value) in values.iter().cloned().chain(given) {
                    *frame.get_mut(local.0 as usize)? = value;
                }
                plain.value(&walk.body, &mut frame, 0)
            }
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
