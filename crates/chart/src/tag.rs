//! What a drawing is made of: elements of SVG as data. A file has them as markup; a page gets them as lists and makes
//! elements of them, so that a name never is anything but text.

use crate::scale::place;

/// An element.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    content: Content,
}

#[derive(Clone, Debug, PartialEq)]
enum Content {
    Nothing,
    Text(String),
    Tags(Vec<Tag>),
}

impl Tag {
    pub(crate) fn new(name: &'static str) -> Tag {
        Tag { name, attributes: Vec::new(), content: Content::Nothing }
    }

    /// With an attribute.
    pub(crate) fn set(mut self, name: &'static str, value: impl Into<String>) -> Tag {
        self.attributes.push((name, value.into()));
        self
    }

    /// With a number as attribute.
    pub(crate) fn at(self, name: &'static str, value: f64) -> Tag {
        self.set(name, place(value))
    }

    /// With a text in it.
    pub(crate) fn text(mut self, text: impl Into<String>) -> Tag {
        self.content = Content::Text(text.into());
        self
    }

    /// With elements in it.
    pub(crate) fn tags(mut self, tags: Vec<Tag>) -> Tag {
        self.content = Content::Tags(tags);
        self
    }

    /// With a text that is shown when it is pointed at, if there is one.
    pub(crate) fn titled(self, text: &str) -> Tag {
        if text.is_empty() { self } else { self.tags(vec![Tag::new("title").text(text)]) }
    }

    /// As markup at the end of a text.
    pub(crate) fn write(&self, out: &mut String) {
        *out += "<";
        *out += self.name;
        for (name, value) in &self.attributes {
            for part in [" ", name, "=\"", &escaped(value), "\""] {
                *out += part;
            }
        }
        match &self.content {
            Content::Nothing => return *out += "/>\n",
            Content::Text(text) => {
                *out += ">";
                *out += &escaped(text);
            }
            Content::Tags(tags) => {
                *out += ">";
                // What is pointed at stands on a line with its words.
                if tags.len() > 1 {
                    *out += "\n";
                }
                for tag in tags {
                    tag.write(out);
                }
                if tags.len() == 1 {
                    out.pop();
                }
            }
        }
        for part in ["</", self.name, ">\n"] {
            *out += part;
        }
    }

    /// As JSON at the end of a text: the name, the attributes, and what is in it: a text or a list.
    fn write_json(&self, out: &mut String) {
        *out += "[";
        quoted(self.name, out);
        *out += ",{";
        for (at, (name, value)) in self.attributes.iter().enumerate() {
            *out += if at == 0 { "" } else { "," };
            quoted(name, out);
            *out += ":";
            quoted(value, out);
        }
        *out += "}";
        match &self.content {
            Content::Nothing => {}
            Content::Text(text) => {
                *out += ",";
                quoted(text, out);
            }
            Content::Tags(tags) => {
                *out += ",";
                *out += &json(tags);
            }
        }
        *out += "]";
    }
}

/// Elements as JSON: `[["line",{"class":"grid"}],["text",{"x":"8"},"10%"]]`.
pub fn json(tags: &[Tag]) -> String {
    let mut out = String::from("[");
    for (at, tag) in tags.iter().enumerate() {
        out += if at == 0 { "" } else { "," };
        tag.write_json(&mut out);
    }
    out + "]"
}

/// A text of JSON. Control characters are left out, as they are from markup.
fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars().filter(|c| is_shown(*c)) {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
}

fn is_shown(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')
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
            c if is_shown(c) => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(tag: &Tag) -> String {
        let mut out = String::new();
        tag.write(&mut out);
        out
    }

    #[test]
    fn signs_of_markup_are_escaped() {
        let tag = Tag::new("text").set("id", "a\"b").text("d20 >= 5 & <x>\u{1}");
        assert_eq!(told(&tag), "<text id=\"a&quot;b\">d20 &gt;= 5 &amp; &lt;x&gt;</text>\n");
    }

    #[test]
    fn signs_of_json_are_escaped() {
        let tag = Tag::new("text").at("x", 1.5).text("say \"\\\" <b>\u{7}");
        assert_eq!(json(&[tag]), r#"[["text",{"x":"1.5"},"say \"\\\" <b>"]]"#);
    }

    #[test]
    fn elements_hold_elements() {
        let group = Tag::new("g").tags(vec![Tag::new("path"), Tag::new("rect").titled("a")]);
        assert_eq!(told(&group), "<g>\n<path/>\n<rect><title>a</title></rect>\n</g>\n");
        assert_eq!(json(&[group]), r#"[["g",{},[["path",{}],["rect",{},[["title",{},"a"]]]]]]"#);
    }
}
