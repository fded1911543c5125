//! `astragal check`: what is wrong with a program, without rolling it.

use astragal::json;

use crate::arguments::Check;
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Check, terminal: &Terminal) -> Result<(), Stop> {
    let program = input::program(&arguments.source, terminal)?;
    if terminal.json {
        terminal.say_json(&json::diagnostics(program.hints()));
        return Ok(());
    }
    for (name, ty) in program.results() {
        terminal.say(&name.map_or_else(|| ty.to_string(), |name| format!("{name}: {ty}")));
    }
    for input in program.inputs() {
        let doc = input.doc.map_or_else(String::new, |doc| format!("  {}", doc.replace('\n', " ")));
        terminal.tell(&format!("input {}: {}{doc}", input.name, input.ty));
    }
    Ok(())
}
