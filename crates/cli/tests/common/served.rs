//! A server that a test talks to over a real connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server; it ends with the test.
pub struct Served {
    pub child: Child,
    pub address: String,
}

impl Served {
    /// Starts the binary with these arguments, which make it a server that says in JSON where it is.
    pub fn new(arguments: &[&str]) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output is piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it is");
        let said: serde_json::Value = serde_json::from_str(&line).expect("in JSON");
        let address = said["address"].as_str().expect("an address");
        let address = address.trim_start_matches("http://").split('/').next().unwrap_or_default();
        Served { child, address: address.to_owned() }
    }

    /// Sends bytes as they are, and reads until the server hangs up.
    pub fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
        // The server may have heard enough before the end.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have died already, which the test has noticed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
