//! Pictures as dots: a drawing, with our own font, as PNG.
//!
//! A machine without fonts would show no letters at all, and two machines with different fonts two different pictures. So
//! the font is inside, the one by which drawings are measured (`fonts/README.md`), and no other is looked for.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

const REGULAR: &[u8] = include_bytes!("../../chart/fonts/Arimo-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../../chart/fonts/Arimo-Bold.ttf");

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
    use astragal::{Budget, Engine, Rational};
    use resvg::usvg::Node;

    use super::*;
    use crate::View;
    use crate::svg::{Look, Theme, drawing, lines, map};
    use crate::sweep::{Input, Measure};
    use crate::tables::titled;

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

    fn options() -> Options<'static> {
        let mut options = Options::default();
        options.fontdb_mut().load_font_data(REGULAR.to_vec());
        options.fontdb_mut().load_font_data(BOLD.to_vec());
        options
    }

    /// Complains of a text that leaves the paper.
    fn assert_inside(drawing: &str) {
        let tree = Tree::from_str(drawing, &options()).unwrap();
        let (mut texts, mut groups) = (0, vec![tree.root()]);
        while let Some(group) = groups.pop() {
            for node in group.children() {
                let text = match node {
                    Node::Group(inner) => {
                        groups.push(inner);
                        continue;
                    }
                    Node::Text(text) => text,
                    _ => continue,
                };
                let (bounds, size) = (text.abs_bounding_box(), tree.size());
                let inside = bounds.left() >= 0.0
                    && bounds.top() >= 0.0
                    && bounds.right() <= size.width()
                    && bounds.bottom() <= size.height();
                let words: Vec<&str> = text.chunks().iter().map(|part| part.text()).collect();
                assert!(inside, "{words:?} is at {bounds:?} of {size:?}");
                texts += 1;
            }
        }
        assert!(texts > 5, "there are letters");
    }

    fn input(name: &str, values: impl Iterator<Item = String>) -> Input {
        Input { name: name.into(), values: values.collect() }
    }

    fn measures(count: usize, points: usize, chance: bool) -> Vec<Measure> {
        let value = |at: usize| Some(Rational::from(at) / Rational::from(points));
        let measure = |at: usize| Measure {
            title: format!("result {at} of a program with quite long names in it"),
            chance,
            values: (0..points).map(value).collect(),
        };
        (0..count).map(measure).collect()
    }

    #[test]
    fn no_text_leaves_the_paper() {
        let sizes =
            [(None, None), (Some(1200), Some(630)), (Some(320), Some(240)), (Some(200), None)];
        for (width, height) in sizes {
            let look = Look { width, height, theme: Theme::Dark };
            for values in [2, 12, 90] {
                let numbers = input("dc", (0..values).map(|at| (at * 1000).to_string()));
                let names = input(
                    "a long name of an input",
                    (0..values).map(|at| format!("weapon number {at}")),
                );
                for across in [&numbers, &names] {
                    for count in [1, 3, 14] {
                        let measures = measures(count, values, count > 1);
                        assert_inside(&lines(
                            "some program or other, d20 + 5 >= dc",
                            across,
                            &measures,
                            &look,
                        ));
                    }
                    let measures = measures(2, values * values, true);
                    assert_inside(&map("(a)d(b)", across, &names, &measures, &look));
                    assert_inside(&map("(a)d(b)", &names, across, &measures, &look));
                }
            }
            for program in ["4d6kh3", "100d6", "[d4, d4]", "d20 >= 5", "(d6 - 3) * 1000000", "d6!"]
            {
                let program = Engine::new().compile(program).unwrap();
                let odds = program.odds(&Budget::default()).unwrap();
                let answers = titled(&odds.results);
                assert_inside(&drawing(program.text(), &answers, View::AtLeast, &look).unwrap());
            }
        }
    }
}
