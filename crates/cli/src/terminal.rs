//! The terminal: what it can show, and the only place that writes to it.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::{AutoStream, ColorChoice};
use astragal::{Diagnostics, Look};

use crate::arguments::{Colour, Output};
use crate::fold::folded;

/// Where answers go, and how they may look.
#[derive(Clone, Debug)]
pub(crate) struct Terminal {
    pub(crate) json: bool,
    pub(crate) markdown: bool,
    /// Without bars, for screen readers and scripts.
    pub(crate) plain: bool,
    /// Colours on standard output.
    pub(crate) colour: bool,
    /// All colours, and not only 256.
    pub(crate) all_colours: bool,
    colour_of_errors: bool,
    /// More than ASCII.
    pub(crate) unicode: bool,
    /// In characters.
    pub(crate) width: usize,
    /// Where lines are to be broken: at the width, if it is known. In a file or a pipe they are not.
    pub(crate) wrapping: usize,
    /// A line tells how far a computation is; it must go before anything else is written.
    progress_shown: Arc<AtomicBool>,
    /// Says that nobody wants to hear of it any more.
    stopped: Option<Arc<AtomicBool>>,
}

impl Terminal {
    pub(crate) fn new(output: &Output) -> Terminal {
        let wanted = |automatic: ColorChoice| match output.colour {
            Colour::Auto => automatic != ColorChoice::Never && !output.plain,
            Colour::Always => true,
            Colour::Never => false,
        };
        Terminal {
            json: output.json,
            markdown: output.markdown,
            plain: output.plain,
            colour: wanted(AutoStream::choice(&io::stdout())) && !output.markdown && !output.json,
            all_colours: has_all_colours(std::env::var("COLORTERM").ok().as_deref()),
            colour_of_errors: wanted(AutoStream::choice(&io::stderr())),
            unicode: is_unicode(|name| std::env::var(name).ok()),
            width: known_width().unwrap_or(80).clamp(20, 200),
            wrapping: known_width().map_or(usize::MAX, |width| width.max(20)),
            progress_shown: Arc::default(),
            stopped: None,
        }
    }

    /// The same for a computation that may be stopped: after that nothing is written, and how far it is
    /// is told by whoever waits for it.
    pub(crate) fn until(&self, stopped: Arc<AtomicBool>) -> Terminal {
        Terminal { stopped: Some(stopped), ..self.clone() }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Writes an answer and a newline to standard output.
    pub(crate) fn say(&self, text: &str) {
        let text = if self.unicode { text.to_owned() } else { ascii(text) };
        self.out(&text);
    }

    /// The same with its lines broken where the terminal ends.
    pub(crate) fn say_folded(&self, text: &str) {
        self.say(&self.folded(text));
    }

    /// Lines, perhaps with colours, broken where the terminal ends; Markdown breaks its lines itself.
    fn folded(&self, text: &str) -> String {
        if self.markdown {
            return text.to_owned();
        }
        let lines: Vec<String> =
            text.split('\n').flat_map(|line| folded(line, self.wrapping)).collect();
        lines.join("\n")
    }

    /// Lines of prose, broken where the terminal ends; Markdown breaks its lines itself.
    pub(crate) fn wrapped(&self, text: &str) -> Vec<String> {
        let width = if self.markdown { usize::MAX } else { self.wrapping };
        text.lines().flat_map(|line| astragal_show::wrapped(line, width)).collect()
    }

    /// A table as lines, or as Markdown.
    pub(crate) fn table(&self, grid: &astragal_show::export::grid::Grid) -> Vec<String> {
        if self.markdown { grid.markdown() } else { grid.lines_within(self.wrapping) }
    }

    /// Writes an answer in JSON, one line.
    pub(crate) fn say_json(&self, value: &serde_json::Value) {
        self.out(&value.to_string());
    }

    /// Writes text that must stay as it is, such as a program.
    pub(crate) fn out(&self, text: &str) {
        if self.is_stopped() {
            return;
        }
        self.end_progress();
        let mut stream = AutoStream::new(io::stdout().lock(), choice(self.colour));
        let newline = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
        self.written(write!(stream, "{text}{newline}").and_then(|()| stream.flush()));
    }

    /// Writes what is no text, such as a picture.
    pub(crate) fn bytes(&self, content: &[u8]) {
        self.end_progress();
        let mut stream = io::stdout().lock();
        self.written(stream.write_all(content).and_then(|()| stream.flush()));
    }

    fn written(&self, written: io::Result<()>) {
        match written {
            Ok(()) => {}
            // The reader has seen enough: `astragal odds 9d6 | head -3`.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => {
                self.tell(&format!("error: standard output cannot be written: {error}"));
                std::process::exit(2);
            }
        }
    }

