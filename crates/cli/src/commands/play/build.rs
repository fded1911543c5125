//! The questions that build a call: one for each parameter.

use astragal::{Documentation, Engine, FunctionDoc, ParameterDoc};
use astragal_assist::call::Call;
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

    /// Asks for every parameter; false if the answers ran out. What was answered before stays on Enter.
    pub(super) fn ask(&mut self, asker: &Asker<'_>) -> bool {
        let doc = self.function.doc.as_deref().unwrap_or_default();
        asker.say(&format!("\n{}.{}", self.page.name, self.function.name));
        asker.say(&general(doc, &self.function.parameters));
        if !self.function.parameters.is_empty() {
            asker.say("(Enter keeps what stands in brackets, `<` goes back)");
        }
        let mut at = 0;
        while let Some(parameter) = self.function.parameters.get(at) {
            for sentence in sentences(doc).filter(|sentence| mentions(sentence, parameter)) {
                asker.say(&format!("# {sentence}"));
            }
            if let Some(ty) = parameter.ty.as_deref().filter(|ty| ty.len() >= LONG) {
                asker.say(&format!("# {ty}"));
            }
            match self.ask_for(at, asker) {
                Some(Turn::On) => at += 1,
                Some(Turn::Back) => at = at.saturating_sub(1),
                None => return false,
            }
        }
        true
    }

    /// Asks for one parameter until the answer will do.
    fn ask_for(&mut self, at: usize, asker: &Asker<'_>) -> Option<Turn> {
        loop {
            let answer = asker.ask(&self.question(at))?;
            if answer == "<" {
                return Some(Turn::Back);
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
