//! Endless numbers: what is exact of them, and what fails or never ends, with its chance.

use astragal::{Answer, Budget, Rational, Value};
use astragal_testing::checks::{self, answer, chance, fraction, law, mean, odds, program};
use astragal_testing::law::Kept;

/// Nothing is given up, and no more than usual is left out.
fn exact(text: &str) -> Answer {
    let answer = answer(text);
    assert!(answer.lost.is_zero(), "{text} gives up {}", answer.lost);
    let usual = Rational::ONE / Rational::from(1_000_000_000u64);
    assert!(answer.rest < usual, "{text} leaves out {}", answer.rest);
    assert!(matches!(law(text), Kept::Exactly | Kept::WithinBounds), "{text}");
    answer
}

/// All of these are exact.
fn all_exact(programs: &[&str]) {
    programs.iter().for_each(|text| drop(exact(text)));
}

fn listed(answer: &Answer, value: &str) -> Rational {
    let found = answer.outcomes.iter().find(|(known, _)| known.to_string() == value);
    found.map_or(Rational::ZERO, |(_, chance)| chance.clone())
}

/// The odds fail with this code and exactly this chance.
fn fails_with(text: &str, code: &str, chance: &str) {
    match program(text).try_odds(&Budget::default()) {
        Ok(_) => panic!("{text} has odds"),
        Err(failure) => {
            assert_eq!(failure.fault.kind.code(), code, "{text}");
            assert_eq!(failure.chance, fraction(chance), "{text}");
            assert!(failure.lost.is_zero(), "{text}: {}", failure.lost);
        }
    }
    assert_eq!(law(text), Kept::Failing, "{text}");
}

#[test]
fn failures_through_recursion_are_added_up() {
    let falls = "fn act(q) = if q <= 0 then -1 else nth_lowest((d{0, 1})d2, 1) - act(1); act(2)";
    fails_with(falls, "no-such-die", "1");
    fails_with(
        "fn f() = do let x = d4; if x = 1 then 1/0 else if x = 2 then f() + 1 else x end; f()",
        "division-by-zero",
        "1/3",
    );
    // The chance of ending is the least root of s = 2/3·(2/3 + 1/3·s²).
    fails_with(
        "fn f() = (if d3 = 1 then 1/0 else 1) + (if d3 = 1 then f() + f() else 0); f()",
        "division-by-zero",
        "1/2",
    );
    fails_with("fn f(n) = if d2 = 1 then 1/0 else n; f(1) + f(2)", "division-by-zero", "3/4");
}

#[test]
fn evidence_through_recursion_is_exact() {
    let text = "fn f() = do let x = d4; given x != 2; if x == 4 then x + f() else x end; f()";
    let answer = exact(text);
    assert_eq!(answer.evidence, Some(fraction("2/3")));
    assert_eq!(listed(&answer, "5"), fraction("3/32"));
}

#[test]
fn an_unknown_that_is_forgotten_must_end_too() {
    // The chance of ending is the least root of s = 1/4 + 3/4·s².
    let text =
        "fn f() = if d4 > 1 then (if d2 = 1 then f() + f() else 0 * (f() + f())) else 1; f() >= 0";
    if let Ok(odds) = program(text).try_odds(&Budget::default()) {
        let only = odds.only();
        assert!(only.never.clone() + &only.lost >= fraction("2/3"), "{:?}", only.never);
    }
}

#[test]
fn what_cannot_stop_is_told_alike_by_both_readings() {
    odds("{d8!!, d1kh0!}kh1 >= 4", "no 3/8, yes 5/8");
    odds("d1kh0! + 2d1dl2!", "0 1");
    fails_with("(repeat with a = 0; next a = 1 - a; until a == 2).a", "never-stops", "1");
    fails_with(
        "let x = d2; (repeat with a = x; next a = if a = 2 then 2 else 3; until a == 3).a",
        "never-stops",
        "1/2",
    );
    for text in [
        "(repeat with a = 0; next a = if a == 1 then 1 else d4; until a >= 3).a",
        "let x = (repeat with a = 0; next a = if a == 1 then 1 else d4; until a >= 3).a; 5",
    ] {
        assert_eq!(answer(text).never, fraction("1/3"), "{text}");
        assert_eq!(law(text), Kept::WithinBounds, "{text}");
    }
    checks::fails("let m = {2d6 + d8333333333333333333333}kh2; 1", "number-too-large");
    checks::fails("let m = d{1: 8333333333333333333333}; 1", "number-too-large");
    fails_with("d{1: 1, 2: d2 - 1, 3: d2 - 1}", "bad-weight", "1/2");
}

