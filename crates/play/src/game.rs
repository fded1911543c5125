//! A game: its graphs, whoever knows the odds of what is thrown in it, and what was worked out.

use std::rc::Rc;
use std::sync::Arc;

use astragal_odds::known::{Aside, Asker, Held, Parts, Told};
use astragal_odds::{Failure, over_budget};
use astragal_prob::{Meter, OverBudget, Rational};
use astragal_program::core::{Function, FunctionId, Goal, LocalId, Program};
use astragal_program::fault::FaultKind;
use astragal_program::points::{Graph, GraphId, HeldOf, Played, Plays, Point, PointId, Step};
use astragal_syntax::span::Span;
use astragal_value::{Value, Word};
use rustc_hash::FxHashMap;

use crate::Numbers;
use crate::bounds::played;
use crate::law::law;
use crate::letters::Apart;
use crate::notices::Decided;
use crate::scores::WithScores;
use crate::tree::{Counts, Node, PlaceId, Tree};
use crate::worth::{Unsolved, Worth, worths};

/// An exact answer may take one part in so many of what is left to spend.
const SHARE_OF_EXACT: u64 = 3;
/// And no more than so many steps: fractions that take longer have more digits than anybody reads.
const MOST_OF_EXACT: u64 = 200_000_000;

/// Which `maximise`, and what was known before.
pub(crate) type Instance = (usize, Box<[Held]>);

/// The variables of the running function.
pub(crate) type Variables = Vec<Held>;

/// A game.
pub(crate) struct Game<'p> {
    program: &'p Program,
    pub(crate) plays: &'p Plays,
    numbers: Numbers<'p>,
    parts: &'p Parts,
    pub(crate) asker: Asker<'p>,
    pub(crate) meter: &'p Meter,
    /// The most variables that a function has.
    variables: usize,
    /// What was played with what was known before.
    pub(crate) solved: FxHashMap<Instance, Rc<Solved>>,
    /// The program around all that is played, and where it begins.
    pub(crate) around: Option<(Tree, PlaceId)>,
    /// What is taken everywhere, if all is decided already.
    pub(crate) decided: Option<Rc<Decided>>,
    /// Room for what an expression reads.
    room: Vec<Held>,
    /// Which scores are known where the game stands, as bits; and which were known and are not any more.
    pub(crate) counted: u32,
    pub(crate) forgotten: u32,
    /// Whether it is told already which places were too many.
    pub(crate) is_too_large: bool,
}

/// What a play comes to.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) law: Told,
    pub(crate) tree: Tree,
    pub(crate) start: PlaceId,
    /// What each place is worth; none where something may go wrong whatever is done.
    pub(crate) worth: Vec<Option<Rational>>,
    /// What is taken at each choice: its place among the options.
    pub(crate) taken: Vec<u32>,
    /// Between what the play is worth, if that is only known within bounds.
    pub(crate) within: Option<(Rational, Rational)>,
    /// Whether what it is worth depends on something that nobody knows.
    is_vague: bool,
    /// The items of which one is picked, as texts.
    pub(crate) items: FxHashMap<PlaceId, Vec<Arc<str>>>,
}

impl Solved {
    /// Whether the mean is known exactly: something may be given up of the law all the same.
    pub(crate) fn is_exact(&self) -> bool {
        !self.is_vague && self.within.is_none()
    }

    /// The mean of the aim, of what counts; none if something goes wrong whatever is taken, or nothing counts.
    pub(crate) fn value(&self) -> Option<Rational> {
        let all = self.worth[self.start as usize].as_ref()?;
        let rejected = self.law.aside.rejected.as_ref().map(|rejected| &rejected.chance);
        let counts = Rational::ONE - rejected.unwrap_or(&Rational::ZERO);
        (!counts.is_zero()).then(|| all / counts)
    }
}

