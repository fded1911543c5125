//! Plays: what is best, and who decides where.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use astragal_syntax::tree::{Goal, Who};

use super::kind_of;
use crate::choices::Met;
use crate::types::Type;

/// `maximise choose end`
pub(crate) fn no_choices(span: Span, who: Who) -> Diagnostic {
    let message = format!("this `{}` has no arms", who.word());
    Diagnostic::error("no-arms", span, message).help("add one: `\"keep\" => …`")
}

/// `maximise choose "a" => 1; "a" => 2 end`
pub(crate) fn duplicate_label(span: Span, label: &str, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-label", span, format!("there are two arms `{label}`"))
        .also(first, "the first is here")
        .help("give each arm its own label")
}

/// `maximise "a"`
pub(crate) fn no_aim(span: Span, goal: Goal, ty: &Type, behind: Span) -> Diagnostic {
    let word = goal.word();
    let message = format!("`{word}` aims at a number, or at a yes, but this is {}", kind_of(ty));
    let diagnostic = Diagnostic::error("no-aim", span, message);
    let Type::Record(record) = ty else {
        let counted = match ty {
            Type::List(item) if **item == Type::Number => "sum(r)",
            Type::List(_) => "length(r)",
            _ => "r == …",
        };
        return diagnostic.help(format!("say what counts of it: `{word} … by r => {counted}`"));
    };
    let counts = |ty: &Type| matches!(ty, Type::Number | Type::Bool);
    let fields = record.fields.iter().filter(|(_, ty)| counts(ty)).take(3);
    let mut diagnostic = fields.fold(diagnostic, |diagnostic, (name, _)| {
        let aim = format!(" by r => r.{name}");
        diagnostic.help(format!("say what counts of it: `{word} …{aim}`")).edit(behind, aim)
    });
    if diagnostic.help.is_empty() {
        diagnostic = diagnostic.help(format!("say what counts, as in `{word} … by r => r.field`"));
    }
    diagnostic
}

/// `maximise {a: 1} by r => "a"`
pub(crate) fn aim_not_a_number(span: Span, ty: &Type) -> Diagnostic {
    let message =
        format!("what counts is a number, or a yes that counts 1, but this is {}", kind_of(ty));
    Diagnostic::error("aim-not-a-number", span, message)
        .help("compare it, or take a field, as in `by r => r.total`")
}

/// `maximise d6 by r => r + d6`
pub(crate) fn aim_throws(span: Span) -> Diagnostic {
    Diagnostic::error("aim-throws", span, "what counts is looked at when all is thrown")
        .help("throw before, and put what was thrown into the value: `{total: …, extra: d6}`")
}

/// `maximise d6 by r => choose from [r, 1]`
pub(crate) fn aim_decides(span: Span) -> Diagnostic {
    Diagnostic::error("aim-throws", span, "what counts is looked at when all is decided")
        .help("choose before, and put what was chosen into the value: `{total: …, choice: …}`")
}

/// `maximise choose "a" if d6 > 3 => 1; "b" => 2 end`
pub(crate) fn open_throws(span: Span) -> Diagnostic {
    Diagnostic::error("open-throws", span, "an arm is open or not before it is taken")
        .help("throw with `let` before the choice, and ask here what was thrown")
}

/// `maximise choose "a" if (choose from [true, false]) => 1; "b" => 2 end`
pub(crate) fn open_decides(span: Span) -> Diagnostic {
    Diagnostic::error("open-throws", span, "an arm is open or not before it is taken")
        .help("choose with `let` before, and ask here what was chosen")
}

/// Where no choice can be made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    /// `(choose from 1..3)d6`
    Dice,
    /// `3d6kh(choose from 1..3)`
    Suffix,
    /// `d6 drawn without [choose from 1..3]`
    Bag,
    /// `{d6, choose from 1..3}`
    Group,
    /// `times(3, choose from 1..3)`
    Times,
    /// `walk(3d6, 0, (n, face, count) => choose from [n, face])`
    Walk,
    /// `param x = choose from 1..3`
    Input,
    /// A used file with `let x = choose from 1..3`
    Constant,
}

