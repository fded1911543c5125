//! Exact numbers as people write them: `65%`, `13/20`, `0.65`, `1 in 1000`.

use astragal::Rational;
use dashu_int::{IBig, UBig};

use crate::Refusal;

/// A chance that is wanted; never a float.
pub fn target(text: &str) -> Result<Rational, Refusal> {
    let chance =
        read(text.trim()).filter(|chance| *chance >= Rational::ZERO && *chance <= Rational::ONE);
    chance.ok_or_else(|| {
        let how = "write `65%`, `13/20`, `0.65` or `1 in 1000`, from 0 to 1";
        Refusal::Asked(format!("`{text}` is no chance: {how}"))
    })
}

fn read(text: &str) -> Option<Rational> {
    if let Some(percent) = text.strip_suffix('%') {
        return Some(number(percent)? / Rational::from(100u8));
    }
    match text.split_once(" in ") {
        Some((some, all)) => {
            let (some, all) = (number(some)?, number(all)?);
            (!all.is_zero()).then(|| some / all)
        }
        None => number(text),
    }
}

/// `-7`, `12.5`, `1/3`
pub fn number(text: &str) -> Option<Rational> {
    let text = text.trim();
    if let Some((top, bottom)) = text.split_once('/') {
        let (top, bottom) = (number(top)?, number(bottom)?);
        return (!bottom.is_zero()).then(|| top / bottom);
    }
    let (digits, negative) = match text.strip_prefix(['-', '−']) {
        Some(digits) => (digits, true),
        None => (text.strip_prefix('+').unwrap_or(text), false),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{decimals}");
    // A number that long is no number that anyone meant.
    let plain = !whole.is_empty() && all.len() <= 1000 && all.bytes().all(|b| b.is_ascii_digit());
    let top: IBig = plain.then(|| all.parse().ok())??;
    let value = Rational::from_parts(top, UBig::from(10u8).pow(decimals.len()));
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        target(text).map_or_else(|_| "wrong".into(), |chance| chance.to_string())
    }

    #[test]
    fn chances_are_read_exactly() {
        assert_eq!(shown("65%"), "13/20");
        assert_eq!(shown("0.65"), "13/20");
        assert_eq!(shown("13/20"), "13/20");
        assert_eq!(shown("1 in 1000"), "1/1000");
        assert_eq!(shown("33.3 %"), "333/1000");
        assert_eq!(shown("1"), "1");
    }

    #[test]
    fn what_is_no_chance_is_refused() {
        for text in ["", "65", "-1%", "1/0", "1 in 0", "half", "1e-3", ".5"] {
            assert_eq!(shown(text), "wrong", "{text}");
        }
    }
}
