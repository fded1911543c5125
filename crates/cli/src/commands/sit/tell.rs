//! How what happens at a table looks in a terminal.

use astragal_fair::Wanted;
use astragal_fair::line::{Dice, How, Outcome};
use astragal_fair::request::{For, Role, To};
use astragal_seat::{Event, Pool, Shown, What};
use astragal_sit::Told;

use super::story::Story;

/// Lines of an explanation that are shown.
const MOST_LINES: usize = 8;

/// One entry; nothing for what nobody needs to be told.
pub(super) fn event(story: &mut Story, event: &Event) -> Option<String> {
    let seat = event.seat.unwrap_or(0);
    let (who, line) = (story.name(seat), event.seq);
    let told = match &event.what {
        What::Sat { name, role, .. } => {
            let role = if *role == Role::Owner { " as game master" } else { "" };
            format!("{name} sits down{role}")
        }
        What::Rolled(shown) => rolled(story, &who, line, shown),
        What::Revealed(shown) => format!("shown now: {}", rolled(story, &who, shown.of, shown)),
        What::Hid(shown) => match shown.made {
            "silent" | "vetoed" | "unsealed" => {
                format!("{who}: nothing was rolled ({})", made(story, shown))
            }
            _ => format!("{who} rolls in secret, line {line} ({})", made(story, shown)),
        },
        What::Typed { text, inputs, faces, r#for, outcome } => typed(
            story,
            &who,
            line,
            (text.as_str(), inputs.as_slice(), faces.as_str()),
            r#for,
            outcome,
        ),
        What::Struck { of, words } => {
            let why = story.words.get(words).map(|why| format!(": {why}")).unwrap_or_default();
            format!("{who} strikes the roll of line {of}{why}")
        }
        What::Called { text, to, label, .. } => {
            let of = match to {
                To::All => "everyone".to_owned(),
                To::Owner => "the game master".to_owned(),
                To::Myself => "nobody".to_owned(),
                To::Seats(seats) => story.names(seats),
            };
            let label = label.and_then(|label| story.words.get(&label));
            let label = label.map(|label| format!(" for {label}")).unwrap_or_default();
            format!("{who} asks {of} to roll {text}{label} (`:answer`)")
        }
        What::Kept { whose, name, text, .. } => {
            let whose = owned(story, *whose);
            if text.is_empty() {
                format!("{who} takes {whose}{name} away")
            } else {
                format!("{who} keeps {whose}{name} = {text}")
            }
        }
        What::Set { whose, name, value } => {
            let whose = owned(story, *whose);
            if value.is_empty() {
                format!("{who} takes {whose}{name} away")
            } else {
                format!("{who} sets {whose}{name} = {value}")
            }
        }
        What::Ruled { .. } => format!("{who} changes the house rules"),
        What::Said { words, .. } => {
            let gone = "words that are not for you, or are gone";
            let words = story.words.get(words).map_or(gone, String::as_str);
            format!("{who} says: {words}")
        }
        What::Left => format!("{who} leaves"),
        What::Ended => format!("{who} closes the table"),
        What::Resealed => "the house seals its dice anew".into(),
        What::Language { .. } => "the house has another version of the rules".into(),
        What::Moved { .. } => "the table goes to another house".into(),
        What::Began { .. }
        | What::Asked { .. }
        | What::AskedAgain { .. }
        | What::Sealed
        | What::Present { .. } => return None,
    };
    Some(clean(&told))
}

fn owned(story: &Story, whose: Option<u64>) -> String {
    match whose {
        None => "the table’s ".into(),
        Some(seat) if Some(seat) == story.own => "your ".into(),
        Some(seat) => format!("{}’s ", story.name(seat)),
    }
}

