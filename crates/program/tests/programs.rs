//! Programs that check, and their types.

mod common;

use common::{checks, types};

#[test]
fn dice_and_suffixes_are_pools_that_count_as_numbers() {
    for text in [
        "d20",
        "3d6",
        "4dF",
        "d%",
        "4d6kh3 + 2",
        "2d20kl",
        "5d10!cs>=8",
        "7d10 ro<=7 ! cs>=8",
        "(d4)d6",
        "d{1,1,2,3}",
        "d{1:3, 2:1}",
        "{2d20, d12}kh1",
        "{2d6 + d8}kh2",
        "4d6umin2",
        "2d6[fire]*2",
        "2d6[fire]kh1",
        "5d10cs>=8cf=1sa",
        "d6! up to 3",
        "times(12, 3d6) kh6",
        "nth_highest(4d6, 2)",
        "median(3d6)",
        "-2^2",
        "5d10!cs>=8 == 0",
        "2d20kh -1",
    ] {
        checks(text);
    }
    assert_eq!(types("3d6"), "number");
    assert_eq!(types("d20 + 5 >= 15"), "bool");
    assert_eq!(types("d{\"hit\", \"miss\"}"), "text");
    assert_eq!(types("3d{\"hit\", \"miss\"}"), "[text]");
    assert_eq!(types("enum Face = hit | miss\nd{Face.hit, Face.miss}"), "Face");
}

#[test]
fn bound_pools_take_suffixes() {
    checks("let p = 4d6; p kh3 + p kl1");
    checks("let p = 4d6; let q = p kh3; [p, q]");
    checks("fn best(p) = p kh1; best(4d6)");
    checks("fn pool(n) = (n)d10; pool(5)! cs>=8");
    checks("if d6 > 3 then 2d6 else 3d6");
    checks("(if d6 > 3 then 2d6 else 3d6)kh1");
}

#[test]
fn functions_are_templates() {
    assert_eq!(types("fn f(a, b = 1) = a + b; f(2)"), "number");
    assert_eq!(types("fn same(x) = x; [same(1)]"), "[number]");
    assert_eq!(types("fn same(x) = x; same(\"a\")"), "text");
    assert_eq!(types("fn f(n) = if n = 0 then 0 else d6 + f(n - 1); f(3)"), "number");
    assert_eq!(
        types(
            "fn even(n) = if n = 0 then true else odd(n - 1)\nfn odd(n) = if n = 0 then false else even(n - 1)\neven(4)"
        ),
        "bool"
    );
    checks("fn f(a, b = a + 1, c = b) = a + b + c; f(d6)");
    checks("fn f(a, b) = a - b; f(b: d6, a: d8)");
    checks("let x = d6; fn f(n) = if n = 0 then x else f(n - 1) + x; f(3)");
    checks("fn outer(a) = do fn inner(b) = a + b; inner(1) + inner(2) end; outer(d6)");
    checks("fn apply(f, x) = f(x); apply(y => y * 2, 3)");
    checks("fn double(x) = x * 2; map([1, 2], double)");
    checks("map([1.5, 2], floor)");
    checks("let f = x => x + 1; f(2)");
    checks("map([1, 2], x => sum(map([3, 4], y => x * y)))");
    checks("fn twice(roll r) = r + r; twice(twice(twice(d6)))");
}

#[test]
fn rolls_unthrown_are_copied() {
    checks("fn damage(roll dice, plus = 0) = max(dice, dice) + plus; damage(2d6 + 3, plus: 1)");
    checks("fn a(roll r) = r + r; fn b(roll r) = a(r); let x = d6; b(x + d8)");
    checks("fn a(roll r) = r kh1; a(4d6)");
    checks("game.damage(2d6 + 3, plus: 1)");
}

#[test]
fn records_lists_and_text() {
    assert_eq!(types("{total: 12, success: true}"), "{total: number, success: bool}");
    assert_eq!(types("let r = {total: 3d6}; r.total"), "number");
    assert_eq!(types("[4, 2]"), "[number]");
    assert_eq!(types("1..15"), "[number]");
    assert_eq!(types("let n = 3; \"{n} dice\""), "text");
    assert_eq!(types("sort_by([3, 1, 2], x => -x)"), "[number]");
    assert_eq!(types("[[], [1]]"), "[[number]]");
    assert_eq!(types("reverse(concat([1], [2]))"), "[number]");
    assert_eq!(types("skip([1, 2, 3], 1)"), "[number]");
    assert_eq!(types("max([1, 2, 3])"), "number");
    assert_eq!(types("if true then {a: 1, b: 2} else {b: 1, a: 2}"), "{a: number, b: number}");
}

