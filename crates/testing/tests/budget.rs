//! What a budget promises: a refusal says what was allowed and what is needed, and long work asks often enough whether it
//! is cancelled.

use std::sync::{Arc, Mutex};

use astragal::{Budget, Costly, Engine, FaultKind, OpError, Watcher};

/// What a refused program is told: the message, then the help.
fn refused(text: &str) -> Vec<String> {
    refused_within(text, &Budget::default())
}

fn refused_within(text: &str, budget: &Budget) -> Vec<String> {
    let program = Engine::new().compile(text).expect("it is a program");
    let found = program.odds(budget).expect_err("it costs too much");
    let first = &found.list()[0];
    assert_eq!(first.code, "over-budget", "{text}: {found}");
    [vec![first.message.clone()], first.help.clone()].concat()
}

#[test]
fn a_refusal_says_what_was_allowed_and_what_is_needed() {
    let told = refused("3000d1000");
    assert_eq!(told[0], "this takes more memory than the budget allows");
    assert_eq!(told[2], "500 MiB of memory are allowed; this needs at least 5.2 GiB");

    let told = refused("straight(9999999d6)");
    assert_eq!(told[0], "this takes more work than the budget allows");
    assert!(told[2].starts_with("400 million steps of work are allowed; this needs at least "));

    let told = refused("[d1000, d1000, d1000]");
    assert_eq!(told[0], "this has more outcomes than the budget allows");
    assert!(told[1].starts_with("ask for part of it: one field, a sum, a count"), "{told:?}");
    assert_eq!(told[2], "200 thousand outcomes are allowed; they were used up here");
}

#[test]
fn more_steps_allow_more_memory() {
    let (usual, more) = (Budget::default(), Budget::of_steps(4_000_000_000));
    assert_eq!(more.memory, 10 * usual.memory);
    assert_eq!(more.states, 10 * usual.states);
}

/// The most steps that a program pays at once: so long nobody asks whether it is cancelled.
fn longest_piece(text: &str) -> u64 {
    let looks = Arc::new(Mutex::new((0, 0)));
    let seen = Arc::clone(&looks);
    let look = move |used, _| {
        let mut looks = seen.lock().expect("no look fails");
        *looks = (used, looks.1.max(used - looks.0));
    };
    let program = Engine::new().compile(text).expect("it is a program");
    let budget = Budget::default().with_watcher(Watcher::new(look));
    program.odds(&budget).expect("it is answered");
    looks.lock().expect("no look fails").1
}

#[test]
fn long_work_can_be_cancelled_in_the_middle() {
    // A watcher looks once in 200,000 steps, and a tenth of a second is ten million.
    for text in ["10000d6", "500d100", "200d6 + 300d4", "400d6kh200", "nth_highest(1000d100, 300)"]
    {
        let longest = longest_piece(text);
        assert!(longest <= 5_000_000, "{text}: {longest} steps at once");
    }
}

/// Why a program is refused with a small part of the usual steps, and how many of them it used.
fn hostile(text: &str) -> FaultKind {
    let program = Engine::new().compile(text).expect("it is a program");
    let budget = Budget::default().with_steps(20_000_000);
    program.try_odds(&budget).expect_err("it costs too much").fault.kind
}

