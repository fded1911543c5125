//! From the command line to a checked program: its text, the files it uses, its inputs.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use astragal::{Diagnostic, Diagnostics, Engine, Files, Program};
use astragal_vary::undeclared;
use clap::CommandFactory;

use crate::arguments::{Cli, Dialect, Source};
use crate::commands::convert;
use crate::commands::odds::budget;
use crate::house;
use crate::progress::watcher;
use crate::slip::{no_such_option, no_such_verb};
use crate::stop::Stop;
use crate::terminal::Terminal;

/// The most bytes that are read of one file.
const MOST_BYTES: u64 = 4 << 20;

/// The program that the command line names, checked, with its inputs set. Hints are told.
pub(crate) fn program(source: &Source, terminal: &Terminal) -> Result<Program, Stop> {
    program_within(source, None, terminal)
}

/// The same, with so many steps of work for an AnyDice program, which is run when it is read.
pub(crate) fn program_within(
    source: &Source,
    steps: Option<u64>,
    terminal: &Terminal,
) -> Result<Program, Stop> {
    match source.dialect {
        Some(Dialect::Anydice) => anydice(source, steps, terminal),
        _ => program_with(source, |_| String::new(), terminal),
    }
}

/// The same with inputs that a command declares.
pub(crate) fn program_with(
    source: &Source,
    inputs_of: impl FnOnce(&str) -> String,
    terminal: &Terminal,
) -> Result<Program, Stop> {
    let program = program_from(source, str::to_owned, inputs_of, terminal)?;
    terminal.diagnostics(&own_hints(&program, source));
    Ok(program)
}

/// The same from another text, made of the program's own. Its hints are not told.
pub(crate) fn program_from(
    source: &Source,
    text_of: impl FnOnce(&str) -> String,
    inputs_of: impl FnOnce(&str) -> String,
    terminal: &Terminal,
) -> Result<Program, Stop> {
    let engine = engine(source)?;
    let (text, name) = text(source)?;
    let text = in_our_notation(text, &name, source, terminal)?;
    let inputs = inputs_of(&text);
    let text = text_of(&text);
    let settings =
        source.set.iter().map(|setting| assignment(setting)).collect::<Result<Vec<_>, _>>()?;
    let engine = engine.with_inputs(&inputs);
    let compiled = engine.compile_named(&text, &name).or_else(|wrong| {
        let declared = inputs + &undeclared(&wrong, settings.iter().copied());
        engine.with_inputs(&declared).compile_named(&text, &name)
    });
    let mut program = match compiled {
        Ok(program) => program,
        Err(wrong) => {
            hint_at_house(source, &wrong, terminal);
            return Err(slip(source).unwrap_or_else(|| wrong.into()));
        }
    };
    for (name, value) in settings {
        program.set(name, value)?;
    }
    Ok(program)
}

/// The hints about a program, but for those about what a session put before it.
fn own_hints(program: &Program, source: &Source) -> Diagnostics {
    if source.before.is_empty() {
        return program.hints().clone();
    }
    let place =
        |hint: &Diagnostic| hint.labels.first().map_or(0, |label| label.span.start as usize);
    let own = program.hints().list().iter().filter(|hint| place(hint) >= source.before.len());
    Diagnostics::of_text(own.cloned().collect(), "program", program.text())
}

/// `pool=7`
fn assignment(setting: &str) -> Result<(&str, &str), Stop> {
    let (name, value) = setting.split_once('=').ok_or_else(|| {
        Stop::Usage(format!("`--set {setting}` has no value: write `--set {setting}=7`"))
    })?;
    match (name.trim(), value.trim()) {
        ("", value) => Err(Stop::Usage(format!(
            "`--set {setting}` names no input: write its name, as in `--set pool={value}`"
        ))),
        (name, "") => {
            Err(Stop::Usage(format!("`--set {setting}` has no value: write `--set {name}=7`")))
        }
        (name, _) => Ok((name, value)),
    }
}

/// An AnyDice program, run. Notices are told.
fn anydice(source: &Source, steps: Option<u64>, terminal: &Terminal) -> Result<Program, Stop> {
    let (text, name) = text(source)?;
    if let Some(setting) = source.set.first() {
        let message = format!("`--set {setting}`: an AnyDice program has no inputs");
        return Err(Stop::Usage(message));
    }
    let mut budget = budget(steps);
    budget.watcher = watcher(terminal);
    let program = Engine::new().compile_anydice(&text, &name, &budget)?;
    terminal.diagnostics(program.hints());
    Ok(program)
}

