//! A house that lies, alone or with Mara, its game master; Ulf and Ida are honest, and one of their devices notices.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod house;

use astragal_fair::formulas::{head_text, receipt_text};
use astragal_fair::line::{self, Head, Outcome, Witness};
use astragal_fair::request::{self, Envelope, Role, To};
use astragal_fair::simulate::lies::{self, Noticed};
use astragal_fair::{Alarm, Bytes, Checker, Kind, Trouble, exact, hash};
use astragal_seat::{Post, Seat, Took, What, Whispered, Wish};
use house::{House, Play, hide, roll};
use serde_json::{Value as Json, json};

const MARA: usize = 0;
const ULF: usize = 1;
const IDA: usize = 2;

/// What a device says to the newest line of a house.
fn hears(play: &mut Play, device: usize) -> Result<Took, Alarm> {
    let mut last = Ok(Took::Known);
    while last.is_ok() {
        let next = play.devices[device].checker().next() as usize;
        let Some(line) = play.house.lines.get(next) else { break };
        last = play.devices[device].take(line, Some(&play.house.heads[next]));
    }
    last
}

fn alarms(took: &Result<Took, Alarm>) -> Vec<Alarm> {
    match took {
        Ok(Took::Line(event)) => event.alarms.clone(),
        Ok(Took::Known | Took::Gap { .. }) => vec![],
        Err(alarm) => vec![alarm.clone()],
    }
}

fn wrong(took: &Result<Took, Alarm>) -> Option<Trouble> {
    match took {
        Err(Alarm::Wrong(wrong)) => Some(wrong.trouble),
        _ => None,
    }
}

fn body(post: &Post) -> (String, Bytes<64>) {
    let body: Json = serde_json::from_str(&post.body).unwrap();
    let sig = Bytes::read(body["sig"].as_str().unwrap()).unwrap();
    (body["request"].as_str().unwrap().to_owned(), sig)
}

/// Signs for a device, without sending.
fn signs(play: &mut Play, device: usize, wish: &Wish) -> (String, Bytes<64>) {
    let fresh = play.fresh();
    play.devices[device].wish(wish, &fresh).unwrap();
    body(&play.devices[device].to_send()[0])
}

fn wish_of(play: &Play, request: &str) -> request::Roll {
    request::read(request, &play.house.id).unwrap().1
}

/// 1, 2. Another value than the sealed one, and other dice than those of the key.
#[test]
fn dice_that_were_not_drawn() {
    let mut play = Play::three(10, Witness::Never);
    let (request, sig) = signs(&mut play, ULF, &roll("d20"));
    let wish = wish_of(&play, &request);
    let mut other = play.house.fork();
    let (house, sealed) = play.house.opens(1);
    let (_, outcome) = play.house.throws(&request, &wish, &house, &[], None);
    let dice = vec![vec![20, 1]];
    let line = line::Roll { request: request.clone(), sig, house, sealed, dice, outcome };
    play.house.lies(Kind::Roll, &line);
    assert_eq!(wrong(&hears(&mut play, IDA)), Some(Trouble::Dice));
    let house = hash(b"found later");
    let (dice, outcome) = other.throws(&request, &wish, &house, &[], None);
    other.lies(Kind::Roll, &line::Roll { request, sig, house, sealed, dice, outcome });
    std::mem::swap(&mut play.house, &mut other);
    assert_eq!(wrong(&hears(&mut play, ULF)), Some(Trouble::Seal));
    assert!(play.devices[ULF].stopped().is_some());
    assert_eq!(play.devices[ULF].to_send(), [], "it sends nothing more");
}

/// The same without an engine: the dice are held against their key.
#[test]
fn dice_that_were_not_drawn_are_noticed_without_an_engine() {
    let mut play = Play::three(11, Witness::Never);
    let mut blind = Seat::without_engine(play.house.id);
    for (line, head) in play.house.lines.iter().zip(&play.house.heads) {
        blind.take(line, Some(head)).unwrap();
    }
    let (request, sig) = signs(&mut play, ULF, &roll("2d6"));
    let wish = wish_of(&play, &request);
    let (house, sealed) = play.house.opens(1);
    let (mut dice, outcome) = play.house.throws(&request, &wish, &house, &[], None);
    dice[0][1] = dice[0][1] % 6 + 1;
    let line = line::Roll { request, sig, house, sealed, dice, outcome };
    let at = play.house.lies(Kind::Roll, &line) as usize;
    let took = blind.take(&play.house.lines[at], Some(&play.house.heads[at]));
    assert_eq!(wrong(&took), Some(Trouble::Dice));
}

