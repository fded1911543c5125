//! The law of best play on hand-picked games: the odds are those of the best of all lists of decisions, and of rolls
//! that play by them over every sequence of faces.

use astragal::{Budget, Engine};
use astragal_testing::checks;
use astragal_testing::law::Kept;

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

fn exactly(programs: &[&str]) {
    each(programs, Kept::Exactly);
}

fn failing(programs: &[&str]) {
    each(programs, Kept::Failing);
}

#[test]
fn push_or_stop() {
    exactly(&[
        r#"maximise do let x = d6; choose "keep" => x; "again" => d6 end end"#,
        r#"minimise do let x = d6; choose "keep" => x; "again" => d6 end end"#,
        r#"maximise do let x = d4; let y = choose "keep" => x; "again" => d4 end;
           choose "keep" => y; "again" => d4 end end"#,
        r#"maximise (do let x = d6; choose "keep" => x; "double" => 2 * d6 end end >= 7)"#,
        r#"maximise do let x = d4; choose "keep" => x; "push" => (if d4 = 1 then 0 else x + d4) end end"#,
        // Equal options: the first one written, seen in what does not count for the aim.
        r#"maximise {n: choose "a" => 1; "b" => 2 end, m: d2} by r => r.m"#,
        r#"maximise {n: choose "b" => 2; "a" => 1 end, m: d2} by r => r.m"#,
        r#"maximise {n: choose from [3, 1, 2], m: d2} by r => 0"#,
        r#"maximise choose "only" => d6 end"#,
        "maximise d6",
        "minimise choose from [d6, d6]",
    ]);
}

#[test]
fn arms_that_are_not_always_open() {
    exactly(&[
        r#"maximise do let x = d4; choose "keep" => x; "again" if x > 2 => d4; "double" if x = 1 => 4 end end"#,
        r#"maximise do let x = d4; choose "again" if x < 3 => d4; "keep" if x >= 3 => x end end"#,
        r#"let spent = d2 = 1
           maximise do let x = d4; choose "keep" => x; "spend" if not spent => x + d4 end end"#,
        r#"maximise do let p = 2d3; choose "low" if (p kl1) = 1 => p kh1; "all" => p - 2 end end"#,
    ]);
}

#[test]
fn which_dice() {
    exactly(&[
        "maximise sum(choose from subsets(hand(3d3)))",
        "maximise do let h = hand(3d3); let k = choose from subsets(h); sum(k) + (3 - length(k))d3 end",
        r#"maximise do let p = 3d3; choose "highest" => p kh1; "lowest twice" => 2 * (p kl1); "new" => d6 end end"#,
        r#"maximise do let p = 2d4; let q = 2d2; choose "p" => p - q; "q" => q + 2; "both" => {p + q} kl2 end end"#,
        "maximise choose from hand(2d4)",
        "maximise do let i = choose from 0..2; i * (d4 - 2) end",
        "maximise do let n = d3; choose from 0..n end",
        r#"maximise do let p = 3d3; let k = choose "two" => 2; "one" => 1 end; (p kl1) * k + (if k = 1 then d4 else 0) end"#,
    ]);
}

#[test]
fn somebody_opposes() {
    exactly(&[
        r#"maximise do let x = d6; oppose "keep" => x; "again" => d6 end end"#,
        r#"minimise do let x = d6; oppose "keep" => x; "again" => d6 end end"#,
        r#"maximise do let x = d4; let y = choose "keep" => x; "again" => d4 end;
           oppose "keep" => y; "again" => d4 end end"#,
        r#"maximise do let a = choose from 0..2; let b = oppose from 0..2; (if a = b then d4 else a + b) end"#,
        r#"maximise do let b = oppose from 0..2; let a = choose from 0..2; (if a = b then d4 else a + b) end"#,
        r#"maximise do let x = d4; oppose "a" if x > 2 => x; "b" => 3 end > 2 end"#,
        r#"minimise {hit: d4, n: oppose "x" => 1; "y" => 2 end} by r => r.hit * r.n"#,
    ]);
}

