//! What a session has defined: text that is put before each later line.
//!
//! After `let hp = 2d6`, which threw 3 and 4, and `fn hit() = hp - d8`, the line `hit()` is the program
//!
//! ```text
//! let hp = {3, 4}
//! fn hit() = hp - d8
//! hit()
//! ```
//!
//! so what was thrown stays, and a function throws anew. Only what a line needs is put before it.

use std::collections::HashSet;

use astragal::Diagnostics;
use astragal_assist::definitions::{Definition, Kind, Line};
use astragal_syntax::{Class, tokens};

use super::kept::LAST;

/// The definitions of a session, in the order in which they work.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    list: Vec<Definition>,
    /// The last result, `_`.
    last: Option<Definition>,
}

impl Definitions {
    pub(super) fn list(&self) -> &[Definition] {
        &self.list
    }

    pub(super) fn clear(&mut self) {
        *self = Definitions::default();
    }

    /// What `_` is from now on.
    pub(super) fn set_last(&mut self, last: Definition) {
        self.last = Some(last);
    }

    pub(super) fn has_last(&self) -> bool {
        self.last.is_some()
    }

    /// Whether a name stands for a kept value.
    pub(super) fn is_kept(&self, name: &str) -> bool {
        self.list.iter().any(|known| known.name == name && matches!(known.kind, Kind::Let))
    }

    /// Forgets a name. If others need it, the first of them is the error.
    pub(super) fn forget(&mut self, name: &str) -> Result<(), Option<String>> {
        let at = self.list.iter().position(|known| known.name == name).ok_or(None)?;
        let others = self.list.iter().enumerate().filter(|(other, _)| *other != at);
        let mut needing = others.filter(|(_, other)| names(&other.text).contains(name));
        if let Some((_, other)) = needing.next() {
            return Err(Some(other.name.clone()));
        }
        self.list.remove(at);
        Ok(())
    }

    /// All of them as a program.
    pub(super) fn text(&self) -> String {
        self.list.iter().map(|definition| format!("{}\n", definition.text)).collect()
    }

    /// Keeps a definition in place of one with the same name, if all of them together still check.
    pub(super) fn keep(
        &mut self,
        new: &Definition,
        check: impl Fn(&str) -> Result<(), Diagnostics>,
    ) -> Result<(), Diagnostics> {
        let in_place = self.with(new, true);
        if check(&in_place.text()).is_ok() {
            *self = in_place;
            return Ok(());
        }
        let at_the_end = self.with(new, false);
        check(&at_the_end.text())?;
        *self = at_the_end;
        Ok(())
    }

    fn with(&self, new: &Definition, in_place: bool) -> Definitions {
        let mut list = self.list.clone();
        let at = list.iter().position(|old| old.name == new.name);
        match at {
            Some(at) if in_place => list[at] = new.clone(),
            Some(at) => {
                list.remove(at);
                list.push(new.clone());
            }
            None => list.push(new.clone()),
        }
        Definitions { list, last: self.last.clone() }
    }

    /// What must stand before a line whose inputs these names are.
    pub(super) fn before_without(&self, line: &str, inputs: &[&str]) -> String {
        let mut others = self.clone();
        others.list.retain(|definition| !inputs.contains(&definition.name.as_str()));
        others.before(line, true)
    }

    /// What must stand before a line, with or without the last result; it ends with a newline unless it is empty.
    pub(super) fn before(&self, line: &str, with_last: bool) -> String {
        let own = Line::read(line).definitions;
        let defined_anew = |d: &Definition| {
            own.iter().any(|new| new.name == d.name && !may_become(&d.kind, &new.kind))
        };
        let mut needed: Vec<bool> = self.list.iter().map(is_always_there).collect();
        let mut mentioned = names(line);
        mentioned.retain(|name| !is_only_bound(name, line, &own));
        for (definition, _) in self.list.iter().zip(&needed).filter(|(_, needed)| **needed) {
            mentioned.extend(names(&definition.text));
        }
        // Each round finds at least one more, so this ends.
        while let Some(at) = (0..self.list.len())
            .find(|&at| !needed[at] && mentioned.contains(self.list[at].name.as_str()))
        {
            needed[at] = true;
            mentioned.extend(names(&self.list[at].text));
        }
        let last = self.last.iter().filter(|_| with_last && mentioned.contains(LAST));
        let kept = self.list.iter().zip(needed).filter(|(d, needed)| *needed && !defined_anew(d));
        let kept = last.chain(kept.map(|(definition, _)| definition));
        kept.map(|definition| format!("{}\n", definition.text)).collect()
    }
}

/// Whether a line gives a name a value and asks for none: `let hp = 24`.
fn is_only_bound(name: &str, line: &str, own: &[Definition]) -> bool {
    let is_bound = |new: &&Definition| new.name == name && matches!(new.kind, Kind::Let);
    let bound = own.iter().filter(is_bound).count();
    bound > 0 && all_names(line).filter(|mentioned| *mentioned == name).count() <= bound
}

/// `let hp = hp - d8`: the old value is known to the line that makes the new one.
fn may_become(old: &Kind, new: &Kind) -> bool {
    matches!((old, new), (Kind::Let | Kind::Input, Kind::Let))
}

/// It throws nothing and may be needed without being named.
fn is_always_there(definition: &Definition) -> bool {
    matches!(definition.kind, Kind::Enumeration(_) | Kind::Use)
}

/// The names that a text mentions.
pub(super) fn names(text: &str) -> HashSet<&str> {
    all_names(text).collect()
}

fn all_names(text: &str) -> impl Iterator<Item = &str> {
    let names = tokens(text).into_iter().filter(|token| token.class == Class::Name);
    names.filter_map(|token| text.get(token.start..token.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(lines: &[&str]) -> Definitions {
        let mut kept = Definitions::default();
        for definition in lines.iter().flat_map(|line| Line::read(line).definitions) {
            assert!(kept.keep(&definition, |_| Ok(())).is_ok());
        }
        kept
    }

    #[test]
    fn only_what_a_line_needs_stands_before_it() {
        let kept = kept(&["let x = 3d6", "let y = x + 1", "fn f(a) = a + y", "enum E = a"]);
        assert_eq!(kept.before("d20", true), "enum E = a\n");
        assert_eq!(kept.before("x", true), "let x = 3d6\nenum E = a\n");
        assert_eq!(kept.before("f(1)", true), kept.text());
    }

    #[test]
    fn a_new_definition_replaces_the_old_one_where_it_stands() {
        let kept = kept(&["let x = 3d6", "let y = x", "let x = 1; let z = 2"]);
        assert_eq!(kept.text(), "let x = 1\nlet y = x\nlet z = 2\n");
        assert_eq!(kept.before("let x = x + 1", true), "let x = 1\n");
        assert_eq!(kept.before("let x = 7", true), "");
        assert_eq!(kept.before("fn x() = 7; x()", true), "");
    }

    #[test]
    fn what_others_need_is_not_forgotten() {
        let mut kept = kept(&["let x = 3", "fn f() = x"]);
        assert_eq!(kept.forget("x"), Err(Some("f".into())));
        assert_eq!(kept.forget("y"), Err(None));
        assert_eq!(kept.forget("f"), Ok(()));
        assert_eq!(kept.forget("x"), Ok(()));
        assert_eq!(kept.text(), "");
    }
}
