//! Dice that are asked several things: all answers at once, by one walk over the faces.
//!
//! Whatever is asked, from the highest face down each question looks at the dice of certain ranks: the sum of the
//! highest two at the first and second die, the number of ones at all dice, the second lowest of eight at the
//! seventh. How many dice came before is known, so the answers so far are all that a walk has to carry, and hands
//! that answer every question alike are never told apart. Hands that are dealt from one bag are walked together.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::deal::{SideSteps, deal};
use super::{Steps, Way, walk};
use crate::meter::Meter;
use crate::number::{Natural, Rational};
use crate::pool::{Die, Pool};

/// A walk with more states than this is given up.
const MOST_STATES: usize = 200_000;

/// What a question makes of the dice that it looks at.
pub trait Answer {
    /// What it comes to.
    type Value: Clone + Eq + Hash;

    /// The answer of no dice.
    fn first(&self) -> Self::Value;

    /// The answer after so many more dice of each kind that it looks at show a face; none if there is none.
    fn next(&mut self, value: &Self::Value, face: &Rational, dice: &[u32]) -> Option<Self::Value>;

    /// What an answer comes to when there are no more dice; none if there is none.
    fn last(&mut self, value: &Self::Value) -> Option<Self::Value> {
        Some(value.clone())
    }

    /// Whether it matters which face dice show.
    fn sees_face(&self) -> bool;

    /// Whether another one is known to come to the same.
    fn is_like(&self, other: &Self) -> bool;
}

/// Dice that a question looks at: of hands that are laid together those at certain ranks, in the order of the walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The numbers of the hands.
    pub hands: Vec<usize>,
    /// The first rank.
    pub from: u64,
    /// The rank behind the last; `u64::MAX` if all dice from the first on are looked at.
    pub until: u64,
}

/// A question: the dice that it looks at, one kind beside the other, and what it makes of them.
pub struct Question<A> {
    /// Each kind of dice.
    pub seen: Vec<Seen>,
    /// What it makes of the dice.
    pub answer: A,
}

/// The dice that are asked.
pub enum Dice<'a> {
    /// Dice that are thrown: each pool is a hand.
    Thrown(&'a [Pool]),
    /// Hands of so many dice each, dealt from one bag.
    Dealt(&'a Die, &'a [u64]),
}

/// What dice may answer to questions, with weights.
pub struct Answers<V> {
    /// The answers to each question; a hand has a number for each.
    pub answers: Vec<Vec<V>>,
    /// The numbers that hands have, with weights.
    pub hands: Vec<(Vec<u32>, Natural)>,
    /// The sum of the weights.
    pub total: Natural,
}

/// What dice may answer to questions, walking down or up; none if there are more than `most` cases, or some question
/// has no answer.
pub fn ask<A: Answer>(
    dice: &Dice<'_>,
    questions: Vec<Question<A>>,
    down: bool,
    most: usize,
    meter: &Meter,
) -> Option<Answers<A::Value>> {
    let mut sides = match dice {
        Dice::Thrown(pools) => Sides::beside(questions, pools.len())?,
        Dice::Dealt(..) => Sides::dealt(questions)?,
    };
    let (hands, total) = match dice {
        Dice::Thrown(pools) => {
            let way = Way { down, counts: vec![true; pools.len()] };
            let side = sides.steps.first_mut()?;
            let ends = match pools {
                [_] => walk(pools, &way, side, meter),
                // Should there be too many combinations, another way must have a chance.
                _ => {
                    let part = meter.part(2);
                    let ends = walk(pools, &way, side, &part);
                    meter.join(&part).ok()?;
                    ends
                }
            };
            let ends = ends.ok()?;
            let hands = ends.weights.into_iter().map(|(state, weight)| (vec![state], weight));
            (hands.collect::<Vec<_>>(), ends.total)
        }
        Dice::Dealt(bag, hands) => {
            let mut faces: Vec<Rational> =
                bag.faces().iter().map(|(face, _)| face.clone()).collect();
            if down {
                faces.reverse();
            }
            sides.steps.iter_mut().for_each(|steps| steps.faces.clone_from(&faces));
            let numbers = sides.hands.clone();
            let part = meter.part(2);
            let deals = deal(bag, hands, &numbers, down, &mut sides, &part);
            meter.join(&part).ok()?;
            let deals = deals.ok()?;
            (deals.weights, deals.total)
        }
    };
    if hands.len() > most {
        return None;
    }
    let hands = hands.into_iter().map(|(states, weight)| (sides.answered(&states), weight));
    let hands = hands.collect();
    Some(Answers { answers: sides.answers()?, hands, total })
}

