//! The chart: a title, a legend, axes with round ticks, bars over outcomes.

use super::data::Data;
use super::frame::{Frame, HEIGHT, RIGHT, WIDTH};
use super::legend::heading;
use super::marks::marks;
use super::palette::style;
use super::scale::place;
use super::xml::{Tag, escaped};

/// The whole file.
pub(crate) fn chart(data: &Data) -> String {
    let frame = Frame::of(data);
    let mut out = String::new();
    out += &format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"title\">\n"
    );
    out += &format!("<title id=\"title\">{}</title>\n", escaped(&data.title));
    out += &format!("<style>{}</style>\n", style());
    out += &format!("<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n");
    out += &heading(data);
    out += &frame.vertical_axis(data.view);
    out += &marks(data, &frame);
    out += &frame.horizontal_axis(&data.places);
    out += &data.note.as_deref().map_or_else(String::new, note);
    out + "</svg>\n"
}

fn note(text: &str) -> String {
    Tag::new("text")
        .set("class", "small")
        .set("x", &place(WIDTH - RIGHT))
        .set("y", &place(HEIGHT - 14.0))
        .set("text-anchor", "end")
        .holding(&crate::cut(text, 100))
}