/// The text, converted if it is another tool's.
fn in_our_notation(
    text: String,
    name: &str,
    source: &Source,
    terminal: &Terminal,
) -> Result<String, Stop> {
    match source.dialect.and_then(convert::notation) {
        None => Ok(text),
        Some(dialect) => convert::converted(&text, name, dialect, terminal),
    }
}

/// The engine, with a system and a file of house rules opened if they were named, and files found beside the program.
pub(crate) fn engine(source: &Source) -> Result<Engine, Stop> {
    let beside = source.expression.as_ref().and(source.file.as_deref());
    let (house, system) = match source.system.as_deref() {
        Some(path) if house::is_path(path) && beside.is_some() => {
            let message = format!("`--file` and `--system {path}` both name a file of house rules");
            return Err(Stop::Usage(format!("{message}: one of them can `use` the other")));
        }
        Some(path) if house::is_path(path) => (Some(Path::new(path)), None),
        system => (beside, system),
    };
    let engine = match house {
        Some(house) => house::engine(house)?,
        None => closed_engine(source),
    };
    match system {
        None => Ok(engine),
        Some(system) if engine.systems().any(|known| known == system) => {
            Ok(engine.with_open(system))
        }
        Some(system) => Err(no_such_system(&engine, system)),
    }
}

/// The engine with no system opened.
pub(crate) fn closed_engine(source: &Source) -> Engine {
    let beside = source.file.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    Engine::new().with_files(Disk::at(beside.unwrap_or_default()))
}

/// The complaint about a system that there is not.
pub(crate) fn no_such_system(engine: &Engine, name: &str) -> Stop {
    let near = astragal_syntax::suggest(name, engine.systems());
    let advice = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", engine.systems().collect::<Vec<_>>().join(", ")),
    };
    Stop::Usage(format!(
        "there is no system `{name}`: {advice}; a file of house rules ends in `.dice`"
    ))
}

/// The text of the program, and what it is called in messages.
pub(crate) fn text(source: &Source) -> Result<(String, String), Stop> {
    match (&source.expression, &source.file) {
        (Some(expression), _) => Ok((format!("{}{expression}", source.before), "program".into())),
        (None, Some(path)) => Ok((read(path)?, path.display().to_string())),
        (None, None) => Err(Stop::Usage(
            "there is no expression: write one, such as `4d6kh3`, or `--file PATH`".into(),
        )),
    }
}

/// The text of a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<String, Stop> {
    let read = if path == Path::new("-") {
        read_some(io::stdin().lock())
    } else {
        std::fs::File::open(path).and_then(read_some)
    };
    read.map_err(|error| Stop::Usage(format!("`{}` cannot be read: {error}", path.display())))
}

/// All of a text, unless it is too long to be a program.
fn read_some(from: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it is longer than {} MiB", MOST_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::other(format!("it is not UTF-8 text (byte {at})"))
    })
}

/// Where `use "house.dice"` looks: beside the program's own file; without one in the current folder, and then beside
/// the house rules.
pub(crate) struct Disk {
    pub(crate) folders: Vec<PathBuf>,
}

impl Disk {
    /// Looks in this folder; empty: the current one.
    pub(crate) fn at(folder: PathBuf) -> Disk {
        Disk { folders: vec![folder] }
    }
}

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        let mut places = self.folders.iter().map(|folder| folder.join(path));
        let first = places.next().unwrap_or_else(|| path.into());
        let other = places.find(|place| !first.exists() && place.exists());
        let file =
            std::fs::File::open(other.unwrap_or(first)).map_err(|error| error.to_string())?;
        read_some(file).map_err(|error| error.to_string())
    }
}

/// What is wrong with a program that is wrong because it was not meant as one: `3d6 --jsn`, `-v`, `rol 2d6`.
fn slip(source: &Source) -> Option<Stop> {
    let command = Cli::command();
    let expression = source.expression.as_deref()?;
    no_such_option(&command, expression)
        .or_else(|| no_such_verb(&command, expression))
        .map(Stop::Usage)
}

/// A file of definitions is not run by itself.
fn hint_at_house(source: &Source, wrong: &Diagnostics, terminal: &Terminal) {
    let Some(path) = source.file.as_deref().filter(|_| source.expression.is_none()) else { return };
    if wrong.list().iter().any(|one| one.code == "no-result") {
        terminal.tell(&format!(
            "hint: write what to do with its definitions, as in `astragal roll 'attack(15)' --file {}`, or read \
             it in a session with `:load`\n",
            path.display()
        ));
    }
}
