//! A device that is started again: what must be kept before what is sent, and what no copy of a state can do.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod house;

use astragal_fair::formulas::seal;
use astragal_fair::line::Witness;
use astragal_fair::request::Role;
use astragal_fair::simulate::forge::verdict;
use astragal_fair::{Alarm, Bytes, Kind};
use astragal_seat::{Door, Refusal, Seat, What, Wish};
use house::{House, Play, roll};
use serde_json::{Value as Json, json};

/// A device that keeps what it does, in a seat of its own beside the three.
fn careful(play: &mut Play) -> Seat {
    let mut seat = Seat::new(play.house.id);
    catch_up(&mut seat, &play.house);
    seat.is_here(true);
    let fresh = play.fresh();
    seat.sit(&fresh, "Nora", Role::Player, None).unwrap();
    assert_eq!(seat.to_send(), [], "not before it is kept");
    seat.saved(seat.version());
    play.house.post(&seat.to_send()[0]);
    catch_up(&mut seat, &play.house);
    play.tell();
    seat
}

fn catch_up(seat: &mut Seat, house: &House) {
    let next = seat.checker().next() as usize;
    for (line, head) in house.lines.iter().zip(&house.heads).skip(next) {
        seat.take(line, Some(head)).unwrap();
    }
}

#[test]
fn nothing_is_sent_before_it_is_kept() {
    let mut play = Play::three(40, Witness::Never);
    let mut seat = careful(&mut play);
    let before = seat.version();
    seat.wish(&roll("d20"), &[5; 48]).unwrap();
    assert!(seat.version() > before && !seat.is_saved());
    assert_eq!(seat.to_send(), []);
    seat.saved(before);
    assert_eq!(seat.to_send(), [], "an older state is not enough");
    seat.saved(seat.version());
    assert_eq!(seat.to_send().len(), 1);
}

/// The power goes after signing: the same bytes again, and no other.
#[test]
fn who_is_started_again_sends_the_same_bytes() {
    let mut play = Play::three(41, Witness::Never);
    let mut seat = careful(&mut play);
    seat.wish(&roll("d20"), &[5; 48]).unwrap();
    let state = seat.state().unwrap();
    seat.saved(seat.version());
    let sent = seat.to_send();
    let mut again = Seat::restored(&state, [6; 32]).unwrap();
    assert_eq!(again.to_send(), sent);
    catch_up(&mut again, &play.house);
    assert_eq!(again.wish(&roll("d6"), &[7; 48]), Err(Refusal::Waiting));
    play.house.post(&sent[0]);
    catch_up(&mut again, &play.house);
    assert!(!again.is_waiting());
    again.wish(&roll("d6"), &[7; 48]).unwrap();
    again.saved(again.version());
    play.house.post(&again.to_send()[0]);
    catch_up(&mut again, &play.house);
    verdict(&play.house.log()).unwrap();
}

/// An older copy of a state is stopped by the first line that it has not sent.
#[test]
fn an_older_copy_is_stopped() {
    let mut play = Play::three(42, Witness::Never);
    let mut seat = careful(&mut play);
    let older = seat.state().unwrap();
    seat.wish(&roll("d20"), &[5; 48]).unwrap();
    seat.saved(seat.version());
    play.house.post(&seat.to_send()[0]);
    let mut copy = Seat::restored(&older, [6; 32]).unwrap();
    let mut lines = play.house.lines.iter().zip(&play.house.heads);
    let found = lines.find_map(|(line, head)| copy.take(line, Some(head)).err());
    assert_eq!(found, Some(Alarm::NotSent));
    assert_eq!(copy.wish(&roll("d20"), &[7; 48]), Err(Refusal::Stopped(Alarm::NotSent)));
    assert_eq!(copy.to_send(), []);
}

/// Two copies of one state, two asks for what would be the same seal: neither opens it. Each lays a new one, and these differ.
#[test]
fn no_copy_opens_a_seal_of_before() {
    let mut play = Play::three(43, Witness::Always);
    let seat = careful(&mut play);
    let state = seat.state().unwrap();
    let mut fork = play.house.fork();
    play.asks(0, &roll("d20"));
    let mut laid = vec![];
    for (house, fresh) in [(&mut play.house, [6; 32]), (&mut fork, [7; 32])] {
        let mut copy = Seat::restored(&state, fresh).unwrap();
        catch_up(&mut copy, house);
        copy.is_here(true);
        assert_eq!(copy.to_send(), [], "it has no secret of before");
        if house.open.is_some() {
            assert_eq!(
                copy.wish(&Wish::Seal, &[8; 48]),
                Err(Refusal::Unfit("its seal is good".into()))
            );
            continue;
        }
        assert!(copy.needs_seal());
        copy.wish(&Wish::Seal, &[8; 48]).unwrap();
        copy.saved(copy.version());
        let body: Json = serde_json::from_str(&copy.to_send()[0].body).unwrap();
        laid.push(body["request"].as_str().unwrap().to_owned());
    }
    assert_eq!(laid.len(), 1);
}

