//! What serves others: the page, and tables.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Output;

fn port(text: &str) -> Result<u16, String> {
    text.trim().parse().map_err(|_| "it is a whole number from 0 to 65535, such as 8137".to_owned())
}

#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// The port to listen on; 0 is any that is free
    #[arg(long, value_name = "N", default_value_t = 8137, value_parser = port)]
    pub(crate) port: u16,
    /// Who may ask: this machine alone, or `0.0.0.0` for everyone who can reach it
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Table {
    /// Instead of a server: copy its file, also while it runs; bring a table back from a log that a player has; or move a table to another
    /// server: `invite` there tells a key, `move` here makes a parcel for it, `accept` there takes the parcel
    #[arg(value_name = "backup|restore|invite|move|accept")]
    pub(crate) chore: Option<Chore>,
    /// The copy to make, the log to restore, or the parcel
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The file with the tables; it is made if there is none
    #[arg(long, value_name = "FILE", default_value = "astragal.tables")]
    pub(crate) data: PathBuf,
    /// The table that moves: 32 hexadecimal digits, as in its links
    #[arg(long, value_name = "ID")]
    pub(crate) table: Option<String>,
    /// The key of the server that it moves to, as `invite` has told it there
    #[arg(long, value_name = "KEY")]
    pub(crate) to: Option<String>,
    /// For how many days a table is kept that nobody writes to; 0 is for ever
    #[arg(long, value_name = "DAYS", default_value_t = 180)]
    pub(crate) keep_days: u32,
    /// Where to listen: this machine alone, or `0.0.0.0:8137` for everyone who can reach it; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8137", value_parser = address)]
    pub(crate) listen: SocketAddr,
    /// Do not open the page in the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// A second address, for metrics and health
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) metrics: Option<SocketAddr>,
    /// A proxy in front says who asks (`X-Forwarded-For`)
    #[arg(long)]
    pub(crate) behind_proxy: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// What is done instead of serving.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Chore {
    Backup,
    Restore,
    Invite,
    Move,
    Accept,
}

impl Chore {
    /// As it is typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Chore::Backup => "backup",
            Chore::Restore => "restore",
            Chore::Invite => "invite",
            Chore::Move => "move",
            Chore::Accept => "accept",
        }
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let text = text.trim();
    let read = text.parse().ok();
    let local = || {
        text.strip_prefix("localhost:")?.parse().ok().map(|port: u16| ([127, 0, 0, 1], port).into())
    };
    read.or_else(local).ok_or_else(|| {
        "it is an address and a port, such as 127.0.0.1:8137 or 0.0.0.0:8137".to_owned()
    })
}
