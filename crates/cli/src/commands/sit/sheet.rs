//! What is kept at a table, and who is there: `:sheet`, `:who`.

use astragal_fair::request::Role;

use super::story::Story;
use super::tell::clean;

/// Kept rolls and numbers: this seat's, and the table's.
pub(super) fn sheet(story: &Story) -> String {
    let whose = |owner: &Option<u64>| match owner {
        None => "the table’s ".to_owned(),
        Some(seat) if Some(*seat) == story.own => String::new(),
        Some(seat) => format!("{}’s ", story.name(*seat)),
    };
    let game_master = story.own.is_some_and(|own| is_owner(story, own));
    let seen = |owner: &Option<u64>| owner.is_none() || *owner == story.own || game_master;
    let kept = story.kept.iter().filter(|((owner, _), _)| seen(owner));
    let kept = kept.map(|((owner, name), (text, _))| format!("{}{name} = {text}", whose(owner)));
    let numbers = story.numbers.iter().filter(|((owner, _), _)| seen(owner));
    let numbers = numbers.map(|((owner, name), value)| format!("{}{name} = {value}", whose(owner)));
    let lines: Vec<String> = kept.chain(numbers).collect();
    if lines.is_empty() {
        return "nothing is kept: `:keep axe = d8 + str`, `:set str = 4`".into();
    }
    clean(&lines.join("\n"))
}

fn is_owner(story: &Story, seat: u64) -> bool {
    let at = usize::try_from(seat).unwrap_or(usize::MAX);
    story.people.get(at).is_some_and(|person| person.role == Role::Owner)
}

/// Who sits here, and who is here now.
pub(super) fn who(story: &Story) -> String {
    let one = |(at, person): (usize, &super::story::Person)| {
        let seat = at as u64;
        let mut told = vec![
            (Some(seat) == story.own).then_some("you"),
            (person.role == Role::Owner).then_some("game master"),
            (person.role == Role::Door).then_some("a chat"),
            person.left.then_some("has left"),
        ];
        told.push((!person.left && !story.here.contains(&seat)).then_some("away"));
        let told: Vec<&str> = told.into_iter().flatten().collect();
        let told = if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) };
        format!("{}{told}", story.name(seat))
    };
    let mut lines: Vec<String> = story.people.iter().enumerate().map(one).collect();
    if story.watching > 0 {
        lines.push(format!("{} looking on", story.watching));
    }
    clean(&lines.join("\n"))
}