#[test]
fn endless_numbers_that_are_compared_and_still_needed() {
    let better = exact("let h = d2!; let x = d2!!kh1; given x >= h; [1, max(x, x)]");
    assert_eq!(better.evidence, Some(fraction("2/3")));
    odds("let x = d2!!kh1; let c = d2!; x - c >= 1 or x > 1", "no 1/2, yes 1/2");
    odds(
        "let x = d6!; let y = d6!; let b = x > y; [b, x > 5]",
        "[no, no] 5/9, [no, yes] 1/63, [yes, no] 5/18, [yes, yes] 19/126",
    );
    let both = exact("let x = d6!; let n = d6!; x given x + n <= 10");
    assert_eq!(both.evidence, Some(fraction("3/4")));
    assert_eq!(listed(&both, "1"), fraction("11/54"));
    assert_eq!(both.rest, Rational::ZERO);
    all_exact(&[
        "let x = d6!; let y = d6!; given x > y; {a: x, b: x > 3}",
        "let x = d3!; let y = d4!; given x != y; {a: x > 2, b: x}",
        "let x = d3!; let y = 2d2!; if x >= y then x else 0 - x",
        "let x = d4! - d3!; let y = d2!; given x < y; x",
        "let x = d3!; let y = d2! + d4!; let z = d3!; given x + y > z; y > 3",
        "let x = d3!; let y = d2!; given x >= y; [x, y]",
        "let x = d3!; let y = d2!; if x >= y then x + y else x",
        "let x = d3!; [x, x // 2, x % 2]",
    ]);
}

#[test]
fn quotients_of_endless_numbers() {
    chance("min(20, (3d6!) // 4)", &Value::whole(0), "1/216");
    all_exact(&[
        "min(20, (3d6!) // 4)",
        "(d6! - 4) // 4",
        "max(0, (max(d8!, d6!) - 4) // 4)",
        "(d6! - 4) // -3",
        "d6! % 4",
        "(d6! - d4!) % -3",
        "floor((2d3!) / 2) + ceil(d4! / 3)",
        "round((d4! - 5) / 2)",
        "abs(d4! - 5)",
        "abs(d4! - d6!)",
    ]);
    odds("d2! % 4", "1 2/3, 3 1/3");
}

#[test]
fn a_one_that_doubles_and_is_thrown_again() {
    let stress = "fn stress() = do let r = d10; if r == 1 then 2 * stress() else r end; stress()";
    let answer = answer(stress);
    assert!(answer.lost.is_zero());
    assert_eq!(listed(&answer, "4"), fraction("11/100"));
    assert_eq!(listed(&answer, "16"), fraction("111/10000"));
    mean(stress, "27/4");
}

#[test]
fn keeps_before_clamps_are_walked() {
    for text in ["largest_set(4d6kh3 max5)", "pairs(3d6dl1 min2 max4)", "distinct(4d4km2 min2)"] {
        assert_eq!(law(text), Kept::Exactly, "{text}");
    }
}

#[test]
fn a_wide_recursion_is_refused_in_time() {
    let calls = vec!["f()"; 600].join(", ");
    let text = format!("fn f() = if d2 = 1 then sum([{calls}]) else d6; f()");
    let code = checks::failure(&text);
    assert!(matches!(code.as_deref(), Some("over-budget" | "not-known" | "too-deep")), "{code:?}");
}

