//! Tables as plain text.

use std::fmt;

/// Rows under a heading. The first column is set to the left, the others to the right.
pub struct Table {
    rows: Vec<Vec<String>>,
    /// A last column of words, set to the left.
    words: bool,
}

impl Table {
    pub fn new<const N: usize>(heading: [&str; N]) -> Table {
        Table { rows: vec![heading.map(str::to_owned).to_vec()], words: false }
    }

    /// The same table, whose last column holds words.
    pub fn with_words(self) -> Table {
        Table { words: true, ..self }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows[0].len();
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..columns).filter_map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let words = self.words && column + 1 == columns;
                line += &match column == 0 || words {
                    true => format!("{cell:<width$}"),
                    false => format!("{cell:>width$}"),
                };
                line += "  ";
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A time in the unit that suits it.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{} s", three(s)),
        s if s >= 1e-3 => format!("{} ms", three(s * 1e3)),
        s if s >= 1e-6 => format!("{} µs", three(s * 1e6)),
        s => format!("{} ns", three(s * 1e9)),
    }
}

/// A ratio: `0.52×`, `37×`, `12,345×`.
pub fn times(ratio: f64) -> String {
    format!("{}×", if ratio >= 1000.0 { grouped(ratio.round() as u64) } else { three(ratio) })
}

/// A whole number in groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |(at, digit): (usize, char)| {
        let comma = at > 0 && (digits.len() - at).is_multiple_of(3);
        if comma { format!(",{digit}") } else { format!("{digit}") }
    };
    digits.chars().enumerate().map(comma).collect()
}

/// Three digits, as far as there is a point among them.
fn three(number: f64) -> String {
    match number {
        n if n >= 99.95 => format!("{n:.0}"),
        n if n >= 9.995 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}
