//! The problems, their answers as digests, and our programs for them.
//!
//! `problems.json` states each problem in words, with the digest of its exact answer ([`crate::digest`]), the
//! number of its outcomes and the seconds that icepool once took on another machine. `programs.dice` holds a
//! program for each, under a heading that begins with `## ` and the problem's name; `refused.dice` holds programs that
//! cost more than they seem to, for [`crate::budget`].

use serde_json::Value as Json;

const PROBLEMS: &str = include_str!("../problems.json");
const PROGRAMS: &str = include_str!("../programs.dice");
const REFUSED: &str = include_str!("../refused.dice");

/// A problem of the list.
pub struct Problem {
    pub id: String,
    /// It is one of the sixty; otherwise it is asked for besides.
    pub listed: bool,
    pub statement: String,
    pub sha256: String,
    /// Icepool's seconds of record; none where it gave no answer within a minute.
    pub record: Option<f64>,
}

/// All problems, in the order of the list.
pub fn all() -> Vec<Problem> {
    let list: Json = serde_json::from_str(PROBLEMS).expect("problems.json is JSON");
    let read = |key: &str, listed: bool| -> Vec<Problem> {
        let items = list[key].as_array().into_iter().flatten();
        items.map(|item| problem(item, listed)).collect()
    };
    let mut problems = read("problems", true);
    problems.extend(read("besides", false));
    problems
}

fn problem(item: &Json, listed: bool) -> Problem {
    let text = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
    Problem {
        id: text("id"),
        listed,
        statement: text("statement"),
        sha256: text("sha256"),
        record: item["icepool_seconds"].as_f64(),
    }
}

/// The program under a heading: a problem's name, or one such as `A04 uncapped`.
pub fn program(name: &str) -> Option<&'static str> {
    all_sections().find(|(heading, _)| *heading == name).map(|(_, program)| program)
}

/// The headings of the programs without a cap, in order.
pub fn uncapped() -> impl Iterator<Item = &'static str> {
    all_sections().map(|(heading, _)| heading).filter(|heading| heading.ends_with(" uncapped"))
}

/// The headings of all programs, those that cost more than they seem to at the end.
pub fn names() -> impl Iterator<Item = &'static str> {
    all_sections().map(|(heading, _)| heading)
}

/// All programs with their names.
pub fn all_sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    [PROGRAMS, REFUSED].into_iter().flat_map(sections)
}

/// The programs of a file, each with its name.
pub fn sections(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("\n## ").skip(1).filter_map(|section| {
        let (heading, program) = section.split_once('\n')?;
        let name = heading.split_once(": ").map_or(heading, |(name, _)| name);
        Some((name, program))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_a_program() {
        let problems = all();
        assert_eq!(problems.iter().filter(|problem| problem.listed).count(), 60);
        for problem in problems {
            assert!(program(&problem.id).is_some(), "{}", problem.id);
        }
    }

    #[test]
    fn every_program_is_checked() {
        let engine = astragal::Engine::new();
        for (name, program) in all_sections() {
            if let Err(found) = engine.compile(program) {
                panic!("{name}: {found}");
            }
        }
    }
}
