//! The line editor: colours, completion, hints, history, lines that go on.

use std::borrow::Cow;

use reedline::{
    Color, Emacs, KeyCode, KeyModifiers, Prompt, PromptEditMode, PromptHistorySearch, Reedline,
    ReedlineEvent, ReedlineMenu, Signal, ValidationResult, Validator, default_emacs_keybindings,
};

use super::colours::Colours;
use super::complete::Completion;
use super::hints::Hints;
use super::history::history;
use super::incomplete::is_incomplete;
use super::menu::Choices;
use super::names::Names;
use crate::terminal::Terminal;

const MENU: &str = "completion";

pub(crate) struct Editor {
    reedline: Reedline,
}

/// What came from the editor.
pub(crate) enum Entry {
    Line(String),
    /// Ctrl-C at the prompt.
    Interrupted,
    /// Ctrl-D.
    End,
}

impl Editor {
    pub(crate) fn new(names: &Names, terminal: &Terminal, with_history: bool) -> Editor {
        let mut keys = default_emacs_keybindings();
        let complete = ReedlineEvent::UntilFound(vec![
            ReedlineEvent::Menu(MENU.into()),
            ReedlineEvent::MenuNext,
        ]);
        keys.add_binding(KeyModifiers::NONE, KeyCode::Tab, complete);
        let menu = Choices::new(MENU);
        let reedline = Reedline::create()
            .with_ansi_colors(terminal.colour)
            .with_history(Box::new(history(with_history)))
            .with_validator(Box::new(Lines))
            .with_completer(Box::new(Completion::new(names.clone())))
            .with_hinter(Box::new(Hints::new(names.clone())))
            .with_menu(ReedlineMenu::EngineCompleter(Box::new(menu)))
            .with_quick_completions(true)
            .with_partial_completions(true)
            // What is pasted is one entry, however many lines it has.
            .use_bracketed_paste(true)
            .with_edit_mode(Box::new(Emacs::new(keys)));
        let reedline = if terminal.colour {
            reedline.with_highlighter(Box::new(Colours))
        } else {
            reedline.with_highlighter(Box::new(super::colours::NoColours))
        };
        Editor { reedline }
    }

    /// The same; what is printed meanwhile appears above the line that is being typed.
    #[cfg(feature = "sit")]
    pub(crate) fn with_printer(self, printer: reedline::ExternalPrinter<String>) -> Editor {
        Editor { reedline: self.reedline.with_external_printer(printer) }
    }

    /// The next entry; an error if the terminal cannot be talked to.
    pub(crate) fn entry(&mut self) -> Result<Entry, String> {
        match self.reedline.read_line(&Sign) {
            Ok(Signal::Success(line)) => {
                // A history that cannot be written is no reason to stop.
                let _ = self.reedline.sync_history();
                Ok(Entry::Line(line))
            }
            Ok(Signal::CtrlD) => Ok(Entry::End),
            Ok(_) => Ok(Entry::Interrupted),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Lines that are not finished go on.
struct Lines;

impl Validator for Lines {
    fn validate(&self, line: &str) -> ValidationResult {
        if is_incomplete(line) { ValidationResult::Incomplete } else { ValidationResult::Complete }
    }
}

/// `> `, and `. ` before lines that continue.
struct Sign;

impl Prompt for Sign {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        "> ".into()
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        ". ".into()
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        format!("(searching: {}) ", search.term).into()
    }

    fn get_indicator_color(&self) -> Color {
        Color::Cyan
    }
}
