//! `cargo xtask table-load` and `cargo xtask table-kill`: a server under load, and one that is killed under load.

#![allow(clippy::print_stdout, reason = "figures are what it is for")]

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use astragal_table::client::{Child, Kills, Load, kill, load, serve_for};

const HELP: &str = "\
table-load load [--tables N] [--listeners N] [--seats N] [--rolls N] [--seconds N] [--odds N] [--data FOLDER] [--quick]
table-load kill [--times N] [--tables N] [--rolls N] [--data FOLDER] [--quick]
listeners and seats are those of one table; rolls are those of all tables in a second";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if serve_for(&words) {
        return ExitCode::SUCCESS;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let Ok(runtime) = runtime else { return ExitCode::FAILURE };
    let (verb, rest) =
        words.split_first().map_or(("", &words[..]), |(verb, rest)| (verb.as_str(), rest));
    let settings = Settings(rest);
    let done = match verb {
        "load" => runtime.block_on(loaded(&settings)),
        "kill" => runtime.block_on(killed(&settings)),
        _ => Err(HELP.to_owned()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// `--name N`
struct Settings<'a>(&'a [String]);

impl Settings<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|word| word == name)?;
        self.0.get(at + 1).map(String::as_str)
    }

    fn number(&self, name: &str, full: u32, quick: u32) -> u32 {
        let usual = if self.0.iter().any(|word| word == "--quick") { quick } else { full };
        self.text(name).and_then(|text| text.parse().ok()).unwrap_or(usual)
    }

    /// An empty folder on the disk.
    fn folder(&self, name: &str) -> Result<PathBuf, String> {
        let folder =
            self.text("--data").map_or_else(|| PathBuf::from("target").join(name), PathBuf::from);
        let words = |error: std::io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(&folder).map_err(words)?;
        for ending in ["", "-wal", "-shm", "-lock"] {
            let _ = std::fs::remove_file(folder.join(format!("tables{ending}")));
        }
        Ok(folder)
    }
}

fn start(data: &Path, listen: SocketAddr) -> std::io::Result<Child> {
    Child::start(data, listen, &[])
}

async fn loaded(settings: &Settings<'_>) -> Result<bool, String> {
    let plan = Load {
        tables: settings.number("--tables", 1000, 50) as usize,
        listeners: settings.number("--listeners", 10, 10) as usize,
        seats: settings.number("--seats", 1, 1) as usize,
        rolls: f64::from(settings.number("--rolls", 500, 50)),
        time: Duration::from_secs(u64::from(settings.number("--seconds", 60, 5))),
        odds: settings.number("--odds", 0, 0) as usize,
    };
    let folder = settings.folder("table-load")?;
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = start(&folder.join("tables"), any).map_err(|error| error.to_string())?;
    println!(
        "{} listeners at {} tables, {} seats at each, {} rolls a second for {} s",
        plan.listeners * plan.tables,
        plan.tables,
        plan.seats,
        plan.rolls,
        plan.time.as_secs()
    );
    let figures = load(&server, plan, &folder).await?;
    let pair = |(middle, most): (Duration, Duration)| {
        format!(
            "median {:.1} ms, 99 % within {:.1} ms",
            middle.as_secs_f64() * 1e3,
            most.as_secs_f64() * 1e3
        )
    };
    println!("  rolls at their end   {}", figures.rolls);
    println!("  lines delivered      {} to those who look on", figures.deliveries);
    println!("  processor time       {:.3} ms a roll with its deliveries (bar 0.7)", figures.cpu);
    println!("  memory               {:.1} kB a listener (bar 30)", figures.memory / 1e3);
    println!("  answered             {}", pair(figures.answered));
    println!("  result at the roller {}", pair(figures.done));
    println!("  this disk's own sync {}", pair(figures.sync));
    if plan.odds > 0 {
        println!(
            "  heavy odds           {} answered meanwhile, {} at a time",
            figures.odds, plan.odds
        );
    }
    Ok(judged(&figures.wrong))
}

async fn killed(settings: &Settings<'_>) -> Result<bool, String> {
    let plan = Kills {
        times: settings.number("--times", 20, 3),
        tables: settings.number("--tables", 200, 10) as usize,
        rolls: f64::from(settings.number("--rolls", 500, 40)),
    };
    let folder = settings.folder("table-kill")?;
    println!("{} kills, {} tables, {} rolls a second", plan.times, plan.tables, plan.rolls);
    let figures = kill(plan, &folder.join("tables"), start).await?;
    println!("  answered requests  {}, each of them in its log", figures.answered);
    println!("  lines              {}", figures.lines);
    println!("  back after a kill  within {:.0} ms", figures.longest.as_secs_f64() * 1e3);
    Ok(judged(&figures.wrong))
}

fn judged(wrong: &[String]) -> bool {
    for what in wrong.iter().take(20) {
        println!("  WRONG: {what}");
    }
    match wrong.len() {
        0 => println!("nothing missing, nothing twice, every log is right"),
        count => println!("{count} THINGS ARE WRONG"),
    }
    wrong.is_empty()
}
