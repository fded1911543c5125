//! The canonical layout: programs as they are typed, beside what `fmt` makes of them.

use astragal_syntax::span::SourceId;
use astragal_syntax::{Limits, Parsed, parse, print, print_expr, same_tree, tree};

fn read(text: &str) -> Parsed {
    let parsed = parse(text, SourceId(0), &Limits::default());
    let errors: Vec<_> = parsed.diagnostics.iter().map(|d| (d.code, &d.message)).collect();
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    parsed
}

/// Printing gives `expected`, and what is printed says the same and is printed the same.
#[track_caller]
fn layout(text: &str, expected: &str) {
    let parsed = read(text);
    let printed = print(&parsed.file);
    assert_eq!(printed, expected);
    let again = read(&printed);
    assert!(
        same_tree(&parsed.file, &again.file),
        "{printed}\n{:#?}\n{:#?}",
        parsed.file,
        again.file
    );
    assert_eq!(print(&again.file), printed);
}

#[test]
fn short_forms_get_their_usual_spelling() {
    layout("4D6 K3+1", "4d6kh3 + 1\n");
    layout("4d6 rr<=2  !  cs >= 4", "4d6rr<=2!cs>=4\n");
    layout("[ [ 1 ] ]", "[ [1] ]\n");
    layout("d6! ! ", "d6! !\n");
    layout("d6 ! up to 3 kh", "d6! up to 3 kh\n");
    layout("4d6kh sa", "4d6kh sa\n");
    layout("p KH3 ; f(p)kl", "p kh3\nf(p) kl\n");
    layout("{ 2d20 ,d12 }kh1[best]", "{2d20, d12}kh1[best]\n");
    layout(
        "4d6 Keep  Highest 3 explode on 5 up to 2",
        "4d6 keep highest 3 explode on 5 up to 2 times\n",
    );
    layout("dF kh1; 4dFkh1", "dF kh1\n4dFkh1\n");
    layout("2 ** -1*(n)d( s+1 )", "2^-1 * (n)d(s + 1)\n");
    layout("d{1:3,  2} = x", "d{1: 3, 2} == x\n");
}

#[test]
fn comments_and_blank_lines_stay() {
    layout(
        "\n\n# head\n\n\n\nlet x=1 # side\n# about y\nlet y = 2;  # more\n\n# last\n\n\n# very last\n",
        "# head\n\nlet x = 1  # side\n# about y\nlet y = 2  # more\n\n# last\n\n# very last\n",
    );
    layout("# only\n1", "# only\n1\n");
    layout("## About f.\n## More.\nfn f(a)=a\nf(1)", "## About f.\n## More.\nfn f(a) = a\nf(1)\n");
    layout("## title\n\nlet x = 1\n## no doc\nx", "## title\n\nlet x = 1\n## no doc\nx\n");
    layout("1\n\n## doc\nlet x = 1\nx", "1\n\n## doc\nlet x = 1\nx\n");
    layout("1\n\n# c\n## doc\nlet x = 1\nx", "1\n\n# c\n## doc\nlet x = 1\nx\n");
}

#[test]
fn blank_lines_between_the_comments_of_an_arm_stay() {
    layout(
        "match d3\n\n # a\n\n# b\n1 => 2\n\n# c\nelse => 3\nend",
        "match d3\n  # a\n\n  # b\n  1 => 2\n\n  # c\n  else => 3\nend\n",
    );
}

#[test]
fn comments_within_an_expression_move_above_it() {
    layout("1\n\nlet x = [ # one\n 1,\n ## two\n 2]\nx", "1\n\n# one\n# two\nlet x = [1, 2]\nx\n");
    layout("a +  # left\nb # right", "# left\na + b  # right\n");
}

#[test]
fn blocks_have_lines_of_their_own() {
    layout(
        "fn f(a,b=1,roll dice,kind:Kind=\"x\",side:{skill,adv=0,m:M=keep},xs:[number]=[],o:a.B?=none)=do let x=a # s\n\n# c\nx+b end",
        "fn f(\n  a,\n  b = 1,\n  roll dice,\n  kind: Kind = \"x\",\n  side: {skill, adv = 0, m: M = keep},\n  xs: [number] = [],\n  o: a.B? = none\n) = do\n  let x = a  # s\n\n  # c\n  x + b\nend\n",
    );
    layout(
        "let m = match x ..6 => \"miss\"; 7..9,12 => \"weak\" # so\n# top\n10.. => \"strong\"; else=>\"?\" end",
        "let m = match x\n  ..6 => \"miss\"\n  7..9, 12 => \"weak\"  # so\n  # top\n  10.. => \"strong\"\n  else => \"?\"\nend\n",
    );
    layout(
        "repeat with a=0,b=0\nlet t=d6 # t\nnote \"{t} again\"\nnext a=a+t,b=b+1\nuntil a>=10\n",
        "repeat with a = 0, b = 0\n  let t = d6  # t\n  note \"{t} again\"\n  next a = a + t, b = b + 1\nuntil a >= 10\n",
    );
}

