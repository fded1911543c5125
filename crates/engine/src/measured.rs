//! The odds that a program asks for while it is rolled.
//!
//! `mean(d6 + x)` in a roll in which `x` is 3 is a program of its own, `let x = 3; mean(d6 + x)`, and its odds are one
//! certain number.

use std::sync::Arc;

use astragal_odds::{Budget, Question, odds};
use astragal_play::odds as played;
use astragal_program::core::{
    Die, Expr, Function, Kind, Local, LocalId, Measure, Outcome, Program,
};
use astragal_program::fault::{Fault, FaultKind};
use astragal_program::points::{Graph, GraphId, Plays, Point, PointId, Step};
use astragal_program::types::Type;
use astragal_roll::{Asked, Known, Measured, Told};
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use crate::stack::for_odds;

/// A step of a roll takes about as long as so many steps of the odds.
const STEPS_A_STEP: u64 = 10;

/// What is asked of a number before it is thrown.
pub(crate) fn known(asked: Asked<'_>) -> Result<Told, Fault> {
    let program = match asked.what {
        Measured::Form(form) => alone(&asked, form),
        Measured::Played(measure, of) => played_alone(&asked, measure, of)?,
    };
    let question = Question { inputs: asked.inputs.to_vec(), ..Question::default() };
    let mut budget = Budget::default().with_steps(asked.steps.saturating_mul(STEPS_A_STEP));
    budget.cancel = asked.cancel;
    let known = for_odds(program.depth, || match program.plays {
        Some(_) => played(&program, &question, &budget).map(|known| (known.answers, known.used)),
        None => odds(&program, &question, &budget).map(|known| (known.answers, known.used)),
    });
    let (answers, used) = known.map_err(|failure| failure.fault)?;
    let outcome = answers.first().and_then(|answer| answer.outcomes.iter().next());
    match outcome.map(|(value, _)| value) {
        Some(Value::Number(number)) => {
            Ok(Told { number: number.clone(), steps: used / STEPS_A_STEP })
        }
        _ => Err(FaultKind::NotKnown.at(asked.span)),
    }
}

/// The program that is nothing but this measure, with what is known by now.
fn alone(asked: &Asked<'_>, form: &Expr) -> Program {
    let span = asked.span;
    let constant = |value: Value| Box::new(Expr { kind: Kind::Constant(value), span });
    let mut body = form.clone();
    if let (Kind::Measure { percent, .. }, Some(known)) = (&mut body.kind, &asked.percent) {
        *percent = Some(constant(Value::Number(known.clone())));
    }
    for (local, known) in &asked.known {
        let value = match known {
            Known::Value(value) => constant(value.clone()),
            Known::Dice(shown) => Box::new(lying(shown, span)),
        };
        body = Expr { kind: Kind::Let { local: *local, value, body: Box::new(body) }, span };
    }
    program(asked, body, None)
}

/// The same of something that is played: the graph of the program binds what is known by now and measures.
fn played_alone(asked: &Asked<'_>, measure: Measure, of: GraphId) -> Result<Program, Fault> {
    let span = asked.span;
    let constant = |value: Value| Expr { kind: Kind::Constant(value), span };
    let Some(mut plays) = asked.program.plays.as_deref().cloned() else {
        return Err(FaultKind::NotKnown.at(span));
    };
    // A variable that nobody else has: what it measures knows nothing of it.
    let local = LocalId(asked.function.locals.len() as u32);
    let percent = asked.percent.clone().map(|percent| constant(Value::Number(percent)));
    let told = Expr { kind: Kind::Local(local), span };
    let mut steps =
        vec![Step::Return(told), Step::Measure { measure, percent, of, local, next: PointId(0) }];
    for (local, known) in &asked.known {
        let next = PointId(steps.len() as u32 - 1);
        let value = match known {
            Known::Value(value) => constant(value.clone()),
            Known::Dice(shown) => lying(shown, span),
        };
        steps.push(Step::Let { local: *local, value, next });
    }
    let start = PointId(steps.len() as u32 - 1);
    let function = plays.graphs[of.0 as usize].function;
    let points = steps
        .into_iter()
        .map(|step| Point { step, span, needed: Vec::new(), calls: Vec::new() })
        .collect();
    plays.graphs[0] = Graph { function, points, start };
    let mut alone = program(asked, constant(Value::None), Some(plays.into()));
    let owner = match function {
        Some(function) => &mut alone.functions[function.0 as usize],
        None => &mut alone.main,
    };
    owner.locals.push(Local { name: None, ty: Type::Number });
    Ok(alone)
}

fn program(asked: &Asked<'_>, body: Expr, plays: Option<Arc<Plays>>) -> Program {
    let Function { name, locals, span, .. } = asked.function.clone();
    Program {
        functions: asked.program.functions.clone(),
        main: Function { name, parameters: 0, locals, body, span },
        results: vec![Outcome { name: None, ty: Type::Number }],
        inputs: asked.program.inputs.clone(),
        depth: asked.program.depth.saturating_add(asked.known.len()),
        plays,
    }
}

/// Dice that lie on the table: a group of what they show.
fn lying(shown: &[Number], span: Span) -> Expr {
    let constant = |number: Number| Expr { kind: Kind::Constant(Value::Number(number)), span };
    let kind = match shown {
        [] => {
            let (none, one) = (constant(Number::ZERO), constant(Number::from(1)));
            Kind::Dice { count: Box::new(none), die: Die::Sides(Box::new(one)) }
        }
        _ => Kind::Gather(shown.iter().cloned().map(constant).collect()),
    };
    Expr { kind, span }
}
