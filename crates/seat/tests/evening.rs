//! Three devices and an honest house: nobody is alarmed, everybody sees the same, and the log fits.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod house;

use astragal_fair::line::Witness;
use astragal_fair::request::To;
use astragal_fair::simulate::forge::verdict;
use astragal_seat::{About, Refusal, Seat, What, Whispered, Wish};
use house::{Play, hide, roll};

#[test]
fn an_evening() {
    let mut play = Play::three(1, Witness::Always);
    play.wishes(1, &roll("2d6+3"));
    let What::Rolled(shown) = &play.last(2).what else { panic!("{:?}", play.last(2)) };
    assert_eq!((shown.made, &shown.witnesses[..], shown.judged), ("witnessed", &[0, 2][..], true));
    assert_eq!(shown.pool.as_ref().unwrap().text, "2d6+3");
    play.wishes(0, &hide("d20+7", To::Owner));
    let line = play.last(1).seq;
    assert!(matches!(&play.last(1).what, What::Hid(shown) if shown.pool.is_none()));
    let told: Whispered = serde_json::from_value(play.house.whispers[&line].clone()).unwrap();
    let shown = play.devices[0].whispered(&told).unwrap();
    assert_eq!(shown.outcome.as_ref(), Some(&told.outcome));
    play.wishes(0, &Wish::Reveal { of: line });
    assert!(matches!(&play.last(1).what, What::Revealed(shown) if shown.of == line));
    let call = Wish::Call {
        text: "d20".into(),
        inputs: vec![],
        to: To::All,
        label: Some("initiative".into()),
    };
    play.wishes(0, &call);
    let call = play.last(0).seq;
    let answer =
        Wish::Roll { text: "d20".into(), inputs: vec![], to: To::All, about: About::Call(call) };
    play.wishes(2, &answer);
    play.wishes(1, &Wish::Say { to: To::All, words: "that was close".into() });
    play.wishes(
        1,
        &Wish::Typed {
            text: "3d6".into(),
            inputs: vec![],
            faces: "6,6,5".into(),
            about: About::Nothing,
        },
    );
    play.wishes(0, &Wish::Strike { of: play.last(0).seq, words: "cocked".into() });
    play.wishes(0, &Wish::Rules { text: "fn hit(ac) = d20 >= ac".into() });
    play.wishes(2, &roll("hit(12)"));
    play.wishes(1, &Wish::Set { whose: Some(1), name: "strength".into(), value: "16".into() });
    play.wishes(
        1,
        &Wish::Keep { whose: Some(1), name: "axe".into(), text: "d12+3".into(), inputs: vec![] },
    );
    play.wishes(2, &Wish::Left);
    play.wishes(1, &roll("d8"));
    play.wishes(0, &Wish::End);
    let report = verdict(&play.house.log()).unwrap();
    assert!(report.ended && report.is_sure());
    assert_eq!(report.total(|seat| seat.witnessed), 5);
    assert!(play.shown.iter().flatten().all(|event| event.alarms.is_empty()));
    // Who came last has seen all since; the others have seen as much and more.
    let common: Vec<_> = play.shown[2].iter().collect();
    assert!(play.shown[0].ends_with(&play.shown[2]), "{} events", common.len());
}

/// Who is away is asked again when it is back, with a new seal.
#[test]
fn a_witness_who_misses_lays_a_new_seal() {
    let mut play = Play::three(2, Witness::Always);
    let ida = play.devices.pop().unwrap();
    let shown = play.shown.pop().unwrap();
    play.wishes(1, &roll("d20"));
    let What::Rolled(rolled) = &play.last(0).what else { panic!("{:?}", play.last(0)) };
    assert_eq!((rolled.made, &rolled.missed[..]), ("missing", &[2][..]));
    play.devices.push(ida);
    play.shown.push(shown);
    play.tell();
    assert!(play.devices[2].needs_seal());
    let fresh = play.fresh();
    assert_eq!(play.devices[2].wish(&roll("d20"), &fresh), Err(Refusal::Unsealed));
    play.wishes(2, &Wish::Seal);
    assert!(!play.devices[2].needs_seal());
    play.wishes(2, &roll("d20"));
    assert!(matches!(&play.last(0).what, What::Rolled(shown) if shown.made == "witnessed"));
    verdict(&play.house.log()).unwrap();
}

/// Without an engine the same alarms but one: what dice come to is left open, and said to be.
#[test]
fn a_device_without_an_engine() {
    let mut play = Play::three(3, Witness::Always);
    play.wishes(1, &roll("4d6kh3"));
    let mut blind = Seat::without_engine(play.house.id);
    let mut open = 0;
    for (line, head) in play.house.lines.iter().zip(&play.house.heads) {
        if let astragal_seat::Took::Line(event) = blind.take(line, Some(head)).unwrap()
            && let What::Rolled(shown) = event.what
        {
            assert!(!shown.judged && shown.key.is_some());
            open += 1;
        }
    }
    assert_eq!(open, 1);
}
