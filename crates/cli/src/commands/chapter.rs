//! A system as a chapter of the book: `astragal systems cofd --markdown`.
//!
//! The words are the file's own: its opening comment, and the `##` lines of its functions and
//! enumerations.

use astragal::{Documentation, EnumerationDoc, FunctionDoc, SYSTEMS};
use astragal_assist::catalogue::signature;

/// The chapter of a system.
pub(crate) fn chapter(page: &Documentation) -> String {
    let text = SYSTEMS.iter().find(|(name, _)| *name == page.name).map_or("", |(_, text)| text);
    let mut comments = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    let title = comments.next().unwrap_or_default().trim_end_matches('.');
    let opening: Vec<&str> = comments.collect();
    let mut parts = vec![format!("# {title}"), opening.join("\n").trim().to_owned()];
    parts.push("## What it offers".into());
    let functions = page.functions.iter().filter(|function| function.doc.is_some());
    parts.extend(functions.map(|function| section(page, function)));
    parts.push("## Its words".into());
    parts.extend(page.enumerations.iter().map(words));
    parts.join("\n\n") + "\n"
}

fn section(page: &Documentation, function: &FunctionDoc) -> String {
    let doc = function.doc.as_deref().unwrap_or_default();
    let (examples, prose): (Vec<&str>, Vec<&str>) =
        doc.lines().map(str::trim).partition(|line| line.starts_with("Example:"));
    let mut lines = vec![format!("### `{}.{}`", page.name, function.name)];
    lines.push(format!("```text\n{}.{}\n```", page.name, signature(function)));
    lines.push(prose.join("\n"));
    for example in examples {
        let program = example.trim_start_matches("Example:").trim();
        lines.push(format!("```dice\n{program}\n```"));
    }
    lines.join("\n\n")
}

fn words(enumeration: &EnumerationDoc) -> String {
    let variants: Vec<String> =
        enumeration.variants.iter().map(|variant| format!("`{variant}`")).collect();
    let doc = enumeration.doc.as_deref().unwrap_or_default();
    format!("**{}**: {}. {}", enumeration.name, variants.join(", "), doc.replace('\n', " "))
}
