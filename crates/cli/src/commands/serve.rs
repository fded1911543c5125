//! `astragal serve`: the page, for a browser on this machine.

use std::io;
use std::net::ToSocketAddrs;
use std::process::{Command, Stdio};

use astragal_serve::has_page;
use astragal_table::{Options, Server, Trouble};
use serde_json::json;

use crate::arguments::Serve;
use crate::stop::Stop;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Serve, terminal: &Terminal) -> Result<(), Stop> {
    let Serve { host, port, open, .. } = arguments;
    let wrong = |error: &io::Error| unbound(host, *port, error);
    let listen = (host.as_str(), *port).to_socket_addrs().map_err(|error| wrong(&error))?.next();
    let listen = listen.ok_or_else(|| wrong(&io::ErrorKind::NotFound.into()))?;
    let server = Server::bind(&Options::new(listen)).map_err(|trouble| match &trouble {
        Trouble::Listen(_, error) => wrong(error),
        Trouble::Data(_) | Trouble::System(_) => Stop::Usage(trouble.to_string()),
    })?;
    let address = format!("http://{}/", server.address());
    if terminal.json {
        terminal.say_json(&json!({ "format": 1, "address": address, "page": has_page() }));
    } else {
        terminal.say(&format!("the page is at {address} until Ctrl-C"));
    }
    tell_of_page(terminal);
    if *open && !opened(&address) {
        terminal.tell("notice: no browser could be started; open the address by hand");
    }
    server.run();
    Ok(())
}

/// Says so if there is no page inside.
pub(super) fn tell_of_page(terminal: &Terminal) {
    if !has_page() {
        terminal.tell("notice: this binary was built without the page; `cargo xtask web` makes it, then build again");
    }
}

/// Why there is no server, and what to do.
fn unbound(host: &str, port: u16, error: &io::Error) -> Stop {
    let what = match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!("port {port} is taken by another program; `--port 0` takes any that is free")
        }
        io::ErrorKind::PermissionDenied => {
            format!(
                "port {port} may not be used; those from 1024 on usually may, such as `--port 8137`"
            )
        }
        _ => format!(
            "cannot listen on `{host}`, port {port}: {error}; `--host 127.0.0.1` is this machine"
        ),
    };
    Stop::Usage(what)
}

/// Asks the desktop for its browser.
pub(super) fn opened(address: &str) -> bool {
    let words: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["cmd", "/c", "start", ""],
        _ => &["xdg-open"],
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
