//! Throws of which not everything can be listed: what is beyond the list is a letter.
//!
//! ```text
//! first is d6!   1 to 107 are listed; of 109 + s nobody needs to know s to say that it is kept, and worth 109 + s
//! ```
//!
//! What such a throw shows is more than is listed with a chance that is known exactly, and so is how much more in the mean. The game
//! is followed from there with that number as a letter ([`crate::letters`]). Where its worth is a straight line, what is beyond
//! counts exactly; where it is not, it lies between two lines. A place in which the letter is not needed is a place as ever.

use astragal_odds::Failure;
use astragal_odds::known::{Aside, Beyond, Held, Told};
use astragal_odds::ways::LETTERS;
use astragal_prob::Rational;
use astragal_program::core::{Goal, Who};
use astragal_program::points::{GraphId, PointId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

use crate::explore::Aim;
use crate::game::{Game, Variables, slot, wants_most};
use crate::letters::{Affine, Ahead, Apart, Call, Found, Letter, Path, Range, Reader, Sides, Sym};
use crate::tree::{NOBODY, Place, PlaceId, Tree, Waiting};

/// So many points are passed beyond what is listed of one throw.
const MOST_POINTS: usize = 60_000;

/// What lies beyond what is listed at some places, with chances.
pub(crate) type Tails = FxHashMap<PlaceId, Vec<(Ahead, Rational)>>;

/// What is thrown at a place, and what is followed beyond the list.
pub(crate) struct Thrown<'p> {
    pub(crate) told: Rc<Told>,
    /// Where each of what lies beyond goes on; none where nothing of it is known.
    beyond: Option<Vec<(Path<'p>, Beyond)>>,
}

impl Thrown<'_> {
    /// What nothing is known of beyond its list.
    pub(crate) fn of(told: Rc<Told>) -> Self {
        Thrown { told, beyond: None }
    }
}

impl<'p> Game<'p> {
    /// What is thrown at a place whose variables are these. Of what cannot be told as a whole, each throw is listed by itself.
    pub(crate) fn thrown_at(
        &mut self,
        tree: &mut Tree,
        number: PlaceId,
        variables: &Variables,
        aim: Aim<'_>,
    ) -> Result<Thrown<'p>, Failure> {
        let place = tree.places[number as usize].clone();
        let apart = self.apart(place.graph, place.point);
        let gathers = apart.is_some_and(Apart::gathers_endless_dice);
        if let Some(aim) = aim.filter(|_| gathers && self.meter.may(LETTERS))
            && let Some(thrown) = self.by_throws(tree, &place, variables, aim)?
        {
            return Ok(thrown);
        }
        let told = self.tell(self.part(place.graph, place.point, 0), variables)?;
        let Some(aim) = aim.filter(|_| !told.aside.lost.is_zero() && self.meter.may(LETTERS))
        else {
            return Ok(Thrown { told, beyond: None });
        };
        if told.is_told_beyond() {
            let path = self.path_from(tree, &place, variables);
            let beyond = told.beyond.iter().map(|beyond| (path.clone(), beyond.clone()));
            let beyond = Some(beyond.collect());
            return Ok(Thrown { told, beyond });
        }
        if gathers || apart.is_none_or(Apart::is_whole) {
            return Ok(Thrown { told, beyond: None });
        }
        let thrown = self.by_throws(tree, &place, variables, aim)?;
        Ok(thrown.unwrap_or(Thrown { told, beyond: None }))
    }

    /// The same, each throw being listed by itself; none where that is not known.
    fn by_throws(
        &mut self,
        tree: &mut Tree,
        place: &Place,
        variables: &Variables,
        aim: (usize, &[Held]),
    ) -> Result<Option<Thrown<'p>>, Failure> {
        let path = self.path_from(tree, place, variables);
        let mut follower = Follower { game: self, tree, aim, letters: 0, left: MOST_POINTS };
        let Some((outcomes, beyond)) = path.by_throws(&mut follower)? else { return Ok(None) };
        let lost = beyond.iter().fold(Rational::ZERO, |sum, (_, beyond)| sum + &beyond.chance);
        let aside = Aside { lost, ..Aside::default() };
        let told = Rc::new(Told { outcomes, aside, ..Told::default() });
        Ok(Some(Thrown { told, beyond: Some(beyond) }))
    }

    /// Follows a throw beyond what is listed of it.
    pub(crate) fn beyond(
        &mut self,
        tree: &mut Tree,
        number: PlaceId,
        thrown: Thrown<'p>,
        aim: Aim<'_>,
    ) -> Result<(), Failure> {
        let lost = &thrown.told.aside.lost;
        let Some(aim) = aim.filter(|_| !lost.is_zero()) else { return Ok(()) };
        let tails = match thrown.beyond {
            Some(beyond) => {
                self.meter.took(LETTERS);
                self.followed_beyond(tree, beyond, aim)?
            }
            None => vec![(Ahead::Unknown, lost.clone())],
        };
        Rc::make_mut(&mut tree.tails).insert(number, tails);
        Ok(())
    }

    /// The path that begins at a place.
    fn path_from(&mut self, tree: &Tree, place: &Place, variables: &Variables) -> Path<'p> {
        let symbolic = |variables: &Variables| variables.iter().copied().map(Sym::Held).collect();
        let mut path = Path::new(place.graph, place.point, symbolic(variables));
        let mut waiting = place.waiting;
        while waiting != NOBODY {
            let call = &tree.waiting[waiting as usize];
            let mut variables = self.nothing();
            call.values.iter().for_each(|(local, held)| variables[slot(*local)] = *held);
            let (graph, point, local) = (call.graph, call.point, call.local);
            let variables = symbolic(&variables);
            path.calls.insert(0, Call { graph, point, local, variables });
            waiting = call.waiting;
        }
        path
    }

    fn followed_beyond(
        &mut self,
        tree: &mut Tree,
        beyond: Vec<(Path<'p>, Beyond)>,
        aim: (usize, &[Held]),
    ) -> Result<Vec<(Ahead, Rational)>, Failure> {
        let left = MOST_POINTS.min(tree.points_left);
        let mut follower = Follower { game: self, tree, aim, letters: 0, left };
        let mut tails = Vec::with_capacity(beyond.len());
        for (path, beyond) in beyond {
            let chance = beyond.chance.clone();
            tails.push((path.beyond(&mut follower, &beyond)?, chance));
        }
        let passed = left - follower.left;
        tree.points_left -= passed;
        Ok(tails)
    }
}

