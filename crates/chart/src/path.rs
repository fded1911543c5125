//! Paths of drawings. A whole series is one path, so that thousands of outcomes cost no more than ten.

use crate::scale::place;

/// Where bars end in round corners, at most so round.
const ROUND: f64 = 3.0;

/// One bar, standing on `base`, its top corners rounded where there is room.
pub(crate) fn bar(x: f64, width: f64, top: f64, base: f64) -> String {
    let height = base - top;
    if height <= 0.0 {
        return String::new();
    }
    if width < 4.0 {
        return format!(
            "M{} {}V{}h{}V{}z",
            place(x),
            place(base),
            place(top),
            place(width),
            place(base)
        );
    }
    let r = ROUND.min(width / 3.0).min(height);
    let (round, flat) = (place(r), place(width - 2.0 * r));
    format!(
        "M{} {}V{}q0 -{round} {round} -{round}h{flat}q{round} 0 {round} {round}V{}z",
        place(x),
        place(base),
        place(top + r),
        place(base)
    )
}

/// A staircase with one step a slot.
pub(crate) fn steps(xs: &[f64], slot: f64, tops: &[f64]) -> String {
    let mut out = String::new();
    for (at, (x, top)) in xs.iter().zip(tops).enumerate() {
        out += if at == 0 { "M" } else { "L" };
        out += &format!("{} {}H{}", place(x - slot / 2.0), place(*top), place(x + slot / 2.0));
    }
    out
}

/// The same, closed along the foot.
pub(crate) fn area(xs: &[f64], slot: f64, tops: &[f64], base: f64) -> String {
    let start = xs.first().map_or(0.0, |x| x - slot / 2.0);
    format!("{}V{}H{}z", steps(xs, slot, tops), place(base), place(start))
}

/// A line through points.
pub(crate) fn line(points: &[(f64, f64)]) -> String {
    let mut out = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        out += if at == 0 { "M" } else { "L" };
        out += &format!("{} {}", place(*x), place(*y));
    }
    out
}
