//! Following a game in which some numbers are letters.

use std::rc::Rc;

use astragal_odds::Failure;
use astragal_odds::known::{Beyond, Held, Told};
use astragal_prob::Rational;
use astragal_program::core::{Expr, FunctionId, LocalId, Who};
use astragal_program::points::{Arm, GraphId, PointId, Step};
use astragal_value::Value;

use super::affine::Affine;
use super::apart::{Apart, Folded, Form};
use super::evaluate::{as_truth, evaluate, items, truth, worth};
use super::range::Range;
use super::{Ahead, Found, Reader, Sym};
use crate::game::{Game, Variables, slot};

/// So many points may be passed on one path.
const LONGEST_PATH: usize = 300;

/// So many ends of an expression are gone through one by one.
const MOST_ENDS: usize = 200_000;

/// One in so many is less likely than what is listed of a throw has to be.
const TINY: u64 = 1 << 46;

/// So often what is thrown may lie beyond what is listed: more is next to impossible.
const DEEPEST: usize = 3;

/// A call that waits.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) graph: GraphId,
    pub(crate) point: PointId,
    pub(crate) local: LocalId,
    pub(crate) variables: Vec<Sym>,
}

/// What waits for a part of the expression in hand.
#[derive(Clone)]
enum Waits<'p> {
    /// A variable, and what comes then.
    Variable(LocalId, &'p Apart),
    /// One of two.
    Branches(&'p Apart, &'p Apart),
    /// A list is gone through, once it is known;
    List(&'p Folded),
    /// from its how manyth item on, once it is known what is carried.
    Items(&'p Folded, Rc<[Sym]>, usize),
}

/// A path through a game.
#[derive(Clone)]
pub(crate) struct Path<'p> {
    pub(crate) graph: GraphId,
    pub(crate) point: PointId,
    pub(crate) variables: Vec<Sym>,
    pub(crate) calls: Vec<Call>,
    passed: usize,
    /// How often something lay beyond what is listed.
    deep: usize,
    /// Of the expression of the point, what is found out next; none where nothing of it is.
    rest: Option<&'p Apart>,
    waiting: Vec<Waits<'p>>,
}

/// What the expression of a point comes to.
enum Came<'p> {
    To(Sym),
    /// One of these, by what is thrown.
    Thrown(Rc<Told>),
    /// One of two, and nobody knows which.
    Either(Box<(Path<'p>, Path<'p>)>),
    Unknown,
}

/// What an expression comes to, with chances, and where what lies beyond that goes on.
pub(crate) type ByThrows<'p> = (Vec<(Held, Rational)>, Vec<(Path<'p>, Beyond)>);

