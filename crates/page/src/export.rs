//! `export`: the odds as a file for another program, the same that the terminal writes.

use astragal::{Budget, Diagnostics, Program, Rational, json as shapes};
use astragal_show::View;
use astragal_show::svg::{Look, drawing};
use astragal_show::tables::{answers, spreadsheet, titled};
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::{plain, refused};
use crate::odds::until;
use crate::request::Request;
use crate::source::{Source, budget};

/// The file's text; none if the results make no such file.
type Made = Result<Option<String>, Diagnostics>;

/// What kind of file.
struct Format {
    /// How its name ends.
    ending: &'static str,
    mime: &'static str,
    make: fn(&Program, View, &Budget, Option<Rational>) -> Made,
}

fn format(name: &str) -> Option<Format> {
    Some(match name {
        "csv" => Format { ending: "csv", mime: "text/csv", make: csv },
        "json" => Format { ending: "json", mime: "application/json", make: data },
        "svg" => Format { ending: "svg", mime: "image/svg+xml", make: svg },
        "markdown" => Format { ending: "md", mime: "text/markdown", make: markdown },
        _ => return None,
    })
}

pub(crate) fn export(request: &Request, host: &Host) -> Result<Json, String> {
    let source = Source::of(request)?;
    let (budget, until) = (budget(request, host)?, until(request)?);
    let wanted = request.text("as")?;
    let format = format(wanted).ok_or_else(|| format!("there is no file `{wanted}`"))?;
    let view = view(request.optional_text("view")?.unwrap_or("exactly"))?;
    let made = source
        .set_program(&budget)
        .and_then(|program| (format.make)(&program, view, &budget, until));
    Ok(match made {
        Ok(Some(content)) => json!({
            "ok": true,
            "name": format!("odds.{}", format.ending),
            "mime": format.mime,
            "content": content,
        }),
        Ok(None) => {
            let unlike = plain("unlike-results", "results of different types make no chart");
            json!({"ok": false, "over_budget": false, "diagnostics": [unlike]})
        }
        Err(wrong) => refused(&wrong),
    })
}

pub(crate) fn view(name: &str) -> Result<View, String> {
    match name {
        "exactly" => Ok(View::Exactly),
        "at_least" => Ok(View::AtLeast),
        "at_most" => Ok(View::AtMost),
        other => Err(format!("there is no view `{other}`")),
    }
}

fn csv(program: &Program, view: View, budget: &Budget, until: Option<Rational>) -> Made {
    let answers = answers(program, budget, until)?;
    Ok(Some(spreadsheet(&answers, view).csv()))
}

fn markdown(program: &Program, view: View, budget: &Budget, until: Option<Rational>) -> Made {
    let answers = answers(program, budget, until)?;
    Ok(Some(spreadsheet(&answers, view).markdown().join("\n") + "\n"))
}

fn svg(program: &Program, view: View, budget: &Budget, until: Option<Rational>) -> Made {
    let answers = answers(program, budget, until)?;
    Ok(drawing(program.text(), &titled(&answers), view, &Look::default()))
}

fn data(program: &Program, _: View, budget: &Budget, until: Option<Rational>) -> Made {
    let odds = program.odds_until(budget, until)?;
    Ok(Some(shapes::odds(program, &odds).to_string() + "\n"))
}
