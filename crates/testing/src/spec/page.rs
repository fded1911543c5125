//! Reading a page: which blocks belong together, and what each check is called.

/// A page of the spec.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its file's name below `spec/`.
    pub name: String,
    /// Its programs with their facts, in order.
    pub checks: Vec<Check>,
    /// Files made from shipped systems.
    pub houses: Vec<House>,
    /// Files written on the page: name and text.
    pub files: Vec<(String, String)>,
    /// What is wrong with the page itself.
    pub mistakes: Vec<String>,
}

/// A program and what holds of it.
#[derive(Clone, Debug)]
pub struct Check {
    /// `systems/cofd.md:88 Rote actions`.
    pub name: String,
    /// The program.
    pub program: String,
    /// The facts, one a line.
    pub facts: Vec<String>,
    /// The message it brings about, word for word.
    pub message: Option<Message>,
}

/// An `error` block.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its text.
    pub text: String,
    /// The line of its opening fence, from 1.
    pub line: usize,
}

/// A house rule: a shipped system with one piece of its text replaced.
#[derive(Clone, Debug, Default)]
pub struct House {
    /// The file's name for `use`.
    pub file: String,
    /// The system.
    pub from: String,
    /// The piece of text.
    pub replace: String,
    /// What stands there instead.
    pub with: String,
}

/// A fenced block.
struct Block {
    kind: String,
    text: String,
    line: usize,
    heading: String,
}

impl Page {
    /// Reads a page's text.
    pub fn parse(name: &str, text: &str) -> Page {
        let mut page = Page { name: name.to_owned(), ..Page::default() };
        let mut blocks = blocks(text).into_iter().peekable();
        while let Some(block) = blocks.next() {
            match block.kind.as_str() {
                "dice" => match blocks.next_if(|next| next.kind == "expect") {
                    Some(expect) => page.checks.push(Check {
                        name: format!("{name}:{} {}", block.line, block.heading),
                        program: block.text,
                        facts: facts(&expect.text),
                        message: blocks
                            .next_if(|next| next.kind == "error")
                            .map(|block| Message { text: block.text, line: block.line }),
                    }),
                    None => page.mistake(&block, "a `dice` block without an `expect` block"),
                },
                "expect" => page.mistake(&block, "an `expect` block without a `dice` block"),
                "house" => page.houses.push(house(&block.text)),
                kind if kind.starts_with("file ") => {
                    let name = kind.trim_start_matches("file ").to_owned();
                    page.files.push((name, block.text));
                }
                // Other blocks are pictures for the reader.
                "text" | "console" => {}
                other => page.mistake(&block, &format!("a block of an unknown kind `{other}`")),
            }
        }
        page
    }

    fn mistake(&mut self, block: &Block, what: &str) {
        self.mistakes.push(format!("line {}: {what}", block.line));
    }
}

fn facts(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn house(text: &str) -> House {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_default().trim().to_owned()
    };
    House {
        file: value("file:"),
        from: value("from:"),
        replace: value("replace:"),
        with: value("with:"),
    }
}

/// The fenced blocks of a page, each with the heading above it.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut heading = String::new();
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, Some(kind)) => {
                let (kind, heading) = (kind.trim().to_owned(), heading.clone());
                open = Some(Block { kind, text: String::new(), line: number + 1, heading });
            }
            (None, None) => {
                if let Some(title) = line.strip_prefix('#') {
                    heading = title.trim_start_matches('#').trim().to_owned();
                }
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_belong_together_make_a_check() {
        let page = Page::parse(
            "a.md",
            "# Dice\ntext\n```dice\nd6\n```\n\n```expect\nmean: 7/2\nlaw\n```\n",
        );
        assert!(page.mistakes.is_empty());
        assert_eq!(page.checks[0].name, "a.md:3 Dice");
        assert_eq!(page.checks[0].facts, ["mean: 7/2", "law"]);
    }

    #[test]
    fn a_program_without_facts_is_a_mistake() {
        assert_eq!(Page::parse("a.md", "```dice\nd6\n```\n").mistakes.len(), 1);
    }
}
