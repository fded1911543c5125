//! Whoever uses the library can name every type that its signatures mention, with `astragal` alone.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use astragal::faces::{DieFaces, Faces, Odometer, Scripted};
use astragal::law::{Endless, Grown, Listing, Table, Weighted};
use astragal::record::{Dice, DieRecord, PoolDie, Record, Step, StepKind, Steps};
use astragal::{
    Answer, Budget, Comparison, Costly, Diagnostic, Diagnostics, Documentation, Engine, EnumType,
    Failure, Fault, FaultKind, Files, Guard, Input, Label, Law, LawError, Meter, Moments, Natural,
    Number, Odds, OpError, Outcomes, OverBudget, Program, Rational, RecordShape, RecordType, Roll,
    RollLimits, Severity, Source, SourceId, Sources, Span, Type, Value, Variant, Watcher,
};

/// Faces in turn, and a fault of our own when they run out.
struct Given(Vec<u64>);

impl Faces for Given {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        match self.0.pop() {
            Some(face) if face < die.count() => Ok(face),
            Some(face) => Err(FaultKind::NoSuchFace(die.value(face), die.name())),
            None => Err(FaultKind::FacesRanDry),
        }
    }
}

struct House;

impl Files for House {
    fn read(&self, path: &str) -> Result<String, String> {
        match path {
            "house.dice" => Ok("fn twice(n) = 2 * n".into()),
            _ => Err("there is no such house rule".into()),
        }
    }
}

fn program(text: &str) -> Program {
    let compiled: Result<Program, Diagnostics> = Engine::new().compile(text);
    compiled.unwrap()
}

#[test]
fn faces_of_ones_own_and_what_they_come_to() {
    let program = program("let hand = 2d6; hand + 1");
    let roll: Roll = program.roll(&mut Given(vec![3, 1])).unwrap();
    let record: &Record = &roll;
    let (dice, steps): (&Dice, &Steps) = (&record.dice, &record.steps);
    assert_eq!((record.value.clone(), dice.len()), (Value::whole(7), 2));
    let thrown: Vec<DieRecord<'_>> = dice.iter().collect();
    assert!(thrown.iter().all(|die| die.fates.kept()));
    let step: &Step = &steps[0];
    let StepKind::Pool { dice, .. } = &step.kind else { panic!("{step:?}") };
    let pool: Vec<PoolDie> = record.dice_of(dice);
    assert_eq!(pool.len(), 2);
}

#[test]
fn faults_are_data_with_places_in_texts() {
    let program = program("1 / (d2 - 1)");
    let fault: Fault = program.value(&mut Given(vec![0])).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Operation(OpError::DivisionByZero));
    let span: Span = fault.span;
    let sources: &Sources = program.hints().sources();
    let source: &Source = sources.get(span.source).unwrap();
    assert_eq!((span.source, &*source.name), (SourceId(0), "program"));

    let failure: Failure = program.try_odds(&Budget::default()).unwrap_err();
    assert_eq!((failure.fault, failure.chance.to_string()), (fault, "1/2".into()));

    let told: Diagnostics = program.odds(&Budget::default()).unwrap_err();
    let diagnostic: &Diagnostic = &told.list()[0];
    let label: &Label = &diagnostic.labels[0];
    assert_eq!((diagnostic.severity, label.span), (Severity::Error, span));
}

#[test]
fn budgets_limits_and_what_they_refuse() {
    let budget = Budget::default()
        .with_steps(10)
        .with_states(10)
        .with_outcomes(10)
        .with_cancel(Arc::new(AtomicBool::new(false)))
        .with_watcher(Watcher::new(|_, _| ()));
    let refused: Failure = program("let x = 9d6; x * x").try_odds(&budget).unwrap_err();
    assert_eq!(refused.fault.kind, FaultKind::OverBudget(Costly::Work));

    let limits = RollLimits::default().with_dice(3).with_steps(100).with_attempts(1);
    let told = program("4d6").roll_within(&mut Given(vec![0; 4]), &limits).unwrap_err();
    assert!(told.is_over_budget());
}

#[test]
fn a_guard_ends_what_takes_too_long() {
    let late = Guard::new(|_, _| Rc::new(|| Err(OverBudget::Time)));
    let slow = program("let x = 60d6; let y = 60d8; x * y");
    let told = slow.odds(&Budget::default().with_guard(late)).unwrap_err();
    assert!(told.is_over_budget());
    let text = told.to_string();
    assert!(text.contains("this takes longer than the budget allows"), "{text}");
    assert!(text.contains("5 seconds of work are allowed"), "{text}");
    assert!(slow.odds(&Budget::default().with_guard(astragal::guard())).is_ok());
}

