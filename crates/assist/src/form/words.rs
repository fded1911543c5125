//! What a system file says about its forms: titles as players say them, ranges, choices, what is asked first.
//!
//! The lines stand at the end of a rule's documentation, from `Form:` on:
//!
//! ```text
//! ## Form: Action
//! ## pool: Dice pool, -10 to 40, or pool. Attribute + Skill. Below one die it is a chance die.
//! ## again: Thrown again, 10 = 10-again, 9 = 9-again, 11 = none.
//! ## needed: Successes needed, 1 to 20, seldom.
//! ## gives a: successes of A
//! ```
//!
//! Words only, never rules: no line changes what is rolled, and a rule without any has a form all the same. What is not
//! understood is part of the title, where everybody sees it.

use astragal::{Documentation, EnumerationDoc, FunctionDoc};

/// What is said about a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleWords {
    /// What players call it.
    pub title: Option<String>,
    /// It is a part of other rules, and seldom wanted for itself.
    pub aside: bool,
    /// Its parameters in the order in which they are asked; `modifiers.kind` is a field of one.
    asked: Vec<(String, Words)>,
    /// The parts of its result as players call them.
    pub parts: Vec<Named>,
    /// The outcomes of its result as players call them.
    pub outcomes: Vec<Named>,
}

/// What is said about a parameter or a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// What players call it.
    pub title: Option<String>,
    /// What it means, if that is said here.
    pub help: Option<String>,
    /// Where the buttons of a number stop.
    pub range: Option<(i64, i64)>,
    /// What the form begins with, where the example would make a strange beginning.
    pub start: Option<String>,
    /// The few values that a number has.
    pub choices: Vec<Named>,
    /// Whether more of it helps or hurts.
    pub tone: Option<Tone>,
    /// The rule of the same system that works this value out.
    pub from: Option<String>,
    /// It is folded away.
    pub seldom: bool,
    /// The rule's notes tell which rows of it count.
    pub judged: bool,
    /// What may be typed, among other things.
    pub suggestions: Vec<String>,
}

/// A name of the language and what players say for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// As the language has it.
    pub name: String,
    /// As players say it.
    pub title: String,
}

/// Whether more of something helps or hurts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// It helps.
    Good,
    /// It hurts.
    Bad,
}

impl RuleWords {
    /// What a function's own lines say.
    pub fn of(function: &FunctionDoc) -> RuleWords {
        let mut words = RuleWords::default();
        let mut lines = entries(&function.form).into_iter();
        if let Some((_, title)) = lines.next() {
            let (title, aside) = title
                .strip_suffix(", aside")
                .map_or((title.as_str(), false), |title| (title, true));
            words.title = Some(title.to_owned()).filter(|title| !title.is_empty());
            words.aside = aside;
        }
        for (name, said) in lines {
            match name.strip_prefix("gives ") {
                Some(_) if said.contains(" = ") => {
                    words.outcomes.extend(said.split(", ").filter_map(Named::read));
                }
                Some(part) => words.parts.push(Named { name: part.to_owned(), title: said }),
                None => words.asked.push((name, Words::read(&said))),
            }
        }
        words
    }

    /// The place of a parameter's line among those of this rule.
    pub fn place(&self, parameter: &str) -> Option<usize> {
        self.asked.iter().position(|(name, _)| name == parameter)
    }
}

/// What a whole system says: a parameter without a line of its own has that of its name in another rule.
pub struct SystemWords {
    rules: Vec<(String, RuleWords)>,
}

impl SystemWords {
    /// What the documented functions of a system say.
    pub fn of(page: &Documentation) -> SystemWords {
        let rules = page.functions.iter().map(|f| (f.name.clone(), RuleWords::of(f)));
        SystemWords { rules: rules.collect() }
    }

    /// What is said of a rule.
    pub fn rule(&self, name: &str) -> RuleWords {
        let found = self.rules.iter().find(|(rule, _)| rule == name);
        found.map(|(_, words)| words.clone()).unwrap_or_default()
    }

    /// What is said of a rule's parameter.
    pub fn parameter(&self, rule: &str, name: &str) -> Option<Words> {
        let own = self.rules.iter().filter(|(of, _)| of == rule);
        let mut said = own.chain(&self.rules).flat_map(|(_, words)| &words.asked);
        said.find(|(known, _)| known == name).map(|(_, words)| words.clone())
    }

    /// What is said of a field of a parameter. A value that is worked out stands for a whole parameter, never for a field.
    pub fn field(&self, rule: &str, parameter: &str, name: &str) -> Option<Words> {
        let own = self.parameter(rule, &format!("{parameter}.{name}"));
        let words = own.or_else(|| self.parameter(rule, name))?;
        Some(Words { from: None, ..words })
    }
}

/// The variants of an enumeration as players call them: `Form: none = No, mental = Mental −3`.
pub fn variants(enumeration: &EnumerationDoc) -> Vec<Named> {
    let said: Vec<Named> = entries(&enumeration.form)
        .iter()
        .flat_map(|(_, list)| list.split(", ").filter_map(Named::read))
        .collect();
    let title =
        |name: &String| said.iter().find(|one| one.name == *name).map(|one| one.title.clone());
    let known = enumeration.variants.iter();
    known.filter_map(|name| Some(Named { name: name.clone(), title: title(name)? })).collect()
}

impl Named {
    /// `10 = 10-again`
    fn read(text: &str) -> Option<Named> {
        let (name, title) = text.split_once(" = ")?;
        Some(Named { name: name.trim().to_owned(), title: title.trim().to_owned() })
    }
}

