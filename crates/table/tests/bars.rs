//! Short versions of what `cargo xtask table-load` and `table-kill` measure in full, and what a stop must not lose.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]
#![allow(
    clippy::print_stdout,
    reason = "what a child says is read by its parent, and what is skipped is told"
)]

mod common;

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use astragal_fair::request::{Role, To};
use astragal_table::client::{Child, Kills, Load, Stream, kill, load};
use astragal_table::{Limits, Options, Server};
use common::{Table, run};

/// Where a child of this program finds its file and its address.
const TOLD: &str = "ASTRAGAL_TABLE_CHILD";

/// A child of this program is the server of all tests here; started as a test of its own, it has one that listens.
#[test]
fn a_server_in_a_process_of_its_own() {
    let Ok(told) = std::env::var(TOLD) else {
        let folder = tempfile::tempdir().unwrap();
        let server = start(&folder.path().join("tables"), any()).unwrap();
        std::net::TcpStream::connect(server.address).unwrap();
        return;
    };
    let (data, listen) = told.split_once('\n').unwrap();
    let limits = Limits { gone: Duration::from_secs(1), ..Limits::OPEN };
    let options =
        Options { data: Some(data.into()), limits, ..Options::new(listen.parse().unwrap()) };
    let server = Server::bind(&options).unwrap();
    println!("\nlistens {}", server.address());
    server.run();
}

fn start_with(before: Option<Command>, data: &Path, listen: SocketAddr) -> std::io::Result<Child> {
    let this = std::env::current_exe()?;
    let mut command = match before {
        Some(mut command) => {
            command.arg(this);
            command
        }
        None => Command::new(this),
    };
    command.args(["--exact", "a_server_in_a_process_of_its_own", "--nocapture"]);
    command.env(TOLD, format!("{}\n{listen}", data.display()));
    Child::of(command)
}

fn start(data: &Path, listen: SocketAddr) -> std::io::Result<Child> {
    start_with(None, data, listen)
}

fn any() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

#[test]
fn nothing_that_was_answered_is_lost_when_the_server_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let kills = Kills { times: 3, tables: 4, rolls: 20.0 };
    run(async {
        let killed = kill(kills, &folder.path().join("tables"), start).await.unwrap();
        assert_eq!(killed.wrong, Vec::<String>::new());
        assert!(killed.answered > 20, "{killed:?}");
    });
}

#[test]
fn every_listener_has_every_line_once_under_load() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(&folder.path().join("tables"), any()).unwrap();
    let time = Duration::from_secs(3);
    run(async {
        let plan = Load { tables: 8, listeners: 6, seats: 1, rolls: 20.0, time, odds: 4 };
        let figures = load(&server, plan, folder.path()).await.unwrap();
        assert_eq!(figures.wrong, Vec::<String>::new());
        assert!(figures.rolls > 10 && figures.odds > 0, "{figures:?}");
    });
}

#[test]
fn witnesses_answer_under_load() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(&folder.path().join("tables"), any()).unwrap();
    let time = Duration::from_secs(3);
    run(async {
        let plan = Load { tables: 4, listeners: 4, seats: 3, rolls: 8.0, time, odds: 0 };
        let figures = load(&server, plan, folder.path()).await.unwrap();
        assert_eq!(figures.wrong, Vec::<String>::new());
        assert!(figures.rolls > 5, "{figures:?}");
    });
}

#[cfg(unix)]
#[test]
fn a_stop_tells_all_streams_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("tables");
    let mut server = start(&data, any()).unwrap();
    run(async {
        let table = Table::new(server.address, "never").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        let mut streams = Vec::new();
        for _ in 0..200 {
            streams.push(table.listen(table.link("watch"), None).await);
        }
        let mut answered = Vec::new();
        for _ in 0..5 {
            answered.push(mara.roll("d20", To::All).await.body.lines().next().unwrap().to_owned());
            mara.until("roll").await;
        }
        // What is asked of it: two seconds. Who waits longer waits for ever.
        server.terminate(Duration::from_secs(10)).unwrap();
        for stream in &mut streams {
            let mut last = String::new();
            // The last chunk says that the stream has ended, and not only the connection.
            while let Some(event) = stream.next().await.unwrap() {
                last = event.kind;
            }
            assert_eq!(last, "bye");
        }
        let again = start(&data, any()).unwrap();
        let table = Table { address: again.address, ..table };
        let log = table.log().await;
        assert!(answered.iter().all(|line| log.contains(line)));
        table.verify().await;
    });
}

#[cfg(target_os = "linux")]
#[test]
fn no_answer_goes_out_before_the_sync_of_its_batch() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let mut strace = Command::new("strace");
    // The server stays our child, so that it ends with us.
    strace.args([
        "-D",
        "-f",
        "-s",
        "64",
        "-e",
        "trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg",
    ]);
    strace.arg("-o").arg(&trace);
    let Ok(server) = start_with(Some(strace), &folder.path().join("tables"), any()) else {
        println!("SKIPPED: there is no strace here, or it may not look (apt-get install strace)");
        return;
    };
    run(async {
        let table = Table::new(server.address, "never").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        for _ in 0..20 {
            assert_eq!(mara.roll("d20", To::All).await.status, 201);
            mara.until("roll").await;
        }
    });
    drop(server);
    std::thread::sleep(Duration::from_millis(300));
    let (mut dirty, mut synced, mut answers) = (false, false, 0);
    for line in std::fs::read_to_string(&trace).unwrap().lines() {
        if line.contains("pwrite64(") {
            (dirty, synced) = (true, false);
        } else if (line.contains("fdatasync(")
            || line.contains("fsync(")
            || line.contains("sync resumed>"))
            && line.ends_with("= 0")
        {
            (dirty, synced) = (false, true);
        } else if line.contains("HTTP/1.1 201") {
            assert!(!dirty && synced, "an answer before its sync: {line}");
            // The next answer needs a sync of its own.
            synced = false;
            answers += 1;
        }
    }
    assert_eq!(answers, 22);
}

#[test]
fn a_stream_that_is_refused_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(&folder.path().join("tables"), any()).unwrap();
    run(async {
        let table = Table::new(server.address, "never").await;
        let opened = Stream::open(server.address, &table.id.to_string(), "nobody", None).await;
        assert!(matches!(opened, Ok(Err(401))));
    });
}