impl<'p> Path<'p> {
    pub(crate) fn new(graph: GraphId, point: PointId, variables: Vec<Sym>) -> Path<'p> {
        let (calls, waiting) = (Vec::new(), Vec::new());
        Path { graph, point, variables, calls, passed: 0, deep: 0, rest: None, waiting }
    }

    /// What a game is worth from here on.
    pub(crate) fn follow(mut self, reader: &mut impl Reader<'p>) -> Result<Ahead, Failure> {
        loop {
            self.passed += 1;
            let point = reader.game().point(self.graph, self.point);
            reader.game().pay(100, point.span)?;
            if self.passed > LONGEST_PATH {
                return Ok(Ahead::Unknown);
            }
            if self.rest.is_none()
                && let Some(settled) = reader.settled(&self)?
            {
                return Ok(settled);
            }
            match &point.step {
                Step::Note { next, .. } if reader.game().says(self.graph, self.point) => {
                    self.go_to(*next);
                }
                Step::Note { .. } => return Ok(Ahead::Unknown),
                Step::Call { function, arguments, local, next } => {
                    if self.call(reader, *function, arguments, (*local, *next))?.is_none() {
                        return Ok(Ahead::Unknown);
                    }
                }
                Step::Choose { who, arms } => return self.arms(reader, *who, arms),
                Step::Best { .. } | Step::Measure { .. } | Step::Given { .. } => {
                    return Ok(Ahead::Unknown);
                }
                Step::Let { .. }
                | Step::Branch { .. }
                | Step::Require { .. }
                | Step::Pick { .. }
                | Step::Return(_) => match self.found_out(reader)? {
                    Came::Unknown => return Ok(Ahead::Unknown),
                    Came::Thrown(told) => return self.thrown(reader, &told),
                    Came::Either(both) => return either(reader, *both),
                    Came::To(found) => match self.with(reader, found)? {
                        Ok(next) => self = next,
                        Err(ahead) => return Ok(ahead),
                    },
                },
            }
        }
    }

    /// Enters a function; none if one of its arguments is not known.
    fn call(
        &mut self,
        reader: &mut impl Reader<'p>,
        function: FunctionId,
        arguments: &[Expr],
        (local, next): (LocalId, PointId),
    ) -> Found<()> {
        let Some(graph) = reader.game().plays.functions[function.0 as usize] else {
            return Ok(None);
        };
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match evaluate(reader, argument, &mut self.variables, 0)? {
                Some(found) => given.push(found),
                None => return Ok(None),
            }
        }
        if !reader.game().graph(self.graph).hands_on(next, local) {
            let variables = self.variables.clone();
            self.calls.push(Call { graph: self.graph, point: next, local, variables });
        }
        for (slot, found) in self.variables.iter_mut().zip(given) {
            *slot = found;
        }
        self.graph = graph;
        self.go_to(reader.game().graph(graph).start);
        Ok(Some(()))
    }

    /// Which of what is needed grows with a letter.
    fn growing(&self, game: &Game<'_>) -> Vec<usize> {
        let needed = game.point(self.graph, self.point).needed.iter().enumerate();
        let grows = |local: &LocalId| match &self.variables[slot(*local)] {
            Sym::Number(range) => range.exact().is_some_and(Affine::grows_with_letters),
            Sym::Held(_) | Sym::Dice(_) | Sym::Record(_) | Sym::List(_) | Sym::Either => false,
        };
        needed.filter(|(_, local)| grows(local)).map(|(at, _)| at).collect()
    }

    /// The arms that are open.
    fn arms(self, reader: &mut impl Reader<'p>, who: Who, arms: &[Arm]) -> Result<Ahead, Failure> {
        let at = (self.graph, self.point);
        let growing = self.growing(reader.game());
        let only = reader.only(&self);
        let mut options = Vec::new();
        for (arm, number) in arms.iter().zip(0..) {
            if only.is_some_and(|only| only != number) {
                continue;
            }
            let open = match &arm.open {
                None => Some(true),
                Some(open) => truth(reader, open, &self.variables)?,
            };
            match open {
                Some(true) => {
                    let mut next = self.clone();
                    next.go_to(arm.next);
                    let ahead = next.follow(reader)?;
                    if ahead.is_in_vain(reader) {
                        return Ok(ahead);
                    }
                    options.push((number, ahead));
                }
                Some(false) => {}
                None => return Ok(Ahead::Unknown),
            }
        }
        Ok(Ahead::Best { who, at, growing, options })
    }

    /// The items of a list.
    fn items(
        self,
        reader: &mut impl Reader<'p>,
        list: Sym,
        (who, local, next): (Who, LocalId, PointId),
    ) -> Result<Ahead, Failure> {
        let at = (self.graph, self.point);
        let growing = self.growing(reader.game());
        let Some(items) = items(reader, list) else { return Ok(Ahead::Unknown) };
        let mut options = Vec::with_capacity(items.len());
        for (item, number) in items.into_iter().zip(0..) {
            let mut option = self.clone();
            option.variables[slot(local)] = item;
            option.go_to(next);
            let ahead = option.follow(reader)?;
            if ahead.is_in_vain(reader) {
                return Ok(ahead);
            }
            options.push((number, ahead));
        }
        Ok(Ahead::Best { who, at, growing, options })
    }

    /// What the expression of the point comes to, part by part.
    fn found_out(&mut self, reader: &mut impl Reader<'p>) -> Result<Came<'p>, Failure> {
        loop {
            let own = reader.game().apart(self.graph, self.point);
            let Some(part) = self.rest.or(own) else { return Ok(Came::Unknown) };
            self.rest = Some(part);
            // Where no letter is looked at, the odds know. What they cannot tell of the whole, its parts may.
            let told = match part.gathers_endless_dice() {
                true => None,
                false => self.told(reader, part)?,
            };
            let found = match told.filter(|told| part.is_whole() || told.is_all_told()) {
                Some(told) => match told.outcomes.as_slice() {
                    [(held, _)] if told.aside.is_nothing() => Sym::Held(*held),
                    _ => return Ok(Came::Thrown(told)),
                },
                None => match &part.form {
                    Form::Bind(local, parts) => {
                        let [value, body] = &**parts;
                        self.waiting.push(Waits::Variable(*local, body));
                        self.rest = Some(value);
                        continue;
                    }
                    Form::Branch(parts) => {
                        let [condition, then, otherwise] = &**parts;
                        self.waiting.push(Waits::Branches(then, otherwise));
                        self.rest = Some(condition);
                        continue;
                    }
                    Form::Fold(fold) => {
                        self.waiting.push(Waits::List(fold));
                        self.rest = Some(&fold.list);
                        continue;
                    }
                    Form::Whole => {
                        match evaluate(reader, &part.expr, &mut self.variables.clone(), 0)? {
                            Some(found) => found,
                            None => return Ok(Came::Unknown),
                        }
                    }
                },
            };
            if let Some(came) = self.handed_on(reader, found) {
                return Ok(came);
            }
        }
    }

    /// Hands what a part comes to to what waits for it; the whole, if nothing does.
    fn handed_on(&mut self, reader: &mut impl Reader<'p>, found: Sym) -> Option<Came<'p>> {
        match self.waiting.pop() {
            None => Some(Came::To(found)),
            Some(Waits::Variable(local, body)) => {
                self.variables[slot(local)] = found;
                self.rest = Some(body);
                None
            }
            Some(Waits::Branches(then, otherwise)) => {
                let mut on = |part| self.rest = Some(part);
                match as_truth(&found) {
                    Some(true) => on(then),
                    Some(false) => on(otherwise),
                    None if matches!(found, Sym::Either) => {
                        let go = |part| Path { rest: Some(part), ..self.clone() };
                        return Some(Came::Either(Box::new((go(then), go(otherwise)))));
                    }
                    None => return Some(Came::Unknown),
                }
                None
            }
            Some(Waits::List(fold)) => {
                let Some(items) = items(reader, found) else { return Some(Came::Unknown) };
                self.waiting.push(Waits::Items(fold, items.into(), 0));
                self.rest = Some(&fold.first);
                None
            }
            Some(Waits::Items(fold, items, at)) => {
                let Some(item) = items.get(at).cloned() else {
                    return self.handed_on(reader, found);
                };
                self.variables[slot(fold.carry)] = found;
                self.variables[slot(fold.item)] = item;
                self.waiting.push(Waits::Items(fold, items, at + 1));
                self.rest = Some(&fold.body);
                None
            }
        }
    }

    /// What a part may come to; none if it looks at a letter.
    fn told(&self, reader: &mut impl Reader<'p>, part: &Apart) -> Found<Rc<Told>> {
        let game = reader.game();
        let number = game.part_of(self.graph, self.point, part);
        let mut variables: Variables = game.nothing();
        for local in game.reads(number) {
            match &self.variables[slot(*local)] {
                Sym::Held(held) => variables[slot(*local)] = *held,
                Sym::Number(_) | Sym::Dice(_) | Sym::Record(..) | Sym::List(_) | Sym::Either => {
                    return Ok(None);
                }
            }
        }
        game.tell(number, &variables).map(Some)
    }

    /// What the expression of the point comes to, and what lies beyond that, each throw in it being listed by itself; none where
    /// that is not known. No variable is a letter here.
    pub(crate) fn by_throws(self, reader: &mut impl Reader<'p>) -> Found<ByThrows<'p>> {
        let (mut ends, mut tails) = (Vec::new(), Vec::new());
        let mut waiting = vec![(self, Rational::ONE)];
        while let Some((mut path, chance)) = waiting.pop() {
            let span = reader.game().point(path.graph, path.point).span;
            reader.game().pay(100, span)?;
            if ends.len() > MOST_ENDS {
                return Ok(None);
            }
            let told = match path.found_out(reader)? {
                Came::To(Sym::Held(held)) => {
                    ends.push((held, chance));
                    continue;
                }
                Came::Thrown(told) if told.is_all_told() => told,
                Came::To(_) | Came::Thrown(_) | Came::Either(_) | Came::Unknown => return Ok(None),
            };
            let (outcomes, beyond) = far_enough(reader, &told, &chance);
            for (held, share) in outcomes {
                let mut next = path.clone();
                let chance = &chance * share;
                match next.handed_on(reader, Sym::Held(held)) {
                    None => waiting.push((next, chance)),
                    Some(Came::To(Sym::Held(held))) => ends.push((held, chance)),
                    Some(_) => return Ok(None),
                }
            }
            for mut beyond in beyond {
                beyond.chance *= &chance;
                tails.push((path.clone(), beyond));
            }
        }
        Ok(Some((ends, tails)))
    }

    /// Something is thrown that does not depend on a letter.
    fn thrown(self, reader: &mut impl Reader<'p>, told: &Told) -> Result<Ahead, Failure> {
        let mut parts = Vec::with_capacity(told.outcomes.len());
        for (held, chance) in &told.outcomes {
            let ahead = self.clone().go_on(reader, Sym::Held(*held))?;
            if ahead.is_in_vain(reader) {
                return Ok(ahead);
            }
            parts.push((ahead, chance.clone()));
        }
        if !told.aside.is_nothing() {
            if !told.is_told_beyond() {
                return Ok(Ahead::Unknown);
            }
            for beyond in &told.beyond {
                parts.push((self.clone().beyond(reader, beyond)?, beyond.chance.clone()));
            }
        }
        Ok(Ahead::Mean(parts))
    }

    /// Goes on where what is thrown lies beyond what is listed.
    pub(crate) fn beyond(
        mut self,
        reader: &mut impl Reader<'p>,
        beyond: &Beyond,
    ) -> Result<Ahead, Failure> {
        self.deep += 1;
        if self.deep > DEEPEST {
            return Ok(Ahead::Unknown);
        }
        let letter = reader.letter();
        let nearest = Affine::constant(beyond.nearest.clone());
        let number = match beyond.is_above {
            true => nearest.plus(&Affine::letter(letter)),
            false => nearest.minus(&Affine::letter(letter)),
        };
        let number = Range::exactly(number);
        let found = if beyond.of_dice { Sym::Dice(number) } else { Sym::Number(number) };
        let ahead = Box::new(self.go_on(reader, found)?);
        Ok(Ahead::Beyond { letter, ahead, mean: beyond.mean.clone() })
    }

    /// Goes on where a part of the expression of the point is known.
    fn go_on(mut self, reader: &mut impl Reader<'p>, found: Sym) -> Result<Ahead, Failure> {
        match self.handed_on(reader, found) {
            None => self.follow(reader),
            Some(Came::To(found)) => match self.with(reader, found)? {
                Ok(next) => next.follow(reader),
                Err(ahead) => Ok(ahead),
            },
            Some(Came::Either(both)) => either(reader, *both),
            Some(Came::Thrown(_) | Came::Unknown) => Ok(Ahead::Unknown),
        }
    }

    /// Goes on where the expression of the point is known; or says what lies ahead.
    fn with(
        mut self,
        reader: &mut impl Reader<'p>,
        found: Sym,
    ) -> Result<Result<Path<'p>, Ahead>, Failure> {
        match &reader.game().point(self.graph, self.point).step {
            Step::Let { local, next, .. } => {
                self.variables[slot(*local)] = found;
                self.go_to(*next);
            }
            Step::Branch { then, otherwise, .. } => match as_truth(&found) {
                Some(truth) => self.go_to(if truth { *then } else { *otherwise }),
                None if matches!(found, Sym::Either) => {
                    let mut both = (self.clone(), self);
                    both.0.go_to(*then);
                    both.1.go_to(*otherwise);
                    return either(reader, both).map(Err);
                }
                None => return Ok(Err(Ahead::Unknown)),
            },
            Step::Require { next, .. } if as_truth(&found) == Some(true) => self.go_to(*next),
            Step::Pick { who, local, next, .. } => {
                return self.items(reader, found, (*who, *local, *next)).map(Err);
            }
            Step::Return(_) => return self.come_back(reader, found),
            _ => return Ok(Err(Ahead::Unknown)),
        }
        Ok(Ok(self))
    }

    fn go_to(&mut self, point: PointId) {
        (self.point, self.rest) = (point, None);
    }

    /// Goes on in the function that called, or ends.
    fn come_back(
        mut self,
        reader: &mut impl Reader<'p>,
        found: Sym,
    ) -> Result<Result<Path<'p>, Ahead>, Failure> {
        let Some(Call { graph, point, local, mut variables }) = self.calls.pop() else {
            let worth = worth(reader, found)?;
            return Ok(Err(worth.map_or(Ahead::Unknown, Ahead::Worth)));
        };
        variables[slot(local)] = found;
        Ok(Ok(Path { graph, point, variables, rest: None, ..self }))
    }
}

