//! The fields of a result come from one run that keeps them all, where that is quick. Asked for one by one, they are the
//! same.

use astragal::{Answer, Budget, Engine, Odds, Program};
use astragal_testing::grow::{Stream, program};

/// What is said of a part, whichever way it was found.
fn said(answer: &Answer) -> String {
    let Answer { outcomes, rest, lost, never, evidence, .. } = answer;
    let outcomes = outcomes.as_slice();
    format!("{outcomes:?} {rest} {lost} {never} {evidence:?} {:?}", answer.mean())
}

/// The odds of all fields, and of each alone; nothing if there are no fields, or no odds.
fn both(program: &Program) -> Option<(Odds, Vec<Odds>)> {
    let budget = Budget::default().with_steps(3_000_000);
    let together = program.odds_apart(&budget, None).ok()?;
    if together.results.iter().all(|answer| answer.field.is_empty()) {
        return None;
    }
    let alone = |answer: &Answer| {
        let path: Vec<&str> = answer.field.iter().map(|name| &**name).collect();
        program.odds_of(&path, &Budget::default()).expect("the odds of a field that has odds")
    };
    let alone = together.results.iter().map(alone).collect();
    Some((together, alone))
}

fn same(text: &str) -> bool {
    let Some((together, alone)) = Engine::new().compile(text).ok().as_ref().and_then(both) else {
        return false;
    };
    for (answer, alone) in together.results.iter().zip(&alone) {
        assert_eq!(said(answer), said(alone.only()), "{text}: {:?}", answer.field);
    }
    true
}

#[test]
fn fields_together_are_those_alone() {
    for program in [
        "let x = 3d6; {total: x, high: x >= 15, twice: x * 2}",
        "let x = 2d6!; {total: x, high: x >= 15, more: x + d6!}",
        "let x = 2d6!; {total: x, at_least: max(x, 5), at_most: min(x - 3, 20)}",
        "let x = 2d6!; let y = 3d6!; {x: x, y: y, better: x > y}",
        "let x = 2d6!; let y = d6; {sum: x + y, greater: max(x, y), x: x}",
        "let p = 6d10; {p: p, top: p kh2, eights: p cs>=8, set: largest_set(p)}",
        "let n = d4; {n: n, dice: (n)d6, again: (n)d6!}",
        "let x = d20; given x > 3; {x: x, high: x >= 15}",
        "let x = d6; let y = x; {a: {x: x, y: y}, b: y}",
        "{last: (repeat with x = 0, n = 0 next x = x + d6, n = n + 1 until x >= 10), die: d6}",
        "cofd.action(8)",
        "cofd.action(5, again: 8, rote: true)",
        "cofd.action(4, rote: true, rote_every_throw: true)",
        "cofd.contested(4, 3)",
        "cofd.extended(3, 5, 3)",
        "cofd.teamwork(5, [3, 2])",
        "crucible.check(12, boons: 2, banes: 1)",
        "stormchaser.check(10, minus: 2, lucky: true)",
        "kaiser.skill(8, 12, disadvantage: 3, fumble: -1)",
        "kaiser.skill(8, 12, disadvantage: 2, fumble: 3, read: \"all\")",
        "kaiser.skill(8, 12, advantage: 2, method: \"reroll\")",
        "kaiser.opposed({skill: 5, advantage: 1}, {skill: 5})",
    ] {
        assert!(same(program), "{program} has fields");
    }
}

#[test]
fn fields_of_random_programs() {
    let seed: u64 = 20_261_115;
    let texts = (0..400).map(|number| program(&Stream(seed.wrapping_add(number)).tape()));
    let compared = texts
        .filter(|text| same(&format!("let it = do\n{text}\nend\n{{it: it, again: it, die: d4}}")))
        .count();
    assert!(compared >= 40, "only {compared} programs were compared");
}

#[test]
fn a_sum_that_nobody_asks_for_is_a_number_nevertheless() {
    for text in [
        "walk(1d{1..2: 2, 3} drawn, {n: (1d2 ro<=1), yes: (1 >= 1)}, (r1, f2, n3) => r1)",
        "let x = 1d{1..2: 2, 3} drawn kh1; \
         walk(x, {n: (x cf>=2), yes: (1 >= 1)}, (r, f, n) => {n: r.n + 1, yes: r.yes or n > 1})",
    ] {
        let kept = astragal_testing::checks::law(text);
        assert_eq!(kept, astragal_testing::law::Kept::Exactly, "{text}");
    }
}