/// A roll of which the dice are seen.
fn rolled(story: &mut Story, who: &str, line: u64, shown: &Shown) -> String {
    let what = shown.pool.as_ref().map(|pool| what_for(story, &pool.r#for)).unwrap_or_default();
    format!("{who}{what}: {}  [line {line}, {}]", fell(story, shown), made(story, shown))
}

/// A roll that was shown to this seat alone.
pub(super) fn whispered(story: &mut Story, line: u64, shown: &Shown) -> String {
    let what = shown.pool.as_ref().map(|pool| what_for(story, &pool.r#for)).unwrap_or_default();
    let told = fell(story, shown);
    clean(&format!("in secret{what}: {told}  [line {line}, `:reveal {line}` shows it to all]"))
}

fn what_for(story: &Story, r#for: &For) -> String {
    let told = match r#for {
        For::Nothing => None,
        For::Label(words) => story.words.get(words).cloned(),
        For::Call(line) => Some(format!("the call of line {line}")),
    };
    told.map(|told| format!(" for {told}")).unwrap_or_default()
}

/// Every die, thrown again here, and what they come to.
fn fell(story: &mut Story, shown: &Shown) -> String {
    let Some((pool, outcome)) = shown.pool.as_ref().zip(shown.outcome.as_ref()) else {
        return "dice under the cup".into();
    };
    let Pool { text, inputs, .. } = pool;
    let (rules, limits) = (story.rules.clone(), story.limits);
    let wanted = Wanted { text, inputs, rules: rules.as_ref(), limits: &limits };
    let again = shown.key.and_then(|key| story.programs.again(&wanted, key.0));
    let again =
        again.filter(|(_, roll)| roll.value.to_string() == outcome.1 && outcome.0 == How::Value);
    match again {
        Some((program, roll)) => explained(&program.explain(&roll)),
        None => {
            let dice = shown.dice.as_ref().map(thrown).unwrap_or_default();
            format!("{text}: {dice}{}", outcome_in_words(outcome))
        }
    }
}

/// An explanation, as one entry: a short one in one line.
fn explained(text: &str) -> String {
    const SHORT: usize = 70;
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim).collect();
    if lines.iter().map(|line| line.chars().count() + 2).sum::<usize>() <= SHORT {
        return lines.join("; ");
    }
    let more = lines.len().saturating_sub(MOST_LINES);
    // The last line has the result.
    let shown = match more {
        0 => lines,
        _ => [&lines[..MOST_LINES - 2], &["…"], &lines[lines.len() - 1..]].concat(),
    };
    shown.join("\n    ")
}

fn typed(
    story: &mut Story,
    who: &str,
    line: u64,
    (text, inputs, faces): (&str, &[(String, String)], &str),
    r#for: &For,
    outcome: &Outcome,
) -> String {
    let (rules, limits) = (story.rules.clone(), story.limits);
    let wanted = Wanted { text, inputs, rules: rules.as_ref(), limits: &limits };
    let again = story.programs.again_typed(&wanted, faces);
    let told = match again {
        Some((program, roll)) if outcome.0 == How::Value => explained(&program.explain(&roll)),
        _ => format!("{text}: {faces} {}", outcome_in_words(outcome)),
    };
    format!("{who}{}: {told}  [line {line}, real dice, typed]", what_for(story, r#for))
}

/// `d6: 3 4, `
fn thrown(dice: &Dice) -> String {
    let run = |run: &Vec<u64>| {
        let (sides, shown) = run.split_first()?;
        let shown: Vec<String> = shown.iter().map(ToString::to_string).collect();
        Some(format!("d{sides}: {}, ", shown.join(" ")))
    };
    dice.iter().filter_map(run).collect()
}

fn outcome_in_words(Outcome(how, what): &Outcome) -> String {
    match how {
        How::Value => format!("= {what}"),
        How::Fails => format!("no result ({what})"),
        How::Refused => format!("refused ({what})"),
    }
}

/// Who may have chosen it, in a few words.
fn made(story: &Story, shown: &Shown) -> String {
    match shown.made {
        "witnessed" => format!("witnessed by {}", story.names(&shown.witnesses)),
        "alone" => "by device and house".into(),
        "missing" => format!("{} did not witness it", story.names(&shown.missed)),
        "deserted" => "left by its witnesses".into(),
        "house" => "by the house".into(),
        "vetoed" => "refused by the house".into(),
        "silent" => "refused: the device fell silent".into(),
        "unsealed" => "refused: the device had no seal".into(),
        other => other.into(),
    }
}

/// Who is here, when all lines are there.
pub(super) fn greeting(story: &Story) -> String {
    let own = story.own.map(|own| format!("You are {}. ", story.name(own))).unwrap_or_default();
    let others: Vec<u64> =
        story.here.iter().copied().filter(|seat| Some(*seat) != story.own).collect();
    let here = match others.as_slice() {
        [] => "Nobody else is here now.".to_owned(),
        others => format!("Here: {}.", story.names(others)),
    };
    clean(&format!("{own}{here} Write a roll, `? roll` for its odds, `:help` or `:quit`."))
}

/// What passes.
pub(super) fn trouble(told: &Told) -> Option<String> {
    match told {
        Told::Lost(_) => {
            Some("(the connection is lost; it goes on by itself, and nothing is lost)".into())
        }
        Told::Slow => {
            Some("(the house does not answer; the same is sent again until it does)".into())
        }
        _ => None,
    }
}

/// What does not.
pub(super) fn wrong(told: &Told) -> Option<String> {
    Some(match told {
        Told::Refused(why) => format!("error: {why}"),
        Told::Over(why) => format!("error: {why}"),
        Told::Alarm(alarm, line) => {
            let place = line.map(|line| format!(" at line {line}")).unwrap_or_default();
            format!(
                "ALARM{place}: {alarm}\nDo not go on at this table before you know why. `:log FILE` writes what this device has seen: it is the evidence."
            )
        }
        _ => return None,
    })
}

/// What strangers wrote is shown, not obeyed.
pub(super) fn clean(text: &str) -> String {
    let odd = |c: char| {
        c != '\n' && c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars().map(|c| if odd(c) { '\u{fffd}' } else { c }).collect()
}
