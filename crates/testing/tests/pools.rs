//! Pools that are used in several ways, hands of one deal, sets and explosions: the law on small ones, known answers on
//! large ones.

use astragal::{Budget, Rational, Value};
use astragal_odds::ways;
use astragal_testing::checks::{self, program};
use astragal_testing::law::Kept;
use astragal_testing::ways::agree;

fn keep_the_law(programs: impl IntoIterator<Item = String>) {
    let mut wrong = Vec::new();
    for program in programs {
        match std::panic::catch_unwind(|| checks::law(&program)) {
            Ok(Kept::Exactly) => {}
            Ok(how) => wrong.push(format!("{program}: {how:?}")),
            Err(said) => wrong.push(said.downcast_ref::<String>().cloned().unwrap_or_default()),
        }
    }
    assert!(wrong.is_empty(), "{} break the law:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// What may be asked of two pools that are compared and counted.
const COUNTED: &[&str] = &[
    "[versus(a, b).wins, a cs=3]",
    "{threes: a cs=3, sides: versus(a, b)}",
    "{sides: versus(a, b), odd: a cs=1 + a cs=3, low: b cs<=2}",
    "let won = versus(a, b).wins; won + a cs>=2 - b cs>=2",
    "if a cs=3 > 1 then versus(a, b).wins else cancel(a, b).sum",
    "if versus(a, b).wins > 0 then a cs=1 else b cs=1",
    "[cancel(a, b).dice, a cs=3 cf=1, a kh1]",
    "versus(a, b).wins + 2 * a cs=2 - 3 * a cs=1",
    "let c = a; [versus(c, b).ties, a cs=2, c cs=1]",
    "let c = (a cs=3)d2; [versus(a, c).losses, c cs=2, b cs=1]",
    "let more = b cs>=2; [walk(a, b, 0, (s, face, m, t) => s + m * t + more), a cs=2]",
    "let last = repeat with n = 0 next n = n + 1 until n > a cs=2; [last.n, versus(a, b).wins]",
    "given a cs=3 > 0; [versus(a, b).wins, a cs=3]",
    "[versus(a, b).wins, a kh1, b kl1, nth_lowest(b, 1)]",
    "{low: versus(a kh2, b).ties, all: b, two: a kh2}",
    "[versus(a, a).ties, versus(a, b).wins, a]",
    "let c = 2d3; [versus(a, b).wins, versus(b, c).wins, versus(c, a).wins]",
    "let c = 2d3; let d = d3; [versus(a, b).wins, versus(c, d).wins, versus(a, d).ties]",
    "let c = 2d3; [walk(a, b, c, 0, (s, f, i, j, k) => s + i * j - k), a kh1, {a + c} kl1]",
    "let c = (d2)d3; if c > 2 then [versus(a, b).wins, b] else [versus(a, c).wins, a]",
    "fn both(p, q) = [versus(p, q).wins, largest_set(p), q kh1]; both(a, b)",
    "fn fight(p, q) = do let f = versus(p, q); f.wins - f.losses + p cs=3 end; fight(a, 2d3) + b cs=2",
    "[versus(a, b).wins, max(map([1], _ => do let c = 2d2; versus(c, 2d2).wins + c cs=2 end))]",
];

#[test]
fn what_is_asked_of_two_hands_is_one_walk() {
    let program = program("let a = 10d6; let b = 10d6; [versus(a, b).wins, a cs=6, b kh1]");
    let known = program.try_odds(&Budget::default().with_steps(20_000_000)).expect("it is cheap");
    assert!(known.ways.has(ways::SIDE_BY_SIDE));
    let asked_alone = ["let a = 10d6; let b = 10d6; versus(a, b).wins", "10d6 cs=6", "10d6 kh1"];
    for (at, alone) in asked_alone.into_iter().enumerate() {
        for (value, chance) in &checks::answer(alone).outcomes {
            let is_it = |(list, _): &&(Value, Rational)| match list {
                Value::List(items) => items[at] == *value,
                _ => false,
            };
            let all = known.results[0].outcomes.iter().filter(is_it);
            let sum = all.fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
            assert_eq!(sum, *chance, "{alone}: {value}");
        }
    }
}

#[test]
fn dice_that_are_counted_and_compared_keep_the_law() {
    let pools = [("3d3", "2d3"), ("2d{1: 2, 2, 3}", "3d3"), ("{2d3 + d2}", "2d{1, 3: 2}")];
    keep_the_law(pools.iter().flat_map(|(a, b)| {
        COUNTED.iter().map(move |asked| format!("let a = {a}; let b = {b}; {asked}"))
    }));
}

#[test]
fn dice_thrown_for_those_that_were_counted_keep_the_law() {
    let asked = ["[again cs=3, base cs=1 + again cs=1]", "[largest_set(again), base cs=1, base]"];
    keep_the_law(
        asked.map(|asked| format!("let base = 3d3; let again = (3 - base cs=1)d3; {asked}")),
    );
}

#[test]
fn four_hands_keep_the_law() {
    let asked = [
        "[n, e, s, w]",
        "[w, n]",
        "{high: max(n, e, s, w), low: min(n, e, s, w)}",
        "largest_set(n) + largest_set(w) - s",
        "if n > e then s cs=2 else w kh1",
    ];
    let bags = [("2", "d{0: 4, 1: 2, 2: 2}"), ("1", "d{0: 3, 1, 3}")];
    keep_the_law(bags.iter().flat_map(|(dice, bag)| {
        asked.iter().map(move |asked| {
            format!(
                "let n = {dice}{bag} drawn; let e = {dice}{bag} drawn without n; \
                 let s = {dice}{bag} drawn without n without e; \
                 let w = {dice}{bag} drawn without n without e without s; {asked}"
            )
        })
    }));
}

#[test]
fn the_points_of_four_bridge_hands_are_forty() {
    let bag = "d{0: 36, 1: 4, 2: 4, 3: 4, 4: 4} drawn";
    let deal = format!(
        "let n = 13{bag}; let e = 13{bag} without n; let s = 13{bag} without n without e; \
         let w = 13{bag} without n without e without s;"
    );
    let answer = checks::answer(&format!("{deal} [n, e, s, w]"));
    // Counted by a few lines that deal rank by rank.
    assert_eq!(answer.outcomes.len(), 12_301);
    checks::mean(&format!("{deal} n + e + s + w"), "40");
    checks::mean(&format!("{deal} w"), "10");
}

#[test]
fn explosions_and_sets_of_many_dice_keep_the_law_when_few() {
    let programs =
        ["3d2!! up to 2 kh2", "2d3!! up to 3 kh1", "largest_set(5d3)", "largest_set(4d2) >= 3"];
    keep_the_law(programs.map(str::to_owned));
}

#[test]
fn large_pools_have_answers() {
    for program in ["30d10!! up to 19 kh15", "30d10!! up to 25 kh15", "largest_set(512d10)"] {
        let answer = checks::answer(program);
        let all = answer.outcomes.iter().map(|(_, chance)| chance);
        let sum = all.fold(Rational::ZERO, |sum, chance| sum + chance);
        assert_eq!(sum, Rational::ONE, "{program}");
    }
}

/// Numbers that a walk only adds to are set apart as one; with that way closed, and with all closed where there is time,
/// the answer is the same. Of three sums one may be known from the others; where it is not, or one of them falls, another
/// way is taken.
#[test]
fn several_sums_of_a_walk_are_one_number() {
    let walk = |carried: &str, step: &str| {
        format!("walk(7d4, 6d4, {{{carried}}}, (s, face, m, t) => {{{step}}})")
    };
    let taken = [
        "versus(7d4, 6d4)".to_owned(),
        "let v = versus(9d3, 8d3); {v: v, more: v.wins > v.losses}".to_owned(),
        "let v = versus(7d4, 6d4); [v.wins, v.ties]".to_owned(),
        walk("a: 3, b: 1", "a: s.a + m * t, b: s.b + face * m"),
        walk("a: 0, b: 0, c: 0", "a: s.a + min(m, t), b: s.b + m - min(m, t), c: s.c + t"),
        walk(
            "a: 0, b: 0, last: 0",
            "a: s.a + (if s.last > face then m else 0), b: s.b + t, last: m",
        ),
    ];
    let not_taken = [
        walk("a: 0, b: 0, c: 0", "a: s.a + m // 2, b: s.b + t // 2, c: s.c + min(m, t)"),
        walk("a: 0, b: 0", "a: s.a + m - t, b: s.b + t // 2"),
    ];
    let all =
        taken.iter().map(|text| (text, true)).chain(not_taken.iter().map(|text| (text, false)));
    for (text, is_taken) in all {
        let program = program(text);
        let odds = program.odds(&Budget::default()).unwrap();
        assert_eq!(odds.ways.has(ways::SEVERAL_APART), is_taken, "{text}");
        agree(&program, 20_000_000).unwrap_or_else(|broken| panic!("{text}\n{broken}"));
    }
}
