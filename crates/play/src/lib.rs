//! Best play: what to choose in a game of dice, and what it comes to.
//!
//! ```text
//! maximise do
//!   let first = d20
//!   choose
//!     "keep" => first
//!     "throw again" => d20
//!   end
//! end
//! ```
//!
//! A program in which somebody decides is a graph of points ([`astragal_program::points`]). It is explored from its start:
//! a *place* is a point with the values of what is needed from there on, so that games that have become alike meet
//! ([`tree`], [`explore`]). What a throw may show is asked of [`astragal_odds`], so everything that the language can say may
//! stand between two choices. Then the places are worth what is best of their options or the mean of their chances, from
//! the ends back ([`worth`]); where play can come back to a place, a policy is improved until none is better. With every
//! choice made, the game is a chain, and its law that of any loop ([`law`]).
//!
//! | what is met | how it is done | file |
//! |---|---|---|
//! | a program with choices | a graph of points, from the core language | `program/points` |
//! | a game | places, found from the start | `explore`, `tree` |
//! | a game without returns | values from the ends back | `worth` |
//! | a game that can come back | a policy, improved until every place is at its best | `worth/round` |
//! | a game without end in its numbers | what is beyond a horizon is proven to be a straight line | `far` |
//! | endless dice | what is beyond the list is a letter, and known where its worth is a straight line | `endless`, `letters` |
//! | a place that no policy lists | the game from there on | `from` |
//! | numbers that only count | places are without them, and have them again in the law | `scores` |
//! | a large game that can come back | bounds, which close as rounds go by | `bounds` |
//! | the law under the best play | a chain | `law` |
//! | the mean where that law is cut | the value of the play | `mean` |
//! | what to do in each case | what each option is worth, how often it comes about | `policy`, `often` |
//! | what a mistake costs | the same play with one option taken always | `loss` |
//! | what to tell a player | rules over what matters | `advice`, `rules` |

mod advice;
mod beyond;
mod bounds;
mod endless;
mod explore;
mod far;
mod from;
mod game;
mod law;
mod letters;
mod loss;
mod mean;
mod notices;
mod often;
mod policy;
mod reach;
mod rules;
mod scores;
mod tree;
mod worth;

use astragal_odds::known::{Asked, Asker, Part, Parts, answers_about};
use astragal_odds::{Answer, Budget, Failure, Question};
use astragal_prob::ways::Ways;
use astragal_prob::{Meter, Moment};
use astragal_program::core::Program;
use astragal_program::fault::FaultKind;
use astragal_program::points::{Graph, HeldOf, PlaceOf, Plays, Point, Step};

use astragal_value::Value;
use game::Game;
use letters::{Apart, apart};
use notices::certain;

pub use advice::{Advice, advice};
pub use loss::{Loss, Losses};
pub use policy::{Case, Choice, Policy};
pub use rules::Rule;

/// What is known of a program in which somebody decides.
#[derive(Debug)]
pub struct Known {
    /// One answer a result, or several where its fields were asked for apart.
    pub answers: Vec<Answer>,
    /// How it is played: one policy for each `maximise`, and for each of the cases that were known before it.
    pub policies: Vec<Policy>,
    /// The steps of work that it took.
    pub used: u64,
    /// The shortcuts that were taken.
    pub ways: Ways,
}

/// The exact distribution of each result of a program, every choice being made as is best.
pub fn odds(program: &Program, question: &Question, budget: &Budget) -> Result<Known, Failure> {
    let meter = budget.meter();
    let plays = plays_of(program)?;
    let known = in_game(program, plays, (&question.inputs, None), budget, &meter, |game| {
        let conditioned = game.is_conditioned();
        let law = game.whole()?;
        let value = |(held, chance)| (game.value(held), chance);
        let results = law.outcomes.into_iter().map(value).collect();
        let mut answers =
            answers_about(program, question, budget, &meter, results, law.aside, conditioned)?;
        if let [only] = answers.as_mut_slice()
            && only.field.is_empty()
            && only.mean().is_none()
        {
            (only.mean_besides, only.mean_within) = match game.mean() {
                Some((low, high)) if low == high => (Some(Moment::Exactly(low)), None),
                bounds => (None, bounds),
            };
        }
        let policies = game.policies(program);
        if !question.said.is_empty() {
            let decided = game.decisions().into();
            let certain = certain(program, plays, question, budget, &meter, &decided);
            answers.iter_mut().for_each(|answer| answer.notices.clone_from(&certain));
        }
        Ok(Known { answers, policies, used: meter.used(), ways: meter.taken() })
    });
    known.map_err(|failure| failure.billed(budget, &meter))
}

