//! The sheet that is drawn on: how large it is, and whether it is light or dark.

use crate::frame::Room;
use crate::palette::style;
use crate::scale::place;
use crate::sheet::Axes;
use crate::tag::{Tag, escaped};

/// How a picture is to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// How wide and how high it is, in pixels. What is left open follows from the other, or from what is drawn.
    pub width: Option<u32>,
    /// See `width`.
    pub height: Option<u32>,
    /// On what paper.
    pub theme: Theme,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As whoever looks at it has set up: a drawing can know that, dots cannot.
    #[default]
    Viewer,
    /// Dark letters on white.
    Light,
    /// Light letters on black.
    Dark,
}

/// The width of a picture of which nobody has said how wide it is to be.
pub(crate) const USUAL_WIDTH: f64 = 760.0;
/// And its height, unless there is more to tell.
pub(crate) const USUAL_HEIGHT: f64 = 440.0;
/// Letters become larger with the picture, but not much smaller.
const SMALLEST: f64 = 0.8;
/// What follows from a chosen width or height is at least so long.
const LEAST: f64 = 200.0;
/// The room at the left and right edges.
pub(crate) const MARGIN: f64 = 24.0;

/// The sheet, in units in which letters have their usual size.
pub(crate) struct Paper {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// In pixels.
    shown: (f64, f64),
    theme: Theme,
}

impl Paper {
    /// For a drawing that would usually be so high.
    pub(crate) fn of(look: &Look, usual_height: f64) -> Paper {
        let ratio = usual_height / USUAL_WIDTH;
        let shown = match (look.width.map(f64::from), look.height.map(f64::from)) {
            (None, None) => (USUAL_WIDTH, usual_height),
            (Some(width), None) => (width, (width * ratio).round().max(LEAST)),
            (None, Some(height)) => ((height / ratio).round().max(LEAST), height),
            (Some(width), Some(height)) => (width, height),
        };
        let scale = (shown.0 / USUAL_WIDTH).min(shown.1 / usual_height).max(SMALLEST);
        Paper { width: shown.0 / scale, height: shown.1 / scale, shown, theme: look.theme }
    }

    /// The room for a text from edge to edge.
    pub(crate) fn room(&self) -> f64 {
        self.width - 2.0 * MARGIN
    }

    /// What is left for a drawing below its heading.
    pub(crate) fn room_below(&self, top: f64, noted: bool) -> Room {
        let end = self.height - if noted { 28.0 } else { 10.0 };
        Room { top, end, right: self.width - MARGIN, axes: Axes::Named }
    }

    /// The whole file.
    pub(crate) fn file(&self, title: &str, tags: &[Tag]) -> String {
        let (width, height) = (place(self.width), place(self.height));
        let (shown_width, shown_height) = (place(self.shown.0), place(self.shown.1));
        let title = escaped(title);
        let style = style(self.theme);
        let mut drawn = String::new();
        for tag in tags {
            tag.write(&mut drawn);
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{shown_width}\" height=\"{shown_height}\" role=\"img\" aria-labelledby=\"title\">\n\
             <title id=\"title\">{title}</title>\n\
             <style>{style}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n\
             {drawn}</svg>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(width: Option<u32>, height: Option<u32>) -> (f64, f64) {
        let paper = Paper::of(&Look { width, height, ..Look::default() }, USUAL_HEIGHT);
        (paper.width.round(), paper.height.round())
    }

    #[test]
    fn letters_grow_with_the_picture() {
        assert_eq!(paper(None, None), (760.0, 440.0));
        assert_eq!(paper(Some(1520), None), (760.0, 440.0));
        assert_eq!(paper(Some(1200), Some(630)), (838.0, 440.0));
        assert_eq!(paper(Some(380), Some(220)), (475.0, 275.0));
    }
}
