//! Places that play can come back to.
//!
//! Any policy that certainly leaves them is a beginning: what the places are worth under it is the solution of linear
//! equations, and where an option is worth more than the one that is taken, it is taken from now on. That ends, since no policy
//! comes twice, and where it ends no option of any place is better than the one taken: that is checked in every place, with
//! exact numbers, in the last turn. Against an opponent the policies of both are improved in turn, the opponent's
//! to the end each time.

use astragal_prob::{Meter, Rational};
use astragal_program::core::{Goal, Who};
use rustc_hash::FxHashMap;

use super::linear::{Row, solve};
use super::{Side, Unsolved, Worth, beyond};
use crate::game::{is_better, wants_most};
use crate::tree::{Node, PlaceId, Tree};

/// A group of places under way.
struct Round<'t> {
    tree: &'t Tree,
    group: &'t [PlaceId],
    goal: Option<Goal>,
    side: Side,
    /// Where each place stands in the group.
    within: FxHashMap<PlaceId, usize>,
}

/// What the places of a group are worth.
pub(super) fn round(
    tree: &Tree,
    group: &[PlaceId],
    (goal, side): (Option<Goal>, Side),
    worth: &mut Worth,
    meter: &Meter,
) -> Result<(), Unsolved> {
    let within = group.iter().enumerate().map(|(at, place)| (*place, at)).collect();
    let group = Round { tree, group, goal, side, within }.without_faults(worth);
    let within = group.iter().enumerate().map(|(at, place)| (*place, at)).collect();
    let round = Round { tree, group: &group, goal, side, within };
    if !round.begin(worth, None) {
        return Err(Unsolved::Endless);
    }
    let own = group.iter().any(|place| round.is_of(*place, Who::Player));
    let opposed = group.iter().any(|place| round.is_of(*place, Who::Opponent));
    loop {
        round.respond(opposed.then_some(Who::Opponent), worth, meter)?;
        if !own || !round.improve(Who::Player, worth) {
            // What is taken beyond what is listed follows from what places are worth.
            if round.is_settled(worth, meter)? {
                return Ok(());
            }
            continue;
        }
        // The answer to another policy begins from one that leaves.
        if opposed && !round.begin(worth, Some(Who::Opponent)) {
            return Err(Unsolved::Endless);
        }
    }
}

