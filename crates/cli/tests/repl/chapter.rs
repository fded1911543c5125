//! The book's chapter on the session is one session. `ASTRAGAL_UPDATE=1` writes it anew; read the difference.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use crate::common::{Ran, astragal_with, root};

/// What a session says to these lines, from the beginning.
fn session(lines: &[String]) -> Ran {
    let place = std::env::temp_dir().join(format!("astragal-book-{}.toml", std::process::id()));
    let _ = std::fs::remove_file(&place);
    let arguments = ["--seed", "1", "--no-start", "--state", &place.display().to_string()];
    let ran = astragal_with(&arguments, lines.concat().as_bytes());
    let _ = std::fs::remove_file(&place);
    ran
}

#[test]
fn the_chapter_is_a_session() {
    let path = root().join("book/src/session.md");
    let known = std::fs::read_to_string(&path).unwrap();
    let (mut played, mut typed, mut in_block) = (String::new(), Vec::new(), false);
    let mut before = session(&[]);
    for line in known.lines() {
        in_block = if in_block { line != "```" } else { line == "```session" };
        match line.strip_prefix("> ").filter(|_| in_block) {
            None if in_block && line != "```session" => {}
            None => played += &format!("{line}\n"),
            Some(entry) => {
                typed.push(format!("{entry}\n"));
                // Each line is played with all before it, so that both outputs can be told apart.
                let ran = session(&typed);
                let (out, err) = (&ran.out[before.out.len()..], &ran.err[before.err.len()..]);
                played += &format!("{line}\n{out}{err}");
                before = ran;
            }
        }
    }
    assert!(typed.len() > 30, "the chapter has only {} lines", typed.len());
    if std::env::var_os("ASTRAGAL_UPDATE").is_some() {
        std::fs::write(&path, played).unwrap();
    } else {
        assert_eq!(known, played);
    }
}
