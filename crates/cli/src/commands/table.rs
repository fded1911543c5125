//! `astragal table`: tables for everybody who has a link, in one file.

use std::path::Path;
use std::time::Duration;

use astragal_fair::{Bytes, Id, Key};
use astragal_serve::has_page;
use astragal_table::{Limits, Options, Server, Trouble, moving, restore, store};
use serde_json::json;

use super::serve::{opened, tell_of_page};
use crate::arguments::{Chore, Table};
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Table, terminal: &Terminal) -> Result<(), Stop> {
    let data = &arguments.data;
    match (arguments.chore, &arguments.file) {
        (None, _) => serve(arguments, terminal),
        (Some(Chore::Invite), None) => invited(data, terminal),
        (Some(Chore::Invite), Some(_)) => Err(Stop::Usage(
            "`astragal table invite` takes no file; `--data FILE` is the file with the tables"
                .into(),
        )),
        (Some(Chore::Backup), Some(copy)) => backup(data, copy, terminal),
        (Some(Chore::Restore), Some(log)) => restored(log, data, terminal),
        (Some(Chore::Move), Some(parcel)) => moved(arguments, parcel, terminal),
        (Some(Chore::Accept), Some(parcel)) => accepted(parcel, data, terminal),
        (Some(chore), None) => Err(Stop::Usage(format!(
            "`astragal table {}` needs a file, such as `astragal table {} tables.copy`",
            chore.name(),
            chore.name()
        ))),
    }
}

fn serve(arguments: &Table, terminal: &Terminal) -> Result<(), Stop> {
    let options = Options {
        data: Some(arguments.data.clone()),
        metrics: arguments.metrics,
        behind_proxy: arguments.behind_proxy,
        limits: Limits { silence: silence(arguments.keep_days), ..Limits::USUAL },
        ..Options::new(arguments.listen)
    };
    let server = Server::bind(&options).map_err(|trouble| refused(&trouble, arguments))?;
    let address = format!("http://{}/t/", server.address());
    let metrics = server.metrics_address().map(|address| address.to_string());
    if terminal.json {
        terminal.say_json(&json!({
            "format": 1, "address": address, "page": has_page(), "metrics": metrics,
            "data": arguments.data.display().to_string(),
        }));
    } else {
        terminal.say(&format!(
            "tables are at {address} until Ctrl-C, kept in {}",
            arguments.data.display()
        ));
        if let Some(at) = metrics {
            terminal.say(&format!("metrics are at http://{at}/metrics"));
        }
    }
    tell_of_page(terminal);
    if !arguments.no_open && !terminal.json && !opened(&address) {
        terminal.tell("notice: no browser could be started; open the address by hand");
    }
    server.run();
    Ok(())
}

/// How long a table is kept that nobody writes to.
fn silence(days: u32) -> Option<Duration> {
    (days > 0).then(|| Duration::from_secs(u64::from(days) * 86_400))
}

fn refused(trouble: &Trouble, arguments: &Table) -> Stop {
    Stop::Usage(match trouble {
        Trouble::Listen(address, error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            format!(
                "{address} is taken by another program; `--listen {}:0` takes any port that is free",
                address.ip()
            )
        }
        Trouble::Data(failed) => {
            format!("`{}` cannot be used for tables: {failed}", arguments.data.display())
        }
        Trouble::Listen(..) | Trouble::System(_) => trouble.to_string(),
    })
}

fn backup(data: &Path, copy: &Path, terminal: &Terminal) -> Result<(), Stop> {
    store::backup(data, copy).map_err(|failed| {
        Stop::Usage(format!("`{}` cannot be copied: {failed}", data.display()))
    })?;
    terminal.say(&format!("{} holds all tables of {}", copy.display(), data.display()));
    Ok(())
}

fn restored(log: &Path, data: &Path, terminal: &Terminal) -> Result<(), Stop> {
    let text = std::fs::read_to_string(log)
        .map_err(|error| Stop::Usage(format!("`{}` cannot be read: {error}", log.display())))?;
    let done = restore::restore(&text, data)
        .map_err(|wrong| Stop::Usage(format!("`{}` cannot be restored: {wrong}", log.display())))?;
    if terminal.json {
        terminal.say_json(&json!({
            "format": 1, "table": done.table.to_string(), "lines": done.lines, "new": done.new,
        }));
    } else {
        terminal.say(&format!(
            "table {} has {} lines, {} of them from the log; its house seals anew before the next roll",
            done.table, done.lines, done.new
        ));
    }
    Ok(())
}

/// The key of this server's house for a table that is to come.
fn invited(data: &Path, terminal: &Terminal) -> Result<(), Stop> {
    let key = moving::invite(data).map_err(|wrong| Stop::Usage(wrong.to_string()))?;
    if terminal.json {
        terminal.say_json(&json!({ "format": 1, "key": key.to_string() }));
    } else {
        terminal.say(&format!(
            "{key}\nwhere the table is now, with its server stopped: `astragal table move PARCEL --table ID --to KEY`, with this key"
        ));
    }
    Ok(())
}

fn moved(arguments: &Table, parcel: &Path, terminal: &Terminal) -> Result<(), Stop> {
    let (Some(table), Some(to)) = (&arguments.table, &arguments.to) else {
        return Err(Stop::Usage(
            "say which table moves, `--table ID`, and where to, `--to KEY`: `astragal table invite` tells the key there".into(),
        ));
    };
    let not_hex = |what: &str, digits: u32| {
        Stop::Usage(format!("{what} is {digits} lower-case hexadecimal digits"))
    };
    let table: Id = Bytes::read(table).ok_or_else(|| not_hex("the id of a table", 32))?;
    let to: Key = Bytes::read(to).ok_or_else(|| not_hex("the key of a server", 64))?;
    let unwritten = |error: std::io::Error| {
        Stop::Usage(format!("`{}` cannot be written: {error}", parcel.display()))
    };
    // The place is tried before the table is gone from here. What is in a parcel opens what is sealed: it is for nobody else.
    let folder = parcel.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file =
        tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(unwritten)?;
    let text = moving::leave(&arguments.data, &table, &to)
        .map_err(|wrong| Stop::Usage(wrong.to_string()))?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(unwritten)?;
    file.persist(parcel).map_err(|error| unwritten(error.error))?;
    if terminal.json {
        terminal.say_json(&json!({ "format": 1, "table": table.to_string(), "parcel": parcel.display().to_string() }));
    } else {
        terminal.say(&format!(
            "table {table} has left; whoever has {} can go on with it, so bring it there on a safe way: `astragal table accept {}`",
            parcel.display(),
            parcel.display()
        ));
    }
    Ok(())
}

fn accepted(parcel: &Path, data: &Path, terminal: &Terminal) -> Result<(), Stop> {
    let text = std::fs::read_to_string(parcel)
        .map_err(|error| Stop::Usage(format!("`{}` cannot be read: {error}", parcel.display())))?;
    let (table, lines) = moving::arrive(data, &text)
        .map_err(|wrong| Stop::Usage(format!("`{}`: {wrong}", parcel.display())))?;
    if terminal.json {
        terminal.say_json(&json!({ "format": 1, "table": table.to_string(), "lines": lines }));
    } else {
        terminal.say(&format!(
            "table {table} is here, with {lines} lines; its links are the same behind this server's address"
        ));
    }
    Ok(())
}