#[test]
fn a_play_in_a_play() {
    exactly(&[
        r#"maximise do let x = minimise do let y = d4; choose "keep" => y; "again" => d4 end end;
           choose "keep" => x; "again" => d4 end end"#,
        r#"maximise (d3 + minimise do let y = d3; choose "a" => y; "b" => 2 end end)"#,
        r#"maximise do let x = d3; choose "small" => minimise choose from [x, 2, 5]; "large" => d6 end end"#,
        r#"maximise do let x = d2; minimise do let y = d2; oppose "a" => x + y; "b" => 3 end end end"#,
        r#"let a = maximise do let x = d3; choose "keep" => x; "again" => d3 end end
           let b = maximise do let x = d3; choose "add" => a + x; "leave" => 3 end end
           a + b"#,
        "mean(maximise do let x = d4; choose \"keep\" => x; \"again\" => d4 end end) + d2",
        r#"let x = d4
           if x > 2 then maximise do let y = d4; choose "y" => y; "x" => x end end else x"#,
        // The same dice for two aims.
        r#"let p = 2d3
           let high = maximise choose "highest" => p kh1; "two" => 2 end
           let low = minimise choose "lowest" => p kl1; "two" => 2 end
           high - low"#,
    ]);
}

#[test]
fn through_functions() {
    exactly(&[
        r#"fn again(first, sides) = choose "keep" => first; "again" => 1d(sides) end
           maximise again(again(d4, 4), 4)"#,
        r#"fn best(x) = maximise do let y = d4; choose "x" => x; "y" => y; "new" => d6 end end
           best(d4) + best(2)"#,
        r#"fn best(x) = maximise do let y = d4; choose "x" => x; "y" => y; "new" => d6 end end
           best(best(d4))"#,
        r#"fn twice(roll r) = do let x = r; choose "keep" => x; "again" => r end end
           maximise twice(d6)"#,
        r#"fn twice(roll r) = do let x = r; choose "keep" => x; "again" => r end end
           maximise twice(twice(d3))"#,
        r#"fn go(n, s) = if n <= 0 then s else choose "stop" => s; "on" => go(n - 1, (if d4 = 1 then 0 else s + d4)) end
           maximise go(2, 2)"#,
        r#"fn go(n, s) = if n <= 0 then s else do let x = d3; choose "add" => go(n - 1, s + x); "double" => go(n - 1, 2 * s) end end
           maximise (go(3, 1) >= 8)"#,
        r#"fn dice(p) = choose "high" => p kh1; "low" => 7 - (p kl1) end
           maximise do let p = 2d6; dice(p) end"#,
        r#"fn both(f, x) = f(x) + f(1)
           maximise both(y => choose "y" => y; "d" => d3 end, d4)"#,
        r#"maximise do fn inner(z) = choose "z" => z; "two" => 2 end; inner(d3) - inner(d3) end"#,
        r#"fn mine(x) = choose "a" => x; "b" => 2 end
           fn yours(x) = oppose "a" => x; "b" => 2 end
           maximise mine(yours(d3) + mine(d3))"#,
    ]);
}

#[test]
fn in_operands_lists_and_records() {
    exactly(&[
        r#"maximise (choose "a" => d4; "b" => 2 end) * (choose "a" => d2; "b" => 1 end)"#,
        r#"maximise max(d4, choose "a" => 1; "b" => d3 end) - d2"#,
        r#"maximise do let x = d4; x - (choose from [1, x]) * (d3 - 2) end"#,
        "maximise sum([d3, choose from [1, 2], d2])",
        r#"maximise {a: d3, b: choose "x" => 1; "y" => d4 end} by r => r.a * r.b"#,
        r#"maximise {a: d3, b: choose "x" => 1; "y" => d4 end}.b"#,
        r#"maximise {won: d4 > choose from [1, 2, 3], left: d2} by r => if r.won then r.left else 0"#,
        r#"minimise {n: d3, yes: (choose from [1, 2]) = d2} by r => r.yes"#,
        r#"maximise if (choose "risk" => d4 > 2; "not" => false end) then d6 else 3"#,
        r#"maximise do let x = d3; match x
             1 => choose "a" => d4; "b" => 2 end
             2 => 3
             else => choose "a" => d2; "b" => 1 end
           end end"#,
        r#"maximise do let t = choose "x" => "left"; "y" => "right" end; (if t = "left" then d4 else d6 - 1) end"#,
        r#"(maximise {n: choose from [d4, 3], m: 1} by r => r.n).n + d2"#,
    ]);
}

