//! A call in the making: what has been answered for each parameter.

use astragal::faces::Seeded;
use astragal::{Diagnostics, Documentation, Engine, FunctionDoc, ParameterDoc, RollLimits, Type};

/// What the checker says of a call with too few arguments.
const MISSING: &str = "missing-argument";

/// A call of a system's function.
pub struct Call<'a> {
    engine: &'a Engine,
    page: &'a Documentation,
    function: &'a FunctionDoc,
    /// One for each parameter, as text of the language; none where the default holds.
    answers: Vec<Option<String>>,
}

impl<'a> Call<'a> {
    /// A call in which nothing is answered yet.
    pub fn new(engine: &'a Engine, page: &'a Documentation, function: &'a FunctionDoc) -> Call<'a> {
        Call { engine, page, function, answers: vec![None; function.parameters.len()] }
    }

    /// The call as it would be written: what has no default by place, the rest by name.
    pub fn text(&self) -> String {
        let given = self.function.parameters.iter().zip(&self.answers);
        let written = given.filter_map(|(parameter, answer)| {
            let answer = answer.as_ref()?;
            let named = parameter.default.is_some();
            Some(if named { format!("{}: {answer}", parameter.name) } else { answer.clone() })
        });
        let written: Vec<String> = written.collect();
        format!("{}.{}({})", self.page.name, self.function.name, written.join(", "))
    }

    /// What was answered for a parameter, as text of the language; none where the default holds.
    pub fn answer(&self, at: usize) -> Option<&str> {
        self.answers.get(at)?.as_deref()
    }

    /// The variants of a parameter that is one of several names.
    pub fn variants(&self, parameter: &ParameterDoc) -> Option<Vec<&'a str>> {
        let ty = parameter.ty.as_deref()?;
        let found = self.page.enumerations.iter().find(|e| e.name == ty)?;
        Some(found.variants.iter().map(String::as_str).collect())
    }

    /// Takes an answer over, or says why it cannot be.
    pub fn take(&mut self, at: usize, answer: &str) -> Result<(), String> {
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
            Some(ty) if ty.starts_with('{') => {
                let wrong = |reason| format!("{reason}: write it like `{}`", example(ty, answer));
                self.value(answer, Some(("a record", is_record_or_number))).map_err(wrong)
            }
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

/// A number stands for a record that needs no more.
fn is_record_or_number(ty: &Type) -> bool {
    matches!(ty, Type::Record(_)) || is_number(ty)
}

/// How a record of this type is written: `write it as in {skill: 8}`.
pub fn record_example(ty: &str) -> String {
    let fields = ty.trim_matches(['{', '}']).split(',').map(str::trim);
    let needed = fields.filter(|field| !field.contains('=') && !field.is_empty());
    let sample = |field: &str| {
        let (name, kind) = field.split_once(':').map_or((field, "number"), |(n, k)| (n, k.trim()));
        let value = match kind {
            "bool" => "true",
            "text" => "\"…\"",
            _ => "8",
        };
        format!("{}: {value}", name.trim())
    };
    let fields: Vec<String> = needed.map(sample).collect();
    format!("write it as in {{{}}}", fields.join(", "))
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

/// A record of this type in which only what is needed is given: `{skill: 8}`.
fn example(ty: &str, answer: &str) -> String {
    let number = if answer.parse::<i64>().is_ok() { answer } else { "8" };
    let inside = ty.trim_matches(['{', '}', '?']);
    let mut depth = 0usize;
    let fields = inside.split(|c: char| {
        depth = depth + usize::from(matches!(c, '{' | '['))
            - usize::from(matches!(c, '}' | ']')).min(depth);
        c == ',' && depth == 0
    });
    let needed = fields.filter(|field| !field.contains('='));
    let given = needed.map(|field| {
        let (name, ty) = field.split_once(':').unwrap_or((field, "number"));
        match ty.trim() {
            "number" => format!("{}: {number}", name.trim()),
            ty => format!("{}: {ty}", name.trim()),
        }
    });
    format!("{{{}}}", given.collect::<Vec<_>>().join(", "))
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

/// One of several, by name or by number from 1; or why not.
pub fn which(answer: &str, names: &[&str]) -> Result<usize, String> {
    if let Some(at) = names.iter().position(|name| *name == answer) {
        return Ok(at);
    }
    if let Ok(number) = answer.parse::<usize>()
        && (1..=names.len()).contains(&number)
    {
        return Ok(number - 1);
    }
    let advice = match astragal_syntax::suggest(answer, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("write one of {}", names.join(", ")),
    };
    Err(format!("there is no `{answer}`: {advice}"))
}

#[cfg(test)]
mod tests {
    use super::which;

    #[test]
    fn a_choice_is_a_name_or_a_number() {
        let names = ["keep", "reroll"];
        assert_eq!(which("reroll", &names), Ok(1));
        assert_eq!(which("1", &names), Ok(0));
        for wrong in ["0", "3", "-1", "", "99999999999999999999"] {
            assert!(which(wrong, &names).is_err(), "{wrong}");
        }
        assert!(which("kep", &names).is_err_and(|reason| reason.contains("did you mean `keep`")));
    }
}