#[test]
fn optional_values_are_asked_before_use() {
    assert_eq!(types("if d6 > 3 then none else 1"), "number?");
    assert_eq!(
        types("let x = if d6 > 3 then none else 1; if x == none then 0 else x + 1"),
        "number"
    );
    assert_eq!(
        types("let x = if d6 > 3 then none else 1; match x\n none => 0\n else => x + 1\nend"),
        "number"
    );
    assert_eq!(types("let x = if d6 > 3 then none else 1; otherwise(x, 7)"), "number");
}

#[test]
fn enumerations_take_the_expected_type() {
    checks("game.action(3).outcome == success");
    checks("success == game.action(3).outcome");
    checks("game.action(3).outcome == \"success\"");
    checks("match game.action(3).outcome\n failure => 0\n success => 1\nend");
    checks("game.action(3).outcome == game.Outcome.success");
    checks(
        "fn f(how: game.Method = keep) = if how == keep then 1 else 2; f(how: \"reroll\") + f(reroll)",
    );
    checks("game.side({skill: 8}) + game.side({method: \"reroll\", skill: 2})");
    checks("let s = {skill: 8}; game.side(s)");
    checks("game.modifier([{value: 2, kind: \"morale\"}, {value: 1}], context: \"reroll\")");
    checks("let list = [{value: 2, kind: \"morale\"}]; game.modifier(list)");
    checks("game.modifier([])");
}

#[test]
fn matches_cover_their_subject() {
    checks("match 2d6\n ..5 => \"low\"\n 6..11 => \"middle\"\n 12.. => \"high\"\nend");
    checks("match d6\n 1, 2 => 0\n else => 1\nend");
    checks("match d6 > 3\n true => 0\n false => 1\nend");
    checks("match d6\n ..3 => 2d6\n else => 3d6\nend");
}

#[test]
fn repeat_carries_state() {
    assert_eq!(types("repeat with a = 0 next a = a + d6 until a >= 10"), "{a: number}");
    assert_eq!(
        types(
            "repeat with list = [], n = 0\n let x = d6\n next list = append(list, x), n = n + 1\n until n >= 3 or x == 6"
        ),
        "{list: [number], n: number}"
    );
    checks(
        "let r = repeat with a = d6, b = d6 next a = d6, b = d6 until a != b; if r.a > r.b then 1 else 2",
    );
}

#[test]
fn statements_of_a_program() {
    let program = checks("param pool = 7\nshow \"plain\" = 3d6\nshow \"best\" = 4d6kh3\n(pool)d6");
    assert_eq!(program.results.len(), 3);
    assert_eq!(program.inputs.len(), 1);
    checks("note \"hello\"; require 1 < 2 else \"never {1 + 1}\"; 3");
    checks("let a = 1; let b = 2; require a < b else \"no\"; a + b");
}

#[test]
fn the_examples_of_the_language_page() {
    for text in [
        "let x = d6; x + x",
        "d6 + d6",
        "2 d 6",
        "4D6KH3",
        "4d6k3 + 4d6dl1 + 4d6dh + 4d6km2",
        "d6!5 + d6!>=5 + d6!o + d6! up to 3 + d6!! + d6!p",
        "4d6 keep highest 3",
        "4d6 reroll once <= 2",
        "(4d6)d1",
        "let nd6 = 3; nd6",
        "let n = 2; let s = 6; (n)d(s)",
        "7d10 ro<=7 ! cs>=8",
        "let p = 5d6; p kh3 + nth_highest(p, 2) + nth_lowest(p, 1) + median(p)",
        "-7//2 + -7%3 + 7/2",
        "floor(1.5) + ceil(1.5) + round(1.5) + abs(-1) + min(1, 2) + max(1, 2)",
        "d6!>=1",
        "d20 + 5 >= 15",
        "2d6[fire]*2 + d8[cold]",
        "fn f(a, again = 10) = (a)d10!>=(again); f(7, again: 9)",
        "[map([1, 2], x => x * 2), filter([1, 2], x => x > 1), sort_by([2, 1], x => x)]",
        "fold(1..15, 0, (a, b) => a + b) + sum([1, 2]) + length([1]) + at([4, 2], 1)",
        "let r = {total: 12, success: true}; if r.success then r.total else 0",
        "enum Outcome = failure | success\nfn of(n) = if n > 0 then Outcome.success else Outcome.failure\nof(5d10cs>=8) == success",
        "let n = 3; note \"8-again: {n} dice thrown again\"; n",
        "param pool = 7\n(pool)d10cs>=8",
        "show \"plain\" = 3d6\nshow \"best\" = 4d6kh3",
        "fn damage(roll dice, plus = 0) = do let once = dice; once + once + plus end; damage(2d6)",
        "fn f(x = none) = if x == none then 0 else x; f() + f(2d6)",
    ] {
        checks(text);
    }
}

#[test]
fn only_called_functions_remain() {
    let program = checks("fn f(x) = x; fn g(x) = f(x); fn h(x) = x; g(1)");
    assert_eq!(program.functions.len(), 2);
}
