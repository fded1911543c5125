//! Odds as text for people: a table as Reddit, Discord or any Markdown shows it, with rounded percentages, the program and
//! a link.
//!
//! Discord has no tables and takes 2,000 characters a message: there the columns are aligned in a block of code, with bars, and what
//! has no room is left out, the least likely first, and counted.

use astragal::{Answer, Rational};

use crate::View;
use crate::decimal::{float, percent, root, short};
use crate::export::grid::Grid;
use crate::rows::{Row, table};
use crate::tables::{are_alike, title};

/// Where the text is pasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Tables, and fences around code.
    Markdown,
    /// Tables; code is known by four blanks, which every version of Reddit reads.
    Reddit,
    /// No tables, and not much room.
    Discord,
}

/// What is told beside the odds.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The program's text.
    pub program: &'a str,
    /// Where it can be seen; empty: nowhere.
    pub link: &'a str,
    /// Which chances.
    pub view: View,
}

/// The most characters of a message on Discord.
const MESSAGE: usize = 2000;
/// How long the longest bar is.
const BAR: f64 = 20.0;
/// How much is told on Discord, the most first: rows of a table, and whether they have bars.
const SHORTER: [(usize, bool); 6] =
    [(40, true), (40, false), (20, true), (20, false), (10, false), (5, false)];

/// The odds as text.
pub fn text(answers: &[Answer], about: &About<'_>, place: Place) -> String {
    let parts = parts(answers, about.view);
    match place {
        Place::Discord => message(&parts, about),
        Place::Markdown | Place::Reddit => {
            let tables = parts.iter().map(|part| part.markdown());
            let blocks = [code(about.program, place)].into_iter().chain(tables);
            let link = (!about.link.is_empty()).then(|| format!("[Astragal]({})", about.link));
            blocks.chain(link).collect::<Vec<_>>().join("\n\n") + "\n"
        }
    }
}

/// As much as fits into a message.
fn message(parts: &[Part], about: &About<'_>) -> String {
    let told = |rows: usize, bars: bool, link: &str| {
        let tables = parts.iter().map(|part| part.block(rows, bars));
        let blocks = [code(about.program, Place::Discord)].into_iter().chain(tables);
        let link = (!link.is_empty()).then(|| link.to_owned());
        blocks.chain(link).collect::<Vec<_>>().join("\n")
    };
    let fits = |text: &String| text.chars().count() <= MESSAGE;
    let tries = SHORTER.iter().map(|(rows, bars)| told(*rows, *bars, about.link));
    let without_link = || told(5, false, "");
    let mut tries = tries.chain(std::iter::once_with(without_link));
    tries
        .find(fits)
        .unwrap_or_else(|| without_link().chars().take(MESSAGE - 1).collect::<String>() + "…")
}

/// The program as code: within the line if it is one.
fn code(program: &str, place: Place) -> String {
    let program = program.trim();
    if !program.contains(['\n', '`']) {
        return format!("`{program}`");
    }
    match place {
        Place::Reddit => {
            program.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
        }
        // Who writes three backticks in a program does not want it to be read.
        _ => format!("```\n{}\n```", program.replace("```", "'''")),
    }
}

/// One table and what is said above it.
struct Part {
    /// Its name, then what is known of the whole.
    head: String,
    rows: Vec<Row>,
    /// What the columns of chances are called.
    names: Vec<String>,
    aside: &'static str,
    left_out: usize,
}

/// What has one type stands side by side; else one below the other, what is the same under all of its names.
fn parts(answers: &[Answer], view: View) -> Vec<Part> {
    if answers.len() > 1 && are_alike(answers) {
        return vec![Part::of(&answers.iter().collect::<Vec<_>>(), "", view)];
    }
    let mut told: Vec<(String, Part)> = Vec::new();
    for answer in answers {
        let part = Part::of(&[answer], "", view);
        match told.iter_mut().find(|(_, known)| known.is_like(&part)) {
            Some((name, _)) => *name += &format!(", {}", title(answer)),
            None => told.push((title(answer), part)),
        }
    }
    let named = told.into_iter().map(|(name, part)| part.named(&name));
    named.collect()
}

