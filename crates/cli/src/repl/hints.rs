//! Grey text behind the cursor: an earlier line that goes on so, or what a function takes.

use astragal_assist::cursor::call_around;
use astragal_assist::names::Catalogue;
use reedline::{Color, Hinter, History, SearchQuery};

use super::names::Names;

pub(super) struct Hints {
    names: Names,
    /// What the right arrow takes over; what a function takes is only shown.
    from_history: String,
}

impl Hints {
    pub(super) fn new(names: Names) -> Hints {
        Hints { names, from_history: String::new() }
    }
}

impl Hinter for Hints {
    fn handle(
        &mut self,
        line: &str,
        pos: usize,
        history: &dyn History,
        use_ansi_coloring: bool,
        _cwd: &str,
    ) -> String {
        self.from_history.clear();
        // Without colours a hint could not be told from what was typed.
        if !use_ansi_coloring || pos < line.len() {
            return String::new();
        }
        self.from_history = earlier(line, history);
        let shown = match self.from_history.as_str() {
            "" => taken(line, &self.names.look()).unwrap_or_default(),
            earlier => earlier.to_owned(),
        };
        if shown.is_empty() { shown } else { Color::DarkGray.paint(shown).to_string() }
    }

    fn complete_hint(&self) -> String {
        self.from_history.clone()
    }

    fn next_hint_token(&self) -> String {
        let rest = self.from_history.trim_start();
        let blanks = self.from_history.len() - rest.len();
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.from_history[..blanks + word].to_owned()
    }
}

/// The rest of the last line that begins like this one.
fn earlier(line: &str, history: &dyn History) -> String {
    if line.is_empty() {
        return String::new();
    }
    let query = SearchQuery::last_with_prefix(line.to_owned(), history.session());
    let found = history.search(query).unwrap_or_default();
    let rest = found.first().and_then(|entry| entry.command_line.get(line.len()..));
    rest.unwrap_or_default().to_owned()
}

/// `skill(` takes `skill, difficulty, advantage = 0, …`.
fn taken(line: &str, names: &Catalogue) -> Option<String> {
    if !line.ends_with('(') {
        return None;
    }
    let call = call_around(line)?;
    let known = names.called(call.function)?;
    let parameters = known.function.parameters.iter().map(|p| match &p.default {
        Some(default) => format!("{} = {default}", p.name),
        None => p.name.clone(),
    });
    Some(format!("{})", parameters.collect::<Vec<_>>().join(", ")))
}