#[test]
fn in_loops_that_end() {
    exactly(&[
        r#"(maximise repeat with i = 0, s = 0
             let go = choose "stop" => false; "on" => true end
             let die = if go then d4 else 0
             next i = i + 1, s = (if die = 1 then 0 else s + die)
             until not go or die = 1 or i = 3 by r => r.s).s"#,
        r#"maximise (repeat with i = 0, s = 0
             next i = i + 1, s = max(s, choose "throw" => d4; "take" => 2 end)
             until i = 2).s"#,
        r#"maximise (repeat with s = choose from 0..2
             next s = s + d2
             until s > 3).s"#,
        r#"maximise fold([3, 1, 2], 0, (c, i) => choose "take" => c + i; "throw" => c + d4; "leave" => c end)"#,
        r#"maximise sum(map([1, 2, 3], i => choose "i" => i; "d" => d3 end))"#,
        r#"maximise sum(map([d2, d2], i => choose "i" => i; "d" => d2 end))"#,
        r#"maximise sum(map(1..2, i => do let x = d3; choose "x" => x; "new" => d3 end end))"#,
        r#"maximise fold([d3, 2], 1, (c, i) => choose "add" => c + i; "times" => c * d2 end) > 4"#,
    ]);
}

#[test]
fn with_evidence_and_notes() {
    exactly(&[
        r#"maximise do let x = d6; given x > 2; choose "keep" => x; "again" => d6 end end"#,
        r#"let x = d4; given x != 3
           maximise choose "keep" => x; "again" => d4 end"#,
        r#"let x = maximise do let y = d4; choose "keep" => y; "again" => d4 end end
           given x > 1
           x"#,
        r#"let x = maximise do let y = d4; choose "keep" => y; "again" => d4 end end
           given x + d3 > 3
           x"#,
        r#"maximise do let x = d4 given d4 > 2; choose "keep" => x; "again" => d4 end end"#,
        r#"maximise do let x = d4; note "seen {x}"; note "always"; choose "keep" => x; "again" => d4 end end"#,
        r#"maximise choose "a" => do note "first"; d4 end; "b" => do note "second"; 2 end end"#,
        r#"maximise do let x = d4; let y = choose "a" => x; "b" => 2 end; note "took {y}"; y + d2 end"#,
    ]);
}

#[test]
fn what_goes_wrong() {
    failing(&[
        r#"maximise do let x = d4; choose "a" if x > 1 => x; "b" if x > 2 => 9 end end"#,
        "maximise choose from filter([d2], x => x > 1)",
        r#"maximise do let x = d3; choose "a" => 1 // (x - 1); "b" if x > 1 => 2 end end"#,
        r#"maximise do let x = d3; let y = choose "a" => 1; "b" => 2 end; require x + y > 3 else "no"; x end"#,
        r#"maximise do let x = d3; let y = choose "a" => 1; "b" => 0 end; 1 // (x - 1 + 0 * y) end"#,
    ]);
    // What may go wrong is not taken where anything else may be.
    exactly(&[
        r#"maximise do let x = d3; choose "a" => 10 // (x - 1); "b" => 2 end end"#,
        r#"maximise do let x = d3; choose "a" => 100 // (d3 - 1); "b" => x end end"#,
        r#"minimise do let x = d3; choose "a" => 1 // (d3 - 1); "b" => x end end"#,
        r#"maximise do let x = d3; oppose "a" => 1 // (d3 - 1); "b" => x end end"#,
        r#"maximise do let k = choose from 0..2; require k > 0 else "no"; d3 - k end"#,
    ]);
}

