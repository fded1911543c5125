//! The slow twin: graphs.

use super::*;

/// Numbers that look thrown, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A loop with so many nodes and two ends, in which a path goes on at most so many nodes further, or also
/// returns.
fn some_chain(numbers: &mut Numbers, size: usize, returns: bool, counts: bool) -> Chain {
    let node = |at: usize, numbers: &mut Numbers| {
        let mut steps = Vec::new();
        for end in 0..2 {
            steps.push(Step { to: To::End(end), tick: 0, weight: numbers.below(3).into() });
        }
        for _ in 0..3 {
            let to = if returns {
                numbers.below(size as u64) as usize
            } else {
                at + 1 + numbers.below(3) as usize
            };
            let to = if to < size { To::Node(to) } else { To::End(0) };
            let tick = if counts { numbers.below(4) as i64 - 1 } else { 0 };
            steps.push(Step { to, tick, weight: (1 + numbers.below(5)).into() });
        }
        steps.push(Step { to: To::End(1), tick: 0, weight: Natural::ONE });
        let total = steps.iter().fold(Natural::ZERO, |sum, step| sum + &step.weight);
        Node { total, steps }
    };
    Chain { nodes: (0..size).map(|at| node(at, numbers)).collect(), ends: 2 }
}

/// The law of what is counted at each end, and its chance, by the general solution.
fn slowly(chain: &Chain) -> Vec<Vec<(Rational, Law)>> {
    let meter = Meter::unlimited();
    let mut graph = Graph { nodes: chain.nodes.len(), edges: Vec::new() };
    let chance = |node: &Node, step: &Step| {
        Rational::from_parts(step.weight.clone().into(), node.total.clone())
    };
    for (from, node) in chain.nodes.iter().enumerate() {
        for step in node.steps.iter().filter(|step| !step.weight.is_zero()) {
            if let To::Node(to) = step.to {
                let law = Law::constant(Rational::from(step.tick));
                graph.edges.push(Edge {
                    from,
                    to,
                    measure: Measure { mass: chance(node, step), law },
                });
            }
        }
    }
    let Ok(visits) = graph.visits(&meter) else { panic!("every loop here has a solution") };
    let mut ends: Vec<Vec<(Rational, Law)>> = vec![Vec::new(); chain.ends];
    for (node, visit) in chain.nodes.iter().zip(visits) {
        let Some(visit) = visit else { continue };
        for step in node.steps.iter().filter(|step| !step.weight.is_zero()) {
            if let To::End(end) = step.to {
                let tick = Law::constant(Rational::from(step.tick));
                let law = visit.law.sum(&tick, &meter).unwrap();
                ends[end].push((&visit.mass * chance(node, step), law));
            }
        }
    }
    ends
}

fn compare(chain: Chain) {
    let meter = Meter::unlimited();
    let slow = slowly(&chain);
    let solved = chain.solve(&meter).unwrap().unwrap();
    let groups: Vec<Group> = (0..slow.len()).map(|end| vec![(end, 0)]).collect();
    let laws = solved.laws(&groups, &meter).unwrap().unwrap();
    for (law, parts) in laws.into_iter().zip(slow) {
        let chance = parts.iter().fold(Rational::ZERO, |sum, (chance, _)| sum + chance);
        let Some((law, mass)) = law.filter(|_| !chance.is_zero()) else {
            assert!(chance.is_zero());
            continue;
        };
        assert_eq!(mass, chance);
        let parts: Vec<_> = parts.into_iter().map(|(part, law)| (part / &chance, law)).collect();
        let slow = Law::mixture(&parts, &meter).unwrap();
        if !law.is_endless() {
            assert_eq!(law, slow);
        }
        assert_eq!(law.mean_and_variance(), slow.mean_and_variance());
        let until = Rational::from(30);
        let first = |law: &Law| law.listing(&Rational::ONE, Some(&until), &meter).unwrap();
        let (law, slow) = (first(&law).outcomes, first(&slow).outcomes);
        assert!(law.iter().zip(&slow).all(|(mine, theirs)| mine == theirs));
    }
}

#[test]
fn chains_are_solved_as_graphs_are() {
    let mut numbers = Numbers(7);
    for size in 1..9 {
        for _ in 0..20 {
            compare(some_chain(&mut numbers, size, false, false));
            compare(some_chain(&mut numbers, size, false, true));
            compare(some_chain(&mut numbers, size, true, false));
        }
    }
}

/// Every round has the same total, until it is reduced where all lead to one end, and counts the same.
fn paced_chain(numbers: &mut Numbers, size: usize, tick: i64) -> Chain {
    let node = |at: usize, numbers: &mut Numbers| {
        let first = numbers.below(7);
        let to = |numbers: &mut Numbers| match at + 1 + numbers.below(4) as usize {
            to if to < size => To::Node(to),
            to => To::End(to % 2 * usize::from(at > 2)),
        };
        let weights = [first, 6 - first, 5_000_000_000_000_000_000];
        let steps = weights.map(|weight| Step { to: to(numbers), tick, weight: weight.into() });
        Node { total: Natural::from(5_000_000_000_000_000_006u64), steps: steps.into() }
    };
    Chain { nodes: (0..size).map(|at| node(at, numbers)).collect(), ends: 2 }
}

#[test]
fn weights_over_powers_are_brought_together() {
    let mut numbers = Numbers(11);
    for size in 1..12 {
        for tick in [1, 2, -1, -3] {
            compare(paced_chain(&mut numbers, size, tick));
        }
    }
}

/// Every way back counts something; on the way there may be nothing to count. The start lies anywhere on that way.
fn counted_chain(numbers: &mut Numbers, size: usize) -> Chain {
    let mut chain = some_chain(numbers, size, true, false);
    let before = numbers.below(size as u64) as usize;
    let place = |node: usize| (node + before) % size;
    for (at, node) in chain.nodes.iter_mut().enumerate() {
        for step in &mut node.steps {
            let onward = matches!(step.to, To::Node(to) if place(to) > place(at));
            step.tick = numbers.below(3) as i64 + i64::from(!onward);
        }
    }
    chain
}

#[test]
fn what_returns_and_counts_is_told_by_its_first_counts() {
    let mut numbers = Numbers(13);
    for size in 1..7 {
        for _ in 0..10 {
            compare(counted_chain(&mut numbers, size));
        }
    }
}

#[test]
fn a_trap_and_what_counts_down_are_left_to_others() {
    let meter = Meter::unlimited();
    let step = |to, tick| Step { to, tick, weight: Natural::ONE };
    let node = |steps: Vec<Step>| Node { total: Natural::from(steps.len()), steps };
    let trap = Chain {
        nodes: vec![
            node(vec![step(To::End(0), 0), step(To::Node(1), 0)]),
            node(vec![step(To::Node(1), 0)]),
        ],
        ends: 1,
    };
    assert!(trap.solve(&meter).unwrap().is_none());
    let counted =
        Chain { nodes: vec![node(vec![step(To::End(0), 0), step(To::Node(0), -1)])], ends: 1 };
    assert!(counted.solve(&meter).unwrap().is_none());
}