impl Spot {
    fn words(self) -> &'static str {
        match self {
            Spot::Dice => "in the count or the faces of dice",
            Spot::Suffix => "in a pool with a suffix",
            Spot::Bag => "in what is drawn",
            Spot::Group => "in a group of dice",
            Spot::Times => "in `times`",
            Spot::Walk => "in the step of a walk",
            Spot::Input => "in the default of a `param`",
            Spot::Constant => "in the `let` of a module",
        }
    }

    fn help(self) -> &'static str {
        match self {
            Spot::Dice | Spot::Suffix | Spot::Bag | Spot::Group | Spot::Input => {
                "give it a name first: `let pick = choose …`"
            }
            Spot::Times => "do it so often in a `repeat`, or by `fold(1..3, 0, (total, _) => …)`",
            Spot::Walk => "go through the dice with `fold(hand(dice), …)`, or choose before",
            Spot::Constant => "make it a function: `fn name() = …`",
        }
    }
}

/// `maximise (choose from 1..3)d6`
pub(crate) fn choice_here(met: Met, spot: Spot) -> Diagnostic {
    let message = format!("a choice cannot stand {}", spot.words());
    met_at(Diagnostic::error("choice-here", met.at, message), met).help(spot.help())
}

/// `times(3, maximise d6)`
pub(crate) fn play_here(span: Span, spot: Spot) -> Diagnostic {
    let message = format!("`maximise` cannot stand {}", spot.words());
    Diagnostic::error("choice-here", span, message).help(spot.help())
}

/// `maximise mean(choose from 1..3)`
pub(crate) fn choice_measured(met: Met, measured: Span) -> Diagnostic {
    let message = "odds are told of what is decided, and this choice is not";
    met_at(Diagnostic::error("choice-measured", met.at, message), met)
        .help("say what it is made for, inside: `mean(maximise …)`")
        .edit(Span { end: measured.start, ..measured }, "maximise ")
}

/// `maximise 3d6`
pub(crate) fn nothing_chosen(span: Span, goal: Goal) -> Diagnostic {
    let word = goal.word();
    let span = Span { end: span.end.min(span.start + word.len() as u32), ..span };
    Diagnostic::hint("nothing-chosen", span, format!("nobody chooses here: `{word}` does nothing"))
        .help("leave it out, or let somebody `choose` in it; the greater of two numbers is `max(a, b)`")
}

/// `maximise choose from 5d6`
pub(crate) fn choice_from_dice(span: Span, who: Who, dice: &str) -> Diagnostic {
    let message = format!("`{} from` needs a list, but this is a pool of dice", who.word());
    Diagnostic::error("choice-from-dice", span, message)
        .help(format!("the dice as a list are `hand({dice})`"))
        .edit(span, format!("hand({dice})"))
}

/// `maximise do let x = choose from 1..3; given d6 > x; x end`
pub(crate) fn given_after_choice(span: Span, met: Met) -> Diagnostic {
    let message = "evidence cannot follow a choice inside one `maximise`";
    Diagnostic::error("given-after-choice", span, message)
        .also(met.at, "the choice is here")
        .help("put the evidence before the choice, or behind the `maximise`")
}

/// `choose from 1..3`
pub(crate) fn choice_without_aim(met: Met, before: Option<Span>) -> Diagnostic {
    let message = "nothing says what this choice is made for";
    let diagnostic = met_at(Diagnostic::error("choice-without-aim", met.at, message), met)
        .help("write `maximise` or `minimise` before the expression that it is made for");
    match before {
        Some(before) => diagnostic.edit(before, "maximise "),
        None => diagnostic,
    }
}

/// Shows the choice too where it is met through a call.
fn met_at(diagnostic: Diagnostic, met: Met) -> Diagnostic {
    match met.at == met.choice {
        true => diagnostic,
        false => diagnostic.also(met.choice, "the choice is here"),
    }
}
