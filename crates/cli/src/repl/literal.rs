//! A value as the language writes it: `7`, `{3, 4}`, `{name: "Anna", up: true}`.

use astragal::Value;

/// The text that is this value.
pub(super) fn literal(value: &Value) -> Option<String> {
    Some(match value {
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Text(text) => quoted(text),
        Value::Variant(variant) => format!("{}.{}", variant.of.name, variant.name()),
        Value::List(items) => format!("[{}]", joined(items.iter().map(literal))?),
        Value::Record(shape, values) => {
            let fields = shape.fields.iter().zip(values.iter());
            let fields =
                fields.map(|(name, value)| literal(value).map(|text| format!("{name}: {text}")));
            format!("{{{}}}", joined(fields)?)
        }
        Value::None => "none".into(),
        _ => return None,
    })
}

/// Values beside each other, if each of them can be written.
pub(super) fn joined(texts: impl Iterator<Item = Option<String>>) -> Option<String> {
    Some(texts.collect::<Option<Vec<_>>>()?.join(", "))
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '{' | '}' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use astragal::Engine;
    use astragal::faces::Scripted;

    use super::*;

    fn value(text: &str) -> Value {
        let program = Engine::new().compile(text).unwrap_or_else(|wrong| panic!("{wrong}"));
        program
            .roll(&mut Scripted::whole(&[]))
            .map(|roll| roll.value.clone())
            .unwrap_or(Value::None)
    }

    #[test]
    fn every_kind_of_value_is_written_as_the_language_reads_it() {
        for text in [
            "7",
            "-7/2",
            "true",
            "\"a \\\"b\\\" \\{c\\} \\\\ \\n\\t é\"",
            "cofd.Outcome.success",
            "[1, -2, 1/3]",
            "[[1], []]",
            "{name: \"Anna\", hp: 24, at: {x: 1}}",
            "{}",
            "none",
            "[none, 1]",
        ] {
            let known = value(text);
            assert_eq!(literal(&known).as_deref(), Some(text));
        }
    }
}
