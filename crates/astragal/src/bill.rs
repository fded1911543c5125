//! What a refused request was allowed, and what it would have taken, in words.

use astragal_odds::{Bill, Failure};
use astragal_program::fault::{Costly, FaultKind};

/// `400 million steps are allowed; this needs at least 3.2 billion`. None if the request was not too costly.
pub(crate) fn in_words(failure: &Failure) -> Option<String> {
    let (FaultKind::OverBudget(part), Some(bill)) = (&failure.fault.kind, failure.bill) else {
        return None;
    };
    let unit = match part {
        Costly::Work => "steps of work",
        Costly::Memory => return Some(of_memory(bill)),
        Costly::States => "states at a time",
        Costly::Outcomes => "outcomes",
        _ => return None,
    };
    let allowed = format!("{} {unit} are allowed", number(bill.allowed));
    Some(match bill.needed {
        Some(needed) => format!("{allowed}; this needs at least {}", number(needed)),
        None => format!("{allowed}; they were used up here"),
    })
}

fn of_memory(bill: Bill) -> String {
    let allowed = format!("{} of memory are allowed", bytes(bill.allowed));
    match bill.needed {
        Some(needed) => format!("{allowed}; this needs at least {}", bytes(needed)),
        None => format!("{allowed}; they were used up here"),
    }
}

/// A large number, rounded to two digits.
fn number(n: u64) -> String {
    const NAMES: [(u64, &str); 4] = [
        (1_000_000_000_000, "trillion"),
        (1_000_000_000, "billion"),
        (1_000_000, "million"),
        (1_000, "thousand"),
    ];
    match NAMES.iter().find(|(size, _)| n >= *size) {
        Some((size, _)) if *size == 1_000_000_000_000 && n / size >= 1000 => {
            "more than a thousand trillion".into()
        }
        Some((size, name)) => format!("{} {name}", tenths(n, *size)),
        None => n.to_string(),
    }
}

fn bytes(n: u64) -> String {
    match n >> 30 {
        0 => format!("{} MiB", n.div_ceil(1 << 20)),
        _ => format!("{} GiB", tenths(n, 1 << 30)),
    }
}

/// A number in units of a size: whole from ten up, with one decimal below.
fn tenths(n: u64, size: u64) -> String {
    let tenths = n / (size / 10);
    match tenths % 10 {
        0 => format!("{}", tenths / 10),
        _ if tenths >= 100 => format!("{}", tenths / 10),
        rest => format!("{}.{rest}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_in_words() {
        assert_eq!(number(200), "200");
        assert_eq!(number(200_000), "200 thousand");
        assert_eq!(number(1_250_000), "1.2 million");
        assert_eq!(number(400_000_000), "400 million");
        assert_eq!(number(31_499_000_000), "31 billion");
        assert_eq!(number(u64::MAX), "more than a thousand trillion");
        assert_eq!(bytes(500 << 20), "500 MiB");
        assert_eq!(bytes(11 << 30), "11 GiB");
    }
}