#[test]
fn dice_of_every_sort() {
    exactly(&[
        r#"maximise do let x = d{"a", "b": 2}; choose "x" => (if x = "a" then 3 else 1); "d" => d3 end end"#,
        r#"maximise do let h = 2d{1..2: 2, 3} drawn; choose "h" => h; "more" => (h kh1) + d{1..2: 2, 3} drawn without h end end"#,
        r#"maximise do let p = 2d3 ro=1; choose "p" => p; "q" => 2d3 kh1 + 2 end end"#,
        r#"maximise do let p = 2d4 cs>=3; choose "marks" => p; "one" => 1 end end"#,
        r#"maximise do let t = 2d{{a: 1}, {b: 1}}; choose "a" => t.a * 2; "b" => t.b + 1 end end"#,
        r#"maximise do let p = 2d3; choose "w" => walk(p, 0, (c, f, n) => max(c, f * n)); "l" => largest_set(p) + 2 end end"#,
    ]);
}

/// What broke the law of plays once, made small.
#[test]
fn what_broke_once() {
    exactly(&[
        r#"maximise do fn inner(z) = choose "z" => z; "two" => 2 end; inner(d3) - inner(d3) end"#,
        r#"let x = 2d6 ro=1; maximise choose "a" => x kh1; "b" => 4 end"#,
        r#"let x = 2d3 ! up to 2; maximise choose "a" => x kh1; "b" => nth_lowest(x, 1) + 1 end"#,
        r#"maximise do let x = 2d6 !o; choose "a" => x; "b" => x kh1 end end"#,
        r#"maximise do let p = 2d2 kh1; choose "a" => p kh1; "b" => 1 end end"#,
        r#"maximise do let p = 2d2 dl2; choose "a" => {p + p}; "b" => 1 end end"#,
        r#"maximise do let x = {1d2, 1} kh2 kh1; choose "keep" => x; "again" => (if x > d2 then x else x) end end"#,
        r#"let x = (2d2 cs>=(1 + 1)); let y = x
           maximise {n: (do let z = 1d2; choose "a" => x; "b" => 1 end end), yes: true} by r => r.n"#,
        r#"note "seen {1}"; maximise choose "a" => 1; "b" => 2 end"#,
        // The second has too many decisions to go through them all.
        r#"let won = maximise do let x = 1; choose "keep" => x; "again" => 1 end end
           maximise do let x = 1; choose "keep" => x; "again" => 3d2 u end end"#,
    ]);
}

#[test]
fn what_broke_once_and_goes_wrong() {
    failing(&[
        r#"fn f(a) = do let x = choose from [0, 1, (1d(d2 - 1) !o)]; 1 end
           maximise {n: f(1), yes: true} by r => r.n"#,
        r#"maximise do let p = 2d2 kh(d2 - 1); choose "a" if median(p) > 1 => 1; "b" => 1 end end"#,
        r#"let p = 2d2 dh(d2) kh2
           maximise do let x = choose "a" if nth_lowest(p, 1) > 0 => 1; "b" => 1 end; choose "keep" => x; "again" => 1 end end"#,
        r#"fn u(roll r) = do let x = r; choose "keep" => x; "again" => r end end
           maximise u(median(0d2))"#,
    ]);
}