    /// Writes a hint, a notice or an error and a newline to standard error, broken where the terminal ends.
    pub(crate) fn tell(&self, text: &str) {
        self.tell_as_it_is(&self.folded(text));
    }

    fn tell_as_it_is(&self, text: &str) {
        if self.is_stopped() {
            return;
        }
        self.end_progress();
        let text = if self.unicode { text.to_owned() } else { ascii(text) };
        let mut stream = AutoStream::new(io::stderr().lock(), choice(self.colour_of_errors));
        // There is no better place to complain about standard error.
        let _ = writeln!(stream, "{text}");
    }

    /// Writes diagnostics to standard error; nothing if there are none.
    pub(crate) fn diagnostics(&self, diagnostics: &Diagnostics) {
        if !diagnostics.list().is_empty() {
            let (colour, ascii) = (self.colour_of_errors, !self.unicode);
            let look = Look { colour, ascii, width: self.wrapping };
            let drawn = diagnostics.list().iter().map(|one| {
                let text = diagnostics.render_one(one, look);
                // The fact stands on the first line.
                let (fact, rest) = text.split_once('\n').unwrap_or((&text, ""));
                format!("{}\n{rest}", self.folded(fact)).trim_end().to_owned()
            });
            self.tell_as_it_is(&drawn.collect::<Vec<_>>().join("\n\n"));
        }
    }

    /// Writes how far a computation is over the last line of standard error.
    pub(crate) fn progress(&self, text: &str) {
        if self.stopped.is_some() {
            return;
        }
        let mut stream = io::stderr().lock();
        // Whoever cannot see the progress does not miss it.
        let _ = write!(stream, "\r\x1b[K{text}").and_then(|()| stream.flush());
        self.progress_shown.store(!text.is_empty(), Ordering::Relaxed);
    }

    fn end_progress(&self) {
        if self.progress_shown.load(Ordering::Relaxed) {
            self.progress("");
        }
    }

    /// A prompt, without a newline.
    pub(crate) fn prompt(&self, text: &str) {
        let mut out = io::stdout().lock();
        // If the prompt cannot be shown, the answer will complain.
        let _ = write!(out, "{text}").and_then(|()| out.flush());
    }
}

/// What terminals that know all colours say of themselves.
fn has_all_colours(said: Option<&str>) -> bool {
    matches!(said, Some("truecolor" | "24bit"))
}

fn choice(colour: bool) -> ColorChoice {
    if colour { ColorChoice::Always } else { ColorChoice::Never }
}

fn known_width() -> Option<usize> {
    let measured = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    measured.or_else(told)
}

/// The first of the usual variables that is set decides; a machine that says nothing gets Unicode.
fn is_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// The signs of our own making in ASCII; what the user wrote stays.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '→' => out.push_str("->"),
            '↻' => out.push_str("~>"),
            '⇒' => out.push_str("=>"),
            '✓' => out.push('+'),
            '✗' => out.push('-'),
            '…' => out.push_str("..."),
            '–' | '−' => out.push('-'),
            '≈' => out.push('~'),
            '◀' => out.push('<'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unicode(pairs: &[(&str, &str)]) -> bool {
        is_unicode(|name| {
            pairs.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_locale_decides_about_unicode() {
        assert!(unicode(&[]));
        assert!(unicode(&[("LANG", "de_DE.UTF-8")]));
        assert!(unicode(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!unicode(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
        assert!(!unicode(&[("LANG", "POSIX")]));
    }

    #[test]
    fn explanations_have_an_ascii_form() {
        assert_eq!(ascii("6→6→2 (1)↻5 9✓ ≈ é"), "6->6->2 (1)~>5 9+ ~ é");
    }
}
