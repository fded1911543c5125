//! How something is found in what is known: all dice from 5 up, what a hand has most often, the longest of some lists.

use astragal_value::{Number, Value};

use super::Cases;

/// A way to find something in what is known.
pub(super) struct Way {
    pub(super) number: usize,
    pub(super) column: usize,
    pub(super) how: How,
}

/// What a way finds.
pub(super) enum Found {
    /// One item, as it is written.
    Item(String),
    /// Some items of a hand, by their places.
    Some(Vec<usize>),
}

pub(super) enum How {
    /// The thing itself.
    Same,
    /// All items of a list from a number up.
    AtLeast(Number),
    /// All items down from a number.
    AtMost(Number),
    /// The item with the greatest number.
    Highest,
    /// The item with the least.
    Lowest,
    /// All items that show what is shown most often; of several the highest or the lowest. Once is not often. No more of them
    /// than a number, if there is one; and something of the rest.
    Often { highest: bool, most: Option<usize>, rest: Rest },
    /// All items that show one number.
    Only(Number),
    /// All items of which there is another.
    Repeated,
    /// One item of each number between two.
    OneOfEach(Number, Number),
    /// One item of each number of the longest run; of several the highest or the lowest.
    Run { highest: bool },
}

/// What is taken besides what is there most often.
#[derive(Clone)]
pub(super) enum Rest {
    Nothing,
    Highest,
    Lowest,
    From(Number),
}

/// Of more numbers, no ranges are tried.
const MOST_SHOWN: usize = 8;

/// All ways that may find something in all cases, so many at most.
pub(super) fn ways(cases: &Cases, is_long: bool, most: usize) -> Vec<Way> {
    let mut all: Vec<Way> = Vec::new();
    for column in 0..cases.names.len() {
        let values = || cases.items.iter().filter_map(|item| item.values.get(column));
        let mut add = |how: How| all.push(Way { number: 0, column, how });
        add(How::Same);
        if !values().all(|value| numbers(value).is_some()) {
            continue;
        }
        let mut shown: Vec<Number> = values().filter_map(numbers).flatten().cloned().collect();
        shown.sort();
        shown.dedup();
        simple_ways(&shown, &mut add);
        if !is_long {
            mixed_ways(&shown, &mut add);
        }
    }
    all.truncate(most);
    all.iter_mut().zip(0..).for_each(|(way, number)| way.number = number);
    all
}

fn simple_ways(shown: &[Number], add: &mut impl FnMut(How)) {
    add(How::Highest);
    add(How::Lowest);
    for highest in [true, false] {
        add(How::Often { highest, most: None, rest: Rest::Nothing });
    }
    for number in shown.iter().skip(1).take(2 * MOST_SHOWN) {
        add(How::AtLeast(number.clone()));
        add(How::AtMost(number.clone()));
    }
    add(How::Repeated);
    if shown.len() <= MOST_SHOWN {
        shown.iter().for_each(|number| add(How::Only(number.clone())));
        for (at, from) in shown.iter().enumerate() {
            let tos = shown[at + 1..].iter();
            tos.for_each(|to| add(How::OneOfEach(from.clone(), to.clone())));
        }
    }
}

/// What is there most often, and something of the rest.
fn mixed_ways(shown: &[Number], add: &mut impl FnMut(How)) {
    [true, false].into_iter().for_each(|highest| add(How::Run { highest }));
    let mut rests = vec![Rest::Nothing, Rest::Highest, Rest::Lowest];
    if shown.len() <= MOST_SHOWN {
        rests.extend(shown.iter().skip(1).map(|number| Rest::From(number.clone())));
    }
    for (most, highest) in
        [None, Some(3), Some(4), Some(2)].into_iter().flat_map(|most| [(most, true), (most, false)])
    {
        for rest in &rests {
            if most.is_some() || !matches!(rest, Rest::Nothing) {
                add(How::Often { highest, most, rest: rest.clone() });
            }
        }
    }
}

fn numbers(value: &Value) -> Option<Vec<&Number>> {
    match value {
        Value::List(items) => items.iter().map(Value::as_number).collect(),
        _ => None,
    }
}

/// A list of numbers.
pub(super) struct Hand<'v> {
    numbers: Vec<&'v Number>,
    pub(super) texts: Vec<String>,
    counts: Vec<usize>,
}

impl<'v> Hand<'v> {
    pub(super) fn of(value: &'v Value) -> Option<Hand<'v>> {
        let numbers = numbers(value)?;
        let texts = numbers.iter().map(ToString::to_string).collect();
        let count = |number: &&Number| numbers.iter().filter(|own| own == &number).count();
        let counts = numbers.iter().map(count).collect();
        Some(Hand { numbers, texts, counts })
    }

    /// The number that is there most often, and at least twice.
    fn often(&self, highest: bool) -> Option<&'v Number> {
        let most = self.counts.iter().copied().max().filter(|most| *most > 1)?;
        let found = self.numbers.iter().zip(&self.counts).filter(|(_, count)| **count == most);
        let found = found.map(|(number, _)| *number);
        if highest { found.max() } else { found.min() }
    }