/// Games that are too large, or have no end, are refused and not followed.
#[test]
fn hostile_plays_are_refused() {
    let budget = Budget::default().with_steps(20_000_000);
    for text in [
        r#"maximise (repeat with n = 0; let go = choose "on" => true; "stop" => false end; next n = if go then n + 1 else n until not go).n"#,
        r#"maximise (repeat with n = 0; let x = choose "a" => 1; "b" => 2 end; next n = n + x - x until n > 5).n"#,
        r#"fn go(n) = if n <= 0 then 0 else choose "a" => go(n - 1); "b" => 1 + go(n - 1) end
           maximise go(100000)"#,
        r#"fn go(n) = choose "a" => go(n + 1); "b" => n end
           maximise go(0)"#,
        r#"fn go(n) = 1 + (choose "a" => go(n); "b" => 0 end)
           maximise go(0)"#,
        r#"fn a(n) = choose "x" => b(n + d6); "y" => b(n) end
           fn b(n) = oppose "x" => a(n - d6); "y" => a(n); "z" => n end
           maximise a(0)"#,
        "maximise sum(choose from subsets(1..30))",
        "maximise choose from 1..10000000",
        "maximise (choose from 1..100000) + (choose from 1..100000) + d6",
        r#"maximise do let h = hand(20d20); let k = choose from subsets(h); sum(k) + (20 - length(k))d20 end"#,
        r#"maximise (repeat with x = 1, i = 0; let m = choose "m" => 48271; "n" => 16807 end; next x = (x * m + d6) % 2147483647, i = i + 1 until i = 30).x"#,
        r#"maximise (repeat with x = 1; let m = choose "up" => 2; "down" => 1/2; "hold" => 1 end; next x = x * m * d6 until x > 10^100).x"#,
        r#"maximise sum((repeat with l = [], i = 0; let m = choose "x" => d6; "y" => d8 end; next l = append(l, m), i = i + 1 until i = 40).l)"#,
    ] {
        let program = Engine::new().compile(text).expect("it is a program");
        let refused = program.try_odds(&budget).expect_err(text).fault.kind;
        let known = refused.is_over_budget() || refused.code() == "endless-play";
        assert!(known, "{text}: {}", refused.code());
    }
}

/// A function that goes on after it called itself, and that only chance ends, is not played: it is said why.
#[test]
fn calls_that_wait_for_each_other_are_said_to_be_too_many() {
    let text = "fn go(n) = choose
                  \"stop\" => n
                  \"on\" => do let die = d6; if die == 1 then 0 else 2 * go(n) - 1 end
                end
                maximise go(d2)";
    let program = Engine::new().compile(text).expect("it is a program");
    let refused =
        program.odds(&Budget::default().with_steps(3_000_000)).expect_err("it has no end");
    let said = refused.to_string();
    assert!(said.contains("something is left to do after the call"), "{said}");
    assert!(said.contains("so that the call comes last"), "{said}");
}

/// The mean of a play, and the chance of a yes.
fn worth(program: &str) -> String {
    let odds = Engine::new().compile(program).expect("it is a program").odds(&Budget::default());
    let odds = odds.unwrap_or_else(|wrong| panic!("{program}\n{wrong}"));
    let value = odds.plays[0].value.clone().expect("nothing goes wrong");
    if let Some(mean) = odds.only().mean() {
        assert_eq!(mean, value, "{program}");
    }
    value.to_string()
}

#[test]
fn what_is_known_of_games() {
    let again = "fn again(dice) = do
          let kept = choose from subsets(dice)
          concat(kept, hand((5 - length(kept))d6))
        end
        ";
    for (program, value) in [
        (
            r#"maximise do let first = d20; choose "keep" => first; "throw again" => d20 end end"#,
            "13",
        ),
        (&format!("{again} maximise sum(again(again(hand(5d6))))"), "70/3"),
        (
            &format!(
                "{again} maximise (do let dice = again(again(hand(5d6))); all(dice, d => d == at(dice, 1)) end)"
            ),
            "347897/7558272",
        ),
        (
            r#"maximise do
                 let a = d6
                 choose "stop" => a
                   "on" => do let b = d6; choose "stop" => b; "on" => d6 end end
                 end
               end"#,
            "14/3",
        ),
        (
            r#"maximise do
                 let a = d100
                 let first = choose "keep" => true; "on" => false end
                 let b = d100
                 let second = if first then false else choose "keep" => true; "on" => false end
                 let c = d100
                 let mine = if first then a else if second then b else c
                 mine = max(a, b, c)
               end"#,
            "172639/250000",
        ),
        (
            r#"maximise (repeat with score = 0, over = false
                 let go = choose "hold" => false; "throw" => true end
                 let die = if go then d6 else 0
                 next score = if go and die = 1 then 0 else score + die, over = not go or die = 1
                 until over).score"#,
            "492303203/60466176",
        ),
    ] {
        assert_eq!(worth(program), value, "{program}");
    }
}

