//! The core language as short text, so that a test can show what a program becomes.

use astragal_program::core::{Die, Expr, Face, Function, Kind, Program, Reading, SuffixKind};

pub fn program(program: &Program) -> String {
    let mut lines: Vec<String> = program.functions.iter().map(function).collect();
    lines.push(function(&program.main));
    lines.join("\n")
}

fn function(function: &Function) -> String {
    let parameters: Vec<String> = (0..function.parameters).map(|n| format!("v{n}")).collect();
    format!("{}({}) = {}", function.name, parameters.join(", "), expr(&function.body))
}

fn list(items: &[Expr]) -> String {
    items.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn faces(faces: &[Face]) -> String {
    let faces = faces.iter().map(|f| format!("{}:{}", expr(&f.value), expr(&f.weight)));
    faces.collect::<Vec<_>>().join(", ")
}

pub fn expr(e: &Expr) -> String {
    match &e.kind {
        Kind::Constant(value) => format!("{value}"),
        Kind::Local(id) => format!("v{}", id.0),
        Kind::Let { local, value, body } => {
            format!("let v{} = {}; {}", local.0, expr(value), expr(body))
        }
        Kind::If { condition, then, otherwise, origin } => {
            format!("{origin:?}({}, {}, {})", expr(condition), expr(then), expr(otherwise))
        }
        Kind::Operation { op, operands } => format!("{op:?}({})", list(operands)),
        Kind::List(items) => format!("[{}]", list(items)),
        Kind::Record { shape, fields } => {
            let fields = shape.fields.iter().zip(fields);
            let fields: Vec<String> = fields.map(|(n, f)| format!("{n}: {}", expr(f))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Kind::Field { record, index } => format!("{}.{index}", expr(record)),
        Kind::Call { function, arguments } => format!("f{}({})", function.0, list(arguments)),
        Kind::Enter { name, body } => format!("{name}<{}>", expr(body)),
        Kind::Walk { pools, down, first, carry, face, counts, body } => {
            let way = if *down { "down" } else { "up" };
            let counts: Vec<String> = counts.iter().map(|count| format!("v{}", count.0)).collect();
            format!(
                "Walk({way}, {}, v{} = {}, v{} {} => {})",
                list(pools),
                carry.0,
                expr(first),
                face.0,
                counts.join(" "),
                expr(body)
            )
        }
        Kind::Fold { list, first, carry, item, body } => format!(
            "Fold({}, v{} = {}, v{} => {})",
            expr(list),
            carry.0,
            expr(first),
            item.0,
            expr(body)
        ),
        Kind::Repeat { state, first, round, .. } => {
            let state: Vec<String> = state.iter().map(|id| format!("v{}", id.0)).collect();
            format!("Repeat({} = {}; {})", state.join(", "), list(first), expr(round))
        }
        Kind::Given { condition, body } => format!("given {}; {}", expr(condition), expr(body)),
        Kind::Require { condition, message, body } => {
            format!("require {} else {}; {}", expr(condition), expr(message), expr(body))
        }
        Kind::Note { message, body } => format!("note {}; {}", expr(message), expr(body)),
        Kind::Labelled { label, value } => format!("{}[{label}]", expr(value)),
        Kind::Input { index, default } => format!("Input{index}({})", expr(default)),
        Kind::Dice { count, die } => {
            let die = match die {
                Die::Sides(sides) => expr(sides),
                Die::Percent => "%".into(),
                Die::Fate => "F".into(),
                Die::Faces(list) => format!("{{{}}}", faces(list)),
            };
            format!("{}d{die}", expr(count))
        }
        Kind::Symbols { count, faces: list } => {
            format!("{}d{{{}}}", count.as_ref().map_or(String::new(), |c| expr(c)), faces(list))
        }
        Kind::Tally { count, faces: list, .. } => {
            format!("Tally({}d{{{}}})", expr(count), faces(list))
        }
        Kind::Drawn { dice, without, .. } => {
            format!("Drawn({}; {})", expr(dice), list(without))
        }
        Kind::Gather(members) => format!("Gather({})", list(members)),
        Kind::Merge(pools) => format!("Merge({})", list(pools)),
        Kind::Measure { measure, percent, of } => {
            let percent = percent.as_ref().map(|percent| format!(", {}", expr(percent)));
            format!("Measure({measure:?}, {}{})", expr(of), percent.unwrap_or_default())
        }
        Kind::Best(best) => {
            let aim = best.aim.as_ref();
            let aim = aim.map(|aim| format!(" by v{} => {}", aim.local.0, expr(&aim.number)));
            format!("{:?}({}{})", best.goal, expr(&best.value), aim.unwrap_or_default())
        }
        Kind::Choose { who, arms } => {
            let arms = arms.iter().map(|arm| {
                let open = arm.open.as_ref().map(|open| format!(" if {}", expr(open)));
                format!("{}{}: {}", arm.label, open.unwrap_or_default(), expr(&arm.value))
            });
            format!("{who:?}({})", arms.collect::<Vec<_>>().join(", "))
        }
        Kind::Pick { who, list } => format!("{who:?}(from {})", expr(list)),
        Kind::Times { count, each } => format!("Times({}, {})", expr(count), expr(each)),
        Kind::Suffixed { pool, suffix } => {
            let computed = match &suffix.kind {
                SuffixKind::Keep(_, n) | SuffixKind::Drop(_, n) => format!(" {}", expr(n)),
                _ => String::new(),
            };
            format!("{} `{}`{computed}", expr(pool), suffix.words)
        }
        Kind::Read { pool, reading } => match reading {
            Reading::Total => format!("Total({})", expr(pool)),
            Reading::NthHighest(n) => format!("NthHighest({}, {})", expr(pool), expr(n)),
            Reading::NthLowest(n) => format!("NthLowest({}, {})", expr(pool), expr(n)),
            Reading::Median => format!("Median({})", expr(pool)),
        },
    }
}
