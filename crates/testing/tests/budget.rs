//! What a budget promises: a refusal says what was allowed and what is needed, and long work asks often enough whether it
//! is cancelled.

use std::sync::{Arc, Mutex};

use astragal::{Budget, Engine, Watcher};

/// What a refused program is told: the message, then the help.
fn refused(text: &str) -> Vec<String> {
    let program = Engine::new().compile(text).expect("it is a program");
    let found = program.odds(&Budget::default()).expect_err("it costs too much");
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
  ├ help: ask for less: a chance such as `… >= 20`, one field, a sum or a count instead of the dice themselves, fewer dice; or raise the budget
  ╰ help: 1 thousand steps of work are allowed; this needs at least 1.6 thousand"
    );
}
