//! Rewrites the tables in the book's page on speed.
//!
//! In `speed.md` a table stands between `<!-- bench: NAME -->` and `<!-- end -->`; all else on the page is left
//! as it is.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::{Options, exact, growth, place, rolls, systems};

/// Measures everything and writes it into the page.
pub fn rewrite(options: &Options) {
    let file = place::book("speed.md");
    let mut page = std::fs::read_to_string(&file).expect("the page is there");
    growth::draw();
    for (name, table) in [
        ("run", run()),
        ("exact", block(&exact::table(options))),
        ("systems", block(&systems::table())),
        ("rolls", block(&rolls::table())),
    ] {
        page = replaced(&page, name, &table);
    }
    std::fs::write(&file, page).expect("the page can be written");
}

fn run() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "Measured on {} on a machine with {cores} cores by\n`cargo run --profile ship -p astragal-bench -- book`.",
        today()
    )
}

fn block(table: &str) -> String {
    format!("```text\n{}\n```", table.trim_end())
}

fn replaced(page: &str, name: &str, table: &str) -> String {
    let begin = format!("<!-- bench: {name} -->\n");
    let parts = page.split_once(&begin);
    let (before, rest) = parts.unwrap_or_else(|| panic!("the page has no place for `{name}`"));
    let (_, after) = rest.split_once("<!-- end -->").expect("a table has an end");
    format!("{before}{begin}{table}\n<!-- end -->{after}")
}

/// The date in UTC, as in 2026-11-15.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let days = since.as_secs() / 86_400;
    let (year, month, day) = date(days);
    format!("{year}-{month:02}-{day:02}")
}

/// The date so many days after 1970-01-01. Years are counted from March, so that a leap day comes last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let in_month = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, in_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_772), (2026, 11, 15));
    }

    #[test]
    fn only_the_named_table_changes() {
        let page = "a\n<!-- bench: x -->\nold\n<!-- end -->\nb\n";
        assert_eq!(replaced(page, "x", "new"), "a\n<!-- bench: x -->\nnew\n<!-- end -->\nb\n");
    }
}