#[test]
fn dice_that_cannot_differ_fail_with_their_chance() {
    // A d4 that shows 4 leaves three faces to the three dice after it.
    fails_with("{1d4 + 1d2 + 2d3} u", "never-stops", "3/4");
    fails_with("{2d3 + d2} u kh1", "never-stops", "1/3");
    fails_with("{d3 + d2 + d2} u", "never-stops", "2/3");
    fails_with("7d6u", "never-stops", "1");
    // Those that are left were told apart: the d4 shows a 4.
    fails_with(
        "let x = {1d4 + 1d2 + 2d3} u cs=4; require x == 1 else \"no\"; x",
        "never-stops",
        "3/4",
    );
}

#[test]
fn several_counts_of_exploding_dice() {
    let counts = "let pool = 2d6!; [pool cs>=5, pool cs=1]";
    let list = |items: [i64; 2]| Value::List(items.map(Value::whole).into_iter().collect());
    // Each die ends with one of five faces, after any number of sixes.
    chance(counts, &list([0, 2]), "1/36");
    chance(counts, &list([1, 2]), "1/108");
    chance(counts, &list([2, 0]), "5/48");
    for program in [
        counts,
        "let p = 2d3!; {a: p - p cs=1, b: p cs=2}",
        "let p = 3d3!; [p cs=3, p cs=1, p cs=2]",
        "let p = 2d4!; let x = p cs=4; given x > 0; [x, p cs=1]",
        "let p = 2d3!; if p cs=1 = 0 then p else 0",
        "let p = 2d{-2, 1}!<=-1; [p cs=1, p]",
    ] {
        law(program);
    }
}

#[test]
fn dice_that_are_enough_go_on_where_others_are_too_few() {
    // A third of the dice explode, and two thirds of those are higher than one: the others do not count.
    fails_with("let x = 1d3 !o; given nth_highest(x, 2) > 1; 1", "no-such-die", "3/4");
    fails_with("let p = (d3 - 1)d4; given median(p) > 2; p", "no-dice", "8/17");
}

#[test]
fn dice_whose_sum_is_asked_in_a_branch_are_a_number_where_they_are_bound() {
    let answer = exact("let a = d4!; if a > 4 then d6 else a");
    assert_eq!(listed(&answer, "3"), fraction("7/24"));
    assert_eq!(listed(&answer, "6"), fraction("1/24"));
    all_exact(&[
        "fn f(a) = if a > 4 then d6! else a; f(d4!) + f(2d3!)",
        "let x = d6!; let y = if d2 = 1 then x else do note \"new\"; d6! end; x + y",
    ]);
    let equal = exact("let x = d6!; let y = if d2 == 1 then x else d6!; x == y");
    assert_eq!(listed(&equal, "yes"), fraction("4/7"));
}

#[test]
fn dice_that_are_given_to_a_function_answer_all_that_it_asks() {
    let answer = exact("fn f(p) = [p cs=3, p cs=1]; f(2d3!)");
    assert_eq!(listed(&answer, "[1, 1]"), fraction("4/27"));
    all_exact(&[
        "fn f(p, q) = [p cs=3 + q, p cs=1]; f(2d3!, d2)",
        "fn f(p, q) = {a: p cs=1, b: q kh1, c: q kl1}; f(d3!, 3d4)",
        "fn f(p, n) = if n = 0 then [p cs=3, p cs=1] else f(3d3!, n - 1); f(d4, 2)",
        // What the caller still needs is left on the table.
        "fn f(p) = p kh1 - p kl1; let p = 3d6; f(p) + p",
    ]);
}

/// Less than one in so many is given up, and the rest is as rolls say.
fn within(text: &str, one_in: u64) -> Answer {
    let answer = answer(text);
    let most = Rational::ONE / Rational::from(one_in);
    assert!(answer.lost < most, "{text} gives up {}", answer.lost);
    assert_eq!(law(text), Kept::WithinBounds, "{text}");
    answer
}

