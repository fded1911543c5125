//! `astragal sit`: people who play at one table from their terminals, against the real server.

#![cfg(all(feature = "server", feature = "sit"))]
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::served::Served;
use common::{astragal, astragal_with};
use serde_json::Value as Json;

/// As long as a busy machine may take.
const PATIENCE: Duration = Duration::from_secs(60);

fn server(data: &Path, listen: &str) -> Served {
    let data = data.to_str().unwrap();
    Served::new(&[
        "table",
        "--listen",
        listen,
        "--metrics",
        "localhost:0",
        "--no-open",
        "--json",
        "--data",
        data,
    ])
}

/// The links of a new table: the owner's, the players', and that of those who look on.
fn links(served: &Served) -> [String; 3] {
    let request = "POST /api/tables HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
    let made = served.send(request.as_bytes());
    let told: Json = serde_json::from_str(made.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let table = told["table"].as_str().unwrap();
    ["owner", "player", "watch"].map(|role| {
        let secret = told["links"][role].as_str().unwrap();
        format!("http://{}/t/{table}#{secret}", served.address)
    })
}

/// Somebody at a terminal that is none: lines go in one by one, what is told is gathered.
struct Sits {
    child: Child,
    input: ChildStdin,
    told: Arc<Mutex<String>>,
}

impl Sits {
    fn new(link: &str, name: &str, seats: &Path) -> Sits {
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["sit", link, "--name", name, "--seats", seats.to_str().unwrap()])
            .env("LC_ALL", "C.UTF-8")
            .env_remove("ASTRAGAL_CONFIG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let told = Arc::<Mutex<String>>::default();
        let out: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for from in out {
            let told = Arc::clone(&told);
            std::thread::spawn(move || {
                for line in BufReader::new(from).lines().map_while(Result::ok) {
                    *told.lock().unwrap() += &format!("{line}\n");
                }
            });
        }
        Sits { input: child.stdin.take().unwrap(), child, told }
    }

    fn types(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn told(&self) -> String {
        self.told.lock().unwrap().clone()
    }

    /// Waits until all of these were told.
    fn sees(&self, parts: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let told = self.told();
            if parts.iter().all(|part| told.contains(part)) {
                return told;
            }
            assert!(begun.elapsed() < PATIENCE, "{parts:?} is not in\n{told}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends the input: it goes away by itself.
    fn leaves(mut self) -> (i32, String) {
        drop(std::mem::replace(&mut self.input, spare()));
        let status = self.child.wait().unwrap();
        std::thread::sleep(Duration::from_millis(200));
        (status.code().unwrap_or(-1), self.told())
    }
}

/// An input that leads nowhere.
fn spare() -> ChildStdin {
    let mut child = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take().unwrap();
    child.wait().unwrap();
    input
}

impl Drop for Sits {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The line that ends with this: what is told of a roll begins with who rolled.
fn line_of(told: &str, part: &str) -> u64 {
    let line =
        told.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {told}"));
    let number = line.split("line ").nth(1).unwrap();
    number.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

#[test]
fn two_people_play_an_evening() {
    let folder = tempfile::tempdir().unwrap();
    let (data, seats) = (folder.path().join("tables"), folder.path().join("seats"));
    let served = server(&data, "127.0.0.1:0");
    let [owner, player, watch] = links(&served);
    let mut mara = Sits::new(&owner, "Mara", &seats);
    mara.sees(&["You are Mara.", "Mara sits down as game master"]);
    let mut ulf = Sits::new(&player, "Ulf", &seats);
    ulf.sees(&["You are Ulf. Here: Mara."]);
    mara.sees(&["Ulf sits down"]);

    // Every die of everyone, witnessed by the other's device by itself.
    ulf.types("2d6 + 3 # the axe");
    for one in [&mara, &ulf] {
        let told = one.sees(&["Ulf for the axe: ", "witnessed by Mara]"]);
        assert!(told.contains("2d6"), "{told}");
    }
    // Hidden from the other, and shown later.
    mara.types(":hidden d20 + 7");
    mara.sees(&["in secret: d20: ", "d20 + 7 = "]);
    ulf.sees(&["Mara rolls in secret"]);
    assert!(!ulf.told().contains("d20 + 7"), "{}", ulf.told());
    mara.types(":reveal");
    ulf.sees(&["shown now: Mara: d20: ", "d20 + 7 = "]);
    ulf.types(":secret d8");
    ulf.sees(&["in secret: d8"]);
    mara.sees(&["Ulf rolls in secret"]);
    ulf.types(":to Mara: d12");
    for one in [&mara, &ulf] {
        one.sees(&["in secret: d12"]);
    }
    // A blind roll: of a player's, only the game master sees the dice.
    ulf.types(":hidden d100");
    mara.sees(&["in secret: d100"]);

    // Numbers, kept rolls, calls, real dice, words.
    mara.types(":set Ulf str = 4");
    ulf.sees(&["Mara sets your str = 4"]);
    ulf.types(":keep axe = d8 + str");
    mara.sees(&["Ulf keeps Ulf’s axe = d8 + str"]);
    ulf.types("axe");
    mara.sees(&["Ulf: d8: ", "d8 + str = "]);
    mara.types(":call 2d10 + str # courage");
    ulf.sees(&["Mara asks everyone to roll 2d10 + str for courage"]);
    ulf.types(":answer");
    mara.sees(&["Ulf for the call of line"]);
    ulf.types(":typed 3,6,2 3d6 # by hand");
    mara.sees(&["Ulf for by hand: 3d6", "= 11", "real dice, typed"]);
    ulf.types(":say well done");
    mara.sees(&["Ulf says: well done"]);
    ulf.types("? 3d6");
    ulf.sees(&["10.5"]);

    // What is wrong is told, and does not stand in the log.
    ulf.types("3d6 +");
    ulf.types(":strike 5 no");
    ulf.types(":hiden d6");
    ulf.sees(&["only a game master may do this", "did you mean `:hidden`?", "error"]);
    let line = line_of(&mara.told(), "Ulf for the axe");
    mara.types(&format!(":strike {line} it fell from the table"));
    ulf.sees(&["strikes the roll of line", "it fell from the table"]);

    // The luck of the evening counts what each may see; the log is right.
    let path = folder.path().join("log.jsonl");
    ulf.types(":luck");
    ulf.sees(&["of 100 such evenings", "1 typed from real dice", "1 struck", "1 still hidden"]);
    assert!(!ulf.told().contains("d100"), "it was blind: {}", ulf.told());
    ulf.types(&format!(":log {}", path.display()));
    ulf.sees(&["written: `astragal verify"]);
    let ran = astragal(&["verify", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("everything fits"), "{}", ran.out);
    let (code, told) = ulf.leaves();
    assert_eq!(code, 1, "wrong lines of a script are told by its exit code: {told}");
    let (code, told) = mara.leaves();
    assert_eq!(code, 0, "{told}");

    // Who only looks on sees the same, and does nothing.
    let ran = astragal_with(&["sit", &watch, "--watch"], b":who\nd6\n");
    assert!(ran.out.contains("Ulf says: well done"), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("(5 entries before; `:log FILE` writes all)"), "{}", ran.out);
    assert!(ran.err.contains("this device does not sit at the table"), "{}", ran.err);
    assert!(ran.out.contains("Mara (game master, away)"), "{}", ran.out);
}

#[test]
fn a_seat_comes_back_to_where_it_sat() {
    let folder = tempfile::tempdir().unwrap();
    let (data, seats) = (folder.path().join("tables"), folder.path().join("seats"));
    let served = server(&data, "127.0.0.1:0");
    let address = served.address.clone();
    let [owner, player, _] = links(&served);
    let mara = Sits::new(&owner, "Mara", &seats);
    mara.sees(&["You are Mara."]);
    let mut ulf = Sits::new(&player, "Ulf", &seats);
    ulf.sees(&["You are Ulf."]);
    // One device a seat.
    let ran = astragal(&["sit", &player, "--name", "Ulf", "--seats", seats.to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("somebody sits at this table under that name"), "{}", ran.err);

    // The server is gone, and comes back; what was rolled meanwhile is rolled once.
    drop(served);
    ulf.sees(&["the connection is lost"]);
    ulf.types("d6 # meanwhile");
    std::thread::sleep(Duration::from_millis(500));
    let served = server(&data, &address);
    ulf.sees(&["Ulf for meanwhile: d6"]);
    mara.sees(&["Ulf for meanwhile: d6"]);
    assert_eq!(mara.told().matches("Ulf for meanwhile").count(), 1);

    // The process is killed, and another one is the same seat; its file is for its owner alone.
    drop(ulf);
    #[cfg(unix)]
    for file in std::fs::read_dir(&seats).unwrap() {
        use std::os::unix::fs::PermissionsExt;
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
    let mut again = Sits::new(&player, "Ulf", &seats);
    again.sees(&["You are Ulf."]);
    again.types("d8 # again");
    mara.sees(&["Ulf for again: d8"]);
    let told = mara.told();
    assert_eq!(told.matches("Ulf sits down").count(), 1, "{told}");
    let (code, told) = again.leaves();
    assert_eq!(code, 0, "{told}");
    drop(served);
}

#[test]
fn scripts_roll_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let (data, seats) = (folder.path().join("tables"), folder.path().join("seats"));
    let served = server(&data, "127.0.0.1:0");
    let [owner, player, watch] = links(&served);
    let seats = seats.to_str().unwrap();
    let ran =
        astragal_with(&["sit", &owner, "--name", "Mara", "--seats", seats], b"d20\n\n3d6\n:quit\n");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(ran.out.matches("Mara: d20").count(), 2, "an empty line does it again: {}", ran.out);
    assert!(ran.out.contains("Mara: 3d6"), "{}", ran.out);
    assert!(ran.out.contains("by device and house"), "{}", ran.out);
    // Who sat here under one name sits there again.
    let ran = astragal_with(&["sit", &owner, "--seats", seats], b"d4\n:end\n");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("Mara: d4") && ran.out.contains("Mara closes the table"),
        "{}",
        ran.out
    );

    let refused = |words: &[&str], why: &str| {
        let ran = astragal(&[&["sit"], words, &["--seats", seats][..]].concat());
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert!(ran.err.contains(why), "{}", ran.err);
    };
    refused(&["http://127.0.0.1:1/t/x"], "is no link to a table");
    refused(&[&watch, "--name", "Ida"], "this link is for watching");
    let wrong = format!("{}{}", &player[..player.len() - 32], "0".repeat(32));
    refused(&[&wrong, "--name", "Ida"], "");
    refused(
        &[&player.replace(&served.address, "127.0.0.1:1"), "--name", "Ida"],
        "cannot be reached",
    );
    refused(&[&player, "--name", "Ida", "--json"], "no JSON");
}

#[test]
fn a_house_that_lies_is_called_so() {
    // A proxy between device and house changes one digit of a value that the house opens.
    let folder = tempfile::tempdir().unwrap();
    let (data, seats) = (folder.path().join("tables"), folder.path().join("seats"));
    let served = server(&data, "127.0.0.1:0");
    let [owner, ..] = links(&served);
    let liar = liar(&served.address);
    let link = owner.replace(&served.address, &liar);
    let ran = astragal_with(
        &["sit", &link, "--name", "Mara", "--seats", seats.to_str().unwrap()],
        b"d20\n",
    );
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("ALARM"), "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("Mara: d20"), "{}", ran.out);
    drop::<PathBuf>(data);
}

/// Forwards bytes both ways, and changes what was thrown on its way to the device.
fn liar(to: &str) -> String {
    use std::io::Read;
    use std::net::{TcpListener, TcpStream};
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (own, to) = (listener.local_addr().unwrap().to_string(), to.to_owned());
    std::thread::spawn(move || {
        for device in listener.incoming().map_while(Result::ok) {
            let Ok(house) = TcpStream::connect(&to) else { return };
            let pair =
                |a: &TcpStream, b: &TcpStream| (a.try_clone().unwrap(), b.try_clone().unwrap());
            let (mut from, mut into) = pair(&device, &house);
            std::thread::spawn(move || std::io::copy(&mut from, &mut into));
            let (mut from, mut into) = pair(&house, &device);
            std::thread::spawn(move || {
                let mut bytes = vec![0; 1 << 16];
                while let Ok(read @ 1..) = from.read(&mut bytes) {
                    lie(&mut bytes[..read]);
                    if into.write_all(&bytes[..read]).is_err() {
                        return;
                    }
                }
            });
        }
    });
    own
}

/// `"dice":[[20,7]]` becomes a 1, or a 2 where it was a 1.
fn lie(bytes: &mut [u8]) {
    const BEFORE: &[u8] = b"\"dice\":[[20,";
    if let Some(at) = bytes.windows(BEFORE.len()).position(|part| part == BEFORE)
        && let Some(face) = bytes.get_mut(at + BEFORE.len())
    {
        *face = if *face == b'1' { b'2' } else { b'1' };
    }
}
