//! A call in the making: what has been answered for each parameter.

use astragal::faces::Seeded;
use astragal::{Diagnostics, Documentation, Engine, FunctionDoc, ParameterDoc, RollLimits, Type};

use super::ask::{Asker, which};

/// What the checker says of a call with too few arguments.
const MISSING: &str = "missing-argument";
/// A longer type has a line of its own.
const LONG: usize = 40;

/// Where to go after a question.
enum Turn {
    On,
    Back,
}

pub(super) struct Call<'a> {
    engine: &'a Engine,
    page: &'a Documentation,
    function: &'a FunctionDoc,
    /// One for each parameter, as text of the language; none where the default holds.
    answers: Vec<Option<String>>,
}

impl<'a> Call<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        page: &'a Documentation,
        function: &'a FunctionDoc,
    ) -> Call<'a> {
        Call { engine, page, function, answers: vec![None; function.parameters.len()] }
    }

    /// The call as it would be written: what has no default by place, the rest by name.
    pub(super) fn text(&self) -> String {
        let given = self.function.parameters.iter().zip(&self.answers);
        let written = given.filter_map(|(parameter, answer)| {
            let answer = answer.as_ref()?;
            let named = parameter.default.is_some();
            Some(if named { format!("{}: {answer}", parameter.name) } else { answer.clone() })
        });
        let written: Vec<String> = written.collect();
        format!("{}.{}({})", self.page.name, self.function.name, written.join(", "))
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
            match self.take(at, &answer) {
                Ok(()) => return Some(Turn::On),
                Err(reason) => asker.say(&reason),
            }
        }
    }

    fn question(&self, at: usize) -> String {
        let parameter = &self.function.parameters[at];
        let kind = match (self.variants(parameter), parameter.ty.as_deref()) {
            _ if parameter.roll => " (a roll)".into(),
            (Some(variants), _) => format!(" ({})", variants.join(" | ")),
            (None, Some("bool")) => " (y/n)".into(),
            (None, Some(ty)) if ty.len() < LONG => format!(" ({ty})"),
            (None, _) => String::new(),
        };
        let kept = self.answers[at].as_ref().or(parameter.default.as_ref());
        let kept = kept.map(|kept| format!(" [{}]", shown(kept, parameter)));
        format!("{}{kind}{}: ", parameter.name, kept.unwrap_or_default())
    }

    fn variants(&self, parameter: &ParameterDoc) -> Option<Vec<&'a str>> {
        let ty = parameter.ty.as_deref()?;
        let found = self.page.enumerations.iter().find(|e| e.name == ty)?;
        Some(found.variants.iter().map(String::as_str).collect())
    }

    /// Takes an answer over, or says why it cannot be.
    fn take(&mut self, at: usize, answer: &str) -> Result<(), String> {
        let parameter = &self.function.parameters[at];
        if answer.is_empty() {
            let known = self.answers[at].is_some() || parameter.default.is_some();
            return if known { Ok(()) } else { Err("there is no default: write a value".into()) };
        }
        let text = self.read(parameter, answer)?;
        let before = self.answers[at].clone();
        self.answers[at] = (parameter.default.as_ref() != Some(&text)).then_some(text);
        self.works().inspect_err(|_| self.answers[at] = before)
    }

    /// An answer as text of the language.
    fn read(&self, parameter: &ParameterDoc, answer: &str) -> Result<String, String> {
        if let Some(variants) = self.variants(parameter) {
            let bare = answer.trim_matches('"');
            return which(bare, &variants).map(|at| format!("\"{}\"", variants[at]));
        }
        match parameter.ty.as_deref() {
            Some("bool") => match answer.to_lowercase().as_str() {
                "y" | "yes" | "true" => Ok("true".into()),
                "n" | "no" | "false" => Ok("false".into()),
                _ => Err(format!("`{answer}` is neither y nor n")),
            },
            Some("text") => Ok(quoted(answer)),
            Some("[text]") if !answer.starts_with('[') => {
                let items: Vec<String> =
                    answer.split(',').map(|item| quoted(item.trim())).collect();
                Ok(format!("[{}]", items.join(", ")))
            }
            Some(ty) if ty.starts_with('[') && !answer.starts_with('[') => {
                self.value(&format!("[{answer}]"), None)
            }
            Some("number") => self.value(answer, Some(("a number", is_number))),
            Some(ty) if ty.starts_with('{') => self.value(answer, Some(("a record", is_record))),
            _ => self.value(answer, None),
        }
    }

    /// An answer that is an expression by itself.
    fn value(&self, answer: &str, wanted: Option<Wanted>) -> Result<String, String> {
        let program = self.engine.compile(answer).map_err(|wrong| reason(&wrong))?;
        match wanted {
            Some((name, fits)) if !program.results().all(|(_, ty)| fits(ty)) => {
                Err(format!("`{answer}` is not {name}"))
            }
            _ => Ok(answer.to_owned()),
        }
    }

    /// Whether the call can be rolled so far; that something is still missing is no fault.
    fn works(&self) -> Result<(), String> {
        let program = match self.engine.compile(&self.text()) {
            Ok(program) => program,
            Err(wrong) if wrong.list().iter().all(|d| d.code == MISSING) => return Ok(()),
            Err(wrong) => return Err(reason(&wrong)),
        };
        let tried = program.roll_within(&mut Seeded::new(0, 0), &RollLimits::default());
        tried.map(drop).map_err(|wrong| reason(&wrong))
    }
}