/// Who follows a game beyond what is listed.
struct Follower<'g, 'p, 'k> {
    game: &'g mut Game<'p>,
    tree: &'g mut Tree,
    aim: (usize, &'k [Held]),
    letters: Letter,
    left: usize,
}

impl<'p> Reader<'p> for Follower<'_, 'p, '_> {
    fn game(&mut self) -> &mut Game<'p> {
        self.game
    }

    fn aim(&self) -> Aim<'_> {
        Some(self.aim)
    }

    fn sides(&mut self, number: &Range) -> Sides {
        number.sides()
    }

    /// A place in which no letter is needed is one of all places.
    fn settled(&mut self, path: &Path<'p>) -> Found<Ahead> {
        if self.left == 0 {
            return Ok(Some(Ahead::Unknown));
        }
        self.left -= 1;
        let needed = &self.game.point(path.graph, path.point).needed;
        let Some(variables) = self.without_letters(needed, &path.variables) else {
            return Ok(None);
        };
        let mut waiting = NOBODY;
        for Call { graph, point, local, variables } in &path.calls {
            let needed = &self.game.point(*graph, *point).needed;
            let others: Vec<_> = needed.iter().copied().filter(|other| other != local).collect();
            let Some(held) = self.without_letters(&others, variables) else { return Ok(None) };
            let values = others.into_iter().map(|other| (other, held[slot(other)])).collect();
            let (graph, point, local) = (*graph, *point, *local);
            waiting = self.tree.wait(Waiting { graph, point, local, values, waiting });
        }
        let at = (path.graph, path.point, waiting);
        let place = self.game.place_at(self.tree, at, variables, Some(self.aim))?;
        Ok(Some(Ahead::Place(place)))
    }

    fn letter(&mut self) -> Letter {
        self.letters += 1;
        self.letters
    }

    fn only(&self, path: &Path<'p>) -> Option<u32> {
        self.tree.horizon.as_ref().and_then(|horizon| horizon.taken_with(self.game, path))
    }

    fn is_strict(&self) -> bool {
        false
    }
}