/// Hands that are asked: all of them in one walk, or each, or several laid together, with a walk of its own.
struct Sides<A: Answer> {
    hands: Vec<Vec<usize>>,
    steps: Vec<Asking<A>>,
    /// For each question the side, and which of what it is asked.
    places: Vec<(usize, usize)>,
}

impl<A: Answer> Sides<A> {
    /// All hands in one walk; none if a question looks at too many kinds of dice.
    fn beside(questions: Vec<Question<A>>, hands: usize) -> Option<Sides<A>> {
        let mut side = Asking::of(hands);
        let places: Option<Vec<_>> =
            questions.into_iter().map(|question| Some((0, side.add(question)?))).collect();
        Some(Sides { hands: Vec::new(), steps: vec![side], places: places? })
    }

    /// Each hand, or hands laid together, with a walk of its own; none if a question looks at dice of several of these.
    fn dealt(questions: Vec<Question<A>>) -> Option<Sides<A>> {
        let mut sides = Sides { hands: Vec::new(), steps: Vec::new(), places: Vec::new() };
        for mut question in questions {
            let [seen] = question.seen.as_mut_slice() else { return None };
            let hands = std::mem::replace(&mut seen.hands, vec![0]);
            let known = sides.hands.iter().position(|known| *known == hands);
            let side = known.unwrap_or_else(|| {
                sides.hands.push(hands);
                sides.steps.push(Asking::of(1));
                sides.hands.len() - 1
            });
            sides.places.push((side, sides.steps[side].add(question)?));
        }
        Some(sides)
    }

    /// The number of the answer to each question, from the states of the sides.
    fn answered(&self, states: &[usize]) -> Vec<u32> {
        let answer = |(side, at): &(usize, usize)| self.steps[*side].answers(states[*side])[*at];
        self.places.iter().map(answer).collect()
    }

    /// The answers to each question by their numbers.
    fn answers(&mut self) -> Option<Vec<Vec<A::Value>>> {
        let steps = &mut self.steps;
        let values = |(side, at): &(usize, usize)| {
            let Asked { question, values, .. } = &mut steps[*side].asked[*at];
            values.iter().map(|value| question.answer.last(value)).collect()
        };
        self.places.iter().map(values).collect()
    }
}

/// There is no answer.
struct Unanswered;

impl<A: Answer> SideSteps for Sides<A> {
    type Error = Unanswered;

    fn step(
        &mut self,
        side: usize,
        state: usize,
        face: usize,
        count: u64,
    ) -> Result<usize, Unanswered> {
        Steps::step(&mut self.steps[side], state, face, &[count])
    }
}

/// The walk that answers all questions: it carries how many dice have come and the answers so far.
///
/// Answers are numbered, so that a state is a few small numbers: by far the most steps lead to a state that
/// is known.
struct Asking<A: Answer> {
    asked: Vec<Asked<A>>,
    /// How many hands there are.
    hands: usize,
    /// Whether it matters how many dice have come: not where all questions look at all dice.
    counts: bool,
    faces: Vec<Rational>,
    /// The states one after the other: how many dice of each hand, and the number of each answer.
    carried: Vec<u32>,
    known: FxHashMap<Box<[u32]>, usize>,
    /// The state that a step leads to, and how many dice of each kind a question sees.
    next: Vec<u32>,
    seen: Vec<u32>,
}

/// A question with the answers to it that came up, numbered.
struct Asked<A: Answer> {
    question: Question<A>,
    values: Vec<A::Value>,
    numbers: FxHashMap<A::Value, u32>,
    /// Where an answer leads with so many dice of a face.
    leads: FxHashMap<(u32, u32, u64), u32>,
}

/// More kinds of dice than this in one question are not told apart.
const MOST_KINDS: usize = 4;

impl<A: Answer> Asked<A> {
    fn lead(&mut self, number: u32, face: usize, shown: &Rational, dice: &[u32]) -> Option<u32> {
        let place = if self.question.answer.sees_face() { face as u32 } else { 0 };
        let key = (number, place, packed(dice)?);
        if let Some(known) = self.leads.get(&key) {
            return Some(*known);
        }
        let value = self.question.answer.next(&self.values[number as usize], shown, dice)?;
        let lead = *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            self.values.len() as u32 - 1
        });
        self.leads.insert(key, lead);
        Some(lead)
    }
}