impl Words {
    /// `Dice pool, -10 to 40, or pool. Attribute + Skill.`
    fn read(text: &str) -> Words {
        let (head, help) = text.split_once(". ").unwrap_or((text.trim_end_matches('.'), ""));
        let mut words = Words { help: Some(help.trim().to_owned()), ..Words::default() };
        let mut title = String::new();
        for (at, part) in head.split(", ").enumerate() {
            if at > 0 && words.take(part) {
                continue;
            }
            if at > 0 {
                title += ", ";
            }
            title += part;
        }
        words.title = Some(title).filter(|title| !title.is_empty());
        words
    }

    /// Takes what follows a title in, if it is understood.
    fn take(&mut self, part: &str) -> bool {
        if let Some(choice) = Named::read(part) {
            self.choices.push(choice);
        } else if let Some(range) = range(part) {
            self.range = Some(range);
        } else if let Some(rule) = part.strip_prefix("or ") {
            self.from = Some(rule.to_owned());
        } else if let Some(start) = part.strip_prefix("starts at ") {
            self.start = Some(start.to_owned());
        } else if let Some(list) = part.strip_prefix("such as ") {
            self.suggestions = list.split(" / ").map(|word| word.trim().to_owned()).collect();
        } else {
            match part {
                "helps" => self.tone = Some(Tone::Good),
                "hurts" => self.tone = Some(Tone::Bad),
                "seldom" => self.seldom = true,
                "notes tell" => self.judged = true,
                _ => return false,
            }
        }
        true
    }
}

/// `-10 to 40`
fn range(text: &str) -> Option<(i64, i64)> {
    let (low, high) = text.split_once(" to ")?;
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (low <= high).then_some((low, high))
}

/// The lines as names and what is said of them; a line without a name goes on with the one before.
fn entries(lines: &[String]) -> Vec<(String, String)> {
    let mut entries: Vec<(String, String)> = Vec::new();
    for line in lines {
        match (named(line), entries.last_mut()) {
            (None, Some((_, said))) => {
                said.push(' ');
                said.push_str(line.trim());
            }
            (Some((name, said)), _) => entries.push((name.to_owned(), said.trim().to_owned())),
            (None, None) => {}
        }
    }
    entries
}

/// `pool: …`, `modifiers.kind: …`, `gives outcome: …`, and `Form: …` itself
fn named(line: &str) -> Option<(&str, &str)> {
    let (name, said) = line.trim().split_once(':')?;
    let word = name.strip_prefix("gives ").unwrap_or(name);
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    (!word.is_empty() && word.chars().all(is_name)).then_some((name, said))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Documentation {
        Documentation::of("house", text)
    }

    const ACTION: &str = "\
## An action.
## Example: house.action(7)
## Form: Action, or not
## pool: Dice pool, -10 to 40, or pool, starts at 5. Attribute + Skill.
##   Below one die it is a chance die.
## again: Thrown again, 10 = 10-again, 11 = none, seldom.
## list.kind: Type, such as armor / luck
## gives a: successes of A
## gives outcome: a = A wins, tie = A tie
fn action(pool, again = 10, list = []) = pool
## Another.
## Form: Two, aside
## other: As it is, 1 or 2.
fn two(pool, other) = pool";

    #[test]
    fn lines_are_read() {
        let page = of(ACTION);
        assert_eq!(page.functions[0].doc.as_deref(), Some("An action.\nExample: house.action(7)"));
        let words = SystemWords::of(&page);
        let action = words.rule("action");
        assert_eq!((action.title.as_deref(), action.aside), (Some("Action, or not"), false));
        let pool = words.parameter("action", "pool").expect("a line");
        assert_eq!(pool.title.as_deref(), Some("Dice pool"));
        assert_eq!((pool.range, pool.start.as_deref()), (Some((-10, 40)), Some("5")));
        assert_eq!(pool.from.as_deref(), Some("pool"));
        assert_eq!(
            pool.help.as_deref(),
            Some("Attribute + Skill. Below one die it is a chance die.")
        );
        let again = words.parameter("action", "again").expect("a line");
        assert_eq!((again.choices.len(), again.seldom), (2, true));
        assert_eq!(
            words.field("action", "list", "kind").expect("a line").suggestions,
            ["armor", "luck"]
        );
        assert_eq!(action.parts[0].title, "successes of A");
        assert_eq!(action.outcomes[1].title, "A tie");
    }

    #[test]
    fn a_line_holds_for_all_rules_of_its_file_and_what_is_not_understood_is_seen() {
        let words = SystemWords::of(&of(ACTION));
        assert!(words.rule("two").aside);
        assert_eq!(words.parameter("two", "pool"), words.parameter("action", "pool"));
        let other = words.parameter("two", "other").expect("a line");
        assert_eq!(other.title.as_deref(), Some("As it is, 1 or 2"));
        assert_eq!(words.field("two", "x", "pool").expect("a line").from, None);
        assert_eq!(words.parameter("two", "nobody"), None);
    }

    #[test]
    fn variants_have_titles() {
        let page = of(
            "## Which.\n## Form: a = The first,\n## b = The second, z = Nobody\nenum E = a | b | c",
        );
        let titles: Vec<String> =
            variants(&page.enumerations[0]).into_iter().map(|one| one.title).collect();
        assert_eq!(titles, ["The first", "The second"]);
        assert_eq!(page.enumerations[0].doc.as_deref(), Some("Which."));
    }
}
