//! Flat code tells what the evaluator tells, to the letter.

use astragal_program::Checked;
use astragal_program::core::Program;
use astragal_roll::{Faces, Flat, Limits, Roll, Scripted, Seeded, roll, value};
use astragal_value::Value;

use crate::checked;

/// Programs that are lowered.
const PLAIN: &[&str] = &[
    "1d20+5",
    "4d6kh3",
    "4d6kl1 - 2d%dh1",
    "5d6km2 * 3 // 4 % 5",
    "9d6dl3",
    "20d6kh5 + 0d6 + 0d6kh3",
    "4dF + 4dFkh2",
    "10d10!cs>=8",
    "6d10!>=9cs>=8cf=1",
    "12d6!kh3",
    "4d6kh2!",
    "3d6!o + 3d6! up to 2",
    "d20 >= 12",
    "not (d20 >= 12)",
    "-(d20 - 10)",
    "8 / 2 + d6",
    "let x = d20 + 5; x * x - x",
    "let x = d20; if x == 20 then 2d6 + 3 else if x >= 12 then d6 else 0",
    "let x = 2d20kh1; let y = x + 3; let z = if y >= 15 then 1 else 0; x + y + z",
    "if d20 >= 12 and d6 >= 3 or d4 == 1 then \"hit\" else \"miss\"",
    "let n = d4; (n + 1)d(n + 2)kh(n)",
    "let n = d6; (n)d6 cs>=(n - 1)",
    "param pool = 7; (pool)d10!cs>=8",
    "max(d6, d8) + min(d6, 3)",
    "100d6kh50 + 3",
    "d6 + d6 + d6 + d6 + d6 + d6 + d6 + d6 + d6 + d6",
];

/// Programs that are lowered, but are not plain for all faces or inputs.
const SOMETIMES: &[&str] = &[
    "(d6 - 3)d6 + 2",
    "d6 + d(d3 - 1)",
    "d3 / 2 + 3d6kh2",
    "d6 * 9000000000000000000",
    "let n = d3 - 2; 4d6kh(n)",
    "d6 + (d3 * 60000)d6",
    "d6 // (d3 - 2)",
];

/// Programs that are not lowered.
const OTHERS: &[&str] = &[
    "4d6kh3dl1",
    "2d6 rr<=2",
    "d6!>=1",
    "[1, 2]",
    "let x = 3d6; nth_highest(x, 1)",
    "let x = 3d6; x kh2",
    "4d6kh(d3)",
    "{2d6, d8}",
    "d{1, 3}",
    "2d6[fire] + 1",
    "d6 given d6 > 3",
];

fn program(checked: &Checked) -> &Program {
    checked.program.as_ref().expect("checked")
}

fn told(rolled: &Roll) -> String {
    format!("{:?}", **rolled)
}

/// Both ways, from the same faces: what is told, what comes out, and where the faces are after it.
fn agree(text: &str, inputs: &[Option<Value>], limits: &Limits, seeds: u64) {
    let checked = checked(text);
    let program = program(&checked);
    let Some(flat) = Flat::of(program) else { panic!("{text} is not lowered") };
    let next = |mut faces: Seeded| faces.throw(&astragal_roll::DieFaces::sides(1 << 40));
    for seed in 0..seeds {
        let [mut a, mut b, mut c] = [(); 3].map(|()| Seeded::new(seed, 1));
        let general = roll(program, inputs, &mut a, limits).map(|rolled| told(&rolled));
        let again = flat.roll(program, inputs, &mut b, limits).map(|rolled| told(&rolled));
        assert_eq!(again, general, "{text}, seed {seed}");
        let bare = flat.value(program, inputs, &mut c, limits);
        assert_eq!(bare, value(program, inputs, &mut Seeded::new(seed, 1), limits), "{text}");
        if general.is_ok() {
            assert_eq!(next(b), next(a), "{text}, seed {seed}");
        }
    }
}

#[test]
fn plain_programs_are_told_alike() {
    for text in PLAIN.iter().chain(SOMETIMES) {
        agree(text, &[], &Limits::default(), 60);
    }
}

#[test]
fn inputs_are_read() {
    let text = "param pool = 7; (pool)d10!cs>=8";
    for input in [Value::whole(3), Value::whole(-1), Value::text("many"), Value::whole(1 << 40)] {
        agree(text, &[Some(input)], &Limits::default(), 5);
    }
}

#[test]
fn little_may_be_spent() {
    for text in PLAIN {
        for dice in [0, 1, 4, 12] {
            agree(text, &[], &Limits::default().with_dice(dice), 10);
        }
        for steps in [1, 5, 20, 60] {
            agree(text, &[], &Limits::default().with_steps(steps), 3);
        }
        let cancelled = std::sync::Arc::new(true.into());
        agree(text, &[], &Limits::default().with_cancel(cancelled), 1);
    }
}

#[test]
fn faces_that_fail_fail_alike() {
    for text in ["4d6kh3", "2d6! + d4", "d6 + 0d4", "d3 / 2 + 3d6kh2", "(d6 - 3)d6 + 2"] {
        let checked = checked(text);
        let (program, flat) = (program(&checked), Flat::of(program(&checked)).expect("plain"));
        for faces in [&[][..], &[1], &[6, 6], &[6, 6, 7], &[1, 2, 3, 4], &[2, 3, 3, 3, 3, 3]] {
            let [mut a, mut b] = [(); 2].map(|()| Scripted::whole(faces));
            let general =
                roll(program, &[], &mut a, &Limits::default()).map(|rolled| told(&rolled));
            let again = flat.roll(program, &[], &mut b, &Limits::default());
            assert_eq!(again.map(|rolled| told(&rolled)), general, "{text} on {faces:?}");
        }
    }
}

#[test]
fn what_is_not_plain_is_not_lowered() {
    for text in OTHERS {
        assert!(Flat::of(program(&checked(text))).is_none(), "{text}");
    }
}
