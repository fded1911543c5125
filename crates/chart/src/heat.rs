//! The colours of a heat map: from dark to bright, the same on light and on dark paper.
//!
//! These are five colours of *viridis*, whose steps look equal to most eyes, also without colour. On each of its colours
//! either black or white letters have a contrast of 4.5 at least, which is what readers of small letters need.

/// A colour: red, green, blue.
pub type Colour = [u8; 3];

/// From the lowest value to the highest.
pub const STOPS: [Colour; 5] =
    [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/// The colour of a share between 0 and 1.
pub fn colour(share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let from = (place as usize).min(STOPS.len() - 2);
    let part = place - from as f64;
    let mix = |at: usize| {
        let (low, high) = (f64::from(STOPS[from][at]), f64::from(STOPS[from + 1][at]));
        (low + (high - low) * part).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

/// As it is written in a style.
pub fn hex([red, green, blue]: Colour) -> String {
    let digits = |part: u8| format!("{}{}", digit(part >> 4), digit(part & 15));
    format!("#{}{}{}", digits(red), digits(green), digits(blue))
}

fn digit(number: u8) -> char {
    char::from(b"0123456789abcdef"[usize::from(number)])
}

/// Whether letters on a colour are better black than white.
pub fn wants_black(colour: Colour) -> bool {
    let bright = luminance(colour);
    (bright + 0.05) / 0.05 > 1.05 / (bright + 0.05)
}

/// How bright a colour is, as WCAG measures it.
fn luminance(colour: Colour) -> f64 {
    // Within a hundredth of what WCAG raises to the power of 2.4, which is as long as all of the rest.
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        part * (part * (part * 0.305_306_011 + 0.682_171_111) + 0.012_522_878)
    };
    0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])
}

/// Where a value lies between the lowest and the highest; in the middle if all are the same.
pub fn share(value: f64, low: f64, high: f64) -> f64 {
    if high > low { (value - low) / (high - low) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As WCAG defines it.
    fn exactly([red, green, blue]: Colour) -> f64 {
        let linear = |part: u8| match f64::from(part) / 255.0 {
            low if low <= 0.040_45 => low / 12.92,
            high => ((high + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    #[test]
    fn letters_can_be_read_on_every_colour() {
        for step in 0..=1000 {
            let colour = colour(f64::from(step) / 1000.0);
            let bright = exactly(colour) + 0.05;
            let contrast = if wants_black(colour) { bright / 0.05 } else { 1.05 / bright };
            assert!(contrast > 4.5, "{colour:?}: {contrast}");
        }
    }

    #[test]
    fn the_ends_are_the_ends() {
        assert_eq!(colour(0.0), STOPS[0]);
        assert_eq!(colour(1.0), STOPS[4]);
        assert_eq!(colour(0.5), STOPS[2]);
        assert_eq!(share(3.0, 3.0, 3.0), 0.5);
    }
}