/// One turn of Yahtzee for each category: five dice, any of them thrown again, twice.
#[test]
fn a_turn_of_yahtzee() {
    let head = "fn again(dice) = do
          let kept = choose from subsets(dice)
          sort(concat(kept, hand((5 - length(kept))d6)))
        end
        fn of(dice, face) = count_of(dice, d => d == face)
        fn most(dice) = max(map(1..6, f => of(dice, f)))
        fn all_of(dice, faces) = all(faces, f => of(dice, f) > 0)
        fn is_full(dice) = all(1..6, f => of(dice, f) != 1 and of(dice, f) < 4)
        maximise do let dice = again(again(hand(5d6)));";
    for (category, value) in [
        ("of(dice, 1)", "455/216"),
        ("2 * of(dice, 2)", "455/108"),
        ("3 * of(dice, 3)", "455/72"),
        ("4 * of(dice, 4)", "455/54"),
        ("5 * of(dice, 5)", "2275/216"),
        ("6 * of(dice, 6)", "455/36"),
        ("if most(dice) >= 3 then sum(dice) else 0", "114845383/7558272"),
        ("if most(dice) >= 4 then sum(dice) else 0", "56548607/10077696"),
        ("if is_full(dice) then 25 else 0", "137138375/15116544"),
        ("if any(1..3, f => all_of(dice, f..(f + 3))) then 30 else 0", "3767861125/204073344"),
        ("if any(1..2, f => all_of(dice, f..(f + 4))) then 40 else 0", "1598475995/153055008"),
        ("if most(dice) == 5 then 50 else 0", "8697425/3779136"),
        ("sum(dice)", "70/3"),
    ] {
        assert_eq!(worth(&format!("{head} {category} end")), value, "{category}");
    }
}

/// Games as they are played, small enough for all decisions: their answers are those of the law.
#[test]
fn games_by_all_decisions() {
    for (program, value) in [
        // Year Zero: sixes are successes; pushed once, all but sixes and ones are thrown again, and ones hurt.
        (
            r#"maximise do
                 let dice = 2d6
                 let hits = dice cs=6
                 let bad = dice cs=1
                 let rest = 2 - hits - bad
                 choose
                   "stop" => {hits: hits, hurt: 0}
                   "push" => do
                     let more = (rest)d6
                     {hits: hits + (more cs=6), hurt: bad + (more cs=1)}
                   end
                 end
               end by r => (if r.hits > 0 then 3 else 0) - r.hurt"#,
            "127/108",
        ),
        // Blades: harm is resisted for 6 minus a die in stress, if one wants, twice.
        (
            r#"maximise do
                 fn resist(stress, harm) = choose
                   "take it" => {stress: stress, harm: harm}
                   "resist" if stress < 6 => {stress: stress + 6 - d6, harm: max(0, harm - 2)}
                 end
                 let first = resist(3, d3)
                 let second = resist(first.stress, first.harm + d3)
                 second
               end by r => if r.stress >= 8 then -6 else -r.harm - r.stress / 4"#,
            "-4651/1296",
        ),
        // Death or glory: two sides strike in turn; one may retreat each round.
        (
            r#"fn fight(me, you, rounds) = if you <= 0 then 5 else if me <= 0 then -5 else if rounds <= 0 then 0 else choose
                 "retreat" => -1
                 "fight" => do
                   let struck = d2 = 1
                   let hurt = oppose "guard" => d3 = 1; "rage" => d3 >= 2 end
                   fight(if hurt then me - 1 else me, if struck then you - 1 else you, rounds - 1)
                 end
               end
               maximise fight(2, 2, 3)"#,
            "7/12",
        ),
        // Best of five, with one bonus to spend before a throw.
        (
            r#"fn match_of(mine, yours, bonus) = if mine >= 3 then true else if yours >= 3 then false else do
                 let spent = choose "save" => 0; "spend" if bonus => 1 end
                 let won = d3 + spent > 2
                 match_of(if won then mine + 1 else mine, if won then yours else yours + 1, bonus and spent = 0)
               end
               maximise match_of(0, 0, true)"#,
            "25/81",
        ),
    ] {
        assert_eq!(checks::law(program), Kept::Exactly, "{program}");
        assert_eq!(worth(program), value, "{program}");
    }
}
