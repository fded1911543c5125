//! Two worlds that differ in hidden rolls alone look the same to everybody who may not see them: same bytes, but for hashes and seals.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::time::Duration;

use astragal_fair::request::{self, Role, To};
use common::{LIMITS, Seated, Served, Table, run};

/// What others see of a world: all bytes of their streams, all answers, the log.
struct World {
    /// To somebody who looks on, to a player who may not see it, all answers, the log.
    seen: Vec<String>,
    /// The lengths of private events, to those who may see.
    private: Vec<usize>,
}

#[test]
fn nobody_sees_anything_of_a_hidden_roll() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        // One die or forty, a value, a failure, a refusal, a roll that takes its time.
        let quiet = world(&served, "d4").await;
        for text in ["40d100 kh3 + 12345", "10 / 0", "2d6 +", "sum(map(1..400, i => d20))"] {
            let other = world(&served, text).await;
            for (a, b) in quiet.seen.iter().zip(&other.seen) {
                assert_eq!(a.len(), b.len(), "{text}");
                assert_eq!(masked(a), masked(b), "{text}");
            }
            if !text.starts_with("sum") {
                assert_eq!(quiet.private, other.private, "{text}");
            }
        }
    });
}

async fn world(served: &Served, text: &str) -> World {
    let table = Table::new(served.address, "always").await;
    let mut mara = table.sit("Mara", Role::Owner, 1).await;
    let mut ulf = table.sit("Ulf", Role::Player, 2).await;
    let mut answers = String::new();
    ulf.stream.kept = Some(Vec::new());
    let mut watcher = table.listen(table.link("watch"), Some(2)).await;
    watcher.kept = Some(Vec::new());
    // By the game master for herself, by her for owners, blind by the player.
    for (by_owner, to) in [(true, To::Myself), (true, To::Owner), (false, To::Owner)] {
        let (roller, other): (&mut Seated, &mut Seated) =
            if by_owner { (&mut mara, &mut ulf) } else { (&mut ulf, &mut mara) };
        let answer = roller.roll(text, to).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        // Worlds are played one after the other: the time of day is not theirs.
        let headers: Vec<_> = answer.headers.iter().filter(|(name, _)| name != "date").collect();
        answers += &format!("{headers:?}{}", answer.body);
        tokio::join!(roller.until("close-hidden"), other.until("close-hidden"));
    }
    let mut private = Vec::new();
    while mara.events.iter().filter(|event| event.kind == "private").count() < 3 {
        mara.step().await;
    }
    for event in mara.events.iter().filter(|event| event.kind == "private") {
        let told: serde_json::Value = serde_json::from_str(&event.data).unwrap();
        let request = told["request"].as_str().unwrap();
        let shown: request::Roll = request::read(request, &table.id).unwrap().1;
        assert_eq!(shown.text, text);
    }
    let events = mara.events.iter().filter(|event| event.kind == "private");
    private.extend(events.map(|event| event.data.len()));
    // Nothing private came to the player, who rolled one of them.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(ulf.events.iter().all(|event| event.kind != "private"), "{:?}", ulf.events);
    let mut last = 0;
    while last < mara.next - 1 {
        last = watcher.next().await.unwrap().unwrap().id.unwrap_or(last);
    }
    let text_of = |bytes: Option<Vec<u8>>| String::from_utf8(bytes.unwrap()).unwrap();
    let seen = vec![
        text_of(watcher.kept.take()),
        text_of(ulf.stream.kept.take()),
        answers,
        table.log().await,
    ];
    table.verify().await;
    World { seen, private }
}

/// Without hashes, seals, signatures, names and keys; without the ids of tables and the pauses of streams.
fn masked(text: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    let close = |digits: &mut String, out: &mut String| {
        if digits.len() >= 32 {
            out.push_str(&format!("<{}>", digits.len()));
        } else {
            out.push_str(digits);
        }
        digits.clear();
    };
    for c in text.chars() {
        if c.is_ascii_hexdigit() {
            digits.push(c);
        } else {
            close(&mut digits, &mut out);
            out.push(c);
        }
    }
    close(&mut digits, &mut out);
    let lines = out.lines().map(|line| if line.starts_with("retry: ") { "retry" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}
