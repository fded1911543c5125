use astragal_engine::Answer;
use astragal_show::svg::drawing;
use astragal_show::tables::titled;

#[doc(inline)]
pub use astragal_show::View;
#[doc(inline)]
pub use astragal_show::svg::{Look, Theme};

#[cfg(feature = "png")]
#[doc(inline)]
pub use astragal_show::png::png;

/// A picture of answers of the same type, under a title; none if their types differ, or there is no answer.
pub fn svg(title: &str, answers: &[Answer], view: View, look: &Look) -> Option<String> {
    drawing(title, &titled(answers), view, look)
}