/// What kind of value: its name, and whether a type is of that kind.
type Wanted = (&'static str, fn(&Type) -> bool);

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Number | Type::Pool(_))
}

fn is_record(ty: &Type) -> bool {
    matches!(ty, Type::Record(_))
}

/// The facts of what is wrong, without places: the text is not the user's.
fn reason(wrong: &Diagnostics) -> String {
    let said = wrong.list().iter().filter(|d| d.code != MISSING).map(|d| match d.help.first() {
        // There is nowhere to define a name here.
        Some(help) if d.code != "unknown-name" => format!("{}: {help}", d.message),
        _ => d.message.clone(),
    });
    said.take(3).collect::<Vec<_>>().join("\n")
}

fn quoted(text: &str) -> String {
    if text.starts_with('"') {
        return text.to_owned();
    }
    let escaped = |c: char| match c {
        '"' | '\\' | '{' | '}' => vec!['\\', c],
        c => vec![c],
    };
    format!("\"{}\"", text.chars().flat_map(escaped).collect::<String>())
}

/// A value as the user would type it.
fn shown(text: &str, parameter: &ParameterDoc) -> String {
    match (parameter.ty.as_deref(), text) {
        (Some("bool"), "true") => "y".into(),
        (Some("bool"), "false") => "n".into(),
        _ => text.trim_matches('"').to_owned(),
    }
}

/// The sentences of a documentation, without its example.
fn sentences(doc: &str) -> impl Iterator<Item = String> {
    let words = doc.lines().filter(|line| !line.trim_start().starts_with("Example:"));
    let text = words.map(str::trim).collect::<Vec<_>>().join(" ");
    let list: Vec<String> =
        text.split_inclusive(". ").map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect();
    list.into_iter()
}

/// The first sentence of a documentation, in at most so many characters.
pub(super) fn first_sentence(doc: &str, most: usize) -> String {
    let sentence = sentences(doc).next().unwrap_or_default();
    if sentence.chars().count() <= most {
        return sentence;
    }
    let kept: String = sentence.chars().take(most.saturating_sub(1)).collect();
    let whole_words = kept.rsplit_once(' ').map_or(kept.as_str(), |(words, _)| words);
    format!("{whole_words}…")
}

fn mentions(sentence: &str, parameter: &ParameterDoc) -> bool {
    sentence.contains(&format!("`{}`", parameter.name))
}

/// What is said of the function and not of one parameter.
fn general(doc: &str, parameters: &[ParameterDoc]) -> String {
    let about_none = |s: &String| !parameters.iter().any(|p| mentions(s, p));
    sentences(doc).filter(about_none).collect::<Vec<_>>().join(" ")
}