impl Ahead {
    /// Whether nobody needs to look further.
    fn is_in_vain<'p>(&self, reader: &impl Reader<'p>) -> bool {
        reader.is_strict() && matches!(self, Ahead::Unknown)
    }
}

/// What is listed of a throw that comes about with a chance, and what lies beyond: of several throws that list as much, not every
/// list has to be as long.
fn far_enough<'p>(
    reader: &mut impl Reader<'p>,
    told: &Told,
    chance: &Rational,
) -> (Vec<(Held, Rational)>, Vec<Beyond>) {
    let as_it_is = || (told.outcomes.clone(), told.beyond.clone());
    let [beyond] = told.beyond.as_slice() else { return as_it_is() };
    if !beyond.is_above || beyond.of_dice {
        return as_it_is();
    }
    let number = |held: &Held| match held {
        Held::Value(word) => match reader.game().asker.store.value(*word) {
            Value::Number(number) => Some(number.to_rational()),
            _ => None,
        },
        Held::Dice(_) => None,
    };
    let Some(shown) =
        told.outcomes.iter().map(|(held, _)| held).map(number).collect::<Option<Vec<_>>>()
    else {
        return as_it_is();
    };
    let mut order: Vec<usize> = (0..shown.len()).collect();
    order.sort_by(|a, b| shown[*b].cmp(&shown[*a]));
    let mut beyond = beyond.clone();
    for at in order {
        let share = &told.outcomes[at].1;
        let both = share + &beyond.chance;
        if &both * chance * Rational::from(TINY) > Rational::ONE {
            break;
        }
        // How much more it is in the mean is told from the nearest number on.
        let further = &beyond.nearest - &shown[at] + &beyond.mean;
        beyond.mean = further * &beyond.chance / &both;
        (beyond.nearest, beyond.chance) = (shown[at].clone(), both);
    }
    let listed = told.outcomes.iter().zip(&shown).filter(|(_, shown)| **shown < beyond.nearest);
    (listed.map(|(outcome, _)| outcome.clone()).collect(), vec![beyond])
}

/// One of two paths.
fn either<'p>(
    reader: &mut impl Reader<'p>,
    (a, b): (Path<'p>, Path<'p>),
) -> Result<Ahead, Failure> {
    if reader.is_strict() {
        return Ok(Ahead::Unknown);
    }
    Ok(Ahead::Either(Box::new((a.follow(reader)?, b.follow(reader)?))))
}
