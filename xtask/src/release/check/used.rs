//! What an installed `astragal` must do: tell exact odds, roll and explain, give out the page.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::tools::Trouble;

/// Asks for everything. `start` gives a command that runs the binary, whatever that takes.
pub(super) fn used(start: &dyn Fn() -> Command, with_page: bool) -> Result<(), Trouble> {
    says(start().args(["odds", "4d6kh3", "--json"]), "\"mean\":\"15869/1296\"")?;
    says(start().args(["roll", "4d6kh3", "--faces", "3,6,2,5"]), "3 6 (2) 5 = 14")?;
    says(start().args(["odds", "cofd.action(7).outcome"]), "exceptional_success")?;
    says(start().args(["--version"]), concat!("astragal ", env!("CARGO_PKG_VERSION")))?;
    let mut serve = start();
    serve.args(["serve", "--port", "0", "--json"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = serve.spawn().map_err(|error| Trouble::Failed(format!("serve: {error}")))?;
    let mut server = Server(child);
    server.asked(with_page)
}

/// Where tools of the system are, for who knows nothing else.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// Runs it with an environment that says nothing; it must end well and print this.
pub(super) fn says(command: &mut Command, expected: &str) -> Result<(), Trouble> {
    let told = command.env_clear().env("PATH", PATH).stdin(Stdio::null()).output();
    let told = told.map_err(|error| Trouble::Failed(format!("{command:?}: {error}")))?;
    let text = String::from_utf8_lossy(&told.stdout);
    if told.status.success() && text.contains(expected) {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&told.stderr);
    Err(Trouble::Failed(format!("{command:?} says {text}{complaint}, not {expected}")))
}

/// Ends with us.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    /// Gets the first page.
    fn asked(&mut self, with_page: bool) -> Result<(), Trouble> {
        let wrong = |what: &str| Trouble::Failed(format!("the server {what}"));
        let out = self.0.stdout.take().ok_or_else(|| wrong("says nothing"))?;
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).map_err(|_| wrong("says nothing"))?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.ok_or_else(|| wrong("names no address"))?;
        if with_page && !line.contains("\"page\":true") {
            return Err(wrong("has no page inside"));
        }
        let page = get(address).map_err(|error| wrong(&format!("does not answer: {error}")))?;
        let served = page.starts_with("HTTP/1.1 200") && page.contains("</html>");
        if served || !with_page { Ok(()) } else { Err(wrong("gives out no page")) }
    }
}

fn get(address: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut told = Vec::new();
    stream.read_to_end(&mut told)?;
    Ok(String::from_utf8_lossy(&told).into_owned())
}
