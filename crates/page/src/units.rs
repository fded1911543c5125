//! Bytes and UTF-16 units: the engine counts the former, a browser the latter.

/// A text whose places are counted in UTF-16 units.
pub(crate) struct Units {
    /// The units before each byte; empty for a text of ASCII alone, where both are the same.
    before: Vec<u32>,
    bytes: usize,
}

impl Units {
    pub(crate) fn of(text: &str) -> Units {
        let mut before = Vec::new();
        if !text.is_ascii() {
            let mut units = 0;
            for c in text.chars() {
                before.extend(std::iter::repeat_n(units, c.len_utf8()));
                units += c.len_utf16() as u32;
            }
            before.push(units);
        }
        Units { before, bytes: text.len() }
    }

    /// The units before a byte; those before its character, if it is within one.
    pub(crate) fn at(&self, byte: usize) -> u32 {
        let byte = byte.min(self.bytes);
        self.before.get(byte).copied().unwrap_or(u32::try_from(byte).unwrap_or(u32::MAX))
    }

    /// The byte at a unit; that of its character, if it is within one.
    pub(crate) fn byte(&self, unit: u32) -> usize {
        if self.before.is_empty() {
            return (unit as usize).min(self.bytes);
        }
        let after = self.before.partition_point(|before| *before <= unit);
        let found = self.before[after.saturating_sub(1)];
        self.before.partition_point(|before| *before < found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_is_four_bytes_and_two_units() {
        let text = "é🎲d";
        let units = Units::of(text);
        let at: Vec<u32> = text.char_indices().map(|(byte, _)| units.at(byte)).collect();
        assert_eq!(at, [0, 1, 3]);
        assert_eq!(units.at(99), 4);
        assert_eq!([0, 1, 3, 4, 99].map(|unit| units.byte(unit)), [0, 2, 6, 7, 7]);
        assert_eq!(units.byte(2), 2);
    }

    #[test]
    fn plain_texts_are_the_same_in_both() {
        let units = Units::of("4d6");
        assert_eq!((units.at(2), units.byte(2), units.byte(9)), (2, 2, 3));
    }
}
