//! `astragal man`: manual pages, from the same texts as `--help`.

use std::path::Path;

use clap::Command;
use clap_mangen::Man as Page;

use super::completions::as_typed;
use crate::arguments::Man;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Man, terminal: &Terminal) -> Result<(), Stop> {
    let whole = as_typed();
    let Some(folder) = &arguments.dir else {
        terminal.out(&page(whole)?);
        return Ok(());
    };
    std::fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
    clap_mangen::generate_to(whole, folder).map_err(|error| cannot(folder, &error))
}

fn page(command: Command) -> Result<String, Stop> {
    let mut bytes = Vec::new();
    let written = Page::new(command).render(&mut bytes);
    written.map_err(|error| Stop::Usage(format!("the page cannot be made: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn cannot(path: &Path, error: &std::io::Error) -> Stop {
    Stop::Usage(format!("`{}` cannot be written: {error}", path.display()))
}
