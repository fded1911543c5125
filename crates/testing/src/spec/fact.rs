//! One fact about a program: `faces 3,6,2,5: 14`, `mean: 15869/1296`, `fails: bad-count`.

use astragal::faces::Scripted;
use astragal::render::{Detail, View, plain};
use astragal::{Answer, Budget, Diagnostics, Engine, Program, Rational, Roll, Value};

use super::page::Check;
use crate::law::{Reach, law_of};

/// The examples of the pages are followed to their ends.
const REACH: Reach = Reach { runs: 100_000, steps: 100_000_000, steps_otherwise: 10_000_000 };

/// What came of one program.
#[derive(Default)]
pub(super) struct Run {
    pub(super) facts: usize,
    pub(super) wrong: Vec<String>,
    pub(super) rules: Vec<String>,
}

/// A program with what was found out about it so far.
struct Subject<'a> {
    compiled: &'a Result<Program, Diagnostics>,
    /// With the inputs that the facts have set.
    program: Option<Program>,
    odds: Option<Result<Answer, Diagnostics>>,
    last: Option<Roll>,
}

pub(super) fn run(engine: &Engine, check: &Check) -> Run {
    let compiled = engine.compile(&check.program);
    let program = compiled.as_ref().ok().cloned();
    let mut subject = Subject { compiled: &compiled, program, odds: None, last: None };
    let mut run = Run::default();
    for fact in &check.facts {
        if let Some(rules) = fact.strip_prefix("rule:") {
            run.rules.extend(rules.split_whitespace().map(str::to_owned));
            continue;
        }
        run.facts += 1;
        if let Err(said) = subject.holds(fact) {
            run.wrong.push(format!("  {fact}\n    {said}"));
        }
    }
    if let Some(expected) = &check.message {
        run.facts += 1;
        let said = message(engine, check);
        if said.trim_end() != expected.text.trim_end() {
            run.wrong.push(format!("  the message is\n{said}"));
        }
    }
    if run.facts == 0 {
        run.wrong.push("  nothing is checked here".into());
    }
    run
}

/// What the program says for itself: its errors, or its hints.
pub(super) fn message(engine: &Engine, check: &Check) -> String {
    let said = said(engine, check).map_or_else(String::new, |said| said.to_string());
    said.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Their codes.
pub(super) fn codes(engine: &Engine, check: &Check) -> Vec<&'static str> {
    said(engine, check).map_or_else(Vec::new, |said| said.list().iter().map(|d| d.code).collect())
}

/// With `faces …: fails …` those of that roll, otherwise those of the check or of the odds.
pub(super) fn said(engine: &Engine, check: &Check) -> Option<Diagnostics> {
    let program = match engine.compile(&check.program) {
        Err(errors) => return Some(errors),
        Ok(program) => program,
    };
    let roll =
        check.facts.iter().find_map(|fact| fact.strip_prefix("faces ")?.split_once(": fails"));
    let failed = match roll {
        Some((faces, _)) => program.roll(&mut Scripted::new(script(faces))).err(),
        None => program.odds(&Budget::default()).err(),
    };
    failed.or_else(|| Some(program.hints().clone()).filter(|hints| !hints.list().is_empty()))
}

type Holds = Result<(), String>;