#[test]
fn what_takes_long_is_paid_for() {
    // Each of these once ran for many seconds, or for ever, within the budget.
    for text in [
        "100d6 ro<=3 up to 50 in all lowest first",
        "40d6!! up to 20 in all",
        "60d{1, 100, 10000, 1000000, 100000000}",
        "100d{1/2, 1/3, 1/5, 1/7, 1/11, 1/13, 1/17, 1/19}",
        "1000d6 * 3 - 1000d8 * 7",
        "times(50, 20d6) kh25",
        "walk(30d6, 30d6, 30d6, 0, (s, f, a, b, c) => s + max(a, b, c))",
        "(repeat with x = 1 next x = x * d6 until x > 10^100).x",
        "(repeat with x = 0 next x = x + d1000 until x > 100000).x",
        "(repeat with l = [] next l = append(l, d6) until sum(l) > 100).l",
        "(repeat with x = 1 next x = (x * 48271 + d6) % 65537 until x == 7).x",
        "(repeat with x = d1000 next x = d1000 until d1000 == x).x",
        "fn f(n) = if n <= 0 then d2 else f(n - d2) + f(n - d3)\nf(40)",
        "sort(map(1..30, _ => d6))",
        "(repeat with x = 1 next x = x / 3 + d6 until x > 100).x",
        "(repeat with x = 0 next x = x / 2 + d6 until x > 100).x",
        "(repeat with n = 1 next n = (n)d6 until n > 1000).n",
        "fn b() = if d6 == 6 then b() + b() + b() + b() + b() + b() + b() else d20\nb()",
        "filter(1..30, x => d6 > 3)",
        "fold(1..30, [], (s, x) => if d2 == 1 then append(s, x) else s)",
        "sort_by(map(1..12, i => {i: i, v: d6}), r => r.v)",
        r#""{d1000}-{d1000}-{d1000}""#,
    ] {
        let kind = hostile(text);
        assert!(kind.is_over_budget(), "{text}: {kind:?}");
    }
}

#[test]
fn what_is_large_asks_for_memory_first() {
    for text in ["3d10000000", "2000d1000", "100000d6"] {
        let kind = hostile(text);
        let expected = [Costly::Memory, Costly::Work].map(FaultKind::OverBudget);
        assert!(expected.contains(&kind), "{text}: {kind:?}");
    }
}

/// Lists within lists, each twice the one before, from this first one on.
fn doubled(first: &str, times: usize) -> String {
    let lets = (1..=times).map(|at| format!("let a{at} = [a{0}, a{0}]\n", at - 1));
    format!("let a0 = {first}\n{}", lets.collect::<String>())
}

#[test]
fn shared_lists_are_not_unfolded_without_end() {
    for (first, last) in [("d6", "a30"), ("1", "\"{a30}\"")] {
        let kind = hostile(&format!("{}{last}", doubled(first, 30)));
        assert!(kind.is_over_budget(), "{first}, {last}: {kind:?}");
    }
    let small = Engine::new().compile(&format!("{}a10", doubled("d6", 10))).expect("a program");
    assert!(small.odds(&Budget::default()).is_ok());
}

#[test]
fn too_many_tables_are_refused_before_they_are_laid_out() {
    for text in ["sort(map(1..6, _ => d100))", "take(sort(map(1..20, _ => d20)), 3)"] {
        let told = refused(text);
        assert!(told.iter().any(|line| line.contains("this needs at least")), "{told:?}");
    }
}

#[test]
fn a_text_does_not_grow_for_ever() {
    let text = r#"(repeat with s = "" next s = "{s}{s}x" until false).s"#;
    assert_eq!(hostile(text), FaultKind::Operation(OpError::TextTooLong));
}

#[test]
fn a_refusal_says_what_to_write_instead() {
    for (text, words) in [
        ("100000d6", "throw fewer dice"),
        ("300d1000kh150", "keep fewer dice"),
        ("straight(9999999d6)", "carry less over the faces"),
        (
            "(repeat with x = 1 next x = x * d6 until x > 10^100).x",
            "carry less from round to round",
        ),
        ("[d1000, d1000, d1000]", "ask for part of it"),
        (
            "maximise (repeat with s = 0, n = 0 let go = choose \"a\" => d6; \"b\" => d8 end \
             next s = s * 10 + go, n = n + 1 until n == 12).s",
            "the play has at least",
        ),
    ] {
        let told = refused_within(text, &Budget::default().with_steps(20_000_000));
        assert!(told[1].starts_with(words), "{text}: {told:?}");
    }
}

#[test]
fn a_refusal_reads_well() {
    let program = Engine::new().compile("100d6").expect("it is a program");
    let found = program.odds(&Budget::of_steps(1_000)).expect_err("it costs too much");
    assert_eq!(
        found.to_string().trim_end(),
        "\
over budget[over-budget]: this takes more work than the budget allows
  ╭▸ program:1:1
  │
1 │ 100d6
  │ ━━━━━
  │
  ├ help: throw fewer dice, or dice with fewer sides: every sum is worked out exactly
  ╰ help: 1 thousand steps of work are allowed; this needs at least 1.3 thousand"
    );
}
