//! Plays: what choices become, of which types they are, and where they cannot stand.

mod common;

use common::{Shelf, checks, codes, core, fails, hints, library, types};

#[test]
fn plays_are_forms_of_the_core() {
    assert_eq!(
        core("maximise do let first = d20; choose \"keep\" => first; \"again\" => 2d20 end end"),
        "main() = Most(let v0 = Total(1d20); Player(keep: v0, again: Total(2d20)))"
    );
    assert_eq!(
        core("minimise oppose \"a\" if true => 1; \"b\" => 2 end given true"),
        "main() = Least(given yes; Opponent(a if yes: 1, b: 2))"
    );
    assert_eq!(
        core("maximise {n: choose from 0..5} by r => r.n"),
        "main() = Most({n: Player(from Range(0, 5))} by v0 => v0.0)"
    );
    assert_eq!(
        core("fn f(n) = choose \"stop\" => n; \"on\" if n > 0 => f(n - 1) end\nmaximise f(3)"),
        "f(v0) = Player(stop: v0, on if Greater(v0, 0): f0(Subtract(v0, 1)))\nmain() = Most(f0(3))"
    );
}

#[test]
fn types_of_plays() {
    assert_eq!(types("maximise 3d6"), "number");
    assert_eq!(types("maximise d6 > 3"), "bool");
    assert_eq!(types("maximise (choose from [[1], [2, 3]]) by r => length(r)"), "[number]");
    assert_eq!(types("maximise choose \"a\" => 2d6; \"b\" => 4 end"), "number");
    assert_eq!(
        types("maximise (choose \"a\" => none; \"b\" => 4 end) by r => r != none"),
        "number?"
    );
    assert_eq!(
        types("enum E = low | high\nfn f(e: E) = e == low\nmaximise f(choose from [low, high])"),
        "bool"
    );
    assert_eq!(
        types(
            "let x = if d6 > 1 then 1 else none; maximise choose \"a\" if x != none => x + 1; \"b\" => 0 end"
        ),
        "number"
    );
    assert_eq!(
        types(
            "maximise repeat with t = 0, over = false\n let stop = choose \"hold\" => true; \"roll\" => false end\n let die = d6\n next t = if stop then t else t + die, over = stop or die == 1\nuntil over by r => r.t"
        ),
        "{t: number, over: bool}"
    );
}

#[test]
fn what_a_play_aims_at() {
    let error = fails("maximise {a: choose from 1..3, b: \"x\", c: true}", "no-aim");
    let edits: Vec<&str> = error.edits.iter().map(|edit| edit.replacement.as_str()).collect();
    assert_eq!(edits, [" by r => r.a", " by r => r.c"]);
    fails("maximise \"a\"", "no-aim");
    fails("maximise {b: \"x\"}", "no-aim");
    fails("maximise (if true then 1 else none)", "no-aim");
    fails("maximise {a: 1} by r => r", "aim-not-a-number");
    fails("maximise d6 by r => r + d6", "aim-throws");
    fails("maximise d6 by r => choose from [r, 2]", "aim-throws");
    fails("fn f(r) = r + d6; maximise d6 by r => f(r)", "aim-throws");
    checks("maximise d6 by r => r + mean(d6)");
}

#[test]
fn choices_and_their_arms() {
    fails("maximise choose end", "no-arms");
    fails("maximise choose \"a\" => 1; \"a\" => 2 end", "duplicate-label");
    fails("maximise choose \"a\" => 1; \"b\" => \"x\" end", "branches-differ");
    fails("maximise choose \"a\" if 3 => 1; \"b\" => 2 end", "type-mismatch");
    fails("maximise choose from 3", "type-mismatch");
    let error = fails("maximise choose from 3d6", "choice-from-dice");
    assert_eq!(error.edits[0].replacement, "hand(3d6)");
    fails("maximise choose \"a\" if d6 > 3 => 1; \"b\" => 2 end", "open-throws");
    fails("maximise choose \"a\" if (choose from [true]) => 1; \"b\" => 2 end", "open-throws");
    fails("maximise choose \"a\" if (maximise d6 > 3) => 1; \"b\" => 2 end", "open-throws");
    checks("maximise choose \"a\" if chance(d6 > 3) > 1 / 3 => 1; \"b\" => 2 end");
}

