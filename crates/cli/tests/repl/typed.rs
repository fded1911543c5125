//! The session typed at a real terminal.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Generous: tests run on busy machines and unoptimised builds.
const SOON: Duration = Duration::from_secs(60);

/// A terminal with `astragal` in it.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    screen: Receiver<Vec<u8>>,
    /// What came since the last thing that was waited for, without control sequences.
    seen: String,
    raw: Vec<u8>,
    /// Everything that ever came.
    all: Vec<u8>,
    // The other end hangs up when this is dropped.
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    fn open(arguments: &[&str], state: &Path) -> Terminal {
        Terminal::open_with(arguments, state, &[])
    }

    fn open_with(arguments: &[&str], state: &Path, variables: &[(&str, &str)]) -> Terminal {
        let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_astragal"));
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env("XDG_STATE_HOME", state);
        command.env("XDG_CONFIG_HOME", state.join("nowhere"));
        command.env_remove("ASTRAGAL_CONFIG");
        command.env_remove("NO_COLOR");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (send, screen) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                if send.send(buffer[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Terminal {
            child,
            keys,
            screen,
            seen: String::new(),
            raw: Vec::new(),
            all: Vec::new(),
            _master: pair.master,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the prompt is there, types a line and waits for its answer.
    fn enter(&mut self, line: &str, answer: &str) {
        self.press(&format!("{line}\r"));
        self.wait_for(answer);
        self.wait_for("> ");
    }

    /// Waits until a text was on the screen; everything up to it is then forgotten.
    fn wait_for(&mut self, text: &str) {
        let begun = Instant::now();
        loop {
            self.seen = plain(&self.raw);
            if let Some(at) = self.seen.find(text) {
                // What is forgotten is counted in the plain text, so the raw one is replaced by it.
                self.raw = self.seen.as_bytes()[at + text.len()..].to_vec();
                return;
            }
            let left = SOON.saturating_sub(begun.elapsed());
            match self.screen.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(_) => panic!("`{text}` never came, but {:?}", self.seen),
            }
        }
    }

    /// A terminal answers when it is asked where the cursor is.
    fn take(&mut self, bytes: &[u8]) {
        let asked = |bytes: &[u8]| bytes.windows(4).filter(|four| four == b"\x1b[6n").count();
        let before = asked(&self.raw);
        self.raw.extend(bytes);
        self.all.extend(bytes);
        for _ in before..asked(&self.raw) {
            self.press("\x1b[1;1R");
        }
    }

    fn left(mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < SOON {
            while let Ok(bytes) = self.screen.try_recv() {
                self.take(&bytes);
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        false
    }
}

/// The text without control sequences, as far as they are complete.
fn plain(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => match chars.next() {
                Some('[') => drop(chars.find(|c| ('@'..='~').contains(c))),
                Some(']') => drop(chars.find(|c| *c == '\x07' || *c == '\\')),
                _ => {}
            },
            c => out.push(c),
        }
    }
    out
}

/// A folder of its own for each test.
fn state(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("astragal-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn a_session_at_a_terminal() {
    let state = state("session");
    let mut terminal = Terminal::open(&["--seed", "1"], &state);
    terminal.wait_for("> ");
    terminal.enter("4d6kh3", "= 15");
    terminal.enter("", "= 8");
    terminal.enter("? 2d6", "mean 7");
    terminal.enter("fn twice(n) = n * 2", "> ");
    terminal.enter("twice(21)", "= 42");
    terminal.enter("nope + 1", "unknown name `nope`");
    terminal.enter(":system kaiser", "> ");
    terminal.enter("level(5, 3)", "= 2");
    // A line that is not finished goes on.
    terminal.press("fn thrice(n) = do\r");
    terminal.press("n * 3\r");
    terminal.press("end\r");
    terminal.enter("thrice(5)", "= 15");
    // Tab completes the only name there is.
    terminal.press("thri\t");
    terminal.wait_for("thrice(");
    terminal.enter("7)", "= 21");
    terminal.press(":quit\r");
    assert!(terminal.left());
    let kept = std::fs::read_to_string(state.join("astragal/history")).unwrap();
    assert!(kept.contains("4d6kh3") && kept.contains("? 2d6"), "{kept}");
    let _ = std::fs::remove_dir_all(state);
}

#[test]
fn a_pasted_anydice_program_is_one_entry() {
    let state = state("pasted");
    let mut terminal = Terminal::open(&["--no-history"], &state);
    terminal.wait_for("> ");
    let program = "X: 3\n\nfunction: f N:n {\n  result: N + X\n}\noutput [f d2] named \"one\"\noutput 7 named \"two\"";
    terminal.press(&format!("\x1b[200~{program}\x1b[201~"));
    terminal.wait_for("two");
    terminal.enter("", "AnyDice");
    // Typed, it goes on until something is output.
    terminal.press("Y: 4\r");
    terminal.wait_for(". ");
    terminal.enter("output Y * 10", "40");
    terminal.press(":quit\r");
    assert!(terminal.left());
    let _ = std::fs::remove_dir_all(state);
}

/// Takes minutes and any amount of steps.
const LONG: &str = "? fold(1..400, 0, (sum, i) => max(sum, (i)d(i + 3)))";

#[test]
fn an_interrupt_keeps_the_session() {
    let state = state("interrupt");
    let mut terminal = Terminal::open(&["--no-history", "--steps", "1000000000000"], &state);
    terminal.wait_for("> ");
    terminal.enter("let kept = 17", "> ");
    terminal.press(&format!("{LONG}\r"));
    // The sign of progress shows that the computation runs.
    terminal.wait_for("Ctrl-C stops it");
    terminal.press("\x03");
    terminal.wait_for("(interrupted)");
    terminal.wait_for("> ");
    terminal.enter("kept * 2", "= 34");
    // At the prompt an interrupt only forgets the line.
    terminal.press("1 + 1\x03");
    terminal.wait_for("leaves)");
    terminal.enter("kept * 3", "= 51");
    terminal.press("\x04");
    assert!(terminal.left());
    assert!(!state.join("astragal").exists());
}

#[test]
fn the_next_answer_comes_after_an_interrupt_and_keys_leave_no_trace() {
    let state = state("next");
    let mut terminal = Terminal::open(&["--no-history", "--steps", "1000000000000"], &state);
    terminal.wait_for("> ");
    for _ in 0..3 {
        terminal.press(&format!("{LONG}\r"));
        terminal.wait_for("Ctrl-C stops it");
        let seen = terminal.all.len();
        terminal.press("zzz");
        terminal.wait_for("Ctrl-C stops it");
        terminal.press("\x03");
        terminal.wait_for("(interrupted)");
        let since = String::from_utf8_lossy(&terminal.all[seen..]).into_owned();
        assert!(!since.contains('z'), "{since:?}");
        // The sign of progress is gone before anything else is written.
        let (before, _) = since.split_once("(interrupted)").unwrap();
        assert!(before.ends_with("\r\x1b[K"), "{before:?}");
        terminal.wait_for("> ");
        terminal.enter("20 + 1", "= 21");
    }
    // The commands for tables are stopped as well, and say nothing afterwards.
    terminal.press(&format!(":sweep {} >= n n=1..400\r", LONG.trim_start_matches("? ")));
    terminal.wait_for("Ctrl-C stops it");
    terminal.press("\x03");
    terminal.wait_for("(interrupted)");
    terminal.enter("20 + 2", "= 22");
    terminal.press("\x04");
    assert!(terminal.left());
}

#[test]
fn the_list_of_completions_never_changes_what_was_typed() {
    let state = state("menu");
    let mut terminal = Terminal::open(&["--no-history", "--seed", "1"], &state);
    terminal.wait_for("> ");
    // The list is open, and what is typed on closes it.
    terminal.press("cofd.action(5, ro\t");
    terminal.wait_for("round(");
    terminal.press("te: true)\r");
    terminal.wait_for("rote");
    terminal.wait_for("successes:");
    terminal.wait_for("> ");
    // Enter with an open list sends the line as it stands.
    terminal.press("ma\t");
    terminal.wait_for("map(");
    terminal.press("\r");
    terminal.wait_for("unknown name `ma`");
    terminal.wait_for("> ");
    // What is chosen is taken over: the second Tab chooses the first.
    terminal.press("ma\t");
    terminal.wait_for("map(");
    terminal.press("\t\r");
    terminal.wait_for("ma");
    terminal.press("\x15max(2, 3)\r");
    terminal.wait_for("= 3");
    terminal.press(":quit\r");
    assert!(terminal.left());
}

#[test]
fn commands_and_paths_are_completed() {
    let state = state("paths");
    std::fs::create_dir_all(state.join("folder")).unwrap();
    std::fs::write(state.join("folder/party.dice"), "fn forty_two() = 42\n").unwrap();
    let mut terminal = Terminal::open(&["--no-history"], &state);
    terminal.wait_for("> ");
    terminal.press(&format!(":lo\t{}/fol\tpa\t\r", state.display()));
    terminal.wait_for("> ");
    terminal.enter("forty_two()", "= 42");
    // There is nothing to offer, and nothing is said about it.
    terminal.press("xyzzy\t\t");
    terminal.enter("", "unknown name `xyzzy`");
    terminal.enter(":table add Anna hp 24", "24/24");
    terminal.press(":tab\tad\tBert hp 5\r");
    terminal.wait_for("5/5 hp");
    terminal.press(":table hit Be\t3\r");
    terminal.wait_for("2/5");
    terminal.press(":quit\r");
    let all = String::from_utf8_lossy(&terminal.all).into_owned();
    assert!(terminal.left());
    assert!(!all.contains("RECORDS"), "{all}");
    let _ = std::fs::remove_dir_all(state);
}

#[test]
fn a_session_says_what_is_there_when_it_begins() {
    let state = state("greeting");
    let config = state.join("config");
    std::fs::create_dir_all(config.join("astragal")).unwrap();
    std::fs::write(config.join("astragal/start.dice"), "let anna = 7\nfn blow() = d20\n").unwrap();
    let place = config.display().to_string();
    let open = || {
        let arguments = ["--no-history"];
        let mut terminal = Terminal::open_with(&arguments, &state, &[("XDG_CONFIG_HOME", &place)]);
        terminal.wait_for("(from `start.dice`: anna, blow)");
        terminal
    };
    let mut terminal = open();
    terminal.wait_for("> ");
    terminal.enter(":table add Anna hp anna init 3", "7/7 hp");
    terminal.enter(":table next", "round 1, Anna");
    terminal.enter(":table hit Anna 2", "5/7");
    // Killed without a word.
    terminal.child.kill().unwrap();
    let mut terminal = open();
    terminal.wait_for("(on the table: one character, round 1: Anna; `:table` shows it)");
    terminal.wait_for("> ");
    terminal.enter(":table", "5/7");
    terminal.press(":quit\r");
    assert!(terminal.left());
    let _ = std::fs::remove_dir_all(state);
}

#[test]
fn colours_come_only_where_they_are_wanted() {
    let coloured = |variables: &[(&str, &str)]| {
        let state = state(&format!("colours-{}", variables.len()));
        let mut terminal = Terminal::open_with(&["--no-history"], &state, variables);
        terminal.wait_for("> ");
        terminal.enter("let x = \"a\" # b", "> ");
        terminal.enter("? 4d6kh3", "mean");
        // Any colour of the palette, but not the return to the usual one.
        let text = String::from_utf8_lossy(&terminal.all).into_owned();
        text.split("\x1b[").filter_map(|part| part.split_once('m')).any(|(code, _)| {
            let first = code.split(';').next().and_then(|n| n.parse::<u8>().ok());
            code.len() < 12 && first.is_some_and(|n| matches!(n, 30..=38 | 90..=97))
        })
    };
    assert!(coloured(&[]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
}

#[test]
fn a_history_that_cannot_be_written_does_no_harm() {
    let mut terminal = Terminal::open(&[], Path::new("/dev/null"));
    terminal.wait_for("> ");
    terminal.enter("2 + 3", "= 5");
    terminal.press(":quit\r");
    assert!(terminal.left());
}