#[test]
fn long_lines_break() {
    let long = "a_rather_long_name_for_a_value";
    layout(
        &format!("let x = {long} + {long} * {long} - {long}"),
        &format!("let x =\n  {long} +\n  {long} * {long} -\n  {long}\n"),
    );
    layout(
        &format!("let x = if {long} or {long} then {long} else if {long} then 1 else {long}"),
        &format!(
            "let x =\n  if {long} or {long}\n    then {long}\n  else if {long} then 1\n  else {long}\n"
        ),
    );
    layout(
        "fn f(a) = if a then do let x = 1; x end else 2",
        "fn f(a) =\n  if a\n    then do\n      let x = 1\n      x\n    end\n    else 2\n",
    );
    layout(
        &format!("f({long}, {long}, [x => {long}, {{a: {long}}}])"),
        &format!("f(\n  {long},\n  {long},\n  [x => {long}, {{a: {long}}}]\n)\n"),
    );
    layout(
        &format!("require {long} == {long} else \"{long} {long}\""),
        &format!("require {long} == {long}\n  else \"{long} {long}\"\n"),
    );
    layout(
        &format!("enum E = {long} | {long} | {long} | {long}"),
        &format!("enum E =\n  {long} |\n  {long} |\n  {long} |\n  {long}\n"),
    );
}

#[test]
fn a_value_goes_below_before_it_is_broken() {
    let long = "a_rather_long_name_for_a_value";
    layout(
        &format!("let another_long_name = fold({long}, 0, {long})"),
        &format!("let another_long_name = fold({long}, 0, {long})\n"),
    );
    layout(
        &format!("let another_long_name = fold({long}, {long}, some_other_name)"),
        &format!("let another_long_name =\n  fold({long}, {long}, some_other_name)\n"),
    );
    layout(
        &format!("let x = map(xs, y => do let z = {long}; z end)"),
        &format!("let x = map(xs, y => do\n  let z = {long}\n  z\nend)\n"),
    );
    layout(
        &format!("fold(xs, 0, (sum, x) => sum + {long} + {long} * 1000)"),
        &format!("fold(xs, 0, (sum, x) =>\n  sum + {long} + {long} * 1000)\n"),
    );
    layout(
        &format!("let {long}_{long} = fold(xs, {long}, x => {long} + {long} * 1000)"),
        &format!("let {long}_{long} =\n  fold(xs, {long}, x =>\n    {long} + {long} * 1000)\n"),
    );
    layout(
        "let h=(repeat with a=0 next a=d6 until a>3).a",
        "let h = (repeat with a = 0\n  next a = d6\nuntil a > 3).a\n",
    );
    layout("enum Untrained = none|mental", "enum Untrained = none | mental\n");
}

#[test]
fn one_line_forms_can_be_read_again() {
    let forms = [
        "match x -1 => 2 end",
        "do let a = 1; a + 1 end",
        "match x\n -1 => 2; b => 3\nend",
        "repeat with a = 0; let t = d6; next a = a + t; until a > 3",
        "\"a \\{ {x + \"b\"} \\n\"",
        "if a then b else c",
    ];
    for form in forms.into_iter().skip(1) {
        let parsed = read(form);
        let tree::StatementKind::Expression(expr) = &parsed.file.block.statements[0].kind else {
            panic!("{form}")
        };
        let again = read(&print_expr(expr));
        assert!(same_tree(&parsed.file, &again.file), "{form}\n{}", print_expr(expr));
    }
}

const PROGRAMS: &[&str] = &[
    include_str!("programs/check.dice"),
    include_str!("programs/pool.dice"),
    include_str!("programs/notes.dice"),
];

#[test]
fn sample_programs_say_the_same_when_printed() {
    for program in PROGRAMS {
        let parsed = read(program);
        let printed = print(&parsed.file);
        let again = read(&printed);
        assert!(same_tree(&parsed.file, &again.file), "{printed}");
        assert_eq!(print(&again.file), printed);
        let comments = |text: &str| text.matches("# ").count();
        assert_eq!(comments(program), comments(&printed), "{printed}");
    }
}

#[test]
fn a_program_in_canonical_layout_stays_as_it_is() {
    let program = include_str!("programs/check.dice");
    assert_eq!(print(&read(program).file), program);
}

#[test]
fn choices_are_set_like_a_match() {
    layout(
        "maximise do let first=d20;choose \"keep\"=>first # as it is\n# again\n\"throw again\" if n>0=>d20 end end by r=>r",
        "maximise do\n  let first = d20\n  choose\n    \"keep\" => first  # as it is\n    # again\n    \"throw again\" if n > 0 => d20\n  end\nend by r => r\n",
    );
    layout(
        "let x=choose from 0..5;oppose  from [x]",
        "let x = choose from 0..5\noppose from [x]\n",
    );
    layout(
        "f(oppose \"a\\\"\" => 1 end, minimise (x)+1)",
        "f(\n  oppose\n    \"a\\\"\" => 1\n  end,\n  minimise (x) + 1\n)\n",
    );
    let long = "a_rather_long_name_for_a_value";
    layout(
        &format!("let x = maximise {long} + {long} * {long} - {long} by r => r"),
        &format!("let x = maximise\n  {long} +\n  {long} * {long} -\n  {long} by r => r\n"),
    );
}

#[test]
fn a_choice_on_one_line_is_read_again() {
    let parsed = read("maximise choose \"a\" => 1 # c\n\"b\" if x => 2\nend by r => r");
    let tree::StatementKind::Expression(expr) = &parsed.file.block.statements[0].kind else {
        panic!()
    };
    let line = print_expr(expr);
    assert_eq!(line, "maximise choose \"a\" => 1; \"b\" if x => 2 end by r => r");
    read(&line);
}