/// 3. A request in the name of somebody whose key was stolen, or who sits there in two copies.
#[test]
fn a_request_in_my_name() {
    let mut play = Play::three(12, Witness::Never);
    let state = play.devices[ULF].state().unwrap();
    let fresh = play.fresh();
    let mut copy = Seat::restored(&state, fresh).unwrap();
    for (line, head) in play.house.lines.iter().zip(&play.house.heads) {
        copy.take(line, Some(head)).unwrap();
    }
    let fresh = play.fresh();
    copy.wish(&Wish::Say { to: To::All, words: "I give up".into() }, &fresh).unwrap();
    copy.saved(copy.version());
    play.house.post(&copy.to_send()[0]);
    assert_eq!(hears(&mut play, ULF), Err(Alarm::NotSent));
}

/// 4. What it sent stands there as something else: an open roll hidden, or another request at its number.
#[test]
fn what_i_sent_is_replaced() {
    let mut play = Play::three(13, Witness::Never);
    let (request, sig) = signs(&mut play, ULF, &roll("d20"));
    let (envelope, _) = request::read::<request::Roll>(&request, &play.house.id).unwrap();
    let Envelope { seat, n, after } = envelope;
    let (_, sealed) = play.house.opens(1);
    let hash = hash(request.as_bytes());
    play.house.lies(Kind::Hidden, &line::Hidden { seat, n, after, hash, sig, sealed });
    assert_eq!(wrong(&hears(&mut play, ULF)), Some(Trouble::Signature));
}

/// 5. Somebody who is here is said to be away.
#[test]
fn i_am_called_away() {
    let mut play = Play::three(14, Witness::Always);
    play.house.write(Kind::Present, &line::Present { seats: vec![0, 1] });
    let took = hears(&mut play, IDA);
    assert_eq!(alarms(&took), [Alarm::CalledAway]);
    assert!(took.is_ok(), "it goes on, and its person knows");
    // Who was away in truth is not alarmed.
    play.devices[IDA].is_here(false);
    play.house.write(Kind::Present, &line::Present { seats: vec![1] });
    assert_eq!(alarms(&hears(&mut play, IDA)), []);
}

/// 6. Testimony that was acknowledged is dropped.
#[test]
fn i_am_called_silent() {
    let mut play = Play::three(15, Witness::Always);
    play.asks(MARA, &roll("d20"));
    play.tell();
    let open = play.house.open.as_mut().unwrap();
    assert_eq!(open.opened.len(), 3);
    open.opened.retain(|(seat, ..)| *seat != 2);
    play.house.closes();
    assert_eq!(alarms(&hears(&mut play, IDA)), [Alarm::CalledSilent]);
    assert_eq!(alarms(&hears(&mut play, ULF)), []);
    assert!(play.devices[IDA].needs_seal());
}

/// A receipt that the house has not signed for this very testimony is none.
#[test]
fn a_false_receipt() {
    let mut play = Play::three(16, Witness::Always);
    play.asks(MARA, &roll("d20"));
    hears(&mut play, IDA).unwrap();
    let own: Json = serde_json::from_str(&play.devices[IDA].to_send()[0].body).unwrap();
    let bytes = |name: &str| Bytes::read(own[name].as_str().unwrap()).unwrap();
    let ask = hash(play.house.lines.last().unwrap().as_bytes());
    let receipt = |m: u64, next: Bytes<32>, house: &House| {
        let sig = house.signed(&receipt_text(&house.id, &ask, 2, m, &bytes("value"), &next));
        json!({"of": own["of"], "seat": 2, "m": m, "sig": sig}).to_string()
    };
    let ida = &mut play.devices[IDA];
    for false_one in
        [receipt(0, hash(b"another"), &play.house), receipt(1, bytes("next"), &play.house)]
    {
        assert_eq!(ida.acknowledged(&false_one), Err(Alarm::Unanswered));
    }
    assert_eq!(ida.to_send().len(), 1, "it sends its testimony again");
    ida.acknowledged(&receipt(0, bytes("next"), &play.house)).unwrap();
    assert_eq!(ida.to_send(), []);
}

/// 7. Two histories: another line with a number that is known, its head signed.
#[test]
fn another_history() {
    let mut play = Play::three(17, Witness::Never);
    let mut fork = play.house.fork();
    play.wishes(ULF, &roll("d20"));
    let at = fork.write(Kind::Present, &line::Present { seats: vec![0, 1, 2] }) as usize;
    let took = play.devices[ULF].take(&fork.lines[at], Some(&fork.heads[at]));
    assert_eq!(took, Err(Alarm::OtherHistory(at as u64)));
    assert!(play.devices[ULF].head().is_some(), "it holds the proof");
}

