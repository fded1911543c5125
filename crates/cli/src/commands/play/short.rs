//! Odds in short: one line for each part of the result.
//!
//! ```text
//! total    mean 15.5, from 6 to 25
//! success  yes 58.33%
//! outcome  failure 12.50%, success 87.50%
//! ```

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use astragal::Program;
use astragal_show::brief::line;
use astragal_show::tables::titled;

use crate::commands::odds::budget;
use crate::stop::Stop;

pub(super) fn odds(
    program: &Program,
    steps: Option<u64>,
    flag: Arc<AtomicBool>,
) -> Result<String, Stop> {
    let budget = budget(steps).with_cancel(flag);
    let odds = program.odds_apart(&budget, None)?;
    let titled = titled(&odds.results);
    let widest = titled.iter().map(|(title, _)| title.len()).max().unwrap_or(0);
    let lines = titled.iter().map(|(title, answer)| format!("{title:widest$}  {}", line(answer)));
    Ok(lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>().join("\n"))
}
