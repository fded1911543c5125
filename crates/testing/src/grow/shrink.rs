//! Making a program smaller that breaks the law: by its tape, and then by its text.

/// The smallest tape that still grows something that breaks, as far as simple means find it.
pub fn shrink(
    grow: fn(&[u32]) -> String,
    tape: &[u32],
    tries: usize,
    breaks: impl Fn(&str) -> bool,
) -> Vec<u32> {
    let mut best = tape.to_vec();
    let mut left = tries;
    loop {
        let text = grow(&best);
        let better = smaller(&best).find(|shorter| {
            let shrunk = grow(shorter);
            if left == 0 || shrunk == text || shrunk.len() > text.len() {
                return false;
            }
            left -= 1;
            breaks(&shrunk)
        });
        match better {
            Some(shorter) => best = shorter,
            None => return best,
        }
    }
}

/// The text without the lines that it does not need to break.
pub fn without_lines(text: &str, breaks: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        let mut fewer = lines.clone();
        fewer.remove(at);
        if breaks(&fewer.join("\n")) {
            lines = fewer;
        } else {
            at += 1;
        }
    }
    lines.join("\n")
}

/// Tapes that are shorter, or have a smaller number somewhere.
fn smaller(tape: &[u32]) -> impl Iterator<Item = Vec<u32>> + '_ {
    let length = tape.len();
    let cuts = [32, 16, 8, 4, 2, 1].into_iter().flat_map(move |size: usize| {
        (0..length).step_by(size).map(move |at| {
            let mut cut = tape.to_vec();
            cut.drain(at..length.min(at + size));
            cut
        })
    });
    let zeros = (0..length).filter(|at| tape[*at] != 0).map(|at| with(tape, at, 0));
    let lower =
        (0..length).flat_map(move |at| (1..tape[at].min(24)).map(move |to| with(tape, at, to)));
    cuts.chain(zeros).chain(lower)
}

fn with(tape: &[u32], at: usize, to: u32) -> Vec<u32> {
    let mut changed = tape.to_vec();
    changed[at] = to;
    changed
}
