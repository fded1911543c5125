//! A table of texts: for the terminal, for Markdown, for a spreadsheet.

use unicode_width::UnicodeWidthStr;

use super::csv;
use crate::{cut, wrapped};

/// Columns with heads, and rows of cells.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    heads: Vec<Head>,
    rows: Vec<Vec<String>>,
    /// How many columns say which row it is.
    keys: usize,
}

#[derive(Clone, Debug)]
struct Head {
    text: String,
    /// Texts begin at the left, numbers end at the right.
    numbers: bool,
}

impl Grid {
    /// A column of texts.
    pub fn texts(&mut self, head: impl Into<String>) {
        self.heads.push(Head { text: head.into(), numbers: false });
    }

    /// A column of numbers.
    pub fn numbers(&mut self, head: impl Into<String>) {
        self.heads.push(Head { text: head.into(), numbers: true });
    }

    /// So many columns at the left say which row it is, and stand beside all others.
    pub fn known_by(&mut self, columns: usize) {
        self.keys = columns;
    }

    /// Adds a row: a cell for each column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Drops the columns that are empty in every row.
    pub fn without_empty_columns(mut self) -> Grid {
        let used =
            |at: usize| self.rows.iter().any(|row| row.get(at).is_some_and(|c| !c.is_empty()));
        let used: Vec<bool> = (0..self.heads.len()).map(used).collect();
        let mut at = used.iter();
        self.heads.retain(|_| *at.next().unwrap_or(&true));
        for row in &mut self.rows {
            let mut at = used.iter();
            row.retain(|_| *at.next().unwrap_or(&true));
        }
        self
    }

    /// The columns aligned, with two blanks between them.
    pub fn lines(&self) -> Vec<String> {
        let widths: Vec<usize> = (0..self.heads.len()).map(|at| self.width(at)).collect();
        let mut lines = Vec::new();
        if self.heads.iter().any(|head| !head.text.is_empty()) {
            let heads: Vec<String> = self.heads.iter().map(|head| head.text.clone()).collect();
            lines.push(self.line(&heads, &widths));
        }
        lines.extend(self.rows.iter().map(|row| self.line(row, &widths)));
        lines
    }

    /// The same where no line may be wider: columns that have no room stand below the others, beside the first
    /// column again; of two columns, the second goes below the first.
    pub fn lines_within(&self, width: usize) -> Vec<String> {
        let widths: Vec<usize> = (0..self.heads.len()).map(|at| self.width(at)).collect();
        let all = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        match self.heads.as_slice() {
            _ if all <= width => self.lines(),
            [_, second] if !second.numbers => self.pairs_within(width),
            [_, _, ..] => self.blocks_within(width, &widths),
            _ => self.lines(),
        }
    }

    fn pairs_within(&self, width: usize) -> Vec<String> {
        let pair = |row: &Vec<String>| {
            let mut lines = wrapped(&row[0], width);
            lines.extend(wrapped(&format!("  {}", row[1].trim_end()), width));
            lines
        };
        self.rows.iter().flat_map(pair).collect()
    }

    fn blocks_within(&self, width: usize, widths: &[usize]) -> Vec<String> {
        let keys = self.keys.max(1).min(self.heads.len() - 1);
        let room = |at: usize| {
            if self.heads[at].numbers { widths[at] } else { widths[at].min(width / 3 / keys) }
        };
        let first = (0..keys).map(|at| room(at) + 2).sum::<usize>() - 2;
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        let mut taken = width;
        for (at, own) in widths.iter().enumerate().skip(keys) {
            if taken + 2 + own > width {
                blocks.push(Vec::new());
                taken = first;
            }
            taken += 2 + own;
            blocks.last_mut().into_iter().for_each(|block| block.push(at));
        }
        let block = |columns: &Vec<usize>| {
            let columns: Vec<usize> = (0..keys).chain(columns.iter().copied()).collect();
            let heads = columns.iter().map(|at| self.heads[*at].clone()).collect();
            let row = |row: &Vec<String>| {
                let cell = |at: &usize| match row.get(*at) {
                    Some(cell) if *at < keys => cut(cell, room(*at)),
                    cell => cell.cloned().unwrap_or_default(),
                };
                columns.iter().map(cell).collect()
            };
            Grid { heads, rows: self.rows.iter().map(row).collect(), keys }.lines()
        };
        blocks.iter().map(block).collect::<Vec<_>>().join(&String::new())
    }

    fn width(&self, at: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width());
        cells.chain([self.heads[at].text.width()]).max().unwrap_or(0)
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let columns = self.heads.iter().zip(widths).zip(cells).map(|((head, width), cell)| {
            let blanks = " ".repeat(width - cell.width());
            if head.numbers { blanks + cell } else { format!("{cell}{blanks}") }
        });
        columns.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }

    /// A Markdown table.
    pub fn markdown(&self) -> Vec<String> {
        let row = |cells: &mut dyn Iterator<Item = &str>| {
            let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |", cells.join(" | "))
        };
        let mut lines = vec![row(&mut self.heads.iter().map(|head| head.text.as_str()))];
        let sides = self.heads.iter().map(|head| if head.numbers { "---:" } else { "---" });
        lines.push(row(&mut sides.into_iter()));
        lines.extend(self.rows.iter().map(|cells| row(&mut cells.iter().map(String::as_str))));
        lines
    }

    /// Comma-separated values.
    pub fn csv(&self) -> String {
        let heads: Vec<&str> = self.heads.iter().map(|head| head.text.as_str()).collect();
        let mut text = csv::line(&heads);
        for row in &self.rows {
            text += &csv::line(&row.iter().map(String::as_str).collect::<Vec<_>>());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let mut grid = Grid::default();
        grid.texts("roll");
        grid.numbers("mean");
        grid.texts("note");
        grid.row(vec!["d20".into(), "10.5".into(), String::new()]);
        grid.row(vec!["a | b".into(), "7".into(), String::new()]);
        grid.without_empty_columns()
    }

    #[test]
    fn columns_are_aligned() {
        assert_eq!(grid().lines(), ["roll   mean", "d20    10.5", "a | b     7"]);
    }

    #[test]
    fn columns_without_room_stand_below() {
        let mut grid = Grid::default();
        grid.texts("");
        ["mean", "deviation", "5%"].iter().for_each(|head| grid.numbers(*head));
        grid.row(["2d20kh1 + 5", "18.825", "4.7", "9"].map(String::from).to_vec());
        assert_eq!(
            grid.lines_within(24),
            [
                "            mean",
                "2d20kh1…  18.825",
                "",
                "          deviation  5%",
                "2d20kh1…        4.7   9"
            ]
        );
        let mut grid = Grid::default();
        ["", ""].iter().for_each(|head| grid.texts(*head));
        grid.row(["they are equal", "1/20, 5.00%, 1 in 20"].map(String::from).to_vec());
        assert_eq!(grid.lines_within(24), ["they are equal", "  1/20, 5.00%, 1 in 20"]);
    }

    #[test]
    fn bars_in_markdown_are_escaped() {
        assert_eq!(grid().markdown()[3], "| a \\| b | 7 |");
    }
}