#[test]
fn dice_that_explode_are_read_by_how_often_they_do() {
    let answer = within("let p = 2d4!; [p kh1, p kl1]", 100_000_000_000);
    assert_eq!(listed(&answer, "[3, 2]"), fraction("1/8"));
    let answer = within("median(2d4!)", 100_000_000_000);
    assert_eq!(listed(&answer, "3/2"), fraction("1/8"));
    let answer = within("{d4! + d6!} kh1", 100_000_000_000);
    assert_eq!(listed(&answer, "2"), fraction("1/8"));
    let answer = within("let p = 2d4!!; [p kh1, p kl1]", 100_000_000_000);
    assert_eq!(listed(&answer, "[5, 3]"), fraction("1/32"));
    for text in [
        "let p = 2d3!; [p kl1, p cs=1, p]",
        "fn f(p) = if p kh1 > 3 then nth_highest(p, 3) else median(p); f(2d4!)",
        "(d3)d4!! kl2",
    ] {
        within(text, 1_000_000_000);
    }
    // What has exploded may not explode again as if it were whole.
    assert_eq!(law("{d4! + d3}!"), Kept::Unknown);
}

#[test]
fn what_calls_itself_in_any_way_is_known_within_bounds() {
    let answer = within("fn g(n) = if d3 == 1 then g(n + 1) else n; g(0)", 1_000_000_000_000);
    assert_eq!(listed(&answer, "3"), fraction("2/81"));
    within("fn f() = if d4 == 1 then max(f(), f()) else d3; f()", 100_000_000_000);
    let walk = "fn f(k) = if k == 0 then 0 else if d2 == 1 then f(k-1) else f(min(k+1,3)); f(2)";
    within(walk, 10_000_000_000);
    within(
        "fn f(k) = if k = 0 then 0 else if d2 = 1 then f(k-1) + 1 else f(min(k+1,3)); f(2)",
        10_000_000_000,
    );
    within("fn f() = do let x = d3; if x < 3 then max(f(), x) else x - 2 end; f()", 1_000_000_000);
    // What is too likely to go on for long is refused as before.
    let deep = program("fn g(n) = if d20 > 1 then g(n + 1) else n; g(0)");
    let refused = deep.try_odds(&Budget::default()).expect_err("too deep");
    assert_eq!(refused.fault.kind.code(), "too-deep");
}

#[test]
fn dice_that_penetrate_or_are_thrown_again_later_have_bounds() {
    for text in [
        "let p = 2d4!p; [p, largest_set(p)]",
        "largest_set(3d6!p)",
        "largest_set(2d4! rr=1)",
        "let p = 2d4! ro<=2 min2; [p kh1, distinct(p)]",
        "largest_set({2d4!p, d6})",
        "largest_set(2d4 rr=1 !)",
        "let p = 2d4 ro=4 !p; [p, p kh1]",
        "largest_set(2d4!! rr=1)",
    ] {
        let answer = answer(text);
        let sliver = Rational::ONE / Rational::from(1_000_000_000u64);
        assert!(!answer.lost.is_zero() && answer.lost < sliver, "{text}: {}", answer.lost);
        let listed = answer.outcomes.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
        assert_eq!(listed + &answer.rest, Rational::ONE, "{text}");
        assert!(matches!(law(text), Kept::WithinBounds), "{text}");
    }
    // A 1, or a 2 and then ones until there is a 0.
    let penetrating = answer("distinct(1d2!p)");
    assert_eq!(
        [1, 2].map(|n| penetrating.chance(&Value::whole(n))),
        [fraction("1/2"), fraction("1/4")]
    );
    // Twos until there is a 1, which is thrown again until it is a 2.
    let again = answer("largest_set(1d2! rr=1)");
    assert_eq!([1, 3].map(|n| again.chance(&Value::whole(n))), [fraction("1/2"), fraction("1/8")]);
}

#[test]
fn sums_of_a_loop_that_run_both_ways_have_bounds() {
    let text = "(repeat with s = 0, go = true next s = s + d3 - 2, go = d6 > 1 until not go).s";
    let answer = answer(text);
    let sliver = Rational::ONE / Rational::from(1_000_000_000u64);
    assert!(!answer.lost.is_zero() && answer.lost < sliver, "{}", answer.lost);
    assert!(matches!(law(text), Kept::WithinBounds));
    // It is as likely to be above 0 as below.
    assert_eq!(answer.chance(&Value::whole(3)), answer.chance(&Value::whole(-3)));
}
