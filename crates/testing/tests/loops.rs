//! Loops on whole numbers, with endless throws and with what follows them: the same as by the general way, on
//! states.
//!
//! Each program is asked twice, the second time with the way closed by which throws are told from the rest of a
//! round.

use astragal::{Answer, Budget, Rational, Value, Ways};
use astragal_odds::ways;
use astragal_testing::checks::{answer, program};

/// The same table, or where it is endless the same chances as far as both are listed, and the same mean.
fn same(left: &Answer, right: &Answer, program: &str) {
    assert_eq!(left.mean(), right.mean(), "{program}");
    assert!(!left.outcomes.is_empty(), "{program}");
    let chance = |answer: &Answer, value: &Value| {
        let mut listed = answer.outcomes.iter();
        listed.find(|(known, _)| known == value).map(|(_, chance)| chance.clone())
    };
    let mut both = 0;
    for (value, mine) in &left.outcomes {
        let Some(theirs) = chance(right, value) else { continue };
        assert_eq!(*mine, theirs, "{program}: {value}");
        both += 1;
    }
    assert!(both * 2 > left.outcomes.len().max(right.outcomes.len()), "{program}");
}

#[test]
fn loops_are_solved_as_states_are() {
    let programs = [
        // What follows the loop tells ends apart; the last throw may go any way beyond.
        "let last = repeat with hits = 0, rolls = 0\n  next hits = hits + (3d10! cs>=8), rolls = rolls + 1\nuntil hits >= 4 or rolls >= 4\nif last.hits >= 4 then last.rolls else 5",
        "let last = repeat with hits = 0, rolls = 0\n  next hits = hits + (3d10! up to 3 cs>=8), rolls = rolls + 1\nuntil hits >= 4 or rolls >= 4\n{rolls: last.rolls, more: last.hits >= 5}",
        // Ends with an endless number.
        "(repeat with hits = 0\n  next hits = hits + (3d10! cs>=8)\nuntil hits >= 4).hits",
        "(repeat with hits = 0, rolls = 0\n  next hits = hits + 2 + (2d6! cs>=5), rolls = rolls + 1\nuntil hits >= 7 or rolls >= 2).hits",
        "let last = repeat with hits = 0, rolls = 0\n  next hits = hits + (2d6! cs>=5), rolls = rolls + 1\nuntil hits >= 3 or rolls >= 2\nlast.hits * 2 - last.rolls",
        "(repeat with hits = 20\n  next hits = hits - d6!\nuntil hits <= 0).hits",
        // Throws that depend on what is carried, and on other throws.
        "let last = repeat with mine = 4, theirs = 3\n  let fight = versus((min(3, mine))d6, (min(2, theirs))d6)\n  next mine = mine - fight.losses - fight.ties, theirs = theirs - fight.wins\nuntil mine <= 0 or theirs <= 0\n[last.mine, last.theirs]",
        "let last = repeat with a = 3, n = 0\n  let x = d4\n  let y = if x > a then d6 else x\n  next a = y - 1, n = n + 1\nuntil a <= 0 or n == 5\nlast",
        "fn act(n) = {hits: (n)d10! cs>=8}\nlet last = repeat with n = 3, won = false\n  next n = n - 1, won = act(n).hits >= 2\nuntil won or n == 0\n{won: last.won, left: last.n}",
        // Ranges: saturating, dividing, both ways.
        "let last = repeat with hp = 12, n = 0\n  next hp = max(0, min(15, hp + 5 - 4d6)), n = n + 1\nuntil hp == 0 or n == 3\n[last.hp // 4, last.n]",
        "let last = repeat with x = 0, n = 0\n  let t = 6d6\n  next x = if t > 25 then 3 else if t < 15 then x + 1 else x, n = n + 1\nuntil x >= 3 or n == 4\nlast.x * 10 + last.n",
        // Rounds that return and count.
        "(repeat with x = 0, n = 0\n  next x = max(0, x + d6 - 3), n = n + 1\nuntil x >= 6).n",
        "let last = repeat with x = 3, n = 0\n  next x = x + d3 - 2, n = n + 1\nuntil x == 0 or x == 7\n{gone: last.x == 0, n: last.n}",
        "(repeat with x = 0, n = 4\n  let step = d4\n  next x = (x + step) % 5, n = n + (if step == 1 then 2 else 1)\nuntil x == 4).n",
        // Rounds cut at their throws: what is left after the first may return, and count.
        "fn swing(ac) = do; let r = d12; if r == 12 then 2d4 else if r >= ac then d4 else 0; end\nlet last = repeat with a = 7, b = 9\n  next b = max(0, b - swing(6)), a = if b == 0 then a else max(0, a - swing(7))\nuntil a == 0 or b == 0\nlast.a > 0",
        "fn swing(ac) = do; let r = d12; if r == 12 then 2d4 else if r >= ac then d4 else 0; end\nlet last = repeat with a = 5, b = 6, n = 0\n  next b = max(0, b - swing(6) - swing(8)), a = max(0, a - swing(7)), n = n + 1\nuntil a == 0 or b == 0\n{won: last.a > 0, n: last.n}",
        "let last = repeat with a = 4, n = 0\n  let x = d12\n  let y = (x % 3 + 1)d6\n  let z = if y > 9 then d10 else x\n  next a = (a + x + y - z) % 6, n = n + 1\nuntil a == 0 or n == 4\nlast",
        // Each round counts one.
        "(repeat with total = 0, rolls = 0\n  next total = total + d6, rolls = rolls + 1\nuntil total >= 20).rolls",
        "(repeat with total = 0, rolls = 0\n  next total = total + 2d6kh1, rolls = rolls - 2\nuntil total >= 12).rolls",
    ];
    let by_states = Budget::default().with_ways(Ways::ALL.without(ways::THROWS));
    for text in programs {
        match program(text).odds(&by_states) {
            Ok(slow) => same(&answer(text), slow.only(), text),
            Err(errors) => panic!("{text}\n{errors}"),
        }
    }
}

