//! The law on hand-picked programs: every form of the language, every suffix, alone and in pairs.

use astragal_testing::checks;
use astragal_testing::law::Kept;

/// All of these end, and their tables are equal.
fn exactly(programs: &[&str]) {
    each(programs, Kept::Exactly);
}

/// All of these can go on for ever; everything lies within the bounds.
fn within_bounds(programs: &[&str]) {
    each(programs, Kept::WithinBounds);
}

/// All of these fail on some path.
fn failing(programs: &[&str]) {
    each(programs, Kept::Failing);
}

fn each(programs: &[&str], kept: Kept) {
    let mut wrong = Vec::new();
    for program in programs {
        match std::panic::catch_unwind(|| checks::law(program)) {
            Ok(how) if how == kept => {}
            Ok(how) => wrong.push(format!("{program}: {how:?}, not {kept:?}")),
            Err(said) => wrong.push(said.downcast_ref::<String>().cloned().unwrap_or_default()),
        }
    }
    assert!(wrong.is_empty(), "{} break the law:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn numbers_and_operators() {
    exactly(&[
        "d6",
        "3d6",
        "4dF",
        "d%",
        "d6 + d6",
        "d6 - d4 * 2",
        "d6 / 4",
        "d6 // 4",
        "-d6 // 2",
        "-d6 % 4",
        "2^d4",
        "(d3 - 2)^2",
        "d4 / d3",
        "max(d4, d6) - min(d4, d3)",
        "abs(d4 - d4)",
        "floor(3d6 / 2)",
        "ceil(d6 / 4) + round(d6 / 4)",
        "round((d4 - 3) / 2)",
        "3d4 >= 8",
        "d4 = d4",
        "d6 != 3 and d4 > 2 or not (d2 = 1)",
        "d6 - d6 < d3 - d3",
    ]);
}

#[test]
fn dice_that_add_dice() {
    within_bounds(&[
        "fn boom() = do let x = d4; if x == 4 then 4 + boom() + boom() else x end; boom()",
        "fn boom() = do let x = d4; if x == 4 then boom() + boom() else x end; boom() + d4 >= 6",
        "fn boom() = if d4 == 1 then 1 + boom() + boom() else 0; let b = boom(); if b > 1 then b - d2 else 7",
        "fn f() = if d4 == 1 then 1 + f() else 0; f()",
        "fn f() = if d4 == 1 then 1 + g() else 0; fn g() = if d2 == 1 then f() + f() else 2; f()",
        "fn boom() = do let x = d4; if x == 4 then boom() + boom() else x end; boom() > boom()",
        "fn boom() = do let x = d4; if x == 4 then boom() + boom() else x end; {a: boom(), b: boom() = 2}",
        "fn twice() = do let x = d3; if x == 3 then 2 * twice() + 1 else x end; twice()",
        "fn peek() = do let x = d3; if x == 3 then (if peek() > 1 then 5 else 4) else x end; peek()",
        "(repeat with n = 1, t = 0; let x = d4; next n = n - 1 + (if x == 4 then 2 else 0), t = t + x until n == 0).t",
        "(repeat with n = 2, t = 0; let x = d4; next n = n + (if x == 4 then 1 else -1), t = t - x until n <= 0).t",
        "(repeat with n = d2, t = 0; let x = d4; next n = n - 1 + (if x > 3 then d2 else 0), t = t + 1 until n < 1).t",
        "(repeat with n = 2 next n = n + (if d4 == 1 then 1 else -1) until n == 0).n",
        "(repeat with n = 1, u = 0, t = 0 next n = n - 1 + (if d4 == 1 then 2 else 0), u = 1 - u, t = t + 1 until n == 0)",
    ]);
}

#[test]
fn loops_that_may_never_end() {
    within_bounds(&[
        "(repeat with a = 1 next a = a + (if d3 == 1 then -1 else 1) until a == 0).a",
        "(repeat with a = 0; let x = d4; next a = if a == 1 then 1 else x until a >= 3).a",
        "let r = (repeat with a = 0; let x = d3; next a = if a == 1 then 1 else x until a == 3); if r.a = 3 then d2 else 0",
        "(repeat with a = 1, n = 0 next a = a + (if d3 == 1 then -1 else 1), n = n + 1 until a == 0).n",
        "(repeat with a = 1 next a = a - 1 + (if d2 == 1 then 3 else 0) until a == 0).a",
        "(repeat with n = 0; let r = repeat with a = 0; let x = d3; next a = if a == 1 then 1 else x until a == 3; next n = n + r.a until n >= 6).n",
    ]);
}

#[test]
fn dice_of_all_kinds() {
    exactly(&[
        "2d{1, 1, 2, 3}",
        "d{1: 3, 2: 1} + d{-1, 5/2}",
        "d{\"a\", \"b\": 2}",
        "d{{s: 1}: 2, {}, {s: 2, a: -1}}",
        "3d{{s: 1}: 2, {}, {s: 2, a: -1}}",
        "(d3 - 1)d{{s: 1}, {a: 1}}",
        "let r = 2d{{s: 1}, {a: 1}, {s: d2}} + d{{s: -1}, {t: 1/2}}; {x: r.s + r.a, y: r.t > 0, z: r.s}",
        "let r = 2d{{s: 1}, {a: 2, s: 1}}; if r.s = 2 then r.a else r.s - r.a",
        "(3d{{s: 1}, {a: 1, s: 1}} - 2d{{s: 1}, {a: 1}}).a",
        "fn f(n) = (n)d{{s: 1}, {a: 1}}; (f(2) + f(1)).s = 2",
        "2d{\"heads\", \"tails\"}",
        "enum Side = heads | tails; d{Side.heads: 3, Side.tails}",
        "(d4)d6",
        "(d3 - 1)d4",
        "d(d4)",
        "(d2)d(d3)",
        "0d6",
        "0d6 kh1",
        "(d2 - 1)d6 kh1",
        "((d2)d2)d2",
        "(2d2)d3",
        "(2d2 + 1)d2",
        "(2d2 - 1)d2",
    ]);
}

#[test]
fn shared_throws() {
    exactly(&[
        "let x = d6; x + x",
        "let x = 2d4; x * x - x",
        "let x = d4; let y = x + d4; [x, y]",
        "let x = d20; {die: x, hit: x >= 12, critical: x = 20}",
        "let p = 3d4; p kh1 + p kl1",
        "let p = 3d4; p kh2 - nth_lowest(p, 1)",
        "let p = 2d6 !o; p kh1 + p",
        "let p = 3d3; if p cs>=3 >= 2 then p kh1 else p",
        "let a = d4; let b = d4; max(a, b) - a",
        "fn f(x) = x + x; f(d4)",
        "fn f(roll r) = r + r; f(d4)",
        "fn f(roll r) = do let once = r; once + once + r end; f(d3)",
    ]);
}

/// What is very unlikely is not given up where a function is called with the dice of its caller, also when it calls itself.
#[test]
fn unlikely_throws_in_functions() {
    exactly(&[
        "let p = 3d{1: 1, 2: 1000000}; [median(p), best_set(p).face, nth_highest(p, 3)]",
        "let p = 3d{1: 1, 2: 1000000}; fn f(q, n) = if n == 0 then median(q) else f(q, n - 1) + best_set(q).face; [f(p, 3), p kh1, nth_highest(p, 3)]",
        "let a = d{1: 1, 2: 10000000000000}; fn f(x) = if x == 1 then x else x + a; [f(a), a]",
    ]);
}

#[test]
fn dice_read_in_several_ways() {
    exactly(&[
        "let p = 4d6; [p keep highest 2, nth_highest(p, 1)]",
        "let p = 3d6; {sum: p, low: nth_lowest(p, 1), sixes: p count = 6}",
        "let p = 4d4; {a: p drop lowest keep lowest, b: p keep lowest 2, c: p count >= 3 count against = 1}",
        "let p = {2d4 + d6}; [p keep highest, p keep lowest]",
        "let p = 3d6 reroll once <= 2; [p, p count >= 5]",
        "let p = 3d6 min 2; [p keep highest, p keep lowest, p max 4]",
        "let p = 3d6 keep highest 2; [p, p keep lowest]",
        "let p = 2d4 explode up to 1; [p, p keep highest]",
        "let p = times(3, 2d4); [p keep highest, p keep lowest]",
        "let p = {d4, 2d6}; [p keep highest, p]",
        "let p = 3d6; let q = p keep highest 2; [q, q keep lowest, p]",
        "fn low(dice) = nth_lowest(dice, 1) == 1; let p = 3d6; if low(p) then max(p drop lowest keep highest, d6) else p keep highest",
        "fn pick(dice, high) = if high then dice keep highest else dice keep lowest; let p = 3d4; {a: pick(p, true), b: pick(p, d2 == 1)}",
        "fn double(dice) = fold(1..4, 5, (low, face) => if low == 5 and (dice count = (face)) >= 2 then face else low); let p = 4d4; {double: double(p), top: nth_highest(p, 1)}",
        "fn twice(dice) = {a: dice keep highest, b: dice keep lowest}; twice(3d4)",
        "fn same(dice) = dice; let p = 2d4; [same(p), same(p)]",
        "fn f(p) = do let low = nth_lowest(p, 1) <= 2; let high = if low then p keep highest else d4; {low: low, high: high, all: if high > 3 then p else 0} end; f(3d4)",
        "fn one(p) = nth_lowest(p, 1) == 1; fn f(p) = do let a = one(p); let die = d3; let b = nth_highest(p, 2) >= die; if a and b then p keep highest + die else if a then p keep lowest 2 else die end; f(3d4)",
        "fn f(p, q) = do let a = nth_lowest(p, 1) == nth_lowest(q, 1); let b = p keep highest > q keep highest; if a then (if b then p else q) else if b then 20 else 30 end; f(2d3, 3d3)",
        "fn f(p) = do let a = if nth_lowest(p, 1) == 1 then do note \"one\"; p keep highest == 4 end else false; if a then p drop lowest else p keep lowest end; f(3d4)",
        "fn g(p) = if p keep highest == 4 then nth_lowest(p, 2) else d2; fn f(p) = do let a = g(p); let b = nth_lowest(p, 1) >= a; if b then p else a end; f(3d4)",
        "fn thrown(n) = (n)d4; let p = thrown(2); [p, p keep highest]",
        "let p = 3d4; [walk(p, 0, (most, face, count) => max(most, count)), p keep highest]",
        "let p = 2d4; let q = 2d4; {p: p keep highest, q: q keep lowest, both: p + q, last: nth_lowest(p, 1)}",
        "let n = d3; let p = (n)d4; [n, p keep highest, p]",
        "let p = 2d6; if p >= 7 then {above: 1, high: nth_highest(p, 1)} else {above: 0, high: p keep lowest}",
        "let p = 3d{-1, 0, 1/2}; [p, p keep highest]",
        "fn pair(a, b) = {low: min(a, b), high: max(a, b)}; let two = fold(1..3, pair(d4, d4), (two, i) => if two.low == 4 then two else pair(two.high, d4)); two.low * 10 + two.high",
    ]);
}

#[test]
fn loops_on_whole_numbers() {
    exactly(&[
        "let last = repeat with a = 2, b = 2, n = 0\n  let hit = d4\n  next a = if hit == 1 then a - 1 else a, b = if hit >= 3 then b - 1 else b, n = n + 1\nuntil a == 0 or b == 0 or n == 3\n[last.a, last.b]",
        "(repeat with total = 0, rolls = 0\n  next total = total + d4, rolls = rolls + 1\nuntil total >= 6).rolls",
        "(repeat with total = 0, rolls = 0\n  next total = total + d4, rolls = rolls + 1\nuntil total >= 6).total",
        "let last = repeat with dice = 3, hits = 0\n  next dice = dice - 1, hits = hits + ((dice)d4 count = 4)\nuntil dice == 0 or hits >= 3\nlast.hits * 10 + last.dice",
        "(repeat with hp = 5, down = 0\n  next hp = hp - 2d3kh1, down = down - 1\nuntil hp <= 0).down",
        "fn fight(a, b) = versus((a)d4, (b)d4)\n(repeat with a = 2, b = 2\n  let f = fight(a, b)\n  next a = a - f.losses - f.ties, b = b - f.wins\nuntil a == 0 or b == 0).a",
    ]);
    within_bounds(&[
        "(repeat with coins = 2\n  next coins = coins + (if d3 == 1 then 1 else -1)\nuntil coins == 0 or coins == 4).coins",
        "(repeat with at = 2\n  let step = d4\n  next at = at + (if step == 1 then 1 else if step == 2 then 0 else -1)\nuntil at == 0 or at == 4).at",
        "let last = repeat with at = 1, n = 0\n  next at = (at + d2) % 4, n = n + 1\nuntil at == 0\n[last.at, last.n]",
    ]);
}

#[test]
fn branches() {
    exactly(&[
        "if d6 >= 5 then d4 else 2d4",
        "let x = d6; if x = 6 then x + d6 else if x = 1 then 0 else x",
        "match d6\n  ..1 => 0\n  2..4 => d4\n  else => 10\nend",
        "match 2d4\n  ..3 => \"low\"\n  4, 6 => \"even\"\n  else => \"other\"\nend",
        "match d{\"a\", \"b\"}\n  \"a\" => 1\n  else => d3\nend",
        "match d2 = 1\n  true => d4\n  false => 0\nend",
        "enum Colour = red | green; let c = if d3 = 1 then Colour.red else Colour.green\nmatch c\n  red => d2\n  green => d4\nend",
        "d2 = 1 and d3 = 1",
        "d2 = 1 or d3 = 1",
        "if d2 = 1 then none else d4",
    ]);
}

#[test]
fn functions() {
    exactly(&[
        "fn f(a, b = 1) = a * 10 + b; f(d3) + f(d2, d2)",
        "fn f(a, b = d2) = a - b; f(b: d3, a: d4)",
        "fn f(a, b = a + d2) = a * 10 + b; f(d2)",
        "fn f(n) = if n = 0 then 0 else d2 + f(n - 1); f(d3)",
        "fn even(n) = if n = 0 then true else odd(n - 1)\nfn odd(n) = if n = 0 then false else even(n - 1)\neven(d4)",
        "fn f(x) = do fn g(y) = y + x; g(1) * g(d2) end; f(d3)",
        "let f = x => x * 2; f(d4)",
        "fn twice(f, x) = f(f(x)); twice(x => x + d2, d2)",
        "fn f(x: {a, b = d2}) = x.a * 10 + x.b; f({a: d2})",
    ]);
}

#[test]
fn lists_and_records() {
    exactly(&[
        "[d2, d3, 1]",
        "sum([d2, d3, d4])",
        "map([1, 2], x => x * d2)",
        "filter([d3, d3], x => x >= 2)",
        "length(filter([d2, d2, d2], x => x = 1))",
        "fold([d2, d3], 0, (total, x) => total * 10 + x)",
        "fold(1..3, 0, (total, x) => if d2 = 1 then total + x else total)",
        "any([d4, d4], x => x = 4)",
        "all([d4, d4], x => x >= 2)",
        "sort([d3, d3, d3])",
        "sort_by([{n: d2, m: 1}, {n: 1, m: d2}], r => r.n)",
        "at([d2, d3], d2)",
        "append([d2], d2)",
        "reverse(concat([d2], [d3, 4]))",
        "{total: 2d4, half: d2}",
        "{a: d2, b: {c: d3}}.b.c",
        "let r = {a: d2, b: d3}; r.a * r.b",
        "contains([d3, d3], 2)",
        "1..d3",
    ]);
}

#[test]
fn repeats() {
    exactly(&[
        "(repeat with n = 0, s = 0\n  next n = n + 1, s = s + d3\nuntil n >= 3).s",
        "repeat with tries = 0, hit = false\n  next tries = tries + 1, hit = d4 = 4\nuntil hit or tries >= 3",
        "(repeat with s = 0\n  let x = d4\n  next s = s + x\nuntil s >= 5).s",
    ]);
    within_bounds(&[
        "(repeat with n = 0\n  next n = n + 1\nuntil d6 = 6).n",
        "repeat with a = 0, b = 0\n  next a = d3, b = d3\nuntil a != b",
        "(repeat with s = 0\n  next s = s + d4\nuntil d2 = 1).s",
        "(repeat with n = 0, x = 0\n  next n = n + 1, x = d4\nuntil x = 4).n >= 3",
    ]);
}

#[test]
fn notes_requirements_and_inputs() {
    exactly(&[
        "do note \"thrown\"; d6 end",
        "let x = d4; note \"{x} it is\"; x",
        "require 1 < 2 else \"no\"; d6",
        "param n = 2; (n)d4",
        "show \"plain\" = 2d4; show \"best\" = 2d4 kh1",
        "let x = d4; show \"x\" = x; show \"twice\" = x + x",
        "d6[fire] + 2d4[cold] * 2",
    ]);
    failing(&["let x = d4; require x > 1 else \"not {x}\"; x"]);
}

const SUFFIXES: [&str; 22] = [
    "kh2",
    "kl1",
    "dh1",
    "dl1",
    "km1",
    "!o",
    "! up to 2",
    "!>=3 up to 1",
    "!!o",
    "!!3 up to 2",
    "!p up to 2",
    "ro<=1",
    "ro>=3",
    "rr=2",
    "min2",
    "max2",
    "cs>=3",
    "cf=1",
    "sa",
    "sd",
    "u",
    "rr!=3",
];

#[test]
fn every_suffix_alone() {
    for suffix in SUFFIXES {
        for dice in ["3d3", "2d{1, 2: 2, 4}", "d4"] {
            checks::law(&format!("{dice} {suffix}"));
        }
    }
}

#[test]
fn every_pair_of_suffixes() {
    let mut wrong = Vec::new();
    for first in SUFFIXES {
        for second in SUFFIXES {
            let program = format!("2d3 {first} {second}");
            // What may not follow a count or an explosion is refused; all else keeps the law.
            let counted = matches!(first, "cs>=3" | "cf=1");
            let fits = matches!(second, "cs>=3" | "cf=1" | "sa" | "sd");
            let more = first.starts_with('!') && !first.starts_with("!!");
            if counted && !fits {
                checks::fails(&program, "after-count");
            } else if more && second == "u" {
                checks::fails(&program, "unique-after-explosion");
            } else if let Err(said) = std::panic::catch_unwind(|| checks::law(&program)) {
                wrong.push(said.downcast_ref::<String>().cloned().unwrap_or_default());
            }
        }
    }
    assert!(wrong.is_empty(), "{} break the law:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn three_suffixes() {
    exactly(&[
        "3d3 ro=1 !o kh2",
        "3d3 min2 !o cs>=2",
        "2d4 !o ro<=2 dl1",
        "3d4 kh2 dl1 cs>=3",
        "2d3 !!o min3 cs>=4",
        "2d4 max3 !>=3 up to 1 kl2",
        "2d3 cs>=2 cf=1 sa",
        "4d2 dl1 dl1 dh1",
    ]);
}

#[test]
fn endless_suffixes() {
    within_bounds(&[
        "d6!",
        "2d4!",
        "2d3!>=2",
        "d4!!",
        "2d4!!3",
        "d4!p",
        "2d3!p",
        "2d6 rr<=2",
        "3d4 ! kh2",
        "3d4 ! dl1",
        "2d4 ! cs>=3",
        "2d4 ro<=2 ! cs>=3",
        "2d4 !! min3",
        "2d4 !! kh1",
        "2d4 ! ro=1",
        "2d4 rr=1 ! kh1",
        "2d4! + d4!",
        "nth_highest(d4 !>=2 !o<=1, 2)",
        "nth_lowest(d4 rr=1 !o>=2, 2)",
        "max(d4!, 3)",
        "max(d4!, d4)",
        "{d4!, d6}kh1",
        "{d4!, d6}kl1",
        "max(d4!, d6!)",
        "min(2d4!, d3! + 1)",
        "max(-d4!, 2 - d3!)",
        "max(d4! - 3, 2 - d3!)",
        "{d4!!, d3!!}kh1",
        "{d4!, d3!, d2!}kl1",
        "fn f() = if d2 = 1 then 0 else 1 + f(); f()",
        "(d4!) >= 6",
        "(d4!) > d4!",
        "let x = d4!; x + x",
        "let x = d4!; if x >= 6 then x else 0",
        "if d2 = 1 then d4! else d6",
        "max(d4!, d6)",
        "3d3 u kh2",
        "times(2, d4!)",
        "(d3!)d2",
        "[d4!, d2]",
        "{a: d4!, b: d2 = 1}",
        "let x = d4!; {a: x, b: x >= 4}",
        "d4! // 2",
        "d4! % 3",
        "nth_highest(2d4!, 1)",
        "(d4!)^2",
        "-(d4!) + 3",
    ]);
}

#[test]
fn groups_and_totals() {
    exactly(&[
        "{2d4, d6}kh1",
        "{d4, d6, d3}kl2",
        "{2d4, d6, 3}dl1",
        "{2d4 + d6}kh2",
        "{d4 + d6}",
        "{2d3 + d4} cs>=3",
        "{d4, d4} cs>=3 cf=1",
        "{d4, 2d3} min3",
        "times(3, 2d2) kh2",
        "times(d2, d3)",
        "times(2, d3 + 1) cs>=3",
        "times(0, d6)",
        "median(3d4)",
        "median(2d4)",
        "nth_highest(3d4, 2)",
        "nth_lowest(3d4, d2)",
        "nth_highest({d4, 2d3}, 2)",
        "let p = {2d2, d4}; p kh1 + p",
        "let p = times(2, d4); p kh1 - p kl1",
        "nth_lowest(dF !o<=1, 2)",
        "nth_highest(2d3 !o<=8, 3)",
        "5d3 km2",
        "5d4 km3 cs>=3",
        "4d{1, 2, 2, 7} km2",
    ]);
}

#[test]
fn several_readings_of_one_pool() {
    exactly(&[
        "let p = 4d4; [nth_lowest(p, 1), nth_highest(p, 1)]",
        "let p = 4d4; [nth_highest(p, 2), nth_lowest(p, 2), nth_highest(p, 1)]",
        "let p = 3d4; [p, p kh1]",
        "let p = {2d4 + d6}; [nth_highest(p, 1), nth_highest(p, 3)]",
        "let p = {d4, d3, 2d2}; {top: p kh1, rest: p dh1}",
        "let p = 4d3 ro=1; {low: p kl2, hits: p cs>=2 cf=1}",
        "let p = 4d3 kh3; {middle: median(p), kept: p km1, all: p}",
        "let p = 3d4; if nth_highest(p, 1) = 4 then p kl2 else nth_lowest(p, 2)",
        "let p = 3d3; let q = 2d4; [p kh1 - q kh1, p kl1 - q kl1]",
        "let p = 2d3 !o; [p kh1, p kl1]",
        "let p = (d3)d3; [p kh1, p]",
        "fn f(x) = do let p = 2d3; [p kh1 + x, p kl1] end; [f(1), f(2)]",
        "let p = 3d4; given p kh1 > p kl1; p",
    ]);
    failing(&["let p = 2d4; [p kh1, nth_highest(p, 3)]"]);
}

#[test]
fn limits_in_all() {
    exactly(&[
        "3d4 ro<=2 up to 2 in all",
        "3d4 rr<=2 up to 2 in all",
        "3d4 rr<=4 up to 3 in all",
        "3d4 ro<=2 up to 1 in all lowest first",
        "3d4 ro<=2 up to 2 in all highest first",
        "3d3! up to 2 in all",
        "3d3!>=2 up to 2 in all highest first",
        "3d3!o up to 2 in all lowest first",
        "2d3!! up to 3 in all",
        "2d3!p up to 2 in all",
        "3d3!>=2 up to 1 up to 2 in all",
        "3d3 ro<=1 up to 2 in all cs>=2 cf=1",
        "3d3 ro<=1 up to 2 in all min2 kh2",
        "3d3! up to 2 in all kl2",
        "3d3 kh2 ro<=2 up to 1 in all",
        "3d3 kh2 ro<=2 up to 1 in all lowest first",
        "3d3 ro<=2 up to 1 in all !o",
        "3d4 max2 ro<=2 up to 1 in all lowest first !o4",
        "{2d3 + d4} ro<=2 up to 2 in all lowest first",
        "{d4 + 2d3} ro<=2 up to 2 in all",
        "(d3)d3 ro<=2 up to 1 in all",
        "3d3 ro<=2 up to (d2) in all lowest first",
        "nth_highest(3d3! up to 1 in all, 2)",
        "median(3d3 ro<=1 up to 2 in all)",
        "let p = 3d3 ro<=1 up to 2 in all; p kh1 + p",
        "3d6 ro<=6 up to 0 in all",
    ]);
    within_bounds(&["3d3 ro<=2 up to 1 in all highest first u", "d4! + (2d3! up to 1 in all)"]);
    failing(&["3d3! up to (d2 - 2) in all", "nth_highest(2d3! up to 1 in all, 3)"]);
}

#[test]
fn evidence() {
    exactly(&[
        "d6 given d6 > 2",
        "let x = d6; given x > 2; x",
        "let x = d6; x given x > 2",
        "let x = d6; let y = d4; {sum: x + y, best: max(x, y)} given x > y",
        "given true; d6",
        "let x = d6; given x > 2; given x < 5; x",
        "let x = d6; (x given x > 2 given x < 5) + d2",
        "let die = if d2 = 1 then d4 else d6; die given die = 4",
        "let big = d2 = 1; let face = if big then d8 else d4; given face = 3; big",
        "let x = d6; if x > 3 then do given d2 = 1; x end else x",
        "fn f(x) = do let y = d4; given y >= x; y end; f(2) + f(3)",
        "fn f(x) = do let y = d4; given y >= x; y end; f(d3)",
        "let a = d4; fn f(x) = do let y = d3; given y >= x; y end; f(a) - a",
        "fn f(n) = if n = 0 then 0 else do let x = d3; given x != n; x + f(n - 1) end; f(3)",
        "fold([1, 2, 3], 0, (a, x) => do let y = d3; given y != x; a + y end)",
        "sum(map([1, 2], x => d4 given d2 = 1))",
        "times(2, d4 given d3 > 1) kh1",
        "times(d3 - 1, do let x = d3; given x > 1; x end)",
        "times(0, d4 given d3 > 4)",
        "let p = 3d4; given p cs>=3 >= 1; p kh2",
        "let p = 3d4; given p >= 8; p kh1",
        "(3d4 given d2 = 1) kh2",
        "let x = d4; show \"x\" = x; given x > 1; show \"y\" = d2; show \"z\" = x * 2",
        "note \"{d4 given d3 > 1}\"; d2",
        "fn f() = do let x = d3; given x > 1; x end; let y = d2; note \"{f() + y}\"; y",
        "let x = d4; note \"before\"; given x > 2; note \"after {x}\"; x",
        "let x = d4; let unused = do given x > 2; 5 end; x",
        "[d3 given d2 = 1, d2]",
        "match d4\n  1 => 0\n  2..3 => d2 given d2 = 1\n  else => 3\nend",
        "d{1, 2, 3 given d2 = 1}",
        "(d2 given d2 = 1)d4",
        "2d4 kh(1 given d2 = 1)",
        "if d2 = 1 then d4 else d6 given d3 = 1",
        "(repeat with n = 0\n  next n = n + 1\n  until n >= 2 given d2 = 1).n",
        "(repeat with n = 0, s = 0\n  let x = d3\n  given x > 1\n  next n = n + 1, s = s + x\n  until n >= 3).s",
        "(repeat with n = 1\n  let y = d3\n  given y < 3\n  next n = n * y + 1\n  until n > 9).n",
        "fn f(x) = do require x > 0 else \"{x}\"; given x > 1; x end; f(d3)",
        "let x = d3; given x > 1; require x > 1 else \"no\"; x",
        "let x = d3; 6 / (x - 1) given x > 1",
        "param n = 2; let x = d4; x given x > n",
    ]);
    within_bounds(&[
        "let x = d6!; x given x > 7",
        "d6! given d4 = 1",
        "let x = d4!; let y = d4!; {x: x, y: y} given x > y",
        "let x = d4!; let y = d4!; x given x > y",
        "(repeat with n = 0, x = 0\n  let y = d6\n  given y != 3\n  next n = n + 1, x = y\n  until y >= 5).n",
        "(repeat with n = 0\n  let y = d6\n  next n = n + y\n  until y >= 5).n given d2 = 1",
        "let r = repeat with n = 0, x = 0\n  let y = d6\n  next n = n + 1, x = y\n  until y >= 5\nr.x given r.n <= 2",
        "(repeat with n = 0\n  let y = d4!\n  given y != 3\n  next n = n + y\n  until n > 4).n",
        "3d4!! kl2 given d2 = 1",
        "let p = 3d4!!; let x = p kl2; x given x >= 3",
    ]);
    failing(&[
        "given false; d6",
        "let u = do given 1 > 2; 3 end; d4 > 2",
        "let x = d6; given x > 6; x",
        "fn f() = do given d2 = 3; 1 end; f()",
        "let x = d4; given x > 2; 1 / (x - 3)",
        "let x = d4; 1 / (x - 1) + (0 given x < 3)",
        "times(2, do let x = d4; given x > 1; 1 / (x - 2) end)",
        "(repeat with n = 0\n  let y = d2\n  given false\n  next n = n + y\n  until y = 2).n",
        "times(2, 1 / (d3 - 1) given d2 = 1)",
        "fn f(x) = do require x > 1 else \"{1 given d2 = 1}\"; x end; f(d3)",
    ]);
}

#[test]
fn places_where_rolls_fail() {
    failing(&[
        // What comes after a bad number is not thrown.
        "(d2 - 2)d(d2 - 1)",
        "(d2 - 2)d{1: d2 - 1}",
        "(d2 - 2)d{1: 3 % (d2 - 1)}",
        "(d2 - 2)d{\"a\": d2 - 1}",
        "1 - 0d{1..3: 3 % d{0..3: 2}}",
        "(d3 - 2)d{{a: 1 / (d2 - 1)}: d2 - 1}",
        "((d2!) - 2)d(d2 - 1)",
        "(1/2)d(d2 - 1)",
        "let n = d4 - 2; (n)d(n)",
        "let n = d3 - 2; let m = d2; (n + m)d(m - n)",
        "3d6! up to (d2 - 2) up to (1 / (d2 - 1)) in all",
        "2d{\"a\": d2 - 1, \"b\": d3 - 1} drawn without [if d2 = 1 then \"a\" else \"b\"]",
        "1 / (d4 - 1)",
        "d6 // (d2 - 1)",
        "5 % (d3 - 3)",
        "(d4 - 2)d6",
        "(d2 / 2)d6",
        "d(d3 - 1)",
        "4d6 kh(d2 - 2)",
        "at([1, 2], d3)",
        "2^(d2 / 2)",
        "0^(d3 - 3)",
        "nth_highest(2d6, d3)",
        "median((d2 - 1)d6)",
        "match d4\n  1 => 1\n  2..3 => 2\n  else => 1 / 0\nend",
        "let x = 1 / (d2 - 1); 5",
        "let x = 1 / 0; d4 > 2",
        "fn f() = do require 1 > 2 else \"no\"; 5 end; let unused = f(); d4 > 2",
        "let b = best_set(3d4); let u = 1 / 0; [b.size, b.face]",
        "let u = at([1], 2); let x = d4; if x > 2 then 1 else 0",
        "{a: 1 / 0, b: d4}.b > 2",
        "if d2 = 1 then 1 / 0 else 2",
        "fn f(x) = 6 / x; f(d4 - 1)",
        "fn f(x) = do require x > 1 else \"too low: {x}\"; x end; f(d4) + f(d4)",
        "sum(map([1, 2], x => 1 / (x - d2)))",
        "(repeat with n = 0\n  next n = n + 1 / (d3 - 1)\nuntil n >= 1).n",
        "{a: 1 / (d2 - 1), b: 1}",
        "d2 = 1 and 1 / 0 = 1",
        "times(d2 - 2, d6)",
        "(d3)d2 u",
        "2d6 rr<=(d6)",
        "2d(d2)!",
    ]);
}

#[test]
fn walks_by_face() {
    exactly(&[
        "walk(3d4, 0, (n, face, count) => n * 10 + count)",
        "walk_down(3d4, 0, (n, face, count) => n * 10 + face)",
        "walk(2d4, d6, 0, (n, face, m, t) => n + face * (m - 2 * t))",
        "walk({2d4 + d6}, [], (l, face, count) => append(l, face * count))",
        "walk({2d4, d6, d3}kh2, [], (l, face, count) => append(l, face * count))",
        "walk(3d4 ro=1 dl1, 0, (n, face, count) => n + face)",
        "walk(2d4! up to 1, 0, (n, face, count) => n * 10 + count)",
        "let p = 3d4; walk(p, p kh1, 0, (n, face, m, t) => n + m * t)",
        "let x = d4; walk(2d6, 0, (n, face, count) => if face >= x then n + count else n)",
        "let p = 2d4; walk(2d4, 0, (n, face, count) => n + face * count * p)",
        "walk((d3)d4, 0, (n, face, count) => max(n, count))",
        "walk(0d6, 7, (n, face, count) => n + 1)",
        "walk(2dF, d{-1, 0, 5:2}, 0, (n, face, m, t) => n + face * m + t)",
        "let p = 3d4; {set: largest_set(p), sum: p}",
        "versus(2d4, 2d4)",
        "walk(3d4, 0, (n, face, count) => do given count < 3; n + count * face end)",
        "cancel(2d4, 2d4)",
        "above_highest(2d4, 2d3)",
        "[largest_set(3d3), straight(3d3)]",
    ]);
    exactly(&[
        // Steps on lists, texts, fractions, large numbers and nothing at all.
        "walk(4d3, [], (sizes, face, count) => reverse(sort(append(sizes, count))))",
        "walk(3d4, [], (all, face, count) => fold(1..count, all, (all, _) => append(all, face)))",
        "walk(4d{1, 2:3, 5}, [9], (all, face, count) => fold(2..count, all, (all, _) => append(all, face)))",
        "walk(3d4, [], (all, face, count) => fold(0..count, all, (all, i) => append(all, face * i)))",
        "walk(4d3, [], (all, face, count) => fold(1..count, all, (all, i) => append(all, i)))",
        "walk(3d4, {all: [], n: 0}, (s, face, count) => {all: append(s.all, face * count), n: s.n + 1})",
        "walk(4d3, [2], (sizes, face, count) => sort(append(sizes, count)))",
        "walk(5d3, [], (sizes, face, count) => if count >= 2 then reverse(sort(append(sizes, count))) else sizes)",
        "walk(5d3, [3, 1, 2], (sizes, face, count) => if count >= 3 then sort(append(sizes, -count)) else sizes)",
        "walk(4d4, [], (all, face, count) => fold(1..count, all, (all, i) => sort(append(all, i))))",
        "walk(4d3, [], (all, face, count) => if count == 1 then sort(append(all, 1)) else reverse(sort(append(all, 2))))",
        "walk(4d3, [1], (all, face, count) => sort(append(all, count + length(all))))",
        "walk(4d{1:2, 2:2, 5:2}, [], (all, face, count) => sort(append(all, 1 / count)))",
        // Sorted lists of undecided numbers.
        "sort([d4, d3, 2, d4])",
        "reverse(sort([d4, d4 / 2, d2 - 3]))",
        "let x = d4; sort([x, d4, 5 - x])",
        "let x = d4; {x: x, l: sort([x, d3])}",
        "let l = sort([d4, d4, d4]); [at(l, 2), at(l, 3) - at(l, 1)]",
        "at(sort([d4, 2d3, 5d{0:3, 9}kl2]), 2)",
        "if d2 = 1 then sort([d3, d3]) else [d2, 0]",
        "walk(3d4, \"\", (t, face, count) => \"{t}{face}\")",
        "walk(3d4, 1, (n, face, count) => n / (face + 1))",
        "walk(3d4, 10^12, (n, face, count) => n * 10^9 + face)",
        "walk(3d4, none, (best, face, count) => if best == none or count >= 2 then face else best)",
        "walk(3d4, [], (l, face, count) => if length(l) > 0 and at(l, 1) > 1 then l else append(l, face))",
        // Kinds of faces, and steps that see no face.
        "walk(3d6, 0, (n, face, count) => n * 10 + face // 3 * count)",
        "walk(2d4, 2d4, [], (l, face, m, t) => append(l, m - t))",
        "walk(3d4 kh2, [], (l, face, count) => append(l, count))",
        "walk_down({2d4 + 2d2}, 0, (n, face, count) => n * 2 + (if face > 2 then 1 else 0))",
        "full_house(4d3)",
        // What is done to a result that is undecided as a whole.
        "let b = best_set(3d4); [b.size, b.face * 2]",
        "let b = best_set(3d4); let s = b.size; {s: s, face: b.face, extra: d2}",
        "let b = best_set(3d4); if b.size >= 2 then b.face else d4",
        "let b = best_set(3d3); let c = best_set(2d3); [b.size - c.size, b.face]",
        "let b = best_set(3d4); {b: b, twice: b.face + b.face}",
        "best_set(3d4)",
        "sets(4d3)",
        "let s = sets(4d3); length(s)",
        "fold(sets(4d3), 0, (n, s) => n + s.size * s.face)",
        "fn score(b) = if b.size = 3 then \"three\" else \"less\"\nscore(best_set(3d4))",
        "let b = best_set(3d4); b.size >= 2 and b.face >= 3",
        "let b = best_set(3d4); do given b.size >= 2; b end",
        "walk(3d4, 0, (n, face, count) => do require count < 4 else \"never\"; n + face end)",
        "[2d4kh1, d6, 3d2]",
    ]);
    exactly(&[
        // Numbers that steps only add to, or of which they keep the highest, the lowest, the best.
        "walk(4d3, 0, (n, face, count) => if count >= 2 then n + face * count else n)",
        "walk(3d4, 10, (n, face, count) => n - face * count)",
        "walk(3d{1/2, 1, 2}, 0, (n, face, count) => n + face)",
        "walk(3d4, 0, (n, face, count) => n + 10^15 * face)",
        "walk(3d4, 2, (best, face, count) => max(best, count))",
        "walk(3d4, 5, (least, face, count) => min(least, face))",
        "walk(3d4, 0, (best, face, count) => if count > best then count else best)",
        "walk(3d4, 9, (least, face, count) => if least >= face then face else least)",
        "walk(3d4, {n: 0, odd: false}, (s, face, count) => {n: s.n + count, odd: not s.odd})",
        "walk(3d4, {n: 0, m: 0}, (s, face, count) => {n: s.n + face, m: max(s.m, s.n)}).m",
        "walk(3d4, {n: 0, m: 0}, (s, face, count) => {n: max(s.n, count), m: s.m + face}).m",
        "walk(4d3, {last: 0, n: 0}, (s, face, count) => \
         {last: face, n: if face == s.last + 1 then s.n + 1 else s.n})",
        "walk(3d4, {size: 0, face: 9}, (b, face, count) => \
         if count > b.size then {size: count, face: face} else b)",
        "walk_down(3d4, {size: 2, face: 9}, (b, face, count) => \
         if b.size <= count then {size: count, face: face} else b)",
        "walk(3d4, {size: 9, face: 9}, (b, face, count) => \
         if face == 2 then b else if b.size < count then b else {size: count, face: face})",
        "walk(3d4, {size: 0, face: 0}, (b, face, count) => \
         if count >= b.size then {size: count, face: face} else b).size",
        "walk(3d4, {size: 0, face: 0}, (b, face, count) => \
         if min(count, 2) >= b.size then {size: min(count, 2), face: count} else b)",
        "walk(2d4, 2d3, {ahead: 0, wins: 0}, (s, face, m, t) => \
         {ahead: s.ahead + m - t, wins: s.wins + clamp(s.ahead, 0, t)}).wins",
        "versus(3d3, 2d3).wins",
        "sum_of_sets(4d3)",
        "pairs(4d3)",
        "straight(3d4 kh2)",
        "walk({2d3, 3}, 0, (n, face, count) => n + face * count)",
    ]);
    within_bounds(&[
        "walk(3d4 rr=1 dl1, 0, (n, face, count) => n + face)",
        "walk(3d4 u, 0, (n, face, count) => n + face * count)",
        "walk(2d6 u, [], (l, card, count) => append(l, (card - 1) // 2))",
        "straight(3d4 u)",
        "distinct(2d3!)",
        "largest_set(2d3!!)",
    ]);
    failing(&["walk(2d4, 0, (n, face, count) => n + 1 / (count - 1))"]);
}
