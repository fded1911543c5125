//! Just enough XML to write a drawing.

/// An element being written.
pub(crate) struct Tag {
    name: &'static str,
    text: String,
}

impl Tag {
    pub(crate) fn new(name: &'static str) -> Tag {
        Tag { name, text: format!("<{name}") }
    }

    /// With an attribute.
    pub(crate) fn set(mut self, name: &str, value: &str) -> Tag {
        self.text += &format!(" {name}=\"{}\"", escaped(value));
        self
    }

    pub(crate) fn empty(self) -> String {
        self.text + "/>\n"
    }

    /// With a text in it.
    pub(crate) fn holding(self, text: &str) -> String {
        self.holding_markup(&escaped(text))
    }

    /// With elements in it.
    pub(crate) fn holding_markup(self, markup: &str) -> String {
        format!("{}>{markup}</{}>\n", self.text, self.name)
    }
}

/// A text that can stand in an element or in an attribute. Control characters are left out: XML has
/// no way to write them.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_markup_are_escaped() {
        let text = Tag::new("text").set("id", "a\"b").holding("d20 >= 5 & <x>\u{1}");
        assert_eq!(text, "<text id=\"a&quot;b\">d20 &gt;= 5 &amp; &lt;x&gt;</text>\n");
    }
}
