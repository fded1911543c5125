//! `Engine`: compiles programs. Make one, clone it freely, share it between threads.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;
use std::thread;

use astragal::{Budget, Engine};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // The prelude and the five rule systems are inside; nothing is read from a disk.
    let engine = Engine::new();
    let systems: Vec<&str> = engine.systems().collect();
    println!("built in: {}", systems.join(", "));
    assert!(systems.contains(&"cofd"));

    // What a system offers, from its own file.
    let cofd = engine.documentation("cofd").ok_or("cofd is built in")?;
    let action = cofd.functions.iter().find(|function| function.name == "action");
    let inputs =
        action.map(|action| action.parameters.iter().map(|p| &*p.name).collect::<Vec<_>>());
    println!("cofd.action takes {}", inputs.unwrap_or_default().join(", "));

    // With a system open, its names need no prefix.
    let open = engine.clone().with_open("cofd");
    assert!(engine.compile("action(7).outcome").is_err());
    assert!(open.compile("action(7).outcome").is_ok());

    // An engine is shared by threads; each compiles what it needs.
    let means = thread::scope(|scope| {
        let threads = ["3d6", "4d6kh3", "2d6 + 6"].map(|text| {
            let engine = &engine;
            scope.spawn(move || {
                engine.compile(text)?.odds(&Budget::default()).map(|odds| odds.mean_f64())
            })
        });
        threads.map(|thread| thread.join().ok().and_then(Result::ok).flatten())
    });
    println!("means: {means:?}");
    assert_eq!((means[0], means[2]), (Some(10.5), Some(13.0)));
    Ok(())
}
