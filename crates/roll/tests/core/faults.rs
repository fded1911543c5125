use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use astragal_program::core::*;
use astragal_program::fault::{Costly, FaultKind, NeverStops};
use astragal_roll::{Limits, Roll, Scripted, Seeded, roll};
use astragal_value::{Number, OpError, Value};

use crate::build::*;

#[test]
fn what_can_never_stop_is_refused_before_anything_is_thrown() {
    let explode = FaultKind::NeverStops(NeverStops::Explode);
    fails(dice(1, 6).explode_at_least(1), &[], explode.clone());
    fails(dice(2, 1).explode(ExplodeStyle::Separate), &[], explode.clone());
    fails(dice(4, 6).keep(End::Highest, 3).explode_at_least(1), &[], explode);
    fails(dice(1, 6).reroll(6), &[], FaultKind::NeverStops(NeverStops::Reroll));
    let unique = dice(7, 6).suffix("unique", SuffixKind::Unique);
    fails(unique, &[], FaultKind::NeverStops(NeverStops::Unique));
    rolls(dice(0, 6).reroll(6), &[], 0);
    // Dice that were clamped to where nothing fires stop at once.
    let seven = dice(1, 6).suffix("at least 7", SuffixKind::AtLeast(Box::new(number(7))));
    rolls(seven.reroll(6), &[2], 7);
    // Different dice differ as long as one can give way.
    let mixed = |a, b| expr(Kind::Merge(vec![a, b])).suffix("unique", SuffixKind::Unique);
    rolls(mixed(dice(2, 4), dice(2, 6)), &[1, 2, 2, 1, 5, 5, 6], 14);
    rolls(mixed(dice(4, 6), dice(1, 4)), &[5, 6, 1, 2, 3], 17);
    fails(
        mixed(dice(4, 6), dice(1, 4)),
        &[1, 2, 3, 4, 2],
        FaultKind::NeverStops(NeverStops::Unique),
    );
    fails(
        mixed(dice(4, 4), dice(3, 6)),
        &[1, 2, 3, 4, 5, 6, 6],
        FaultKind::NeverStops(NeverStops::Unique),
    );
    rolls(dice(1, 6).reroll_once(6), &[3, 4], 4);
}

#[test]
fn scripts_must_fit() {
    fails(dice(1, 6), &[7], FaultKind::NoSuchFace(Value::whole(7), name("d6")));
    fails(dice(1, 6), &[0], FaultKind::NoSuchFace(Value::whole(0), name("d6")));
    fails(dice(2, 6), &[3], FaultKind::FacesRanDry);
    fails(dice(1, 6), &[3, 4, 5], FaultKind::FacesLeftOver(2));
}

#[test]
fn counts_and_sides_must_be_whole() {
    fails(dice(-1, 6), &[], FaultKind::BadCount(Number::from(-1)));
    fails(dice(1, 0), &[], FaultKind::BadSides(Number::ZERO));
    fails(dice(1_000_000, 6), &[], FaultKind::OverBudget(Costly::Dice));
    let zero = op(Op::Divide, vec![dice(1, 6), number(0)]);
    fails(zero, &[1], FaultKind::Operation(OpError::DivisionByZero));
}

#[test]
fn a_refusal_names_the_calls() {
    let no = expr(Kind::Require {
        condition: Box::new(truth(false)),
        message: Box::new(expr(Kind::Constant(Value::text("no dice")))),
        body: Box::new(number(1)),
    });
    let enter = Expr { kind: Kind::Enter { name: name("f"), body: Box::new(no) }, span: span(5) };
    let call =
        Expr { kind: Kind::Call { function: FunctionId(0), arguments: Vec::new() }, span: span(9) };
    let program = with_functions(call, vec![function("g", 0, 0, enter)]);
    let fault =
        roll(&program, &[], &mut Scripted::whole(&[]), &Limits::default()).expect_err("refuses");
    assert_eq!(fault.kind, FaultKind::Refused(name("no dice")));
    assert_eq!(fault.calls, [span(5), span(9)]);
}

/// `f(n)` adds 1 to `f(n - 1)`, through forms nested 30 deep.
fn recursion() -> Program {
    let inner = Kind::Call {
        function: FunctionId(0),
        arguments: vec![op(Op::Subtract, vec![local(0), number(1)])],
    };
    let deep = (0..30).fold(expr(inner), |body, _| op(Op::Add, vec![body, number(0)]));
    let body = expr(Kind::If {
        condition: Box::new(op(Op::Equal, vec![local(0), number(0)])),
        then: Box::new(number(0)),
        otherwise: Box::new(op(Op::Add, vec![deep, number(1)])),
        origin: Branch::If,
    });
    let call = |n| expr(Kind::Call { function: FunctionId(0), arguments: vec![number(n)] });
    let mut program = with_functions(call(300), vec![function("f", 1, 1, body)]);
    program.main.locals.clear();
    program
}

#[test]
fn deep_recursion_is_refused_and_needs_no_deep_stack() {
    let run = || {
        let mut program = recursion();
        let limits = Limits::default();
        let fine = roll(&program, &[], &mut Scripted::whole(&[]), &limits).map(Roll::into_value);
        assert_eq!(fine, Ok(Value::whole(300)));
        let Kind::Call { arguments, .. } = &mut program.main.body.kind else { return };
        arguments[0] = number(10_000);
        let fault = roll(&program, &[], &mut Scripted::whole(&[]), &limits).expect_err("too deep");
        assert_eq!(fault.kind, FaultKind::TooDeep(name("f")));
    };
    let small = std::thread::Builder::new().stack_size(256 << 10);
    small.spawn(run).unwrap().join().unwrap();
}

#[test]
fn work_is_bounded_and_can_be_stopped() {
    let rounds = |first: Expr, next: Expr| {
        expr(Kind::Repeat {
            shape: Arc::new(RecordShape { fields: vec![name("n")] }),
            state: vec![LocalId(0)],
            first: vec![first],
            round: Box::new(expr(Kind::Record {
                shape: Arc::new(RecordShape { fields: vec![name("n"), name("ends")] }),
                fields: vec![next, truth(false)],
            })),
        })
    };
    // The same values come again without a throw: that is seen.
    let circle = rounds(number(1), local(0));
    fails(circle, &[], FaultKind::NeverStops(NeverStops::Repeat));
    let more = || expr(Kind::Operation { op: Op::Add, operands: vec![local(0), number(1)] });
    let endless = || rounds(number(0), more());
    fails(endless(), &[], FaultKind::OverBudget(Costly::Work));
    let limits = Limits::default().with_cancel(Arc::new(AtomicBool::new(true)));
    let fault =
        roll(&program(endless()), &[], &mut Seeded::new(1, 0), &limits).expect_err("is stopped");
    assert_eq!(fault.kind, FaultKind::Cancelled);
}
