//! Places as people count them: lines and columns from 1, columns in characters.

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
    length: usize,
}

impl LineIndex {
    /// The lines of `text`.
    pub fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        LineIndex { starts, length: text.len() }
    }

    /// The line of a byte, from 1.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The line and column of a byte, both from 1; the column counts characters.
    pub fn position(&self, text: &str, offset: usize) -> (usize, usize) {
        let line = self.line_of(offset.min(self.length));
        let start = self.line_range(line).start;
        let before = |(at, _): &(usize, char)| start + at < offset;
        let rest = text.get(start..).unwrap_or_default();
        (line, rest.char_indices().take_while(before).count() + 1)
    }

    /// The bytes of a line (from 1) without its line end; empty beyond the last line.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = line.checked_sub(1).and_then(|index| self.starts.get(index));
        let Some(start) = start.copied() else { return self.length..self.length };
        let end = self.starts.get(line).map_or(self.length, |next| next - 1);
        start..end
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = "a\nüx\n";
        let index = LineIndex::new(text);
        assert_eq!(index.position(text, 0), (1, 1));
        assert_eq!(index.position(text, 2), (2, 1));
        assert_eq!(index.position(text, 4), (2, 2));
        assert_eq!(index.position(text, 999), (3, 1));
        assert_eq!(&text[index.line_range(2)], "üx");
        assert_eq!(index.line_range(9), 6..6);
        assert_eq!(index.lines(), 3);
    }
}
