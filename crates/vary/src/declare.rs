//! Inputs that a program names without declaring them: whoever gives them values means them as inputs.

use astragal::Diagnostics;
use astragal_syntax::{Class, tokens};

use crate::{Axis, Refusal};

/// An axis that a text does not even name changes nothing.
pub fn check_named(text: &str, axes: &[Axis]) -> Result<(), Refusal> {
    match axes.iter().find(|axis| !names(text).any(|name| name == axis.name)) {
        None => Ok(()),
        Some(axis) => Err(Refusal::Asked(format!(
            "`{}` does not stand in the program, so that it changes nothing: leave it out, or write it there",
            axis.name
        ))),
    }
}

/// A `param` line for each axis that the text does not declare itself.
pub fn declarations(text: &str, axes: &[Axis]) -> String {
    axes.iter().filter(|axis| !declares(text, &axis.name)).map(declaration).collect()
}

/// The same for inputs that are set, and that a program was refused for.
pub fn undeclared<'a>(
    wrong: &Diagnostics,
    settings: impl Iterator<Item = (&'a str, &'a str)>,
) -> String {
    let unknown = |name: &str| {
        let message = format!("unknown name `{name}`");
        wrong.list().iter().any(|d| d.code == "unknown-name" && d.message == message)
    };
    let missing = settings.filter(|(name, _)| unknown(name));
    let axes = missing.filter_map(|(name, value)| Axis::over(name, value).ok());
    axes.map(|axis| declaration(&axis)).collect()
}

/// Whether a text says `param name`.
fn declares(text: &str, name: &str) -> bool {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|pair| pair[0] == "param" && pair[1] == name)
}

fn declaration(axis: &Axis) -> String {
    format!("param {} = {}\n", axis.name, axis.literal())
}

/// The names in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let names = tokens(text).into_iter().filter(|token| token.class == Class::Name);
    names.filter_map(|token| text.get(token.start..token.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_inputs_are_found() {
        assert!(declares("param dc = 15; d20 >= dc", "dc"));
        assert!(!declares("d20 >= dc", "dc"));
        assert!(!declares("param dc2 = 15", "dc"));
    }
}
