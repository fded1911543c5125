//! A page of Markdown whose ```console blocks are played.

use std::path::Path;

/// A page and its text.
pub struct Page {
    pub text: String,
}

impl Page {
    pub fn read(path: &Path) -> Page {
        Page { text: std::fs::read_to_string(path).unwrap() }
    }

    /// The page as it would be with what the commands really say. `run` gets the words that a command hands
    /// to the binary; commands of other programs are left as they are.
    pub fn played(&self, mut run: impl FnMut(&[&str]) -> String) -> String {
        let mut played = String::new();
        let mut lines = self.text.lines();
        while let Some(line) = lines.next() {
            played += &format!("{line}\n");
            if line == "```console" {
                played += &block(&mut lines, &mut run);
            }
        }
        played
    }
}

/// A block with its commands' real output, up to its end.
fn block<'a>(
    lines: &mut impl Iterator<Item = &'a str>,
    run: &mut impl FnMut(&[&str]) -> String,
) -> String {
    let mut played = String::new();
    let mut others = false;
    for line in lines {
        if line == "```" {
            return played + "```\n";
        }
        match line.strip_prefix("$ ") {
            Some(command) => {
                played += &format!("{line}\n");
                let words = arguments(command);
                others = words.is_none();
                if let Some(words) = words.filter(|words| !words.is_empty()) {
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    let out = run(&words);
                    out.trim_end().lines().for_each(|line| played += &format!("{line}\n"));
                }
            }
            None if others => played += &format!("{line}\n"),
            None => {}
        }
    }
    played
}

/// What a command hands to the binary; none if it is another program's.
fn arguments(command: &str) -> Option<Vec<String>> {
    let own = ["cargo run --release --", "cargo run --release", "astragal"];
    let rest = own.iter().find_map(|name| command.strip_prefix(name))?;
    Some(words(rest))
}

/// Words as a shell splits them: blanks separate, quotes keep together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
