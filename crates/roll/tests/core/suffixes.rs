use astragal_program::core::*;
use astragal_roll::StepKind;
use astragal_value::Value;

use crate::build::*;

#[test]
fn keep_and_drop_act_in_turn() {
    let roll = rolls(dice(4, 6).keep(End::Highest, 3), &[3, 6, 2, 5], 14);
    assert_eq!(fates(&roll), ["kept", "kept", "dropped", "kept"]);
    let kept = dice(4, 6).keep(End::Highest, 3).drop(End::Lowest, 1);
    assert_eq!(fates(&rolls(kept, &[2, 2, 2, 2], 4)), ["dropped", "dropped", "kept", "kept"]);
    rolls(dice(4, 6).keep(End::Lowest, 2), &[3, 6, 2, 5], 5);
    rolls(dice(5, 6).keep(End::Middle, 2), &[1, 2, 3, 4, 5], 5);
    rolls(dice(2, 6).keep(End::Highest, 9), &[3, 6], 9);
    rolls(dice(2, 6).drop(End::Lowest, 9), &[3, 6], 0);
    rolls(dice(0, 6), &[], 0);
}

#[test]
fn rerolls_go_on_or_happen_once() {
    let roll = rolls(dice(2, 6).reroll(4), &[4, 5, 6], 11);
    assert_eq!(fates(&roll), ["rerolled", "kept", "kept"]);
    assert_eq!(die(&roll, 2).from, Some(0));
    rolls(dice(2, 6).reroll_once(2), &[1, 5, 2], 7);
    // The first die is finished before the second is looked at.
    rolls(dice(2, 6).reroll(2), &[1, 2, 2, 1, 3, 1, 6], 9);
}

#[test]
fn explosions_are_separate_dice() {
    let roll = rolls(dice(2, 6).explode(ExplodeStyle::Separate), &[6, 3, 6, 1], 16);
    assert_eq!(fates(&roll), ["kept exploded", "kept", "kept exploded", "kept"]);
    assert_eq!(
        roll.dice.iter().map(|die| die.from).collect::<Vec<_>>(),
        [None, None, Some(0), Some(2)]
    );
    rolls(dice(1, 6).explode_up_to(2), &[6, 6, 6], 18);
    rolls(dice(1, 6).explode_up_to(0), &[6], 6);
}

#[test]
fn penetrating_dice_show_one_less_and_look_at_the_face() {
    let roll = rolls(dice(2, 6).explode(ExplodeStyle::Penetrate), &[6, 6, 6, 4, 1], 20);
    assert_eq!(die(&roll, 2).face, Value::whole(6));
    assert_eq!(die(&roll, 2).value, Value::whole(5));
}

#[test]
fn compounding_stays_one_die() {
    let roll = rolls(dice(2, 6).explode(ExplodeStyle::Compound), &[4, 6, 6, 2], 18);
    assert_eq!(roll.dice.len(), 2);
    assert_eq!(die(&roll, 1).value, Value::whole(14));
    assert_eq!(die(&roll, 1).throws, [6, 6, 2].map(Value::whole));
}

#[test]
fn counting_for_and_against() {
    rolls(dice(6, 10).explode_at_least(9).count_at_least(8), &[4, 5, 6, 3, 10, 8, 6], 2);
    let roll = rolls(dice(5, 10).count_at_least(8).count_against(1), &[8, 10, 1, 1, 5], 0);
    assert_eq!(fates(&roll)[2..], ["kept counted", "kept counted", "kept"]);
    // A die may count twice.
    rolls(dice(1, 10).count_at_least(8).count_at_least(10), &[10], 2);
}

#[test]
fn a_die_thrown_by_a_suffix_is_plain() {
    let rote = dice(3, 10).reroll_once(7).explode(ExplodeStyle::Separate).count_at_least(8);
    // 2 and 5 are thrown again; the extra die of the 10 shows 3 and stays.
    rolls(rote, &[2, 10, 5, 8, 7, 3], 2);
    // A bare explosion looks at the face as thrown, a condition at what the die shows.
    let clamped = |pool: Expr| pool.suffix("at least 6", SuffixKind::AtLeast(Box::new(number(6))));
    rolls(clamped(dice(1, 6)).explode(ExplodeStyle::Separate), &[3], 6);
    rolls(clamped(dice(1, 6)).explode_at_least(6), &[3, 2], 8);
}