impl Follower<'_, '_, '_> {
    /// These variables; none if there is a letter in one of them.
    fn without_letters(
        &self,
        needed: &[astragal_program::core::LocalId],
        variables: &[Sym],
    ) -> Option<Variables> {
        let mut all = self.game.nothing();
        for local in needed {
            match &variables[slot(*local)] {
                Sym::Held(held) => all[slot(*local)] = *held,
                Sym::Number(_) | Sym::Dice(_) | Sym::Record(_) | Sym::List(_) | Sym::Either => {
                    return None;
                }
            }
        }
        Some(all)
    }
}

/// What is taken always at a choice.
pub(crate) type Forced = ((GraphId, PointId), u32);

/// What is known of places while it is found out what lies beyond a list.
pub(crate) struct View<'v> {
    pub(crate) goal: Option<Goal>,
    /// What each place is worth.
    pub(crate) of: &'v [Option<Rational>],
    /// Whether a place is worth something that depends on what is asked for.
    pub(crate) is_inside: &'v dyn Fn(PlaceId) -> bool,
    /// Whether nothing counts but a yes.
    pub(crate) counts_truths: bool,
    pub(crate) forced: Option<Forced>,
    /// Whether there are choices of which not all options were looked at.
    pub(crate) is_cut: bool,
}

/// What lies ahead: a number, and so much of what some places are worth.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    pub(crate) range: Range,
    pub(crate) inside: Vec<(PlaceId, Rational)>,
}

/// Why it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    Unknown,
    /// Something goes wrong, whatever is taken.
    Fails,
}

impl View<'_> {
    /// What all of this counts, each with its chance.
    pub(crate) fn sum(&self, parts: &[(Ahead, Rational)]) -> Result<Weighed, Lack> {
        let range = Range::constant(Rational::ZERO);
        let mut sum = Weighed { range, inside: Vec::new() };
        for (part, chance) in parts {
            let part = self.weighed(part)?;
            sum.range = sum.range.plus(&part.range.times(chance));
            sum.inside.extend(part.inside.iter().map(|(place, share)| (*place, share * chance)));
        }
        Ok(sum)
    }

    fn weighed(&self, ahead: &Ahead) -> Result<Weighed, Lack> {
        let plain = |range: Range| Weighed { range, inside: Vec::new() };
        Ok(match ahead {
            Ahead::Worth(range) => plain(range.clone()),
            Ahead::Place(place) if (self.is_inside)(*place) => Weighed {
                range: Range::constant(Rational::ZERO),
                inside: vec![(*place, Rational::ONE)],
            },
            Ahead::Place(place) => {
                let worth = self.of[*place as usize].clone().ok_or(Lack::Fails)?;
                plain(Range::constant(worth))
            }
            Ahead::Best { who, at, options, .. } => self.best(*who, *at, options)?,
            Ahead::Mean(parts) => self.sum(parts)?,
            Ahead::Either(both) => {
                let (a, b) = (self.weighed(&both.0)?, self.weighed(&both.1)?);
                if !a.inside.is_empty() || !b.inside.is_empty() {
                    return Err(Lack::Unknown);
                }
                plain(a.range.or(&b.range))
            }
            Ahead::Beyond { letter, ahead, mean } => {
                let Weighed { range, inside } = self.weighed(ahead)?;
                Weighed { range: range.with(*letter, &Affine::constant(mean.clone())), inside }
            }
            Ahead::Unknown if self.counts_truths => {
                plain(Range::between(Rational::ZERO, Rational::ONE))
            }
            Ahead::Unknown => return Err(Lack::Unknown),
        })
    }

    fn best(
        &self,
        who: Who,
        at: (GraphId, PointId),
        options: &[(u32, Ahead)],
    ) -> Result<Weighed, Lack> {
        if let Some((_, arm)) = self.forced.filter(|(place, _)| *place == at) {
            match options.iter().find(|(own, _)| *own == arm) {
                Some((_, option)) => return self.weighed(option),
                // Whether it is closed or was not looked at is not known.
                None if self.is_cut => return Err(Lack::Unknown),
                None => {}
            }
        }
        let mut open = Vec::with_capacity(options.len());
        for (_, option) in options {
            match self.weighed(option) {
                Ok(weighed) => open.push(weighed),
                Err(Lack::Fails) => {}
                Err(Lack::Unknown) => return Err(Lack::Unknown),
            }
        }
        let most = wants_most(self.goal, who == Who::Opponent);
        let mut all = open.into_iter();
        let first = all.next().ok_or(Lack::Fails)?;
        all.try_fold(first, |best, next| self.better(best, next, most))
    }

    /// The better of two, wherever no letter is negative; something between both, where neither is.
    fn better(&self, a: Weighed, b: Weighed, most: bool) -> Result<Weighed, Lack> {
        let (of_a, of_b) = match (self.total(&a), self.total(&b)) {
            (Some(of_a), Some(of_b)) => (of_a, of_b),
            // What is not known yet is not taken first.
            (None, Some(_)) => return Ok(b),
            (_, None) => return Ok(a),
        };
        let sides = of_a.minus(&of_b).sides();
        let (worse, better) =
            if most { (sides.below, sides.above) } else { (sides.above, sides.below) };
        if !worse {
            return Ok(a);
        }
        if !better {
            return Ok(b);
        }
        if !a.inside.is_empty() || !b.inside.is_empty() {
            return Err(Lack::Unknown);
        }
        let range = if most { of_a.max(&of_b, sides) } else { of_a.min(&of_b, sides) };
        Ok(Weighed { range, inside: Vec::new() })
    }

    fn total(&self, weighed: &Weighed) -> Option<Range> {
        let mut range = weighed.range.clone();
        for (place, share) in &weighed.inside {
            let worth = self.of[*place as usize].as_ref()?;
            range = range.plus(&Range::constant(worth * share));
        }
        Some(range)
    }
}

