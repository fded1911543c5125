//! Feature `dialects`: what people paste from other tools, read as those tools read it.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use astragal::dialects::{Dialect, convert, convert_noted};
use astragal::{Budget, Diagnostics, Engine};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // The same text is another roll elsewhere.
    for dialect in Dialect::ALL {
        let ours = convert("4d6kh3", dialect).unwrap_or_else(|_| "not its notation".into());
        println!("{dialect}: {ours}");
    }
    let converted = convert_noted("4d6r<2", Dialect::Roll20)
        .map_err(|found| Diagnostics::of_text(found, "Roll20", "4d6r<2"))?;
    assert_eq!(converted.astragal, "4d6rr<=2");

    // What comes out is a program like any other.
    let odds = Engine::new().compile(&converted.astragal)?.odds(&Budget::default())?;
    println!("mean {:?}", odds.mean_f64());
    assert_eq!(odds.mean_f64(), Some(18.0));

    // What has no spelling of ours says so, with its place.
    let refused = convert("5d6mt", Dialect::Roll20);
    let Err(found) = refused else { return Err("matches cannot be said".into()) };
    println!("{}", Diagnostics::of_text(found, "Roll20", "5d6mt"));
    Ok(())
}
