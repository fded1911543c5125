//! Every example runs to its end, and what it asserts holds. Those that need a feature run where it is on.

use std::path::Path;

#[cfg(feature = "rand_core")]
#[path = "../examples/any_generator.rs"]
mod any_generator;
#[cfg(feature = "serde")]
#[path = "../examples/as_data.rs"]
mod as_data;
#[path = "../examples/async_bot.rs"]
mod async_bot;
#[path = "../examples/budget.rs"]
mod budget;
#[path = "../examples/cancelling.rs"]
mod cancelling;
#[path = "../examples/engine.rs"]
mod engine;
#[path = "../examples/errors.rs"]
mod errors;
#[path = "../examples/house_rules.rs"]
mod house_rules;
#[cfg(feature = "dialects")]
#[path = "../examples/notations.rs"]
mod notations;
#[path = "../examples/own_dice.rs"]
mod own_dice;
#[cfg(all(feature = "charts", feature = "tables"))]
#[path = "../examples/pictures.rs"]
mod pictures;
#[path = "../examples/program.rs"]
mod program;
#[cfg(feature = "sweeps")]
#[path = "../examples/what_if.rs"]
mod what_if;

/// A test for each, which fails with what the example failed with.
macro_rules! runs {
    ($($(#[$when:meta])* $name:ident),* $(,)?) => {
        mod runs {
            $(
                $(#[$when])*
                #[test]
                fn $name() -> Result<(), Box<dyn std::error::Error>> {
                    super::$name::main()
                }
            )*
        }
        const LISTED: &[&str] = &[$(stringify!($name)),*];
    };
}

runs! {
    #[cfg(feature = "rand_core")]
    any_generator,
    #[cfg(feature = "serde")]
    as_data,
    async_bot,
    budget,
    cancelling,
    engine,
    errors,
    house_rules,
    #[cfg(feature = "dialects")]
    notations,
    own_dice,
    #[cfg(all(feature = "charts", feature = "tables"))]
    pictures,
    program,
    #[cfg(feature = "sweeps")]
    what_if,
}

#[test]
fn every_example_of_the_folder_is_listed() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        assert!(LISTED.contains(&name.as_str()), "{name} is not run by a test");
    }
    Ok(())
}