impl<'p> Game<'p> {
    pub(crate) fn new(
        program: &'p Program,
        plays: &'p Plays,
        numbers: Numbers<'p>,
        parts: &'p Parts,
        asker: Asker<'p>,
        meter: &'p Meter,
    ) -> Game<'p> {
        let functions = program.functions.iter().chain([&program.main]);
        let variables = functions.map(|function| function.locals.len()).max().unwrap_or(0);
        let variables = variables + numbers.new;
        let solved = FxHashMap::default();
        let (around, decided, room) = (None, None, Vec::new());
        Game {
            program,
            plays,
            numbers,
            parts,
            asker,
            meter,
            variables,
            solved,
            around,
            decided,
            room,
            counted: 0,
            forgotten: 0,
            is_too_large: false,
        }
    }

    /// Whether anything is known by evidence.
    pub(crate) fn is_conditioned(&self) -> bool {
        let mut points = self.plays.graphs.iter().flat_map(|graph| &graph.points);
        self.parts.is_conditioned() || points.any(|point| matches!(point.step, Step::Given { .. }))
    }

    /// The law of the program.
    pub(crate) fn whole(&mut self) -> Result<Told, Failure> {
        let variables = self.nothing();
        let (tree, start) = self.explore(GraphId(0), variables, None)?;
        let (_, told) = self.solved(&tree, start, None)?;
        self.around = Some((tree, start));
        Ok(told)
    }

    /// What the places of a game are worth, and the law of playing it well: exactly, if that takes no more than part of what is
    /// left to spend; else within bounds.
    pub(crate) fn solved(
        &mut self,
        tree: &Tree,
        start: PlaceId,
        goal: Option<Goal>,
    ) -> Result<(Worth, Told), Failure> {
        let parts = self.meter.left() / MOST_OF_EXACT;
        let attempt = self.meter.part(parts.max(SHARE_OF_EXACT));
        let exactly = worths(tree, start, goal, &attempt).and_then(|worth| {
            let law = self.law(tree, start, &worth.taken, &attempt)?;
            Ok((worth, law))
        });
        let too_large = |over| {
            let failure = self.refused_as(over_budget(over));
            failure.among_places(tree.nodes.len(), tree.deepest_calls())
        };
        self.meter.join(&attempt).map_err(too_large)?;
        match exactly {
            Ok(found) => Ok(found),
            Err(Unsolved::Endless) => Err(self.refused_as(FaultKind::EndlessPlay)),
            Err(Unsolved::Over(over @ (OverBudget::Cancelled | OverBudget::Time))) => {
                Err(too_large(over))
            }
            Err(Unsolved::Over(over)) => {
                let bounded = played(tree, start, goal, self.meter).map_err(too_large)?;
                bounded.ok_or_else(|| too_large(over))
            }
        }
    }

    /// The law of a game in which every choice is made.
    fn law(
        &mut self,
        tree: &Tree,
        start: PlaceId,
        taken: &[u32],
        meter: &Meter,
    ) -> Result<Told, Unsolved> {
        if tree.scores.is_empty() {
            return law(tree, start, taken, meter);
        }
        let WithScores { tree, is_cut, roughly } = self.spelled_out(tree, start, taken, meter)?;
        let mut told = match roughly {
            // What goes on for ever is cut, and then it need not be exact to the last digit.
            Some(roughly) if is_cut => return Ok(roughly),
            _ => law(&tree, 0, &vec![0; tree.nodes.len()], meter)?,
        };
        // The same may be come to with several scores.
        let mut all: FxHashMap<Held, Rational> = FxHashMap::default();
        for (held, chance) in &told.outcomes {
            *all.entry(*held).or_insert(Rational::ZERO) += chance;
        }
        let first = |held: &Held| all.remove(held).map(|chance| (*held, chance));
        told.outcomes = told.outcomes.iter().map(|(held, _)| held).filter_map(first).collect();
        Ok(told)
    }

    /// The request is refused as a whole.
    pub(crate) fn refused_as(&self, kind: FaultKind) -> Failure {
        let graph = self.graph(GraphId(0));
        Failure::refused(kind, graph.point(graph.start).span)
    }

    /// The best play of something, given what is known before.
    pub(crate) fn best(&mut self, best: usize, known: &[Held]) -> Result<Rc<Solved>, Failure> {
        let key = (best, known.into());
        if let Some(solved) = self.solved.get(&key) {
            return Ok(Rc::clone(solved));
        }
        let played = &self.plays.bests[best];
        let mut variables = self.nothing();
        for (local, held) in played.known.iter().zip(known) {
            variables[local.0 as usize] = *held;
        }
        let aim = Some((best, known));
        let (mut tree, mut start) = self.explore(played.graph, variables.clone(), aim)?;
        let mut found = self.solved(&tree, start, Some(played.goal));
        if found.is_err() && !tree.scores.is_empty() && self.meter.left() > 0 {
            (tree, start) = self.explore_as_it_is(played.graph, variables, aim)?;
            found = self.solved(&tree, start, Some(played.goal));
        }
        let solved = Rc::new(self.with_items(tree, start, found?)?);
        self.solved.insert(key, Rc::clone(&solved));
        Ok(solved)
    }

    /// The best play of a game that was explored.
    pub(crate) fn solved_from(
        &mut self,
        tree: Tree,
        start: PlaceId,
        goal: Goal,
    ) -> Result<Solved, Failure> {
        let found = self.solved(&tree, start, Some(goal))?;
        self.with_items(tree, start, found)
    }

    fn with_items(
        &mut self,
        tree: Tree,
        start: PlaceId,
        (worth, law): (Worth, Told),
    ) -> Result<Solved, Failure> {
        let items = self.items(&tree)?;
        // What was given up may count or not, if evidence was asked for.
        let is_conditioned = law.aside.rejected.is_some() && !law.aside.lost.is_zero();
        let is_vague = worth.is_vague.get(start as usize) == Some(&true) || is_conditioned;
        let within = worth.within.filter(|_| !is_vague);
        let (taken, worth) = (worth.taken, worth.of);
        Ok(Solved { law, tree, start, worth, taken, within, is_vague, items })
    }

    /// All plays so far, with what was known before each.
    pub(crate) fn all(&self) -> Vec<(usize, &[Held], &Rc<Solved>)> {
        let all = self.solved.iter().map(|((best, known), solved)| (*best, &**known, solved));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(best, known, _)| {
            (*best, known.iter().map(|held| self.shown(*held)).collect::<Vec<Value>>())
        });
        all
    }

    /// The items of all lists of which one is picked, as texts.
    fn items(&mut self, tree: &Tree) -> Result<FxHashMap<PlaceId, Vec<Arc<str>>>, Failure> {
        let mut all = FxHashMap::default();
        // The same items are in many lists.
        let mut texts: FxHashMap<Word, Arc<str>> = FxHashMap::default();
        let mut items = Vec::new();
        for ((place, node), number) in tree.places.iter().zip(&tree.nodes).zip(0..) {
            if !matches!(node, Node::Choice(..)) {
                continue;
            }
            let point = self.point(place.graph, place.point);
            if !matches!(point.step, Step::Pick { .. }) {
                continue;
            }
            let mut variables = self.nothing();
            for (local, held) in point.needed.iter().zip(place.values.iter()) {
                variables[slot(*local)] = *held;
            }
            let told = self.tell(self.part(place.graph, place.point, 0), &variables)?;
            let Some((Held::Value(word), _)) = told.outcomes.first() else { continue };
            let Some(list) = word.as_list() else { continue };
            items.clear();
            self.asker.store.items(list, &mut items);
            let store = &self.asker.store;
            let text = |item: &Word| {
                let known = texts.entry(*item);
                known.or_insert_with(|| store.value(*item).to_string().into()).clone()
            };
            all.insert(number, items.iter().map(text).collect());
        }
        Ok(all)
    }

    /// Variables of which none is bound.
    pub(crate) fn nothing(&self) -> Variables {
        vec![Held::Value(Word::NONE); self.variables]
    }

    pub(crate) fn graph(&self, graph: GraphId) -> &'p Graph {
        &self.plays.graphs[graph.0 as usize]
    }

    pub(crate) fn point(&self, graph: GraphId, point: PointId) -> &'p Point {
        self.graph(graph).point(point)
    }

    /// The number of an expression of a point.
    pub(crate) fn part(&self, graph: GraphId, point: PointId, at: usize) -> usize {
        self.numbers.points[graph.0 as usize][point.0 as usize] + at
    }

    /// Whether nothing can go wrong in the words of a note.
    pub(crate) fn says(&self, graph: GraphId, point: PointId) -> bool {
        self.parts.is_nothing(self.part(graph, point, 0))
    }

    /// The first expression of a point, taken apart.
    pub(crate) fn apart(&self, graph: GraphId, point: PointId) -> Option<&'p Apart> {
        self.numbers.apart[graph.0 as usize][point.0 as usize].1
    }

    /// The number of a part of that.
    pub(crate) fn part_of(&self, graph: GraphId, point: PointId, part: &Apart) -> usize {
        self.numbers.apart[graph.0 as usize][point.0 as usize].0 + part.part
    }

    /// The variables that an expression reads.
    pub(crate) fn reads(&self, part: usize) -> &'p [LocalId] {
        self.parts.reads(part)
    }

    /// A function.
    pub(crate) fn function(&self, id: FunctionId) -> Option<&'p Function> {
        self.program.functions.get(id.0 as usize)
    }

    fn read(&self, part: usize, variables: &Variables) -> Vec<Held> {
        self.parts.reads(part).iter().map(|local| variables[local.0 as usize]).collect()
    }

    /// What an expression comes to without chance; none if it is not so simple.
    pub(crate) fn at_once(
        &mut self,
        part: usize,
        variables: &Variables,
    ) -> Result<Option<Held>, Failure> {
        let mut read = std::mem::take(&mut self.room);
        read.clear();
        read.extend(self.parts.reads(part).iter().map(|local| variables[slot(*local)]));
        let found = self.asker.at_once(part, &read);
        self.room = read;
        found
    }

    /// What an expression may come to.
    pub(crate) fn tell(&mut self, part: usize, variables: &Variables) -> Result<Rc<Told>, Failure> {
        let read = self.read(part, variables);
        self.asker.tell(part, &read)
    }

    /// What counts of a value.
    pub(crate) fn aim(
        &mut self,
        (best, known): (usize, &[Held]),
        value: Held,
    ) -> Result<Counts, Failure> {
        let Played { aim: (local, number), known: locals, .. } = &self.plays.bests[best];
        let mut variables = self.nothing();
        for (local, held) in locals.iter().zip(known) {
            variables[local.0 as usize] = *held;
        }
        variables[local.0 as usize] = value;
        let told = self.tell(self.numbers.aims[best], &variables)?;
        let failed = told.aside.failed.first();
        match (failed, told.outcomes.as_slice()) {
            (Some(failed), _) => Err(failed.clone()),
            (None, [(held, _)]) => match self.value(*held) {
                Value::Number(number) => Ok(Counts::Number(number.to_rational())),
                Value::Bool(truth) => Ok(Counts::Truth(truth)),
                _ => Err(Failure::refused(FaultKind::NotKnown, number.span)),
            },
            (None, _) => Err(Failure::refused(FaultKind::NotKnown, number.span)),
        }
    }

    /// A finished value. Dice that are left at an end are their sum, which the checker has seen to.
    pub(crate) fn value(&self, held: Held) -> Value {
        match held {
            Held::Value(word) => self.asker.store.value(word),
            Held::Dice(_) => Value::None,
        }
    }

    /// What was known before something is played, from elsewhere.
    pub(crate) fn taken_over(&mut self, known: &[HeldOf]) -> Vec<Held> {
        let held = |known: &HeldOf| match known {
            HeldOf::Dice(laid) => self.asker.laid(laid.clone()),
            HeldOf::Value(value) => Held::Value(self.asker.store.word(value)),
        };
        known.iter().map(held).collect()
    }

    pub(crate) fn pay(&self, steps: u64, span: Span) -> Result<(), Failure> {
        let paid = self.meter.charge(steps);
        paid.map_err(|refusal| Failure::refused(over_budget(refusal), span))
    }
}

/// What is put aside, less likely.
pub(crate) fn weighed(aside: &Aside, chance: &Rational) -> Aside {
    let scaled = |failure: &Failure| {
        let mut failure = failure.clone();
        failure.chance *= chance;
        failure
    };
    Aside {
        lost: &aside.lost * chance,
        never: &aside.never * chance,
        rejected: aside.rejected.as_ref().map(scaled),
        failed: aside.failed.iter().map(scaled).collect(),
    }
}

/// Which of two worths is better for a player; what may go wrong is worse than anything.
pub(crate) fn is_better(a: &Option<Rational>, b: &Option<Rational>, most: bool) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            if most {
                a > b
            } else {
                a < b
            }
        }
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// Whether a player wants the most.
pub(crate) fn wants_most(goal: Option<Goal>, opponent: bool) -> bool {
    (goal != Some(Goal::Least)) != opponent
}

/// A variable by its place.
pub(crate) fn slot(local: LocalId) -> usize {
    local.0 as usize
}
