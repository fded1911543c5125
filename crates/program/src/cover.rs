//! What the arms of a `match` cover.

use std::collections::HashSet;

use astragal_value::Number;

use crate::types::Type;

/// What one pattern covers.
pub(crate) enum Piece {
    All,
    None,
    Bool(bool),
    Text(String),
    Variant(u32),
    /// From, to, both included; endless where absent.
    Range(Option<Number>, Option<Number>),
}

/// What the arms so far cover.
#[derive(Default)]
pub(crate) struct Cover {
    all: bool,
    /// `none` is covered.
    pub(crate) none: bool,
    yes: bool,
    no: bool,
    texts: HashSet<String>,
    variants: HashSet<u32>,
    ranges: Vec<(Option<Number>, Option<Number>)>,
}

/// How much is covered.
pub(crate) enum Extent {
    /// Every value.
    All,
    /// Every whole number, but not every fraction.
    WholeNumbers,
    /// Not these, in words.
    Part(String),
}

impl Cover {
    /// Covers one more piece. False if all of it was covered before.
    pub(crate) fn add(&mut self, piece: Piece, ty: &Type) -> bool {
        if self.all {
            return false;
        }
        match piece {
            Piece::All => {
                // Of a value whose type is not known yet nobody knows what is left.
                let fresh = is_open(ty) || !matches!(self.extent(ty), Extent::All);
                self.all = true;
                self.none = true;
                fresh
            }
            Piece::None => !std::mem::replace(&mut self.none, true),
            Piece::Bool(true) => !std::mem::replace(&mut self.yes, true),
            Piece::Bool(false) => !std::mem::replace(&mut self.no, true),
            Piece::Text(text) => self.texts.insert(text),
            Piece::Variant(u32::MAX) => true,
            Piece::Variant(index) => self.variants.insert(index),
            Piece::Range(from, to) => {
                let fresh = !self.covers(from.as_ref(), to.as_ref(), false);
                self.ranges.push((from, to));
                fresh
            }
        }
    }

    /// How much of a type is covered.
    pub(crate) fn extent(&self, ty: &Type) -> Extent {
        if self.all {
            return Extent::All;
        }
        match ty {
            Type::Unknown => Extent::All,
            Type::Optional(_) if !self.none => Extent::Part("`none`".into()),
            Type::Optional(inner) => self.extent(inner),
            Type::Bool if self.yes && self.no => Extent::All,
            Type::Bool => Extent::Part(if self.yes { "`false`" } else { "`true`" }.into()),
            Type::Enum(of) => {
                let missing = of.variants.iter().zip(0u32..);
                let missing: Vec<String> = missing
                    .filter(|(_, index)| !self.variants.contains(index))
                    .map(|(name, _)| format!("`{name}`"))
                    .collect();
                if missing.is_empty() { Extent::All } else { Extent::Part(missing.join(", ")) }
            }
            Type::Number | Type::Pool(_) if self.covers(None, None, false) => Extent::All,
            Type::Number | Type::Pool(_) if self.covers(None, None, true) => Extent::WholeNumbers,
            Type::Number | Type::Pool(_) => Extent::Part("every number".into()),
            Type::Text => Extent::Part("every text".into()),
            Type::List(_) | Type::Record(_) => Extent::Part("every value".into()),
        }
    }

    /// Whether the ranges cover everything between two ends; with `whole`, every whole number there.
    fn covers(&self, from: Option<&Number>, to: Option<&Number>, whole: bool) -> bool {
        let mut frontier = from.cloned();
        let mut started = false;
        loop {
            let ends = self.ranges.iter().filter(|(start, end)| {
                let begins = match (start, &frontier) {
                    (None, _) => true,
                    (Some(_), None) => false,
                    (Some(start), Some(at)) if whole && started => {
                        start.ceil().subtract(&Number::ONE).is_ok_and(|before| before <= at.floor())
                    }
                    (Some(start), Some(at)) => start <= at,
                };
                let extends = match (end, &frontier) {
                    (None, _) | (_, None) => true,
                    (Some(end), Some(at)) if started => end > at,
                    (Some(end), Some(at)) => end >= at,
                };
                begins && extends
            });
            let mut furthest: Option<&Number> = None;
            for (_, end) in ends {
                match end {
                    None => return true,
                    Some(end) => furthest = Some(furthest.map_or(end, |known| known.max(end))),
                }
            }
            let Some(end) = furthest else { return false };
            if to.is_some_and(|to| end >= to) {
                return true;
            }
            frontier = Some(end.clone());
            started = true;
        }
    }
}

fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Unknown => true,
        Type::Optional(inner) => is_open(inner),
        Type::Bool | Type::Enum(_) | Type::Number | Type::Pool(_) | Type::Text => false,
        Type::List(_) | Type::Record(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: &str, to: &str) -> Piece {
        let end = |text: &str| (!text.is_empty()).then(|| Number::parse(text).unwrap());
        Piece::Range(end(from), end(to))
    }

    fn cover(pieces: Vec<Piece>) -> Cover {
        let mut cover = Cover::default();
        for piece in pieces {
            cover.add(piece, &Type::Number);
        }
        cover
    }

    #[test]
    fn ranges_cover_whole_numbers_or_all() {
        let extent = |pieces| cover(pieces).extent(&Type::Number);
        assert!(matches!(extent(vec![range("", "5"), range("6", "")]), Extent::WholeNumbers));
        assert!(matches!(extent(vec![range("5", ""), range("", "5")]), Extent::All));
        assert!(matches!(extent(vec![range("", "5"), range("7", "")]), Extent::Part(_)));
        let points = vec![range("", "1"), range("2", "2"), range("3", "3"), range("4", "")];
        assert!(matches!(extent(points), Extent::WholeNumbers));
    }

    #[test]
    fn a_piece_within_others_is_not_fresh() {
        let mut cover = cover(vec![range("1", "5"), range("5", "9")]);
        assert!(!cover.add(range("2", "8"), &Type::Number));
        assert!(cover.add(range("2", "10"), &Type::Number));
        assert!(!cover.add(range("10", "10"), &Type::Number));
    }
}
