//! A table of texts: for the terminal, for Markdown, for a spreadsheet.

use unicode_width::UnicodeWidthStr;

use super::csv;

/// Columns with heads, and rows of cells.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    heads: Vec<Head>,
    rows: Vec<Vec<String>>,
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
    fn bars_in_markdown_are_escaped() {
        assert_eq!(grid().markdown()[3], "| a \\| b | 7 |");
    }
}
