//! `roll`: one roll of the very program whose odds are shown.

use astragal::faces::{Faces, Scripted, Seeded};
use astragal::record::StepKind;
use astragal::render::{Detail, View, plain, pools};
use astragal::{Program, Roll, json as shapes};
use astragal_show::rows::shown;
use astragal_syntax::span::Span;
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::{list, refused};
use crate::parts::parts;
use crate::request::Request;
use crate::source::{Source, budget};

pub(crate) fn roll(request: &Request, host: &Host) -> Result<Json, String> {
    let source = Source::of(request)?;
    let (mut faces, seed) = thrower(request, host)?;
    let told = source
        .set_program(&budget(request, host)?)
        .and_then(|program| Ok(rolled(&program, &program.roll(&mut *faces)?, seed)));
    Ok(told.unwrap_or_else(|wrong| refused(&wrong)))
}

/// Where faces come from, and the seed that gives them again.
pub(crate) fn thrower(
    request: &Request,
    host: &Host,
) -> Result<(Box<dyn Faces>, Option<u64>), String> {
    if let Some(faces) = request.optional_text("faces")? {
        return Ok((Box::new(Scripted::read(faces)), None));
    }
    let seed = match request.optional_text("seed")?.map(str::trim) {
        Some(text) => text.parse().map_err(|_| format!("`{text}` is no seed"))?,
        None => (host.seed)().ok_or("this browser gives no random numbers")?,
    };
    Ok((Box::new(Seeded::new(seed, 0)), Some(seed)))
}

/// A roll that came to its end.
pub(crate) fn rolled(program: &Program, roll: &Roll, seed: Option<u64>) -> Json {
    let sources = program.hints().sources();
    let text_at = |span: Span| Some(sources.slice(span).to_owned());
    let view = View { expression: program.text(), source: &text_at, detail: Detail::Glance };
    json!({
        "ok": true,
        "roll": shapes::roll(program, roll, seed),
        "lines": plain(roll, &view).lines().collect::<Vec<_>>(),
        "pools": pools(roll, &view),
        "values": parts(program, &roll.value).iter().map(|it| shown(it)).collect::<Vec<_>>(),
        "sentence": sentence(roll),
        "seed": seed.map(|seed| seed.to_string()),
        "hints": list(program.hints()),
    })
}

/// For those who listen: `14: 6, 5, 3; dropped 1`.
fn sentence(roll: &Roll) -> String {
    let dice = |dropped: bool, rerolled: bool| {
        let of = |fates: (bool, bool)| fates == (dropped, rerolled);
        let dice = roll.dice.iter();
        // What was thrown again counts no more, dropped or not.
        let dice =
            dice.filter(|die| of((die.fates.dropped && !die.fates.rerolled, die.fates.rerolled)));
        dice.map(|die| die.value.to_string()).collect::<Vec<_>>().join(", ")
    };
    let parts = [
        ("", dice(false, false)),
        ("dropped ", dice(true, false)),
        ("thrown again ", dice(false, true)),
    ];
    let parts = parts.iter().filter(|(_, dice)| !dice.is_empty());
    let dice = parts.map(|(what, dice)| format!("{what}{dice}"));
    let dice: Vec<String> = dice.chain(chosen(roll)).collect();
    match dice.as_slice() {
        [] => roll.value.to_string(),
        _ => format!("{}: {}", roll.value, dice.join("; ")),
    }
}

/// `chosen: throw again, keep`.
fn chosen(roll: &Roll) -> Option<String> {
    let taken = roll.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Chosen { taken, options, .. } => Some(&*options[*taken]),
        _ => None,
    });
    let taken: Vec<&str> = taken.collect();
    (!taken.is_empty()).then(|| format!("chosen: {}", taken.join(", ")))
}
