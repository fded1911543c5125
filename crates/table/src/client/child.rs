//! A server in a process of its own, so that it can be measured and killed.

use std::io::{self, BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Limits, Options, Server};

/// The word by which a program knows that it is to be the server.
const WORD: &str = "be-the-server";

/// Serves, if this process was started to do so.
pub fn serve_for(words: &[String]) -> bool {
    let [word, data, listen, limits] = words else { return false };
    if word != WORD {
        return false;
    }
    let listen: SocketAddr = listen.parse().expect("an address");
    let limits = if limits == "usual" { Limits::USUAL } else { Limits::OPEN };
    let options = Options { data: Some(data.into()), limits, ..Options::new(listen) };
    let server = Server::bind(&options).expect("the address and the file are free");
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "\nlistens {}", server.address()).and_then(|()| out.flush());
    drop(out);
    server.run();
    true
}

/// A server in a process of its own. It ends with this.
#[derive(Debug)]
pub struct Child {
    process: std::process::Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Child {
    /// Starts this very program as a server; `before` stands before its words.
    pub fn start(data: &Path, listen: SocketAddr, before: &[&str]) -> io::Result<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(before);
        command.arg(WORD).arg(data).arg(listen.to_string()).arg("open");
        Child::of(command)
    }

    /// The same, as a command says it.
    pub fn of(mut command: Command) -> io::Result<Child> {
        let mut process = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn()?;
        let out = process.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let address = BufReader::new(out).lines().map_while(Result::ok).find_map(|line| {
            line.rsplit_once("listens ").and_then(|(_, address)| address.trim().parse().ok())
        });
        match address {
            Some(address) => Ok(Child { process, address }),
            None => Err(io::Error::other("the server does not start")),
        }
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Ends it without a word: `kill -9`.
    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Asks it to end, and waits so long.
    #[cfg(unix)]
    pub fn terminate(&mut self, patience: std::time::Duration) -> io::Result<std::time::Duration> {
        let pid = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM)?;
        let begun = std::time::Instant::now();
        while begun.elapsed() < patience {
            if self.process.try_wait()?.is_some() {
                return Ok(begun.elapsed());
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    /// Seconds of all processors that it has used, and bytes of memory that it holds.
    pub fn used(&self) -> (f64, u64) {
        let path = |name: &str| format!("/proc/{}/{name}", self.process.id());
        let stat = std::fs::read_to_string(path("stat")).unwrap_or_default();
        // After the name, which ends with the last parenthesis: fields 14 and 15 are ticks of a hundredth.
        let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let ticks: u64 = rest
            .split_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        let status = std::fs::read_to_string(path("status")).unwrap_or_default();
        let held = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilo: u64 =
            held.and_then(|text| text.split_whitespace().next()?.parse().ok()).unwrap_or(0);
        (ticks as f64 / 100.0, kilo * 1024)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}