#[test]
fn unique_dice_differ() {
    rolls(dice(3, 4).suffix("unique", SuffixKind::Unique), &[2, 2, 2, 2, 1, 1, 3], 6);
}

#[test]
fn groups_keep_totals() {
    let members = vec![
        op(Op::Multiply, vec![total(dice(4, 10)), number(2)]),
        op(Op::Add, vec![total(dice(5, 6)), number(10)]),
    ];
    let group = expr(Kind::Gather(members)).keep(End::Highest, 1);
    let roll = rolls(group, &[10, 5, 3, 4, 2, 4, 3, 6, 1], 44);
    assert!(roll.dice.iter().take(4).all(|die| die.fates.kept()));
    assert!(roll.dice.iter().skip(4).all(|die| die.fates.dropped));
    let merged = expr(Kind::Merge(vec![dice(2, 6), dice(1, 8)])).keep(End::Highest, 2);
    rolls(merged, &[3, 6, 2], 9);
    let count = Box::new(number(3));
    let times = expr(Kind::Times { count, each: Box::new(dice(2, 6)) }).keep(End::Highest, 1);
    rolls(times, &[1, 2, 3, 4, 2, 2], 7);
}

#[test]
fn single_dice_are_read() {
    let read = |reading| expr(Kind::Read { pool: Box::new(dice(4, 6)), reading });
    rolls(read(Reading::NthHighest(Box::new(number(2)))), &[3, 6, 2, 5], 5);
    rolls(read(Reading::NthLowest(Box::new(number(1)))), &[3, 6, 2, 5], 2);
    rolls(read(Reading::Median), &[3, 6, 2, 5], 4);
}

#[test]
fn a_named_pool_is_thrown_once_and_used_twice() {
    let best = total(local(0).keep(End::Highest, 1));
    let worst = total(local(0).keep(End::Lowest, 1));
    let body = bind(0, dice(3, 6), op(Op::Add, vec![best, worst]));
    let roll = rolls(body, &[2, 6, 4], 8);
    assert_eq!(fates(&roll), ["kept", "kept", "dropped"]);
    let pools = roll.steps.iter().filter(|step| matches!(step.kind, StepKind::Pool { .. }));
    assert_eq!(pools.count(), 3);
    // A second name for the best three holds no die that it drops.
    let best = local(0).keep(End::Highest, 3);
    let body = bind(0, dice(4, 6), bind(1, best, total(local(1).drop(End::Lowest, 1))));
    let roll = rolls(body, &[2, 6, 4, 5], 11);
    assert_eq!(fates(&roll), ["dropped", "kept", "dropped", "kept"]);
}

#[test]
fn symbols_are_values() {
    let face =
        |text: &str| Face { value: expr(Kind::Constant(Value::text(text))), weight: number(1) };
    let faces = || vec![face("hit"), face("miss")];
    let one = on(expr(Kind::Symbols { count: None, faces: faces() }), &[2]).unwrap();
    assert_eq!(one.value, Value::text("miss"));
    let count = Some(Box::new(number(2)));
    let two = on(expr(Kind::Symbols { count, faces: faces() }), &[1, 2]).unwrap();
    assert_eq!(two.value.to_string(), "[hit, miss]");
}

#[test]
fn folds_and_rounds_carry() {
    let list = expr(Kind::List(vec![number(1), number(2), number(3)]));
    let body = op(Op::Add, vec![local(0), op(Op::Add, vec![local(1), dice(1, 4)])]);
    let fold = expr(Kind::Fold {
        list: Box::new(list),
        first: Box::new(number(0)),
        carry: LocalId(0),
        item: LocalId(1),
        body: Box::new(body),
    });
    rolls(fold, &[1, 1, 2], 10);
    let names = |names: &[&str]| {
        std::sync::Arc::new(RecordShape { fields: names.iter().map(|n| name(n)).collect() })
    };
    let round = bind(
        1,
        dice(1, 6),
        expr(Kind::Record {
            shape: names(&["n", "ends"]),
            fields: vec![
                op(Op::Add, vec![local(0), number(1)]),
                op(Op::AtLeast, vec![local(1), number(6)]),
            ],
        }),
    );
    let repeat = expr(Kind::Repeat {
        shape: names(&["n"]),
        state: vec![LocalId(0)],
        first: vec![number(0)],
        round: Box::new(round),
    });
    rolls(expr(Kind::Field { record: Box::new(repeat), index: 0 }), &[2, 3, 6], 3);
}