impl Part {
    fn of(answers: &[&Answer], name: &str, view: View) -> Part {
        let table = table(answers, view, false, None);
        let alone = answers.len() == 1;
        let moments = answers.iter().filter_map(|answer| {
            let (mean, variance) = (answer.mean()?, answer.variance()?);
            let (mean, deviation) = (short(&mean, 2), short(&root(&variance, 4), 2));
            let of = if alone { String::new() } else { format!("{}: ", title(answer)) };
            Some(format!("{of}mean {mean}, deviation {deviation}"))
        });
        let head = moments.collect::<Vec<_>>().join("; ");
        let names = match alone {
            true => vec![words(table.view).to_owned()],
            false => answers.iter().map(|answer| title(answer)).collect(),
        };
        let aside = if alone { table.aside } else { "" };
        Part { head, rows: table.rows, names, aside, left_out: table.left_out }.named(name)
    }

    fn named(mut self, name: &str) -> Part {
        self.head = match (name, self.head.as_str()) {
            ("", _) => self.head,
            (name, "") => name.to_owned(),
            (name, head) => format!("{name}: {head}"),
        };
        self
    }

    fn is_like(&self, other: &Part) -> bool {
        let same = |(a, b): (&Row, &Row)| a.label == b.label && a.chances == b.chances;
        self.rows.len() == other.rows.len() && self.rows.iter().zip(&other.rows).all(same)
    }

    /// What never varies is no table.
    fn always(&self) -> Option<String> {
        match self.rows.as_slice() {
            [only] if only.chances == [Rational::ONE] => {
                let name = self.head.split(": mean").next().unwrap_or_default();
                Some(format!("{name} always {}", only.label).trim_start().to_owned())
            }
            _ => None,
        }
    }

    fn markdown(&self) -> String {
        if let Some(always) = self.always() {
            return always;
        }
        let (grid, left_out) = self.grid(usize::MAX, false);
        let head = Some(self.head.clone()).filter(|head| !head.is_empty());
        let rest = (left_out > 0).then(|| format!("… and {left_out} more"));
        let lines = [head, Some(grid.markdown().join("\n")), rest];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
    }

    fn block(&self, most: usize, bars: bool) -> String {
        if let Some(always) = self.always() {
            return always;
        }
        let (grid, left_out) = self.grid(most, bars);
        // Three backticks in a name would end the block.
        let lines = grid.lines().join("\n").replace("```", "'''");
        let rest = if left_out > 0 { format!("… and {left_out} more\n") } else { String::new() };
        let head = if self.head.is_empty() { String::new() } else { format!("{}\n", self.head) };
        format!("{head}```\n{lines}\n{rest}```")
    }

    /// The likeliest rows in their order, and how many others there are.
    fn grid(&self, most: usize, bars: bool) -> (Grid, usize) {
        let mut grid = Grid::default();
        if self
            .rows
            .iter()
            .all(|row| row.label.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
        {
            grid.numbers("outcome");
        } else {
            grid.texts("outcome");
        }
        self.names.iter().for_each(|name| grid.numbers(name.as_str()));
        if !self.aside.is_empty() {
            grid.numbers(self.aside);
        }
        let bars = bars && self.names.len() == 1;
        if bars {
            grid.texts("");
        }
        let size = |row: &Row| row.chances.iter().map(float).fold(0.0, f64::max);
        let highest = self.rows.iter().map(size).fold(f64::MIN_POSITIVE, f64::max);
        let mut sizes: Vec<f64> = self.rows.iter().map(size).collect();
        sizes.sort_by(|a, b| b.total_cmp(a));
        let least = sizes.get(most.saturating_sub(1)).copied().unwrap_or(0.0);
        let mut kept = 0;
        for row in self.rows.iter().filter(|row| size(row) >= least).take(most) {
            let mut cells = vec![row.label.clone()];
            cells.extend(row.chances.iter().map(percent));
            if !self.aside.is_empty() {
                cells.push(row.aside.clone());
            }
            if bars {
                cells.push("█".repeat((size(row) / highest * BAR).round() as usize));
            }
            grid.row(cells);
            kept += 1;
        }
        (grid, self.rows.len() - kept + self.left_out)
    }
}

fn words(view: View) -> &'static str {
    match view {
        View::Exactly => "exactly",
        View::AtLeast => "at least",
        View::AtMost => "at most",
    }
}