/// Numbers of dice as one number; none if they are too many.
fn packed(dice: &[u32]) -> Option<u64> {
    match dice {
        [dice] => Some(u64::from(*dice)),
        dice => dice.iter().try_fold(0, |all, dice| {
            u16::try_from(*dice).ok().map(|dice| all << 16 | u64::from(dice))
        }),
    }
}

impl<A: Answer> Asking<A> {
    fn of(hands: usize) -> Self {
        Asking {
            asked: Vec::new(),
            hands,
            counts: false,
            faces: Vec::new(),
            carried: vec![0; hands],
            known: FxHashMap::default(),
            next: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// The place of a question: the highest die is the highest without the lowest too, so different questions may ask
    /// for the same. None if it looks at too many kinds of dice.
    fn add(&mut self, question: Question<A>) -> Option<usize> {
        if question.seen.len() > MOST_KINDS {
            return None;
        }
        let same = |known: &Asked<A>| {
            known.question.seen == question.seen && known.question.answer.is_like(&question.answer)
        };
        Some(self.asked.iter().position(same).unwrap_or_else(|| {
            self.counts |=
                question.seen.iter().any(|seen| (seen.from, seen.until) != (0, u64::MAX));
            let first = question.answer.first();
            let numbers = FxHashMap::from_iter([(first.clone(), 0)]);
            let leads = FxHashMap::default();
            self.asked.push(Asked { question, values: vec![first], numbers, leads });
            self.carried = vec![0; self.hands + self.asked.len()];
            self.known = FxHashMap::from_iter([(self.carried.as_slice().into(), 0)]);
            self.asked.len() - 1
        }))
    }

    fn state(&self, state: usize) -> &[u32] {
        let size = self.hands + self.asked.len();
        &self.carried[state * size..][..size]
    }

    /// The number of each answer.
    fn answers(&self, state: usize) -> &[u32] {
        &self.state(state)[self.hands..]
    }

    /// Where a state leads with so many dice of each hand that show a face.
    fn after(&mut self, state: usize, face: usize, shown: &[u64]) -> Option<usize> {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        next.extend_from_slice(self.state(state));
        let (come, answers) = next.split_at_mut(self.hands);
        for (asked, number) in self.asked.iter_mut().zip(answers) {
            self.seen.clear();
            for seen in &asked.question.seen {
                let sum = |of: &dyn Fn(usize) -> u64| seen.hands.iter().map(|hand| of(*hand)).sum();
                let before: u64 = sum(&|hand| u64::from(come[hand]));
                let after = before + sum(&|hand| shown[hand]);
                let dice = after.min(seen.until).saturating_sub(before.max(seen.from));
                self.seen.push(u32::try_from(dice).ok()?);
            }
            if self.seen.iter().any(|dice| *dice > 0) {
                *number = asked.lead(*number, face, &self.faces[face], &self.seen)?;
            }
        }
        if self.counts {
            for (come, shown) in come.iter_mut().zip(shown) {
                *come = u32::try_from(u64::from(*come) + shown).ok()?;
            }
        }
        let found = match self.known.get(next.as_slice()) {
            Some(known) => Some(*known),
            None if self.known.len() > MOST_STATES => None,
            None => {
                let new = self.known.len();
                self.known.insert(next.as_slice().into(), new);
                self.carried.extend_from_slice(&next);
                Some(new)
            }
        };
        self.next = next;
        found
    }
}

impl<A: Answer> Steps for Asking<A> {
    type Error = Unanswered;

    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize> {
        self.faces = faces.to_vec();
        match self.asked.iter().any(|asked| asked.question.answer.sees_face()) {
            true => (0..faces.len()).collect(),
            false => vec![0; faces.len()],
        }
    }

    /// Each answer is looked up, and so is the state that they make.
    fn price(&self) -> u64 {
        2 + 2 * self.asked.len() as u64
    }

    fn step(&mut self, state: usize, face: usize, counts: &[u64]) -> Result<usize, Unanswered> {
        self.after(state, face, counts).ok_or(Unanswered)
    }
}