/// 8. The end is cut off: a backup without what this device has.
#[test]
fn the_end_is_cut_off() {
    let mut play = Play::three(18, Witness::Never);
    let (line, own) =
        (play.house.lines.len() as u64 - 1, hash(play.house.lines.last().unwrap().as_bytes()));
    play.wishes(ULF, &roll("d20"));
    let newest = play.house.lines.len() as u64 - 1;
    assert_eq!(
        play.devices[ULF].stands_at(newest, &hash(play.house.lines.last().unwrap().as_bytes())),
        Ok(())
    );
    assert_eq!(play.devices[ULF].stands_at(line, &own), Err(Alarm::CutOff(newest)));
}

/// 9. The same after the device was started again: what it knew must be there, before it signs anything.
#[test]
fn a_history_without_what_i_knew() {
    let mut play = Play::three(19, Witness::Never);
    let fork = play.house.fork();
    play.wishes(ULF, &roll("d20"));
    let state = play.devices[ULF].state().unwrap();
    let fresh = play.fresh();
    let mut again = Seat::restored(&state, fresh).unwrap();
    for (line, head) in fork.lines.iter().zip(&fork.heads) {
        again.take(line, Some(head)).unwrap();
    }
    let fresh = play.fresh();
    assert!(again.wish(&roll("d20"), &fresh).is_err(), "it has not seen again what it knew");
    let own = hash(fork.lines.last().unwrap().as_bytes());
    let newest = play.house.lines.len() as u64 - 1;
    assert_eq!(again.stands_at(fork.lines.len() as u64 - 1, &own), Err(Alarm::CutOff(newest)));
    // Or another line in its place.
    let fresh = play.fresh();
    let mut again = Seat::restored(&state, fresh).unwrap();
    let mut fork = fork;
    fork.write(Kind::Present, &line::Present { seats: vec![0, 1, 2] });
    let took = fork.lines.iter().map(|line| again.take(line, None)).find(Result::is_err);
    assert_eq!(took, Some(Err(Alarm::OtherHistory(newest))));
}

/// 10. A seal is opened once: a second ask for it in another history, an ask without a signed head, an ask that is not for it.
#[test]
fn a_seal_is_opened_once() {
    let mut play = Play::three(20, Witness::Always);
    let mut fork = play.house.fork();
    play.asks(MARA, &roll("d20"));
    let at = play.house.lines.len() - 1;
    let (line, head) = (play.house.lines[at].clone(), play.house.heads[at].clone());
    let ida = &mut play.devices[IDA];
    ida.take(&line, None).unwrap();
    assert_eq!(ida.to_send(), [], "no head");
    let unsigned: Head = exact::read(&head).unwrap();
    let unsigned = Head { sig: fork.signed(&head_text(&fork.id, 1, &unsigned.hash)), ..unsigned };
    let mut other = Play::three(20, Witness::Always);
    other.house.lines.push(line.clone());
    let took = other.devices[IDA].take(&line, Some(&exact::write(&unsigned)));
    assert!(wrong(&took).is_some(), "a head that is not signed");
    assert_eq!(ida.take(&line, Some(&head)), Ok(Took::Known));
    ida.is_here(true);
    let sent = ida.to_send();
    assert_eq!(sent.len(), 1, "with its head");
    assert_eq!(ida.to_send(), sent, "the same bytes again");
    // Mara signs something else at the same place, and the house asks anew.
    let mut mara = Play::three(20, Witness::Always).devices.remove(MARA);
    mara.wish(&roll("d6"), &[7; 48]).unwrap();
    fork.post(&mara.to_send()[0]);
    let took = ida.take(&fork.lines[at], Some(&fork.heads[at]));
    assert_eq!(took, Err(Alarm::OtherHistory(at as u64)));
    assert_eq!(ida.to_send(), []);
}

/// 11. Another table than that of the link; the same id with another beginning.
#[test]
fn another_table() {
    let house = House::new(21, Witness::Always);
    let other = House::new(22, Witness::Always);
    let mut seat = Seat::new(house.id);
    assert_eq!(seat.take(&other.lines[0], Some(&other.heads[0])), Err(Alarm::AnotherTable));
    let mut play = Play::three(23, Witness::Always);
    let never = House::new(23, Witness::Never);
    assert_eq!(never.id, play.house.id);
    let fresh = play.fresh();
    let mut again = Seat::restored(&play.devices[ULF].state().unwrap(), fresh).unwrap();
    assert_eq!(again.take(&never.lines[0], None), Err(Alarm::SecondBeginning));
}

