//! The odds that a program asks for while it is rolled.
//!
//! `mean(d6 + x)` in a roll in which `x` is 3 is a program of its own, `let x = 3; mean(d6 + x)`, and its odds are one
//! certain number.

use astragal_odds::{Budget, Question, odds};
use astragal_program::core::{Die, Expr, Function, Kind, Outcome, Program};
use astragal_program::fault::{Fault, FaultKind};
use astragal_program::types::Type;
use astragal_roll::{Asked, Known, Told};
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use crate::stack::for_odds;

/// A step of a roll takes about as long as so many steps of the odds.
const STEPS_A_STEP: u64 = 10;

/// What is asked of a number before it is thrown.
pub(crate) fn known(asked: Asked<'_>) -> Result<Told, Fault> {
    let program = alone(&asked);
    let question = Question { inputs: asked.inputs.to_vec(), ..Question::default() };
    let mut budget = Budget::default().with_steps(asked.steps.saturating_mul(STEPS_A_STEP));
    budget.cancel = asked.cancel;
    let known = for_odds(program.depth, || odds(&program, &question, &budget));
    let known = known.map_err(|failure| failure.fault)?;
    let outcome = known.answers.first().and_then(|answer| answer.outcomes.iter().next());
    match outcome.map(|(value, _)| value) {
        Some(Value::Number(number)) => {
            Ok(Told { number: number.clone(), steps: known.used / STEPS_A_STEP })
        }
        _ => Err(FaultKind::NotKnown.at(asked.form.span)),
    }
}

/// The program that is nothing but this measure, with what is known by now.
fn alone(asked: &Asked<'_>) -> Program {
    let span = asked.form.span;
    let constant = |value: Value| Box::new(Expr { kind: Kind::Constant(value), span });
    let mut body = asked.form.clone();
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
    let Function { name, locals, span, .. } = asked.function.clone();
    Program {
        functions: asked.program.functions.clone(),
        main: Function { name, parameters: 0, locals, body, span },
        results: vec![Outcome { name: None, ty: Type::Number }],
        inputs: asked.program.inputs.clone(),
        depth: asked.program.depth.saturating_add(asked.known.len()),
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