/// A loop that never comes back to where it was, and what is listed of it: with the bounds that its rounds keep each
/// chance is exact, without them it lies in an interval that holds the same chance.
#[test]
fn what_is_given_up_of_a_loop_may_lie_beyond_all_that_is_listed() {
    let programs = [
        "let last = repeat with times = 1, face = 1 next times = times * 2, face = d10 until face != 1; last.times * last.face",
        "(repeat with times = 1, face = 1 next times = times * 3, face = d6 until face > 2).times",
        "let last = repeat with a = -1, face = 1 next a = a * 2 - 1, face = d6 until face > 1; [last.a, last.face]",
        "let last = repeat with a = 1, b = 1 next a = a * 2, b = d4 until b != 1; last.a >= 8",
        "let last = repeat with a = 1, b = 1 next a = a * 2, b = d4 until b != 1; given last.a >= 8; last.a",
    ];
    let without = Budget::default().with_ways(Ways::ALL.without(ways::BEYOND));
    for text in &programs[..3] {
        let (exact, within) = (answer(text), program(text).odds(&without).unwrap());
        let within = &within.results[0];
        assert!(exact.lost.is_zero() && !within.lost.is_zero(), "{text}");
        assert!(exact.outcomes.len() > 8, "{text}: {:?}", exact.outcomes);
        for (value, chance) in &exact.outcomes {
            let lower = within.chance(value);
            assert!(lower <= *chance && *chance <= &lower + &within.lost, "{text}: {value}");
        }
    }
    // Of these more is asked than where they end.
    for text in &programs[3..] {
        assert!(answer(text).outcomes.len() > 1, "{text}");
    }
}

/// What a roll of the stress die may come to: 2 to the k times a face with the chance of k ones and that face.
#[test]
fn a_stress_die_that_doubles_is_exact() {
    let last = "let last = repeat with times = 1, face = 1 next times = times * 2, face = d10 until face != 1";
    let stress = answer(&format!("{last}; last.times // 2 * last.face"));
    assert!(stress.lost.is_zero());
    // 8, or 2 · 4 after one 1, or 4 · 2 after two.
    let eight = stress.chance(&Value::Number(8.into()));
    assert_eq!(eight.to_string(), "111/1000");
}