/// A testimony that was kept is sent again, and recognised in the log.
#[test]
fn a_testimony_outlives_its_device() {
    let mut play = Play::three(44, Witness::Always);
    let mut seat = careful(&mut play);
    play.asks(0, &roll("d20"));
    catch_up(&mut seat, &play.house);
    assert_eq!(seat.to_send(), [], "not before it is kept");
    let state = seat.state().unwrap();
    seat.saved(seat.version());
    let sent = seat.to_send();
    let mut again = Seat::restored(&state, [6; 32]).unwrap();
    catch_up(&mut again, &play.house);
    again.is_here(true);
    assert_eq!(again.to_send(), sent);
    play.house.post(&sent[0]).unwrap();
    play.tell();
    play.house.closes();
    catch_up(&mut again, &play.house);
    assert!(again.needs_seal(), "the next seal is of the secret that is gone");
    again.wish(&Wish::Seal, &[8; 48]).unwrap();
    again.saved(again.version());
    play.house.post(&again.to_send()[0]);
    catch_up(&mut again, &play.house);
    assert!(!again.needs_seal());
    play.tell();
    play.asks(1, &roll("d20"));
    catch_up(&mut again, &play.house);
    assert_eq!(again.to_send(), [], "kept first");
    again.saved(again.version());
    let body: Json = serde_json::from_str(&again.to_send()[0].body).unwrap();
    let value = Bytes::read(body["value"].as_str().unwrap()).unwrap();
    assert_eq!(seal(&value), sealed_last(&play.house));
}

/// The newest seal that a `seal` line has laid.
fn sealed_last(house: &House) -> Bytes<32> {
    let line = house.lines.iter().rev().find(|line| line.contains("\"kind\":\"seal\"")).unwrap();
    let line: Json = serde_json::from_str(line).unwrap();
    let request: Json = serde_json::from_str(line["request"].as_str().unwrap()).unwrap();
    Bytes::read(request["seal"].as_str().unwrap()).unwrap()
}

/// The state holds the key of the seat, and never a secret of its seals.
#[test]
fn the_secret_is_not_kept() {
    let house = House::new(45, Witness::Always);
    let mut seat = Seat::new(house.id);
    catch_up(&mut seat, &house);
    let mut fresh = [0; 80];
    fresh[..32].fill(0xaa);
    fresh[32..64].fill(0xbb);
    fresh[64..].fill(0xcc);
    seat.sit(&fresh, "Nora", Role::Owner, None).unwrap();
    let state = seat.state().unwrap();
    assert!(state.contains(&"aa".repeat(32)) && state.contains(&"cc".repeat(16)));
    assert!(!state.contains(&"bb".repeat(32)));
    assert!(!format!("{seat:?}").contains("170, 170"), "nor printed");
    for broken in ["", "{}", &state[..state.len() / 2], &state.replace("\"v\":1", "\"v\":2")] {
        assert!(Seat::restored(broken, [1; 32]).is_err());
    }
}

