//! `picture`: a drawn chart, light or dark, of any size; of a record, of one of its fields.

use astragal::Answer;
use astragal_show::svg::{Look, Theme, drawing};
use astragal_show::tables::{answers, titled};
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::{plain, refused};
use crate::export::view;
use crate::odds::until;
use crate::request::Request;
use crate::source::{Source, budget};

pub(crate) fn picture(request: &Request, host: &Host) -> Result<Json, String> {
    let source = Source::of(request)?;
    let (budget, until) = (budget(request, host)?, until(request)?);
    let view = view(request.optional_text("view")?.unwrap_or("exactly"))?;
    let look = look(request)?;
    let field = request.optional_text("field")?;
    let known = source.set_program(&budget).and_then(|program| {
        let answers = answers(&program, &budget, until)?;
        Ok((program, answers))
    });
    let (program, mut answers) = match known {
        Ok(known) => known,
        Err(wrong) => return Ok(refused(&wrong)),
    };
    chosen(&mut answers, field);
    let title = match request.optional_text("title")? {
        Some(title) => title.to_owned(),
        None => title(program.text(), &answers),
    };
    Ok(match drawing(&title, &titled(&answers), view, &look) {
        Some(content) => json!({"ok": true, "content": content}),
        None => {
            let unlike = plain("unlike-results", "results of different types make no chart");
            json!({"ok": false, "over_budget": false, "diagnostics": [unlike]})
        }
    })
}

/// The field that was asked for; else, where fields are of different types, those that are like the first that varies.
fn chosen(answers: &mut Vec<Answer>, field: Option<&str>) {
    if let Some(field) = field {
        answers.retain(|answer| answer.field.join(".") == field);
    }
    let varies = |answer: &&Answer| answer.outcomes.len() > 1 || !answer.rest.is_zero();
    let first = answers.iter().find(varies).or(answers.first());
    let Some((ty, path)) = first.map(|first| (first.ty.clone(), first.field.clone())) else {
        return;
    };
    if answers.iter().any(|answer| answer.ty != ty) {
        answers.retain(|answer| answer.ty == ty && answer.field == path);
    }
}

/// What results are called, or the program's last line, by which a reader knows it.
fn title(text: &str, answers: &[Answer]) -> String {
    let mut names: Vec<&str> = answers.iter().filter_map(|answer| answer.name.as_deref()).collect();
    names.dedup();
    match names.as_slice() {
        [] => text.trim().lines().next_back().unwrap_or_default().to_owned(),
        names => names.join(", "),
    }
}

fn look(request: &Request) -> Result<Look, String> {
    let theme = match request.optional_text("theme")?.unwrap_or("viewer") {
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        "viewer" => Theme::Viewer,
        other => return Err(format!("there is no theme `{other}`")),
    };
    let side = |name: &str| {
        let pixels = request.optional_number(name)?;
        Ok::<_, String>(pixels.map(|pixels| u32::try_from(pixels.clamp(100, 4000)).unwrap_or(4000)))
    };
    Ok(Look { width: side("width")?, height: side("height")?, theme })
}