/// Where nothing says that the loop ends, what was given up stays given up.
#[test]
fn what_may_never_end_is_not_said_to_lie_beyond() {
    let text = "let last = repeat with a = 1, b = 1 next a = a * 2, b = d4 until b != 1 and a <= 64; last.a";
    let Ok(odds) = program(text).odds(&Budget::default()) else { return };
    assert!(!odds.ways.has(ways::BEYOND));
}

/// A stress die doubles on a 1, and is thrown again. As the rule says: M = 54/10 + 2·M/10 and S = 384/10 + 4·S/10, so that the
/// mean is 27/4 and the variance 64 − (27/4)² = 295/16; where the last throw doubles too, twice and four times that.
#[test]
fn what_rounds_multiply_has_its_moments() {
    let last = "let last = repeat with times = 1, face = 1 next times = times * 2, face = d10 until face != 1";
    let flag = "(repeat with m = 1, v = 0, go = true; let r = d10; next m = if r == 1 then 2 * m else m, v = if r == 1 then 0 else m * r, go = r == 1 until not go).v";
    let text = "(repeat with m = 1, v = 0; let r = d10; next m = if r == 1 then 2 * m else m, v = m * r until r > 1).v";
    let first = "(repeat with m = 1, v = 0, n = 0; let r = d10; next m = m * 2, v = if r == 10 and n == 0 then 0 else m * r, n = min(1, n + 1) until r > 1).v";
    let programs: [(&str, &str, &str); 10] = [
        (&format!("{last}; last.times * last.face"), "27/2", "295/4"),
        (&format!("{last}; last.times // 2 * last.face"), "27/4", "295/16"),
        (&format!("{last}; last.times // 4 * last.face"), "none", "none"),
        (&format!("{last}; last.times / 2 * last.face"), "27/4", "295/16"),
        (&format!("{last}; last.times * last.face + 2d6 - 1"), "39/2", "955/12"),
        (
            &format!(
                "fn stress() = do {last}; last.times / 2 * last.face end; stress() + stress()"
            ),
            "27/2",
            "295/8",
        ),
        (flag, "27/4", "295/16"),
        (text, "27/4", "295/16"),
        // Only the first throw may show a zero: M = 44/10 + 2·27/4/10, S = 284/10 + 4·64/10.
        (first, "23/4", "335/16"),
        // Grows by half, and what is won is added up: each round has 1, 3/2, 9/4 … with chances 1, 1/4, 1/16 …
        (
            "(repeat with m = 1, v = 0; next m = m * 3 / 2, v = v + m until d4 > 1).v",
            "8/5",
            "432/175",
        ),
    ];
    for (text, mean, variance) in programs {
        let answer = answer(text);
        let told = |value: Option<Rational>, infinite: bool| match value {
            Some(value) => value.to_string(),
            None if infinite => "infinite".into(),
            None => "none".into(),
        };
        let (no_mean, no_variance) = answer.infinite();
        assert_eq!(told(answer.mean(), no_mean), mean, "{text}");
        assert_eq!(told(answer.variance(), no_variance), variance, "{text}");
        // The slow twin: what is listed is a part of the mean, and nearly all of it.
        if let Some(mean) = answer.mean() {
            let listed = answer
                .outcomes
                .iter()
                .filter_map(|(value, chance)| Some(value.as_number()?.to_rational() * chance));
            let part = listed.fold(Rational::ZERO, |sum, part| sum + part);
            let near = mean.clone() / Rational::from(10_000);
            assert!(
                variance == "infinite" || (&part - &mean).max(&mean - &part) <= near,
                "{text}: {part}, {mean}"
            );
        }
    }
}

/// With little to spend, the chances are told as ever, and no moments.
#[test]
fn moments_are_asked_for_with_a_share_of_the_budget() {
    let last = "let last = repeat with times = 1, face = 1 next times = times * 2, face = d10 until face != 1; last.times * last.face";
    let all = program(last).odds(&Budget::default()).unwrap();
    assert!(all.ways.has(ways::MOMENTS));
    let closed = Budget::default().with_ways(Ways::ALL.without(ways::MOMENTS));
    let odds = program(last).odds(&closed).unwrap();
    assert!(odds.only().mean().is_none());
    assert_eq!(odds.only().outcomes.as_slice(), all.only().outcomes.as_slice());
}
