//! The functions that the checker types itself.

/// A function without a definition in the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Builtin {
    Floor,
    Ceil,
    Round,
    Abs,
    Min,
    Max,
    Length,
    At,
    Append,
    Sort,
    Reverse,
    Word,
    Fold,
    Walk,
    WalkDown,
    NthHighest,
    NthLowest,
    Median,
    Times,
    Mean,
    Variance,
    Deviation,
    Chance,
    Percentile,
}

/// All of them, with their names and what they take.
pub(crate) const BUILTINS: [(&str, &str, Builtin); 24] = [
    ("floor", "x", Builtin::Floor),
    ("ceil", "x", Builtin::Ceil),
    ("round", "x", Builtin::Round),
    ("abs", "x", Builtin::Abs),
    ("min", "a, b, …", Builtin::Min),
    ("max", "a, b, …", Builtin::Max),
    ("length", "list", Builtin::Length),
    ("at", "list, place", Builtin::At),
    ("append", "list, item", Builtin::Append),
    ("sort", "list", Builtin::Sort),
    ("reverse", "list", Builtin::Reverse),
    ("word", "text, known", Builtin::Word),
    ("fold", "list, first, (carry, item) => next", Builtin::Fold),
    ("walk", "pool, first, (carry, face, count) => next", Builtin::Walk),
    ("walk_down", "pool, first, (carry, face, count) => next", Builtin::WalkDown),
    ("nth_highest", "pool, n", Builtin::NthHighest),
    ("nth_lowest", "pool, n", Builtin::NthLowest),
    ("median", "pool", Builtin::Median),
    ("times", "count, roll", Builtin::Times),
    ("mean", "roll", Builtin::Mean),
    ("variance", "roll", Builtin::Variance),
    ("deviation", "roll", Builtin::Deviation),
    ("chance", "condition", Builtin::Chance),
    ("percentile", "roll, percent", Builtin::Percentile),
];

impl Builtin {
    /// The function with this name.
    pub(crate) fn named(name: &str) -> Option<Builtin> {
        BUILTINS.iter().find(|(known, ..)| *known == name).map(|(.., builtin)| *builtin)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        self.row().0
    }

    /// How it is called: `at(list, place)`.
    pub(crate) fn usage(self) -> String {
        let (name, takes, _) = self.row();
        format!("{name}({takes})")
    }

    fn row(self) -> (&'static str, &'static str, Builtin) {
        BUILTINS
            .iter()
            .find(|(.., builtin)| *builtin == self)
            .copied()
            .unwrap_or(("function", "", self))
    }
}