/// How one `maximise` of a program is played, given the values of the variables that it names.
pub fn policy(
    program: &Program,
    inputs: &[Option<Value>],
    best: usize,
    known: &[HeldOf],
    budget: &Budget,
) -> Result<(Policy, u64), Failure> {
    let meter = budget.meter();
    let plays = plays_of(program)?;
    let policy = in_game(program, plays, (inputs, None), budget, &meter, |game| {
        let known = game.taken_over(known);
        let solved = game.best(best, &known)?;
        Ok(game.policy_to_play(program, best, &known, &solved))
    });
    let policy = policy.map_err(|failure| failure.billed(budget, &meter))?;
    Ok((policy, meter.used()))
}

/// What there is to take at a place that no policy lists, and what is best there; and the steps that it took.
pub fn case_at(
    program: &Program,
    inputs: &[Option<Value>],
    (best, known): (usize, &[HeldOf]),
    place: &PlaceOf,
    budget: &Budget,
) -> Result<(Case, u64), Failure> {
    let meter = budget.meter();
    let plays = plays_of(program)?;
    let case = in_game(program, plays, (inputs, None), budget, &meter, |game| {
        let known = game.taken_over(known);
        game.case_at((best, &known), place)
    });
    let case = case.map_err(|failure| failure.billed(budget, &meter))?;
    Ok((case, meter.used()))
}

fn plays_of(program: &Program) -> Result<&Plays, Failure> {
    let refused = || Failure::refused(FaultKind::NotKnown, program.main.span);
    program.plays.as_deref().ok_or_else(refused)
}

/// Does something with a game whose graphs are these. If a text is named, it counts only as long as no expression notes it.
fn in_game<T>(
    program: &Program,
    plays: &Plays,
    (inputs, unsaid): (&[Option<Value>], Option<&str>),
    budget: &Budget,
    meter: &Meter,
    work: impl FnOnce(&mut Game<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let apart = TakenApart::of(program, plays);
    let (expressions, numbers) = expressions(plays, &apart);
    let parts = Parts::new(program, (&expressions, apart.new), inputs, unsaid, meter);
    let asker = Asker::new(&parts, budget.states, meter);
    work(&mut Game::new(program, plays, numbers, &parts, asker, meter))
}

/// Where the expressions of a point stand among all.
pub(crate) struct Numbers<'p> {
    /// The first of each point of each graph.
    points: Vec<Vec<usize>>,
    /// The aim of each `maximise`.
    aims: Vec<usize>,
    /// The first expression of each point, taken apart, and the number of that among all.
    apart: Vec<Vec<(usize, Option<&'p Apart>)>>,
    /// How many variables are new.
    new: usize,
}

type Written<'p> = Vec<Part<'p>>;

/// What happens at each point, taken apart: none where nothing is found out.
struct TakenApart {
    graphs: Vec<Vec<Option<Apart>>>,
    /// How many variables are new, at most.
    new: usize,
}

impl TakenApart {
    fn of(program: &Program, plays: &Plays) -> TakenApart {
        let mut new = 0;
        let mut in_graph = |graph: &Graph| {
            let of = graph.function.and_then(|id| program.functions.get(id.0 as usize));
            let own = of.unwrap_or(&program.main).locals.len();
            let mut of_point = |point: &Point| match point.step {
                Step::Choose { .. }
                | Step::Call { .. }
                | Step::Measure { .. }
                | Step::Note { .. } => None,
                _ => {
                    let first = point.step.expressions().into_iter().next()?;
                    let mut fresh = own as u32;
                    let taken = apart(first, &mut fresh, &mut 0);
                    new = new.max(fresh as usize - own);
                    Some(taken)
                }
            };
            graph.points.iter().map(&mut of_point).collect()
        };
        let graphs = plays.graphs.iter().map(&mut in_graph).collect();
        TakenApart { graphs, new }
    }
}

/// All expressions of the graphs, each without choices.
fn expressions<'p>(plays: &'p Plays, taken: &'p TakenApart) -> (Written<'p>, Numbers<'p>) {
    let mut all: Written<'_> = Vec::new();
    let (points, aims, apart) = (Vec::new(), Vec::new(), Vec::new());
    let mut numbers = Numbers { points, aims, apart, new: taken.new };
    for (graph, taken) in plays.graphs.iter().zip(&taken.graphs) {
        let mut points = Vec::with_capacity(graph.points.len());
        for point in &graph.points {
            points.push(all.len());
            let asked = match point.step {
                Step::Note { .. } => Asked::Faults,
                _ => Asked::Value,
            };
            let own = point.step.expressions().into_iter();
            all.extend(own.map(|expr| (graph.function, expr, asked)));
        }
        let parts = taken.iter().zip(&points).map(|(taken, own)| match taken {
            Some(taken) if !taken.is_whole() => {
                let first = all.len();
                taken.each(&mut |part| all.push((graph.function, part, Asked::Value)));
                (first, Some(taken))
            }
            taken => (*own, taken.as_ref()),
        });
        let parts = parts.collect();
        numbers.apart.push(parts);
        numbers.points.push(points);
    }
    for best in &plays.bests {
        numbers.aims.push(all.len());
        all.push((plays.graphs[best.graph.0 as usize].function, &best.aim.1, Asked::Value));
    }
    (all, numbers)
}