#[cfg(test)]
mod tests {
    use astragal::{Budget, Engine};

    use super::*;
    use crate::tables::answers;

    fn pasted(program: &str, place: Place) -> String {
        let compiled = Engine::new().compile(program).unwrap();
        let answers = answers(&compiled, &Budget::default(), None).unwrap();
        let about = About { program, link: "https://example.org/#e=2d4", view: View::Exactly };
        text(&answers, &about, place)
    }

    #[test]
    fn a_table_with_rounded_percentages_and_a_link() {
        let expected = "`2d4`\n\nmean 5, deviation 1.58\n\n\
            | outcome | exactly | or more |\n| ---: | ---: | ---: |\n\
            | 2 | 6.25% | 100.00% |\n| 3 | 12.50% | 93.75% |\n| 4 | 18.75% | 81.25% |\n\
            | 5 | 25.00% | 62.50% |\n| 6 | 18.75% | 37.50% |\n| 7 | 12.50% | 18.75% |\n\
            | 8 | 6.25% | 6.25% |\n\n[Astragal](https://example.org/#e=2d4)\n";
        assert_eq!(pasted("2d4", Place::Markdown), expected);
        assert_eq!(pasted("2d4", Place::Reddit), expected);
    }

    #[test]
    fn discord_has_aligned_columns_with_bars() {
        let told = pasted("d3", Place::Discord);
        assert!(told.starts_with("`d3`\nmean 2, deviation 0.82\n```\noutcome"), "{told}");
        assert!(told.contains("\n      2   33.33%   66.67%  ████████████████████\n"), "{told}");
        assert!(told.ends_with("```\nhttps://example.org/#e=2d4"), "{told}");
    }

    #[test]
    fn a_message_is_never_too_long() {
        let many = |at: usize| format!("show \"a long name for result {at}\" = {at}d6\n");
        let many: String = (1..40).map(many).collect();
        let wide = "let a = d100; {one: a, two: 2 * a, three: 3 * a, four: 4 * a, yes: a > 5}";
        for program in ["100d6", "d6!", wide, &many, &format!("d6 # {}", "long ".repeat(500))] {
            let told = pasted(program, Place::Discord);
            assert!(told.chars().count() <= MESSAGE, "{}", told.chars().count());
        }
        assert!(pasted(wide, Place::Discord).contains("… and "));
    }

    #[test]
    fn several_results_stand_side_by_side_and_equal_fields_together() {
        let told = pasted("show \"plain\" = d4; show \"more\" = d4 + 1", Place::Markdown);
        assert!(told.contains("| outcome | plain | more |"), "{told}");
        assert!(told.contains("| 1 | 25.00% | 0.00% |"), "{told}");
        let told = pasted("let a = d4; {a: a, b: a, always: 3}", Place::Markdown);
        assert!(told.contains("a, b: mean 2.5") && told.contains("always always 3"), "{told}");
        assert_eq!(told.matches("| 1 |").count(), 1, "{told}");
    }

    #[test]
    fn programs_of_several_lines_are_blocks() {
        let told = pasted("let a = d4\na + 1", Place::Reddit);
        assert!(told.starts_with("    let a = d4\n    a + 1\n\n"), "{told}");
        let told = pasted("let a = d4\na + 1", Place::Discord);
        assert!(told.starts_with("```\nlet a = d4\na + 1\n```\n"), "{told}");
    }
}
