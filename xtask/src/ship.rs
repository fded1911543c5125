//! `cargo xtask ship`: all that people get, in one command.

use crate::say;
use crate::tools::{Trouble, cargo, run, target};
use crate::web::{self, timed};

/// Builds the page, then the binary with the page inside.
pub(crate) fn ship() -> Result<(), Trouble> {
    web::build()?;
    timed("binary", "with the page inside, optimised: minutes", || {
        run(cargo().args(["build", "--profile", "ship", "--package", "astragal-cli"]))
    })?;
    let binary = target().join("ship").join(format!("astragal{}", std::env::consts::EXE_SUFFIX));
    say(&format!("{} is the whole of it; `astragal serve` gives out the page", binary.display()));
    Ok(())
}