/// The same by JSON, as a page does it.
#[test]
fn the_door_speaks_json() {
    let mut house = House::new(46, Witness::Always);
    let mut door = Door::new();
    let ask = |door: &mut Door, request: Json| -> Json {
        serde_json::from_str(&door.answer(&request.to_string())).unwrap()
    };
    assert_eq!(ask(&mut door, json!({"do": "state"}))["error"]["code"], "no-table");
    assert_eq!(ask(&mut door, json!({"do": "dance"}))["error"]["code"], "request");
    assert_eq!(ask(&mut door, json!({"do": "look", "table": house.id}))["ok"], true);
    let take = |at: usize, house: &House| json!({"do": "take", "line": house.lines[at], "head": house.heads[at]});
    let told = ask(&mut door, take(0, &house));
    assert_eq!((&told["told"]["took"], &told["told"]["what"]), (&json!("line"), &json!("began")));
    assert_eq!(ask(&mut door, take(0, &house))["told"]["took"], "known");
    ask(&mut door, json!({"do": "here", "here": true}));
    let sit = json!({"do": "sit", "fresh": "07".repeat(80), "name": "Mara", "role": "owner"});
    let told = ask(&mut door, sit);
    assert_eq!((&told["send"], &told["status"]["kept"]), (&json!([]), &json!(false)));
    let state = ask(&mut door, json!({"do": "state"}));
    let version = &state["told"]["version"];
    let told = ask(&mut door, json!({"do": "saved", "version": version}));
    let post = serde_json::from_value(told["send"][0]["body"].clone()).unwrap();
    house.post(&astragal_seat::Post { path: "seats".into(), body: post });
    assert_eq!(ask(&mut door, take(1, &house))["status"]["number"], 0);
    let wish = json!({"wish": "roll", "text": "2d6", "for": "initiative"});
    ask(&mut door, json!({"do": "wish", "fresh": "09".repeat(48), "wish": wish}));
    let told = ask(&mut door, json!({"do": "saved", "version": 99}));
    let body: Json = serde_json::from_str(told["send"][0]["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["words"]["words"], "initiative");
    let refused =
        ask(&mut door, json!({"do": "wish", "fresh": "09".repeat(48), "wish": {"wish": "end"}}));
    assert_eq!(refused["refusal"]["code"], "waiting");
    let mut wrong = take(1, &house);
    wrong["line"] = json!(house.lines[1].replace("\"seq\":1", "\"seq\":2"));
    let alarm = ask(&mut door, wrong);
    assert_eq!(
        (&alarm["alarm"]["code"], &alarm["alarm"]["in"]),
        (&json!("wrong"), &json!("chain"))
    );
    assert_eq!(alarm["status"]["stopped"], "wrong");
    let words = ask(&mut door, json!({"do": "aloud", "line": 0, "challenge": "teapot"}));
    assert_eq!(words["told"].as_str().unwrap().split(' ').count(), 4);
    let kept = state["told"]["state"].as_str().unwrap();
    let again = ask(&mut door, json!({"do": "restore", "state": kept, "fresh": "05".repeat(32)}));
    assert_eq!((&again["ok"], &again["status"]["waiting"]), (&json!(true), &json!(true)));
}

/// Everything that is asked for and cannot be written down is refused before it is signed.
#[test]
fn what_cannot_be_is_not_signed() {
    let mut play = Play::three(47, Witness::Owner);
    let ulf = 1;
    let long = Wish::Rules { text: "x".repeat(40_000) };
    let unfit = [
        (0, long),
        (0, Wish::Strike { of: 1, words: String::new() }),
        (ulf, Wish::Strike { of: 1, words: String::new() }),
        (ulf, Wish::End),
        (ulf, Wish::Reveal { of: 2 }),
        (ulf, Wish::Seal),
        (ulf, roll(&"d".repeat(5_000))),
        (ulf, Wish::Set { whose: Some(0), name: "a".into(), value: String::new() }),
        (ulf, Wish::Set { whose: Some(1), name: String::new(), value: String::new() }),
        (ulf, Wish::Say { to: astragal_fair::request::To::Seats(vec![7]), words: "psst".into() }),
        (
            ulf,
            Wish::Say { to: astragal_fair::request::To::Seats(vec![1, 0]), words: "psst".into() },
        ),
    ];
    for (device, wish) in unfit {
        let found = play.devices[device].wish(&wish, &[3; 48]);
        assert!(
            matches!(found, Err(Refusal::Unfit(_) | Refusal::NotFor(_))),
            "{wish:?}: {found:?}"
        );
        assert!(!play.devices[device].is_waiting());
    }
    play.wishes(ulf, &roll("d20"));
    assert!(matches!(play.last(0).what, What::Rolled(_)));
    assert_eq!(play.house.checker.kind(play.last(0).seq), Some(Kind::Roll));
}

/// A second game master is let in by the first.
#[test]
fn an_owner_lets_in_another() {
    let mut play = Play::three(48, Witness::Always);
    let mut nora = Seat::new(play.house.id).forgetful();
    catch_up(&mut nora, &play.house);
    assert_eq!(nora.is_vouched(0, Bytes([0; 64])), Err(Refusal::NotSeated));
    nora.sit(&[4; 80], "Nora", Role::Owner, None).unwrap();
    let body: Json = serde_json::from_str(&nora.to_send()[0].body).unwrap();
    let request = body["request"].as_str().unwrap().to_owned();
    assert!(matches!(play.devices[1].vouch(&request), Err(Refusal::NotFor(Role::Owner))));
    let (by, sig) = play.devices[0].vouch(&request).unwrap();
    nora.is_vouched(by, sig).unwrap();
    play.house.post(&nora.to_send()[0]);
    catch_up(&mut nora, &play.house);
    assert_eq!((nora.number(), nora.checker().seat(3).unwrap().role), (Some(3), Role::Owner));
}

/// A house that writes for ever does not fill a device.
#[test]
fn a_device_takes_so_many_lines() {
    let play = Play::three(49, Witness::Always);
    let mut seat = Seat::new(play.house.id).with_most_lines(3);
    let found: Vec<bool> =
        play.house.lines.iter().map(|line| seat.take(line, None).is_ok()).collect();
    assert_eq!(found, [true, true, true, false]);
    assert_eq!(seat.stopped().map(Alarm::code), Some("wrong"));
}
