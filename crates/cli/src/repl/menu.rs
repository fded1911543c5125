//! The list of completions below the line. It never changes what was typed by itself: Enter sends the line as it
//! stands until an entry was chosen with Tab or an arrow, and whoever types on closes the list.

use reedline::{
    Color, ColumnarMenu, Completer, Editor, Menu, MenuBuilder, MenuEvent, MenuSettings, Painter,
    Suggestion,
};

pub(super) struct Choices {
    menu: ColumnarMenu,
    /// Whether one of the entries was chosen.
    chosen: bool,
}

impl Choices {
    pub(super) fn new(name: &str) -> Choices {
        // The prompt stays as it is.
        let menu = ColumnarMenu::default().with_name(name).with_marker("> ");
        let mut choices = Choices { menu, chosen: false };
        choices.choose(false);
        choices
    }

    /// Only what was chosen looks so.
    fn choose(&mut self, chosen: bool) {
        self.chosen = chosen;
        let usual = Color::Default.normal();
        let style = if chosen { usual.reverse() } else { usual };
        let menu = std::mem::take(&mut self.menu);
        self.menu = menu
            .with_text_style(usual)
            .with_match_text_style(usual)
            .with_selected_text_style(style)
            .with_selected_match_text_style(style);
    }
}

impl Menu for Choices {
    fn settings(&self) -> &MenuSettings {
        self.menu.settings()
    }

    fn is_active(&self) -> bool {
        self.menu.is_active()
    }

    fn set_active(&mut self, active: bool) {
        self.menu.set_active(active);
    }

    fn clear_input(&mut self) {
        self.menu.clear_input();
    }

    fn menu_event(&mut self, event: MenuEvent) {
        match event {
            MenuEvent::Activate(_) | MenuEvent::Deactivate => {
                self.choose(false);
                self.menu.menu_event(event);
            }
            MenuEvent::Edit(_) => {
                self.choose(false);
                self.menu.menu_event(MenuEvent::Deactivate);
            }
            // The first step chooses the entry that is first.
            _ if !self.chosen => self.choose(true),
            _ => self.menu.menu_event(event),
        }
    }

    fn can_quick_complete(&self) -> bool {
        true
    }

    fn can_partially_complete(
        &mut self,
        values_updated: bool,
        editor: &mut Editor,
        completer: &mut dyn Completer,
    ) -> bool {
        // Once there is a choice, Tab goes through it.
        !self.chosen && self.menu.can_partially_complete(values_updated, editor, completer)
    }

    /// Where there is nothing to offer, there is no list.
    fn update_values(&mut self, editor: &mut Editor, completer: &mut dyn Completer) {
        self.menu.update_values(editor, completer);
        if self.menu.get_values().is_empty() {
            self.menu.menu_event(MenuEvent::Deactivate);
        }
    }

    fn reset_position(&mut self) {
        self.menu.reset_position();
    }

    fn update_working_details(
        &mut self,
        editor: &mut Editor,
        completer: &mut dyn Completer,
        painter: &Painter,
    ) {
        self.menu.update_working_details(editor, completer, painter);
    }

    fn replace_in_buffer(&self, editor: &mut Editor) {
        self.menu.replace_in_buffer(editor);
    }

    fn menu_required_lines(&self, terminal_columns: u16) -> u16 {
        self.menu.menu_required_lines(terminal_columns)
    }

    fn menu_string(&self, available_lines: u16, use_ansi_coloring: bool) -> String {
        match self.menu.get_values() {
            [] => String::new(),
            _ => self.menu.menu_string(available_lines, use_ansi_coloring),
        }
    }

    fn min_rows(&self) -> u16 {
        self.menu.min_rows()
    }

    /// What Enter may take over: what was chosen, or the only one there is.
    fn get_values(&self) -> &[Suggestion] {
        match self.menu.get_values() {
            values @ [_] => values,
            values if self.chosen => values,
            _ => &[],
        }
    }
}
