//! Messages with the texts they speak of, and how they look.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use astragal_program::Sources;
use astragal_syntax::diagnostic::{Diagnostic, Edit, Severity, alternatives};
use astragal_syntax::span::SourceId;

/// Diagnostics and the texts that their places refer to.
///
/// ```
/// use astragal::Engine;
///
/// let wrong = Engine::new().compile("4d6r1").unwrap_err();
/// assert_eq!(wrong.list()[0].code, "ambiguous-reroll");
/// assert!(wrong.to_string().contains("`4d6ro<=1` rerolls once"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    sources: Sources,
}

/// How messages are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// With colours.
    pub colour: bool,
    /// With ASCII alone.
    pub ascii: bool,
    /// The words of a help are broken where lines would be wider; the fact and the program's own lines are not.
    pub width: usize,
}

impl Default for Look {
    fn default() -> Look {
        Look { colour: false, ascii: false, width: usize::MAX }
    }
}

impl Diagnostics {
    pub(crate) fn new(list: Vec<Diagnostic>, sources: Sources) -> Self {
        Diagnostics { list, sources }
    }

    /// Diagnostics about one text that is no program, such as another tool's notation.
    pub fn of_text(list: Vec<Diagnostic>, name: &str, text: &str) -> Self {
        Diagnostics { list, sources: Sources::of(name, text) }
    }

    /// One diagnostic about the same texts.
    pub(crate) fn with(&self, diagnostic: Diagnostic) -> Self {
        Diagnostics { list: vec![diagnostic], sources: self.sources.clone() }
    }

    /// Those that have another code.
    #[must_use]
    pub fn without(&self, code: &str) -> Self {
        let list = self.list.iter().filter(|diagnostic| diagnostic.code != code).cloned().collect();
        Diagnostics { list, sources: self.sources.clone() }
    }

    /// The diagnostics as data.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// The texts.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Whether any of them stops the program.
    pub fn is_error(&self) -> bool {
        self.list.iter().any(|d| matches!(d.severity, Severity::Error | Severity::OverBudget))
    }

    /// Whether the only reason is the budget.
    pub fn is_over_budget(&self) -> bool {
        let mut errors =
            self.list.iter().map(|d| d.severity).filter(|s| *s <= Severity::OverBudget);
        self.is_error() && errors.all(|severity| severity == Severity::OverBudget)
    }

    /// In words, with the lines they speak of.
    pub fn render(&self, look: Look) -> String {
        let drawn: Vec<String> = self.list.iter().map(|d| self.render_one(d, look)).collect();
        drawn.join("\n\n")
    }

    /// One of them in words.
    pub fn render_one(&self, diagnostic: &Diagnostic, look: Look) -> String {
        let renderer = if look.colour { Renderer::styled() } else { Renderer::plain() };
        let decor = if look.ascii {
            annotate_snippets::renderer::DecorStyle::Ascii
        } else {
            annotate_snippets::renderer::DecorStyle::Unicode
        };
        self.draw(diagnostic, &renderer.decor_style(decor), look.width)
    }

    fn draw(&self, diagnostic: &Diagnostic, renderer: &Renderer, width: usize) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::OverBudget => Level::ERROR.with_name("over budget"),
            Severity::Hint => Level::HELP.with_name("hint"),
            other => Level::NOTE.with_name(other.name()),
        };
        let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
        let mut group = Group::with_title(title);
        for source in self.sources_of(diagnostic) {
            group = group.element(self.snippet(diagnostic, source));
        }
        for help in &diagnostic.help {
            group = group.element(Level::HELP.message(broken(help, width)));
        }
        let mut report = vec![group];
        report.extend(alternatives(&diagnostic.edits).iter().filter_map(|edits| self.patch(edits)));
        renderer.render(&report)
    }

    /// The sources that a diagnostic mentions, the main place's first.
    fn sources_of(&self, diagnostic: &Diagnostic) -> Vec<SourceId> {
        let mut sources: Vec<SourceId> = Vec::new();
        for label in &diagnostic.labels {
            if !sources.contains(&label.span.source)
                && self.sources.get(label.span.source).is_some()
            {
                sources.push(label.span.source);
            }
        }
        sources
    }

    fn snippet<'a>(
        &'a self,
        diagnostic: &'a Diagnostic,
        source: SourceId,
    ) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let (name, text) = self.sources.get(source).map_or(("", ""), |s| (&*s.name, &*s.text));
        let labels = diagnostic.labels.iter().enumerate();
        let annotations =
            labels.filter(|(_, label)| label.span.source == source).map(|(at, label)| {
                let kind = if at == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                let note = kind.span(clip(label.span.range(), text));
                if label.text.is_empty() { note } else { note.label(label.text.as_str()) }
            });
        Snippet::source(text).path(name).fold(true).annotations(annotations)
    }

    /// Edits that belong together, drawn as a patch of the line.
    fn patch<'a>(&'a self, edits: &[&'a Edit]) -> Option<Group<'a>> {
        let source = self.sources.get(edits.first()?.span.source)?;
        let patches = edits.iter().map(|edit| {
            Patch::new(clip(edit.span.range(), &source.text), edit.replacement.as_str())
        });
        let snippet =
            Snippet::source(&*source.text).path(&*source.name).fold(true).patches(patches);
        Some(Group::with_title(Level::HELP.secondary_title("write")).element(snippet))
    }
}

/// What stands before the words of a help: the margin, at least, and `╰ help: `.
const BEFORE_HELP: usize = 12;

/// The words of a help with line breaks.
fn broken(words: &str, width: usize) -> String {
    let room = width.saturating_sub(BEFORE_HELP).max(20);
    let (mut text, mut wide) = (String::with_capacity(words.len()), 0);
    for word in words.split(' ') {
        let long = word.chars().count();
        if wide > 0 && wide + 1 + long > room {
            text.push('\n');
            wide = 0;
        } else if wide > 0 {
            text.push(' ');
            wide += 1;
        }
        text += word;
        wide += long;
    }
    text
}

/// A range that lies within the text and between characters.
fn clip(range: std::ops::Range<usize>, text: &str) -> std::ops::Range<usize> {
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    let start = floor(range.start).unwrap_or(0);
    start..floor(range.end).unwrap_or(0).max(start)
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Look::default()))
    }
}

impl std::error::Error for Diagnostics {}
