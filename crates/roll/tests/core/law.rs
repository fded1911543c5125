use std::collections::BTreeMap;

use astragal_program::core::*;
use astragal_roll::{Limits, Odometer, value};
use astragal_value::Value;

use crate::build::*;

/// How often each value comes up, of so many sequences of equal dice.
fn tally(body: Expr) -> BTreeMap<Value, u32> {
    let program = program(body);
    let mut odometer = Odometer::new(20);
    let mut tally = BTreeMap::new();
    loop {
        let value = value(&program, &[], &mut odometer, &Limits::default()).expect("rolls");
        *tally.entry(value).or_default() += 1;
        if !odometer.advance() {
            return tally;
        }
    }
}

#[test]
fn a_named_throw_is_even_and_two_throws_are_not() {
    let once = tally(bind(0, dice(1, 6), op(Op::Add, vec![local(0), local(0)])));
    assert_eq!(once.len(), 6);
    let twice = tally(op(Op::Add, vec![dice(1, 6), dice(1, 6)]));
    assert_eq!(twice[&Value::whole(7)], 6);
    assert_eq!(twice.len(), 11);
}

#[test]
fn the_best_three_of_four() {
    let tally = tally(dice(4, 6).keep(End::Highest, 3));
    assert_eq!(tally.values().sum::<u32>(), 1296);
    assert_eq!(tally[&Value::whole(18)], 21);
    assert_eq!(tally[&Value::whole(3)], 1);
}