/// 12. What is whispered of a hidden roll is not what was rolled.
#[test]
fn false_details() {
    let mut play = Play::three(24, Witness::Always);
    play.wishes(ULF, &hide("d20", To::Owner));
    let line = play.last(MARA).seq;
    let told: Whispered = serde_json::from_value(play.house.whispers[&line].clone()).unwrap();
    let mara = &mut play.devices[MARA];
    let other = Whispered { outcome: Outcome(told.outcome.0, "21".into()), ..told.clone() };
    assert!(
        matches!(mara.whispered(&other), Err(Alarm::Wrong(wrong)) if wrong.trouble == Trouble::Outcome)
    );
    let other = Whispered { house: hash(b"another"), ..told.clone() };
    assert!(
        matches!(mara.whispered(&other), Err(Alarm::Wrong(wrong)) if wrong.trouble == Trouble::Seal)
    );
    let other = Whispered { request: told.request.replace("d20", "d30"), ..told.clone() };
    assert!(
        matches!(mara.whispered(&other), Err(Alarm::Wrong(wrong)) if wrong.trouble == Trouble::Reveal)
    );
    let fresh = play.fresh();
    let reveal = Wish::Reveal { of: line };
    assert!(play.devices[MARA].wish(&reveal, &fresh).is_err(), "it was not shown to her");
    play.devices[MARA].whispered(&told).unwrap();
    play.wishes(MARA, &reveal);
    assert!(matches!(play.last(ULF).what, What::Revealed(_)));
}

/// 13. A request that is not answered waits, in the same bytes, and nothing else is signed.
#[test]
fn a_request_is_dropped() {
    let mut play = Play::three(25, Witness::Never);
    let fresh = play.fresh();
    let ulf = &mut play.devices[ULF];
    ulf.wish(&roll("d20"), &fresh).unwrap();
    let sent = ulf.to_send();
    assert!(ulf.is_waiting());
    assert!(ulf.wish(&roll("d20"), &fresh).is_err());
    assert_eq!(ulf.to_send(), sent);
    play.house.post(&sent[0]);
    play.tell();
    assert!(!play.devices[ULF].is_waiting());
}

/// 14. Whoever has the key of a seat, or an old copy of its state, has not the secret of its seals: it can open none.
#[test]
fn a_stolen_key_opens_no_seal() {
    let mut play = Play::three(26, Witness::Always);
    let state = play.devices[IDA].state().unwrap();
    play.asks(MARA, &roll("d20"));
    play.tell();
    let mut thief = Seat::restored(&state, [9; 32]).unwrap().forgetful();
    for (line, head) in play.house.lines.iter().zip(&play.house.heads) {
        thief.take(line, Some(head)).unwrap();
    }
    thief.is_here(true);
    assert_eq!(thief.to_send(), []);
}

/// All lies of `crates/fair` that a checker must notice are noticed by a device that looks on; those that only a device can notice are tests above.
#[test]
fn every_lie_in_a_log_is_noticed_by_a_device() {
    let mut tried = 0;
    for lie in lies::all() {
        let Noticed::Checker(trouble) = lie.by else { continue };
        let first = lie.log.lines().next().unwrap();
        let mut checker = Checker::new();
        checker.line(first).unwrap();
        let mut seat = Seat::new(checker.id().unwrap());
        let lines = lie.log.lines().filter(|line| !line.starts_with("{\"kind\""));
        let found = lines.map(|line| seat.take(line, None)).find(Result::is_err);
        assert_eq!(found.as_ref().and_then(wrong), Some(trouble), "{}: {found:?}", lie.name);
        tried += 1;
    }
    assert!(tried > 12, "{tried}");
}

/// Who gets a number that was somebody else's a moment ago signs anew, with a fresh key.
#[test]
fn somebody_else_sits_down_first() {
    let mut play = Play::three(27, Witness::Always);
    let mut seat = Seat::new(play.house.id).forgetful();
    for (line, head) in play.house.lines.iter().zip(&play.house.heads) {
        seat.take(line, Some(head)).unwrap();
    }
    seat.sit(&[1; 80], "Nora", Role::Player, None).unwrap();
    assert!(seat.sit(&[2; 80], "Nora", Role::Player, None).is_err());
    play.sits("Olaf", Role::Player);
    let next = seat.checker().next() as usize;
    seat.take(&play.house.lines[next], Some(&play.house.heads[next])).unwrap();
    seat.sit(&[2; 80], "Nora", Role::Player, None).unwrap();
    play.house.post(&seat.to_send()[0]);
    seat.take(play.house.lines.last().unwrap(), None).unwrap();
    assert_eq!(seat.number(), Some(4));
}
