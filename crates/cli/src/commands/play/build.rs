//! The questions that build a call: one for each parameter.

use astragal::{Documentation, Engine, FunctionDoc, ParameterDoc};
use astragal_assist::call::{Call, record_example};
use astragal_assist::prose::{general, mentions, sentences};

use super::ask::Asker;

/// A longer type has a line of its own.
const LONG: usize = 40;

/// Where to go after a question.
enum Turn {
    On,
    Back,
}

pub(super) struct Questions<'a> {
    page: &'a Documentation,
    function: &'a FunctionDoc,
    call: Call<'a>,
}

impl<'a> Questions<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        page: &'a Documentation,
        function: &'a FunctionDoc,
    ) -> Questions<'a> {
        Questions { page, function, call: Call::new(engine, page, function) }
    }

    /// The call as it would be written.
    pub(super) fn text(&self) -> String {
        self.call.text()
    }

    /// Asks for what has no default, then offers the rest at once; false if the answers ran out. What was answered
    /// before stays on Enter.
    pub(super) fn ask(&mut self, asker: &Asker<'_>) -> bool {
        let doc = self.function.doc.as_deref().unwrap_or_default();
        asker.say(&format!("\n{}.{}", self.page.name, self.function.name));
        asker.say(&general(doc, &self.function.parameters));
        let parameters = self.function.parameters.iter().enumerate();
        let (rest, needed): (Vec<_>, Vec<_>) = parameters.partition(|(_, p)| p.default.is_some());
        let needed: Vec<usize> = needed.into_iter().map(|(at, _)| at).collect();
        let rest: Vec<usize> = rest.into_iter().map(|(at, _)| at).collect();
        if !needed.is_empty() {
            asker.say("(Enter keeps what stands in brackets, `<` goes back, `q` leaves)");
        }
        let mut place = 0;
        loop {
            while let Some(at) = needed.get(place) {
                match self.ask_for(*at, asker) {
                    Some(Turn::On) => place += 1,
                    Some(Turn::Back) => place = place.saturating_sub(1),
                    None => return false,
                }
            }
            match self.offer(&rest, asker) {
                Some(Turn::On) => return true,
                Some(Turn::Back) => place = place.saturating_sub(1),
                None => return false,
            }
        }
    }

    /// Offers what has a default: Enter leaves all of it as it is.
    fn offer(&mut self, rest: &[usize], asker: &Asker<'_>) -> Option<Turn> {
        let names: Vec<&str> =
            rest.iter().map(|at| self.function.parameters[*at].name.as_str()).collect();
        while !rest.is_empty() {
            asker.say(&format!("may be changed: {}", self.kept(rest)));
            let answer = asker.ask("Enter rolls, or a name to change: ")?;
            let (name, value) = split(&answer);
            match name {
                "" => return Some(Turn::On),
                "<" => return Some(Turn::Back),
                "q" | "quit" if !names.contains(&name) => return None,
                _ => {}
            }
            let at = match names.iter().position(|known| *known == name) {
                Some(found) => rest[found],
                None => {
                    let near = astragal_syntax::suggest(name, names.iter().copied());
                    let advice = near.map(|near| format!(": did you mean `{near}`?"));
                    asker.say(&format!("there is no `{name}`{}", advice.unwrap_or_default()));
                    continue;
                }
            };
            if value.is_empty() {
                self.ask_for(at, asker)?;
            } else if let Err(reason) = self.call.take(at, value) {
                asker.say(&reason);
            }
        }
        Some(Turn::On)
    }

    /// `again 10, rote n`
    fn kept(&self, rest: &[usize]) -> String {
        let kept = rest.iter().map(|at| {
            let parameter = &self.function.parameters[*at];
            let value = self.call.answer(*at).or(parameter.default.as_deref()).unwrap_or_default();
            format!("{} {}", parameter.name, shown(value, parameter))
        });
        kept.collect::<Vec<_>>().join(", ")
    }

    /// Asks for one parameter until the answer will do.
    fn ask_for(&mut self, at: usize, asker: &Asker<'_>) -> Option<Turn> {
        let parameter = &self.function.parameters[at];
        let doc = self.function.doc.as_deref().unwrap_or_default();
        for sentence in sentences(doc).filter(|sentence| mentions(sentence, parameter)) {
            asker.say(&format!("# {sentence}"));
        }
        if let Some(ty) = parameter.ty.as_deref() {
            if ty.len() >= LONG {
                asker.say(&format!("# {ty}"));
            }
            if ty.starts_with('{') {
                asker.say(&format!("# {}", record_example(ty)));
            }
        }
        loop {
            let answer = asker.ask(&self.question(at))?;
            match answer.as_str() {
                "<" => return Some(Turn::Back),
                "q" | "quit" if parameter.ty.as_deref() != Some("text") => return None,
                _ => {}
            }
            match self.call.take(at, &answer) {
                Ok(()) => return Some(Turn::On),
                Err(reason) => asker.say(&reason),
            }
        }
    }

    fn question(&self, at: usize) -> String {
        let parameter = &self.function.parameters[at];
        let kind = match (self.call.variants(parameter), parameter.ty.as_deref()) {
            _ if parameter.roll => " (a roll)".into(),
            (Some(variants), _) => format!(" ({})", variants.join(" | ")),
            (None, Some("bool")) => " (y/n)".into(),
            (None, Some(ty)) if ty.len() < LONG => format!(" ({ty})"),
            (None, _) => String::new(),
        };
        let kept = self.call.answer(at).or(parameter.default.as_deref());
        let kept = kept.map(|kept| format!(" [{}]", shown(kept, parameter)));
        format!("{}{kind}{}: ", parameter.name, kept.unwrap_or_default())
    }
}

/// A value as the user would type it.
fn shown(text: &str, parameter: &ParameterDoc) -> String {
    match (parameter.ty.as_deref(), text) {
        (Some("bool"), "true") => "y".into(),
        (Some("bool"), "false") => "n".into(),
        _ => text.trim_matches('"').to_owned(),
    }
}

/// `rote y`, `rote: y` and `rote = y` as a name and a value.
fn split(answer: &str) -> (&str, &str) {
    let end = answer.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(answer.len());
    match answer.split_at(end) {
        ("", all) => (all, ""),
        (name, value) => (name, value.trim_start_matches([' ', ':', '=']).trim()),
    }
}
