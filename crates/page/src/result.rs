//! One answer, ready to be drawn, read and spoken.

use astragal::{Answer, Rational, Type};
use astragal_show::beside;
use astragal_show::brief::{line, range};
use astragal_show::decimal::{percent_of, root, short};
use astragal_show::rows::{Merged, shown};
use astragal_show::summary::percentiles;
use serde_json::{Value as Json, json};

use crate::chance::{Room, quantity};
use crate::rows;

/// An answer as text; `title` is what the only result is called. Its rows are given, or held until they are asked for.
pub(crate) fn result(answer: &Answer, title: &str, given: bool, room: Room) -> String {
    let merged = Merged::of(&[answer]);
    let mut text = summary(answer, &merged, title, given, room).to_string();
    text.pop();
    text.push_str(",\"rows\":");
    match given {
        true => rows::write(answer, &merged, room, &mut text),
        false => text.push_str("[]"),
    }
    text.push('}');
    text
}

/// What is known of the whole.
fn summary(answer: &Answer, merged: &Merged<'_>, title: &str, given: bool, room: Room) -> Json {
    let told = |chance: &Rational| match chance.is_zero() {
        true => Json::Null,
        false => room.chance(chance),
    };
    let percentiles = percentiles(answer).into_iter();
    let variance = answer.variance();
    let notices = answer.notices.iter().map(|notice| notice.to_string());
    let notices = notices
        .chain(beside::never(answer))
        .chain(beside::infinite(answer))
        .chain(beside::evidence(answer));
    json!({
        "name": answer.name.as_deref(),
        "field": (!answer.field.is_empty()).then(|| answer.field.join(".")),
        "type": answer.ty.to_string(),
        "kind": kind(&answer.ty),
        "held": !given,
        "shown_of": merged.values.len(),
        "rest": told(&(&answer.rest - &answer.never - &answer.lost).max(Rational::ZERO)),
        "lost": told(&answer.lost),
        "mean": answer.mean().as_ref().map(quantity),
        "variance": variance.as_ref().map(quantity),
        "deviation": variance.map(|variance| short(&root(&variance, 4), 4)),
        "percentiles": percentiles
            .map(|(percent, label)| json!({"percent": percent, "label": label}))
            .collect::<Vec<_>>(),
        "notices": notices.collect::<Vec<_>>(),
        "sentence": sentence(answer, merged, title),
    })
}

fn kind(ty: &Type) -> &'static str {
    match ty {
        Type::Number | Type::Pool(_) => "number",
        Type::Bool => "truth",
        Type::Enum(_) | Type::Text => "name",
        _ => "other",
    }
}

/// For those who listen: `4d6kh3: from 3 to 18, most likely 13 (13.27%), mean 12.24`.
fn sentence(answer: &Answer, merged: &Merged<'_>, text: &str) -> String {
    let parts = answer.name.iter().chain(&answer.field).map(|part| &**part);
    let title = parts.collect::<Vec<_>>().join(", ");
    let title = if title.is_empty() { text } else { &title };
    let several = merged.values.len() > 1 && merged.are_numbers();
    let weight = |place: usize| merged.weights[0].weight(place, place + 1);
    // Of equally likely ones the first.
    let likeliest = (0..merged.values.len()).rev().max_by_key(|place| weight(*place));
    match likeliest.filter(|_| several) {
        Some(place) => {
            let mean = answer.mean().map(|mean| format!(", mean {}", short(&mean, 2)));
            let (range, mean) = (range(answer), mean.unwrap_or_default());
            let percent = percent_of(&weight(place), merged.weights[0].total());
            let value = shown(merged.values[place]);
            format!("{title}: {range}, most likely {value} ({percent}){mean}")
        }
        None => format!("{title}: {}", line(answer)),
    }
}
