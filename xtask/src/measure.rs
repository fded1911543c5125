//! `cargo xtask measure`: how fast the page is, from its first byte to three hundred results.

use crate::tools::{Trouble, chromium, in_web, node, run};

/// Measures the page that is built.
pub(crate) fn measure() -> Result<(), Trouble> {
    node()?;
    let chromium = chromium()?;
    run(in_web("node").arg("tools/measure.mjs").env("CHROMIUM", chromium))
}
