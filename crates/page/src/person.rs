//! A person who decides: what was taken so far, then a question. The page rolls again with the same seed and one answer more.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use astragal::{BestPlay, Chosen, Fault, FaultKind, Met, Offer, Player, Stop, Who};

use crate::source::Source;

pub(crate) struct Person {
    /// What is taken, the next one last.
    left: Mutex<Vec<String>>,
    /// Whether it is worked out what everything is worth.
    judge: bool,
    best: Arc<BestPlay>,
    /// Where the person has not decided yet.
    stop: Stop,
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Person")
    }
}

impl Person {
    pub(crate) fn new(mut choices: Vec<String>, judge: bool, source: &Source) -> Person {
        choices.reverse();
        let best = best_play(source);
        let stop = if judge { Stop::advised_by(Arc::clone(&best) as _) } else { Stop::new() };
        Person { left: Mutex::new(choices), judge, best, stop }
    }

    /// Where the roll stopped for an answer.
    pub(crate) fn met(&self) -> Option<Met> {
        self.stop.met()
    }
}

impl Player for Person {
    fn choose(&self, offer: &Offer<'_>) -> Result<Chosen, Fault> {
        // An opponent plays by himself, unless it is too much to work out how.
        if offer.who == Who::Opponent
            && let Ok(chosen) = self.best.choose(offer)
        {
            return Ok(chosen);
        }
        let next = self.left.lock().ok().and_then(|mut left| left.pop());
        let Some(wanted) = next else { return self.stop.choose(offer) };
        let Some(option) = offer.options.iter().position(|label| **label == *wanted) else {
            return Err(FaultKind::NoSuchArm(wanted.into(), offer.options.clone()).at(offer.span));
        };
        let advice = self.judge.then(|| self.best.choose(offer).ok()).flatten();
        let unjudged = Chosen { option, worth: None, is_chance: false, best: None, steps: 0 };
        Ok(advice.map_or(unjudged, |advice| Chosen { option, ..advice }))
    }
}

/// A program's text with its files.
type Text = (String, BTreeMap<String, String>);

thread_local! {
    /// The best play of the last program: a game is rolled once for each choice, and worked out once for all of them.
    static LAST: RefCell<Option<(Text, Arc<BestPlay>)>> = const { RefCell::new(None) };
}

fn best_play(source: &Source) -> Arc<BestPlay> {
    let text = (source.text.clone(), source.files.clone());
    LAST.with_borrow_mut(|last| match last {
        Some((known, best)) if *known == text => Arc::clone(best),
        last => {
            let best = Arc::<BestPlay>::default();
            *last = Some((text, Arc::clone(&best)));
            best
        }
    })
}