#[test]
fn answers_and_their_laws() {
    let odds: Odds = program("2d6").odds(&Budget::default()).unwrap();
    let answer: &Answer = odds.only();
    let outcomes: &Outcomes = &answer.outcomes;
    assert_eq!((outcomes.len(), &answer.ty), (11, &Type::Number));
    let law: &Law = answer.exact_law().unwrap();
    let table: &Table = law.as_table().unwrap();
    let total: &Natural = table.total();
    assert_eq!(*total, Natural::from(36u8));
    let meter = Meter::unlimited();
    let seven: Result<Rational, OverBudget> =
        law.compare(Comparison::AtLeast, &Rational::from(7), &meter);
    assert_eq!(seven.unwrap().to_string(), "7/12");
    let product: Result<Law, LawError> = law.product(law, &meter);
    assert_eq!(product.unwrap().mean(), Rational::from(49));
    let listing: Listing = law.listing(&Rational::ONE, None, &meter).unwrap();
    assert!(listing.outcomes.len() <= 11);
    let within: Weighted<Rational> = law.within(Some(&Rational::from(12)), None, &meter).unwrap();
    assert_eq!(within.outcomes.len(), 1);
    let forms = |law: &Law| match law {
        Law::Finite(_) => "finite",
        Law::Endless(_) | Law::Grown(_) => "endless",
    };
    let endless: fn(Endless) -> Law = Law::Endless;
    let grown: fn(Grown) -> Law = Law::Grown;
    let _ = (endless, grown);
    assert_eq!(
        forms(program("d6!").odds(&Budget::default()).unwrap().only().law.as_ref().unwrap()),
        "endless"
    );
}

#[test]
fn values_and_types_can_be_made_and_taken_apart() {
    let odds = program("let x = d6; {total: x, high: x > 3}").odds(&Budget::default()).unwrap();
    let answer = odds.only();
    let moments: &Moments = answer.moments.as_ref().unwrap();
    assert_eq!(moments.fields.len(), 2);
    let Type::Record(record) = &answer.ty else { panic!("{}", answer.ty) };
    let record: &RecordType = record;
    let names = record.fields.iter().map(|(name, _)| name.clone()).collect();
    let shape = Arc::new(RecordShape { fields: names });
    let value = Value::Record(shape, [Value::whole(4), Value::Bool(true)].into());
    assert_eq!(answer.chance(&value).to_string(), "1/6");

    let of: Arc<EnumType> = match program("cofd.action(1).outcome").results().next().unwrap().1 {
        Type::Enum(of) => Arc::clone(of),
        other => panic!("{other}"),
    };
    let index = of.variants.iter().position(|name| &**name == "success").unwrap();
    let success = Value::Variant(Variant { of, index: u32::try_from(index).unwrap() });
    assert_eq!(success.to_string(), "success");
    assert_eq!(Number::ONE.divide(&Number::ZERO), Err(OpError::DivisionByZero));
}

#[test]
fn files_inputs_and_documentation() {
    let engine = Engine::new().with_files(House);
    let mut program = engine.compile("use \"house.dice\"; param n = 3; house.twice(n)").unwrap();
    program.set("n", "5").unwrap();
    let inputs: Vec<Input<'_>> = program.inputs().collect();
    assert_eq!(inputs[0].value, Some(&Value::whole(5)));
    assert_eq!(program.roll(&mut Scripted::new(Vec::new())).unwrap().value, Value::whole(10));
    let known: Documentation = engine.documentation("cofd").unwrap();
    assert!(known.functions.iter().any(|function| function.name == "action"));
}

#[test]
fn every_sequence_of_faces() {
    let program = program("d2 + d2");
    let mut odometer = Odometer::new(9);
    let mut total = Rational::ZERO;
    loop {
        program.value(&mut odometer).unwrap();
        total += odometer.chance();
        if !odometer.advance() {
            break;
        }
    }
    assert_eq!(total, Rational::ONE);
}

/// Faces of one's own need nothing but this crate.
struct Highest;

impl Faces for Highest {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        Ok(die.count() - 1)
    }
}

#[test]
fn a_source_of_faces_can_be_written_against_this_crate_alone() {
    let program = Engine::new().compile("2d6 + d20").unwrap();
    assert_eq!(program.roll(&mut Highest).unwrap().value.to_string(), "32");
}