#[test]
fn a_choice_is_made_for_something() {
    let error = fails("let x = choose from 1..3; x + 1", "choice-without-aim");
    assert_eq!((error.labels[0].span.start, error.labels[0].span.end), (8, 14));
    assert_eq!((error.edits[0].span.start, error.edits[0].replacement.as_str()), (8, "maximise "));
    let error =
        fails("fn f() = choose from 1..3\nfn g() = f() + 1\nd6 + g()", "choice-without-aim");
    assert_eq!(error.labels[0].span.start, 48);
    assert_eq!((error.labels[1].span.start, error.labels[1].span.end), (9, 15));
    assert_eq!(error.edits[0].span.start, 43);
    let error = fails("fn f(roll r) = r + (choose from 1..3)\nf(d6)", "choice-without-aim");
    assert_eq!(error.labels[0].span.start, 38);
    let error = fails("fn f(roll r) = r + r\nf(choose from 1..3)", "choice-without-aim");
    assert_eq!(error.labels[0].span.start, 23);
    assert!(fails("choose from [[1], [2]]", "choice-without-aim").edits.is_empty());
    assert_eq!(
        codes("let x = choose from 1..3\nshow \"a\" = x\nshow \"b\" = choose from 1..2"),
        ["choice-without-aim", "choice-without-aim"]
    );
    // A `maximise` encloses the choices of the functions that it calls, one inside it those inside it.
    checks("fn f() = choose from 1..3\nfn g() = f() + 1\nmaximise g()");
    fails("fn f() = choose from 1..3\nmaximise (1 + f())\nf()", "choice-without-aim");
    checks("maximise (choose from 1..3) + (minimise choose from 1..3)");
    // Nobody calls it.
    checks("fn f() = choose from 1..3\nd6");
}

#[test]
fn where_choices_stand() {
    for program in [
        "maximise do let x = choose from 1..3; x + d6 end",
        "maximise -(choose from 1..3) + max(d6, choose from 1..3)",
        "maximise sum([choose from 1..3, d6])",
        "maximise {a: choose from 1..3}.a",
        "maximise (if (choose from [true, false]) then 2d6 else d12)",
        "maximise match (choose from 1..3) 1 => d6; else => choose from 1..2 end",
        "maximise do require (choose from 1..3) > 0 else \"{choose from 1..3}\"; note \"{choose from 1..2}\"; 1 end",
        "maximise sum(map([1, 2], x => choose from [x, 3]))",
        "maximise fold(1..3, 0, (t, n) => choose \"a\" => t; \"b\" => t + d6 end)",
        "maximise (choose from 1..3)[luck]",
        "fn f(x = choose from 1..3) = x\nmaximise f()",
        "maximise do let dice = if (choose from [true, false]) then 2d6 else 3d6; dice kh1 end",
        "maximise choose \"a\" => choose from 1..3; \"b\" => 2 end",
        "let x = maximise choose from 1..3; (x)d6",
        "mean(maximise choose from 1..3)",
    ] {
        checks(program);
    }
}

