//! The settings file: what options are where none are written.
//!
//! ```toml
//! colour = "never"          # auto, always, never
//! system = "cofd"           # known without its prefix
//! steps = 2_000_000_000     # of work, for each answer
//! full = true               # every step, every outcome
//! state = "table.toml"      # the session's table; from the folder of this file
//! history = false           # keep no file of the lines that are typed
//! start = false             # do not read `start.dice`
//! ```
//!
//! Each line is an option of the command line, and is put into it where the command knows that option and nobody has
//! written it.

use std::path::{Path, PathBuf};

use astragal::Engine;
use clap::{Command, ValueEnum};

use crate::arguments::Colour;
use crate::house;
use crate::input;
use crate::places;
use crate::stop::Stop;
use crate::toml::{Section, Toml};

const KEYS: &[&str] = &["colour", "system", "steps", "full", "state", "history", "start"];

/// The sorted command line with the user's settings in it.
pub(crate) fn with_settings(command: &Command, words: Vec<String>) -> Result<Vec<String>, Stop> {
    let Some(verb) = words.get(1).and_then(|verb| command.find_subcommand(verb)) else {
        return Ok(words);
    };
    let Some(place) = place(&words)? else { return Ok(words) };
    let settings = read(&place).map_err(Stop::Usage)?;
    let knows = |name: &str| verb.get_arguments().any(|arg| arg.get_long() == Some(name));
    let written = |name: &str| {
        let options = words.iter().take_while(|word| *word != "--");
        let mut names = options.filter_map(|word| word.strip_prefix("--")?.split('=').next());
        names.any(|word| word == name || (word == "color" && name == "colour"))
    };
    let wanted = settings.into_iter().filter(|(name, _)| knows(name) && !written(name));
    let added: Vec<String> = wanted.map(|(_, word)| word).collect();
    Ok([&words[..2], &added, &words[2..]].concat())
}

/// The settings file: the one that is named, or the usual one if there is one.
fn place(words: &[String]) -> Result<Option<PathBuf>, Stop> {
    let mut options = words.iter().take_while(|word| *word != "--");
    while let Some(word) = options.next() {
        match word.strip_prefix("--config") {
            Some("") => return Ok(options.next().map(PathBuf::from)),
            Some(value) if value.starts_with('=') => return Ok(Some(value[1..].into())),
            _ => {}
        }
    }
    match std::env::var_os("ASTRAGAL_CONFIG") {
        // Set to nothing: no settings at all.
        Some(named) if named.is_empty() => Ok(None),
        Some(named) => Ok(Some(named.into())),
        None => Ok(places::config("config.toml").filter(|place| place.exists())),
    }
}

/// The settings as options, each with the word that says it.
fn read(place: &Path) -> Result<Vec<(&'static str, String)>, String> {
    let text = input::read(place).map_err(|stop| match stop {
        Stop::Usage(message) => message,
        _ => String::new(),
    })?;
    let file = Toml::read(&place.display().to_string(), &text)?;
    let file = file.section();
    file.only(KEYS)?;
    let mut options = Vec::new();
    if let Some(colour) = file.text("colour")? {
        let known = Colour::from_str(colour, false);
        known.map_err(|_| file.complaint("colour", "is one of `auto`, `always`, `never`"))?;
        options.push(("colour", format!("--colour={colour}")));
    }
    let beside = place.parent().unwrap_or(Path::new(""));
    if let Some(system) = file.text("system")? {
        let system = match house::is_path(system) {
            true => beside.join(at_home(system)).display().to_string(),
            false => check_system(&file, system).map(|()| system.to_owned())?,
        };
        options.push(("system", format!("--system={system}")));
    }
    if let Some(steps) = file.whole("steps")? {
        let steps = u64::try_from(steps).map_err(|_| file.complaint("steps", "is below 0"))?;
        options.push(("steps", format!("--steps={steps}")));
    }
    if let Some(state) = file.text("state")? {
        let state = beside.join(at_home(state));
        options.push(("state", format!("--state={}", state.display())));
    }
    for (key, wanted, option) in
        [("full", true, "full"), ("history", false, "no-history"), ("start", false, "no-start")]
    {
        if file.truth(key)? == Some(wanted) {
            options.push((option, format!("--{option}")));
        }
    }
    Ok(options)
}

fn check_system(file: &Section<'_>, system: &str) -> Result<(), String> {
    let engine = Engine::new();
    if engine.systems().any(|known| known == system) {
        return Ok(());
    }
    let known = engine.systems().collect::<Vec<_>>().join("`, `");
    Err(file.complaint("system", &format!("is one of `{known}`, or a file that ends in `.dice`")))
}

/// `~/table.toml`
fn at_home(path: &str) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => path.into(),
    }
}