impl Subject<'_> {
    fn holds(&mut self, fact: &str) -> Holds {
        if fact == "law" {
            let kept = law_of(self.program()?, &REACH)?;
            return match kept {
                crate::law::Kept::Unknown | crate::law::Kept::TooLarge => Err(format!("{kept:?}")),
                _ => Ok(()),
            };
        }
        // The value of a chance may be a record with colons of its own.
        let split =
            if fact.starts_with("chance ") { fact.rsplit_once(':') } else { fact.split_once(':') };
        let (key, wanted) = match split {
            Some((key, wanted)) => (key.trim(), wanted.trim()),
            None => return Err("this is not a fact".into()),
        };
        let (verb, argument) = key.split_once(' ').map_or((key, ""), |(v, a)| (v, a.trim()));
        match (verb, argument) {
            ("type", "") => self.ty(wanted),
            ("fails", "") => self.fails(wanted),
            ("says", "") => self.says(wanted),
            ("hint", "") => self.hint(wanted),
            ("set", name) => self.set(name, wanted),
            ("faces", faces) => self.faces(faces, wanted),
            ("labels", "") => self.labels(wanted),
            ("shows", "") => self.shows(wanted),
            ("notes", "") => self.notes(wanted),
            ("mean", "") => self.mean(wanted),
            ("variance", "") => self.number(wanted, Answer::variance),
            ("value", "") => self.value(wanted),
            ("chance", value) => self.chance(value, wanted),
            ("at", rest) => self.at_least(rest, wanted),
            ("table", "") => self.table(wanted),
            ("rest", "") => self.rest(wanted),
            ("evidence", "") => self.evidence(wanted),
            ("never", "") => self.number(wanted, |answer| Some(answer.never.clone())),
            ("notice", "") => self.notice(wanted),
            _ => Err(format!("`{key}` is not a fact")),
        }
    }

    fn program(&self) -> Result<&Program, String> {
        match (&self.program, self.compiled) {
            (Some(program), _) => Ok(program),
            (None, Err(errors)) => Err(errors.to_string()),
            (None, Ok(_)) => Err("no program".into()),
        }
    }

    /// The answer, also if something was given up.
    fn answer(&mut self) -> Result<&Answer, String> {
        if self.odds.is_none() {
            let odds = self.program()?.odds(&Budget::default());
            self.odds = Some(odds.map(|odds| odds.only().clone()));
        }
        match &self.odds {
            Some(Ok(answer)) => Ok(answer),
            Some(Err(errors)) => Err(errors.to_string()),
            None => Err("no odds".into()),
        }
    }

    fn odds(&mut self) -> Result<&Answer, String> {
        let answer = self.answer()?;
        if answer.lost.is_zero() {
            Ok(answer)
        } else {
            Err(format!("not exact: {} was given up", answer.lost))
        }
    }

    /// The mean of best play may be exact although its law is cut.
    fn mean(&mut self, wanted: &str) -> Holds {
        let found = self.answer()?.mean().ok_or("it has none")?;
        exact(&found, wanted)
    }

    fn ty(&self, wanted: &str) -> Holds {
        let results = self.program()?.results();
        let types: Vec<String> = results.map(|(_, ty)| ty.to_string()).collect();
        same(&types.join(", "), wanted)
    }

    /// The program is refused, or its odds fail.
    fn failure(&mut self) -> Result<&Diagnostics, String> {
        if let Err(errors) = self.compiled {
            return Ok(errors);
        }
        let _ = self.odds();
        match &self.odds {
            Some(Err(errors)) => Ok(errors),
            _ => Err("it does not fail".into()),
        }
    }

    fn fails(&mut self, wanted: &str) -> Holds {
        let errors = self.failure()?;
        let codes: Vec<&str> = errors.list().iter().map(|diagnostic| diagnostic.code).collect();
        if codes.contains(&wanted) {
            Ok(())
        } else {
            Err(format!("fails with {}", codes.join(", ")))
        }
    }

    fn says(&mut self, wanted: &str) -> Holds {
        let said = self.failure()?.to_string();
        if said.contains(wanted) { Ok(()) } else { Err(said) }
    }

    fn hint(&self, wanted: &str) -> Holds {
        let hints = self.program()?.hints();
        let codes: Vec<&str> = hints.list().iter().map(|hint| hint.code).collect();
        same(&codes.join(", "), if wanted == "none" { "" } else { wanted })
    }

    fn set(&mut self, name: &str, value: &str) -> Holds {
        self.odds = None;
        match &mut self.program {
            Some(program) => program.set(name, value).map_err(|errors| errors.to_string()),
            None => Err(self.program().err().unwrap_or_default()),
        }
    }

    fn faces(&mut self, faces: &str, wanted: &str) -> Holds {
        let rolled = self.program()?.roll(&mut Scripted::new(script(faces)));
        if let Some(code) = wanted.strip_prefix("fails ") {
            let codes: Vec<&str> = match &rolled {
                Ok(_) => return Err("it does not fail".into()),
                Err(errors) => errors.list().iter().map(|diagnostic| diagnostic.code).collect(),
            };
            return same(&codes.join(", "), code);
        }
        let roll = rolled.map_err(|errors| errors.to_string())?;
        let held = same(&roll.value.to_string(), &printed(wanted));
        self.last = Some(roll);
        held
    }

    fn last(&self) -> Result<&Roll, String> {
        self.last.as_ref().ok_or_else(|| "no `faces` before this".into())
    }

    fn labels(&self, wanted: &str) -> Holds {
        let labels =
            self.last()?.labels().iter().map(|(label, number)| format!("{label} {number}"));
        same(&labels.collect::<Vec<_>>().join(", "), wanted)
    }

    fn notes(&self, wanted: &str) -> Holds {
        same(&self.last()?.notices().join(" | "), if wanted == "none" { "" } else { wanted })
    }

    /// A line of the explanation.
    fn shows(&self, wanted: &str) -> Holds {
        let program = self.program()?;
        let sources = program.hints().sources();
        let source = |span| Some(sources.slice(span).to_owned());
        let view =
            View { expression: program.text().trim(), source: &source, detail: Detail::Full };
        let shown = plain(self.last()?, &view);
        if shown.lines().any(|line| line.trim() == wanted) { Ok(()) } else { Err(shown) }
    }

    fn number(&mut self, wanted: &str, of: fn(&Answer) -> Option<Rational>) -> Holds {
        let found = of(self.odds()?).ok_or("it has none")?;
        exact(&found, wanted)
    }

    fn value(&mut self, wanted: &str) -> Holds {
        let listed: Vec<String> =
            self.odds()?.outcomes.iter().map(|(v, _)| v.to_string()).collect();
        same(&listed.join(" | "), &printed(wanted))
    }

    fn chance(&mut self, value: &str, wanted: &str) -> Holds {
        let value = printed(value);
        let outcomes = &self.odds()?.outcomes;
        let found = outcomes.iter().find(|(known, _)| known.to_string() == value);
        exact(&found.map_or(Rational::ZERO, |(_, chance)| chance.clone()), wanted)
    }

    fn at_least(&mut self, rest: &str, wanted: &str) -> Holds {
        let (most, bound) = match (rest.strip_prefix("least "), rest.strip_prefix("most ")) {
            (Some(bound), _) => (false, bound),
            (_, Some(bound)) => (true, bound),
            _ => return Err("`at least 12` or `at most 3`".into()),
        };
        let bound = Value::Number(crate::checks::fraction(bound).into());
        let answer = self.odds()?;
        let counts = |value: &Value| if most { *value <= bound } else { *value >= bound };
        let listed = answer.outcomes.iter().filter(|(value, _)| counts(value));
        let sum = listed.fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
        // What is not listed of an endless number lies above.
        exact(&if most { sum } else { sum + &answer.rest }, wanted)
    }

    fn table(&mut self, wanted: &str) -> Holds {
        let answer = self.odds()?;
        let listed = answer.outcomes.iter().map(|(value, chance)| format!("{value} {chance}"));
        let listed = listed.collect::<Vec<_>>().join(", ");
        exact(&answer.rest, "0").map_err(|said| format!("the rest: {said}"))?;
        same(&listed, &words(wanted))
    }

    fn rest(&mut self, wanted: &str) -> Holds {
        let rest = self.odds()?.rest.clone();
        match wanted.strip_prefix("below ") {
            Some(bound) if rest < crate::checks::fraction(bound) && !rest.is_zero() => Ok(()),
            Some(_) => Err(format!("it is {rest}")),
            None => exact(&rest, wanted),
        }
    }

    fn evidence(&mut self, wanted: &str) -> Holds {
        match (&self.odds()?.evidence, wanted) {
            (None, "none") => Ok(()),
            (None, _) => Err("nothing is given".into()),
            (Some(known), _) => exact(known, wanted),
        }
    }

    fn notice(&mut self, wanted: &str) -> Holds {
        let notices = &self.odds()?.notices;
        let holds = match wanted {
            "none" => notices.is_empty(),
            _ => notices.iter().any(|notice| **notice == *wanted),
        };
        if holds { Ok(()) } else { Err(format!("they are {}", notices.join(" | "))) }
    }
}

fn script(faces: &str) -> Vec<Value> {
    faces.split(',').filter(|face| !face.trim().is_empty()).map(face).collect()
}

fn face(text: &str) -> Value {
    match text.trim().parse::<i64>() {
        Ok(whole) => Value::whole(whole),
        Err(_) => Value::text(text.trim()),
    }
}

/// The page writes `true`, a value is printed as `yes`.
fn printed(text: &str) -> String {
    match text {
        "true" => "yes".into(),
        "false" => "no".into(),
        other => words(other),
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn same(found: &str, wanted: &str) -> Holds {
    if found == wanted { Ok(()) } else { Err(format!("it is {found}")) }
}

fn exact(found: &Rational, wanted: &str) -> Holds {
    if *found == crate::checks::fraction(wanted) { Ok(()) } else { Err(format!("it is {found}")) }
}