    fn some(&self, keep: impl Fn(usize, &Number) -> bool) -> Vec<usize> {
        (0..self.numbers.len()).filter(|at| keep(*at, self.numbers[*at])).collect()
    }

    fn is_first(&self, at: usize) -> bool {
        !self.numbers[..at].contains(&self.numbers[at])
    }

    fn item(&self, highest: bool) -> Option<usize> {
        let all = 0..self.numbers.len();
        if highest {
            all.max_by_key(|at| self.numbers[*at])
        } else {
            all.min_by_key(|at| self.numbers[*at])
        }
    }

    /// What is there most often, and something of the rest.
    fn often_and(&self, highest: bool, most: Option<usize>, rest: &Rest) -> Vec<usize> {
        let often = self.often(highest);
        let mut left = most.unwrap_or(usize::MAX);
        let mut taken = vec![false; self.numbers.len()];
        for (taken, number) in taken.iter_mut().zip(&self.numbers) {
            if left > 0 && Some(*number) == often {
                (*taken, left) = (true, left - 1);
            }
        }
        let others = (0..taken.len()).filter(|at| Some(self.numbers[*at]) != often);
        let other = match rest {
            Rest::Nothing | Rest::From(_) => None,
            Rest::Highest => others.max_by_key(|at| self.numbers[*at]),
            Rest::Lowest => others.min_by_key(|at| self.numbers[*at]),
        };
        other.into_iter().for_each(|at| taken[at] = true);
        if let Rest::From(from) = rest {
            (0..taken.len()).for_each(|at| taken[at] |= self.numbers[at] >= from);
        }
        (0..taken.len()).filter(|at| taken[*at]).collect()
    }

    /// One of each number of the longest run.
    fn run(&self, highest: bool) -> Vec<usize> {
        let mut order: Vec<usize> =
            (0..self.numbers.len()).filter(|at| self.is_first(*at)).collect();
        order.sort_by_key(|at| self.numbers[*at]);
        let follows = |a: usize, b: usize| {
            self.numbers[a].add(&Number::ONE).is_ok_and(|next| next == *self.numbers[b])
        };
        let runs = order.chunk_by(|a, b| follows(*a, *b));
        let longest = runs.clone().map(<[usize]>::len).max().unwrap_or(0);
        let mut longest = runs.filter(|run| run.len() == longest);
        let run = if highest { longest.next_back() } else { longest.next() };
        let mut run = run.map(<[usize]>::to_vec).unwrap_or_default();
        run.sort_unstable();
        run
    }
}

impl How {
    /// What it finds in a list of numbers.
    pub(super) fn of_hand(&self, hand: &Hand<'_>) -> Option<Found> {
        let item = |at: Option<usize>| at.map(|at| Found::Item(hand.texts[at].clone()));
        let some = |places: Vec<usize>| Some(Found::Some(places));
        match self {
            How::Same => some((0..hand.numbers.len()).collect()),
            How::AtLeast(least) => some(hand.some(|_, number| number >= least)),
            How::AtMost(most) => some(hand.some(|_, number| number < most)),
            How::Highest => item(hand.item(true)),
            How::Lowest => item(hand.item(false)),
            How::Often { highest, most, rest } => some(hand.often_and(*highest, *most, rest)),
            How::Only(own) => some(hand.some(|_, number| number == own)),
            How::Repeated => some(hand.some(|at, _| hand.counts[at] > 1)),
            How::OneOfEach(from, to) => {
                some(hand.some(|at, number| hand.is_first(at) && number >= from && number <= to))
            }
            How::Run { highest } => some(hand.run(*highest)),
        }
    }
}

impl Way {
    pub(super) fn words(&self, name: &str) -> String {
        let which = |highest: &bool| if *highest { "highest" } else { "lowest" };
        match &self.how {
            How::Same => name.to_owned(),
            How::AtLeast(least) => format!("all of {name} from {least} up"),
            How::AtMost(most) => format!("all of {name} below {most}"),
            How::Highest => format!("the highest of {name}"),
            How::Lowest => format!("the lowest of {name}"),
            How::Often { highest, most, rest } => {
                let most = most.map_or_else(String::new, |most| format!("up to {most} of "));
                let rest = match rest {
                    Rest::Nothing => String::new(),
                    Rest::Highest => ", and the highest other".into(),
                    Rest::Lowest => ", and the lowest other".into(),
                    Rest::From(from) => format!(", and of the rest all from {from} up"),
                };
                let which = which(highest);
                format!(
                    "{most}what {name} has most often (of several the {which}; nothing that is there once){rest}"
                )
            }
            How::Only(number) => format!("every {number} of {name}"),
            How::Repeated => format!("all of {name} that is there twice or more"),
            How::OneOfEach(from, to) => format!("one of each of {name} from {from} to {to}"),
            How::Run { highest } => {
                let which = which(highest);
                format!("the longest run of {name} (of several the {which})")
            }
        }
    }
}