impl Round<'_> {
    /// Finds what the places are worth under the policy, after a player has improved his.
    fn respond(&self, who: Option<Who>, worth: &mut Worth, meter: &Meter) -> Result<(), Unsolved> {
        loop {
            let rows = self.rows(worth).ok_or(Unsolved::Endless)?;
            let solved = solve(rows, meter)?.ok_or(Unsolved::Endless)?;
            self.take_over(&solved, worth);
            if who.is_none_or(|who| !self.improve(who, worth)) {
                return Ok(());
            }
        }
    }

    /// Whether the places are worth the same if it is asked again what is best beyond what is listed.
    fn is_settled(&self, worth: &mut Worth, meter: &Meter) -> Result<bool, Unsolved> {
        if !self.group.iter().any(|place| self.tree.tails.contains_key(place)) {
            return Ok(true);
        }
        let before: Vec<_> = self.group.iter().map(|at| worth.of[*at as usize].clone()).collect();
        let rows = self.rows(worth).ok_or(Unsolved::Endless)?;
        let solved = solve(rows, meter)?.ok_or(Unsolved::Endless)?;
        self.take_over(&solved, worth);
        Ok(self.group.iter().zip(before).all(|(at, before)| worth.of[*at as usize] == before))
    }

    fn is_of(&self, place: PlaceId, who: Who) -> bool {
        matches!(&self.tree.nodes[place as usize], Node::Choice(own, _) if *own == who)
    }

    /// The places from which nothing need go wrong. The others are worth nothing that can be told.
    fn without_faults(&self, worth: &mut Worth) -> Vec<PlaceId> {
        let mut good: Vec<bool> = vec![true; self.group.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (at, place) in self.group.iter().enumerate() {
                if !good[at] {
                    continue;
                }
                let fine = |to: &PlaceId| match self.within.get(to) {
                    Some(inside) => good[*inside],
                    None => worth.of[*to as usize].is_some(),
                };
                let stays = match &self.tree.nodes[*place as usize] {
                    Node::Chance(next, aside) => {
                        let fails = aside.as_ref().is_some_and(|aside| !aside.failed.is_empty());
                        !fails && next.iter().all(|(to, _)| fine(to))
                    }
                    Node::Choice(_, options) => options.iter().any(|(_, to)| fine(to)),
                    _ => true,
                };
                if !stays {
                    good[at] = false;
                    changed = true;
                }
            }
        }
        let kept = self.group.iter().zip(good).filter(|(_, good)| *good);
        kept.map(|(place, _)| *place).collect()
    }

    /// Takes, for one player or both, what leads out of the group on the shortest way. Whether everybody gets out.
    fn begin(&self, worth: &mut Worth, who: Option<Who>) -> bool {
        const FAR: u32 = u32::MAX;
        let mut distance = vec![FAR; self.group.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (at, place) in self.group.iter().enumerate() {
                let to_go = |to: &PlaceId| match self.within.get(to) {
                    Some(inside) => distance[*inside].saturating_add(1),
                    None if worth.of[*to as usize].is_some() => 0,
                    None => FAR,
                };
                let (best, taken) = match &self.tree.nodes[*place as usize] {
                    Node::Chance(next, aside) => {
                        let leaves = aside.is_some();
                        let least = next.iter().map(|(to, _)| to_go(to)).min().unwrap_or(0);
                        (if leaves { 0 } else { least }, None)
                    }
                    Node::Choice(own, options) if who.is_none_or(|who| who == *own) => {
                        let least = options.iter().zip(0u32..).map(|((_, to), at)| (to_go(to), at));
                        let (least, at) = least.min().unwrap_or((FAR, 0));
                        (least, Some(at))
                    }
                    Node::Choice(_, options) => {
                        (to_go(&options[worth.taken[*place as usize] as usize].1), None)
                    }
                    _ => (0, None),
                };
                if best < distance[at] {
                    distance[at] = best;
                    changed = true;
                    if let Some(taken) = taken {
                        worth.taken[*place as usize] = taken;
                    }
                }
            }
        }
        distance.iter().all(|distance| *distance < FAR)
    }

    /// Where a choice leads by the policy; none if it goes round without a throw.
    fn follow(&self, mut place: PlaceId, worth: &Worth) -> Option<PlaceId> {
        for _ in 0..=self.group.len() {
            match &self.tree.nodes[place as usize] {
                Node::Choice(_, options) if self.within.contains_key(&place) => {
                    place = options[worth.taken[place as usize] as usize].1;
                }
                _ => return Some(place),
            }
        }
        None
    }

    /// An equation for each chance: so much of the others, and what lies outside.
    fn rows(&self, worth: &mut Worth) -> Option<Vec<Row>> {
        let row = |place: &PlaceId| {
            let mut row = Row::default();
            let Node::Chance(next, _) = &self.tree.nodes[*place as usize] else {
                return Some(row);
            };
            row.constant += self.tree.reward(*place).unwrap_or(&Rational::ZERO);
            let is_inside = |at| self.within.contains_key(&at);
            let (own, beyond) =
                beyond(self.tree, *place, (self.goal, self.side), worth, &is_inside)?;
            row.constant += own;
            let beyond = beyond.iter().map(|(to, chance)| (*to, chance));
            for (to, chance) in self.tree.weighed(next).chain(beyond) {
                let to = self.follow(to, worth)?;
                match self.within.get(&to) {
                    Some(inside) => row.add(*inside, chance.clone()),
                    None => row.constant += chance * worth.of[to as usize].as_ref()?,
                }
            }
            Some(row)
        };
        self.group.iter().map(row).collect()
    }

    /// Writes what the places are worth.
    fn take_over(&self, solved: &[Rational], worth: &mut Worth) {
        for (place, value) in self.group.iter().zip(solved) {
            if matches!(self.tree.nodes[*place as usize], Node::Chance(..)) {
                worth.of[*place as usize] = Some(value.clone());
            }
        }
        for place in self.group {
            if let Some(to) = self.follow(*place, worth)
                && to != *place
            {
                worth.of[*place as usize] = worth.of[to as usize].clone();
            }
        }
    }

    /// Takes what is better wherever there is something. Whether there was.
    fn improve(&self, who: Who, worth: &mut Worth) -> bool {
        let most = wants_most(self.goal, who == Who::Opponent);
        let mut better = false;
        for place in self.group {
            let Node::Choice(own, options) = &self.tree.nodes[*place as usize] else { continue };
            if *own != who {
                continue;
            }
            let mut best = worth.taken[*place as usize] as usize;
            for (at, (_, to)) in options.iter().enumerate() {
                let known = &worth.of[options[best].1 as usize];
                if is_better(&worth.of[*to as usize], known, most) {
                    best = at;
                }
            }
            if best != worth.taken[*place as usize] as usize {
                worth.taken[*place as usize] = best as u32;
                better = true;
            }
        }
        if !better {
            self.first_of_equals(who, worth);
        }
        better
    }

    /// Of options that are worth the same the first one written is taken, where that still leads out.
    fn first_of_equals(&self, who: Who, worth: &mut Worth) {
        for place in self.group {
            let Node::Choice(own, options) = &self.tree.nodes[*place as usize] else { continue };
            let taken = worth.taken[*place as usize];
            if *own != who || taken == 0 {
                continue;
            }
            let value = worth.of[*place as usize].clone();
            let equal = |(_, to): &(u32, PlaceId)| worth.of[*to as usize] == value;
            let Some(first) = options.iter().position(equal) else { continue };
            if first as u32 >= taken {
                continue;
            }
            worth.taken[*place as usize] = first as u32;
            if !self.leads_out(worth) {
                worth.taken[*place as usize] = taken;
            }
        }
    }

    /// Whether every place is left for certain by the policy.
    fn leads_out(&self, worth: &Worth) -> bool {
        let mut out = vec![false; self.group.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (at, place) in self.group.iter().enumerate() {
                let gone = |to: &PlaceId| self.within.get(to).is_none_or(|inside| out[*inside]);
                let leaves = match &self.tree.nodes[*place as usize] {
                    Node::Chance(next, aside) => {
                        aside.is_some() || next.iter().any(|(to, _)| gone(to))
                    }
                    Node::Choice(_, options) => {
                        gone(&options[worth.taken[*place as usize] as usize].1)
                    }
                    _ => true,
                };
                if leaves && !out[at] {
                    out[at] = true;
                    changed = true;
                }
            }
        }
        out.into_iter().all(|out| out)
    }
}