#[test]
fn where_choices_cannot_stand() {
    for program in [
        "maximise (choose from 1..3)d6",
        "maximise d(choose from 4..6)",
        "maximise d{1, choose from 2..3}",
        "maximise d{1: 2, 2: choose from 2..3}",
        "maximise 3d6kh(choose from 1..3)",
        "maximise 3d6rr<=(choose from 1..3)",
        "maximise (if (choose from [true, false]) then 2d6 else 3d6)kh1",
        "maximise 2d6 drawn without [choose from 1..3]",
        "maximise {d6, choose from 1..3}kh1",
        "maximise times(3, choose from 1..3)",
        "maximise times(choose from 1..3, d6)",
        "times(3, maximise choose from 1..3)",
        "maximise walk(3d6, 0, (n, face, count) => choose from [n, face])",
        "fn f() = choose from 1..3\nmaximise walk(3d6, 0, (n, face, count) => n + f())",
        "param x = choose from 1..3\nmaximise x",
        // A definition is looked at by itself, too.
        "fn f() = (choose from 1..3)d6\n1",
    ] {
        fails(program, "choice-here");
    }
    let error = fails("maximise mean(choose from 1..3)", "choice-measured");
    assert_eq!((error.edits[0].span.start, error.edits[0].replacement.as_str()), (14, "maximise "));
    fails("maximise chance((choose from 1..3) > 1)", "choice-measured");
    fails("fn f() = choose from 1..3\nmaximise mean(f() + d6)", "choice-measured");
}

#[test]
fn no_choice_is_made_in_a_constant() {
    let shelf = Shelf(&[("a.dice", "let x = choose from 1..3")]);
    let options = astragal_program::Options::default();
    let program = "use \"a.dice\"\nmaximise a.x";
    let checked = astragal_program::check(program, "test", &library(), &shelf, &options);
    let codes: Vec<&str> = checked.diagnostics.iter().map(|d| d.code).collect();
    assert!(codes.contains(&"choice-here"), "{codes:?}");
}

#[test]
fn evidence_comes_before_choices() {
    for program in [
        "maximise do let a = choose from 1..3; given d6 > a; a end",
        "maximise do given d6 > choose from 1..3; 1 end",
        "maximise (d6 given (choose from [true, false]))",
        "fn f() = do let x = d6; given x > 2; x end\nmaximise (choose from 1..3) + f()",
        "fn f() = do let a = choose from 1..3; given a > 1; a end\nmaximise f()",
        "maximise do let x = if d6 > 3 then choose from 1..3 else 1; let y = d6; given y > 1; x + y end",
        "maximise choose \"a\" => (d6 given true); \"b\" => 1 end",
        "maximise fold(1..3, 0, (t, n) => do let y = d6; given y > 1; t + (choose from [y, n]) end)",
        "maximise repeat with t = 0 let y = d6; given y > 1; next t = t + (choose from [y, 2]) until t > 5 by r => r.t",
    ] {
        fails(program, "given-after-choice");
    }
    for program in [
        "maximise do let x = d6; given x > 2; choose from [x, 3] end",
        "let x = maximise choose from 1..3; let y = d6; given y > x; y",
        "maximise do let a = choose from 1..3; let b = maximise do let x = d6; given x > 1; x end; a + b end",
        "maximise (if d6 > 3 then choose from 1..3 else (d6 given true))",
    ] {
        checks(program);
    }
}

#[test]
fn a_library_may_leave_its_choices_to_who_calls() {
    let text =
        "fn again() = do let first = d20; choose \"keep\" => first; \"again\" => d20 end end";
    let library = astragal_program::Library::new("", &[("luck", text)]).expect("it checks");
    let options = astragal_program::Options::default();
    let check = |text| {
        let checked =
            astragal_program::check(text, "test", &library, &astragal_program::NoFiles, &options);
        checked.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    // The second time its functions are kept ones.
    for _ in 0..2 {
        assert!(check("maximise luck.again()").is_empty());
        assert_eq!(check("luck.again()"), ["choice-without-aim"]);
    }
}

#[test]
fn a_play_in_which_nobody_chooses_does_nothing() {
    hints("maximise 3d6", "nothing-chosen");
    hints("fn f() = minimise 3d6\nf()", "nothing-chosen");
    hints("maximise maximise choose from 1..3", "nothing-chosen");
    assert!(codes("fn f() = choose from 1..3\nmaximise f()").is_empty());
}

#[test]
fn names_that_look_like_words() {
    checks("let by = 2; let from = by + 1; maximise choose from from..5 by by => by + from");
    fails("let oppose = 3; oppose + 1", "reserved-word");
}