/// A choice beyond what is listed: which of what is needed there has no end above, and the arm that is best.
pub(crate) type TakenBeyond = ((GraphId, PointId), usize, Option<u32>);

/// What is best beyond what is listed, at each choice that is come to there; none where it is not known.
pub(crate) fn taken_beyond(tree: &Tree, of: &[Option<Rational>], goal: Goal) -> Vec<TakenBeyond> {
    let (goal, counts_truths) = (Some(goal), !tree.counts_numbers);
    let (forced, is_cut) = (None, tree.is_cut);
    let view = View { goal, of, is_inside: &|_| false, counts_truths, forced, is_cut };
    let mut found = Vec::new();
    let tails = tree.tails.values().flatten();
    tails.for_each(|(ahead, _)| view.taken(ahead, &mut found));
    found
}

impl View<'_> {
    fn taken(&self, ahead: &Ahead, found: &mut Vec<TakenBeyond>) {
        match ahead {
            Ahead::Best { who, at, growing, options } => {
                let most = wants_most(self.goal, *who == Who::Opponent);
                let best = self.arm(options, most);
                found.extend(growing.iter().map(|growing| (*at, *growing, best)));
                options.iter().for_each(|(_, option)| self.taken(option, found));
            }
            Ahead::Mean(parts) => parts.iter().for_each(|(part, _)| self.taken(part, found)),
            Ahead::Either(both) => {
                [&both.0, &both.1].into_iter().for_each(|a| self.taken(a, found))
            }
            Ahead::Beyond { ahead, .. } => self.taken(ahead, found),
            Ahead::Worth(_) | Ahead::Place(_) | Ahead::Unknown => {}
        }
    }

    /// The arm that is best wherever no letter is negative.
    fn arm(&self, options: &[(u32, Ahead)], most: bool) -> Option<u32> {
        let mut best: Option<(u32, Range)> = None;
        for (arm, option) in options {
            let own = match self.weighed(option) {
                Ok(own) => self.total(&own)?,
                Err(Lack::Fails) => continue,
                Err(Lack::Unknown) => return None,
            };
            best = match best {
                None => Some((*arm, own)),
                Some((known, range)) => {
                    let sides = own.minus(&range).sides();
                    let (worse, better) =
                        if most { (sides.below, sides.above) } else { (sides.above, sides.below) };
                    match (better, worse || sides.at) {
                        (false, _) => Some((known, range)),
                        (true, false) => Some((*arm, own)),
                        (true, true) => return None,
                    }
                }
            };
        }
        best.map(|(arm, _)| arm)
    }
}

impl Ahead {
    /// The places that it depends on.
    pub(crate) fn places(&self, found: &mut Vec<PlaceId>) {
        match self {
            Ahead::Place(place) => found.push(*place),
            Ahead::Best { options, .. } => {
                options.iter().for_each(|(_, option)| option.places(found));
            }
            Ahead::Mean(parts) => parts.iter().for_each(|(part, _)| part.places(found)),
            Ahead::Either(both) => [&both.0, &both.1].into_iter().for_each(|one| one.places(found)),
            Ahead::Beyond { ahead, .. } => ahead.places(found),
            Ahead::Worth(_) | Ahead::Unknown => {}
        }
    }
}
