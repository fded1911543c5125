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
mod explore;
mod far;
mod game;
mod law;
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

use astragal_odds::known::{Asker, Parts, answers_about};
use astragal_odds::{Answer, Budget, Failure, Question};
use astragal_prob::Meter;
use astragal_prob::ways::Ways;
use astragal_program::core::{Expr, FunctionId, Kind, Program};
use astragal_program::fault::FaultKind;
use astragal_program::points::{HeldOf, Plays};

use astragal_value::Value;
use game::Game;
use notices::certain;

pub use advice::{Advice, advice};
pub use loss::Losses;
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
            only.mean_besides = game.mean();
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
    let (expressions, numbers) = expressions(plays);
    let parts = Parts::new(program, &expressions, inputs, unsaid, meter);
    let asker = Asker::new(&parts, budget.states, meter);
    work(&mut Game::new(program, plays, numbers, &parts, asker, meter))
}

/// Where the expressions of a point stand among all.
pub(crate) struct Numbers {
    /// The first of each point of each graph.
    points: Vec<Vec<usize>>,
    /// The aim of each `maximise`.
    aims: Vec<usize>,
    /// Of a point whose first expression binds variables: what they are bound to, one by one, and what comes of it in the end.
    inside: Vec<Vec<std::ops::Range<usize>>>,
}

type Written<'p> = Vec<(Option<FunctionId>, &'p Expr)>;

/// All expressions of the graphs, each without choices.
fn expressions(plays: &Plays) -> (Written<'_>, Numbers) {
    let mut all: Written<'_> = Vec::new();
    let mut numbers = Numbers { points: Vec::new(), aims: Vec::new(), inside: Vec::new() };
    for graph in &plays.graphs {
        let mut points = Vec::with_capacity(graph.points.len());
        for point in &graph.points {
            points.push(all.len());
            all.extend(point.step.expressions().into_iter().map(|expr| (graph.function, expr)));
        }
        numbers.points.push(points);
        let inside = graph.points.iter().map(|point| {
            let start = all.len();
            let mut rest = point.step.expressions().into_iter().next();
            while let Some(Expr { kind: Kind::Let { value, body, .. }, .. }) = rest {
                all.push((graph.function, value));
                rest = Some(body);
            }
            if all.len() > start {
                all.extend(rest.map(|rest| (graph.function, rest)));
            }
            start..all.len()
        });
        let inside = inside.collect();
        numbers.inside.push(inside);
    }
    for best in &plays.bests {
        numbers.aims.push(all.len());
        all.push((plays.graphs[best.graph.0 as usize].function, &best.aim.1));
    }
    (all, numbers)
}
