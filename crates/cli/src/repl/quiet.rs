//! While something is computed, keys that are typed are not shown: they would stand in the sign of progress, and
//! stay there. They are not lost either; the editor reads them afterwards. Ctrl-C still stops.

#[cfg(unix)]
mod terminal {
    use std::io::{self, IsTerminal};

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    /// As long as it lives, standard input shows nothing.
    pub(crate) struct Quiet {
        before: Option<Termios>,
    }

    impl Quiet {
        pub(crate) fn new() -> Quiet {
            let input = io::stdin();
            let before = if input.is_terminal() { tcgetattr(&input).ok() } else { None };
            if let Some(before) = &before {
                let mut quiet = before.clone();
                quiet.local_modes.remove(LocalModes::ECHO);
                // A terminal that cannot be quiet is only untidy.
                let _ = tcsetattr(&input, OptionalActions::Now, &quiet);
            }
            Quiet { before }
        }
    }

    impl Drop for Quiet {
        fn drop(&mut self) {
            if let Some(before) = &self.before {
                let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
            }
        }
    }
}

#[cfg(not(unix))]
mod terminal {
    /// Nothing is known of such terminals.
    pub(crate) struct Quiet;

    impl Quiet {
        pub(crate) fn new() -> Quiet {
            Quiet
        }
    }
}

pub(super) use terminal::Quiet;
