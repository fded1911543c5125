//! Pictures as dots: a drawing, with our own font, as PNG.
//!
//! A machine without fonts would show no letters at all, and two machines with different fonts two different pictures. So
//! the font is inside, the one by which drawings are measured (`fonts/README.md`), and no other is looked for.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

const REGULAR: &[u8] = include_bytes!("../fonts/Arimo-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/Arimo-Bold.ttf");

/// More dots in one direction are no picture to look at.
const MOST: f32 = 10_000.0;

/// A drawing as PNG, so many times as large; none if it is no drawing, or too large.
pub fn png(drawing: &str, times: f32) -> Option<Vec<u8>> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(BOLD.to_vec());
    fonts.set_sans_serif_family("Arimo");
    options.font_family = "Arimo".into();
    let tree = Tree::from_str(drawing, &options).ok()?;
    let (width, height) = (tree.size().width() * times, tree.size().height() * times);
    if width.max(height) > MOST {
        return None;
    }
    let mut dots = Pixmap::new(width.round() as u32, height.round() as u32)?;
    resvg::render(&tree, Transform::from_scale(times, times), &mut dots.as_mut());
    dots.encode_png().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">";

    #[test]
    fn letters_leave_dots_and_the_size_is_as_asked() {
        let blank = png(&format!("{EMPTY}</svg>"), 2.0).unwrap();
        let word = png(&format!("{EMPTY}<text y=\"15\">Äх4…</text></svg>"), 2.0).unwrap();
        assert_eq!(&blank[16..24], [0, 0, 0, 80, 0, 0, 0, 40]);
        assert!(word.len() > blank.len());
        assert_eq!(png("no drawing", 1.0), None);
        assert_eq!(png(&format!("{EMPTY}</svg>"), 1000.0), None);
    }
}
