//! What is left, one variable known after the other, is what the code comes to when it is run.

use std::rc::Rc;

use astragal_value::{Op, Store, Word};

use super::{Next, Open, Weave};
use crate::run::Runner;
use crate::tree::{Code, Fold};

fn number(n: i64) -> Code {
    Code::Word(Word::number(n).unwrap())
}

/// Numbers in an order that looks like chance.
struct Tape(u64);

impl Tape {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// Some code for a number, over the variables 0 to 2 and those of folds around it.
    fn number(&mut self, depth: u32, slots: u32) -> Code {
        if depth == 0 {
            return match self.below(3) {
                0 => number(self.below(5) as i64 - 1),
                _ => Code::Local(self.below(u64::from(slots)) as u32),
            };
        }
        let (a, b) = (self.number(depth - 1, slots), self.number(depth - 1, slots));
        let ops = [Op::Add, Op::Subtract, Op::Min, Op::Max, Op::Multiply, Op::Add, Op::Max];
        match self.below(10) {
            at @ 0..=6 => Code::Binary(ops[at as usize], Box::new((a, b))),
            7 => {
                let by = number(1 + self.below(3) as i64);
                let op = if self.below(2) == 0 { Op::FloorDivide } else { Op::Remainder };
                Code::Binary(op, Box::new((a, by)))
            }
            8 => Code::If(Box::new((self.truth(depth - 1, slots), a, b))),
            _ => {
                let list = Code::List(vec![a, b, self.number(depth - 1, slots)]);
                let body = self.number(depth - 1, slots + 2);
                let (first, cost) = (number(0), 1);
                let sorts = self.below(3) == 0;
                let list = if sorts { Code::Operation(Op::Sort, vec![list]) } else { list };
                if sorts {
                    return Code::Binary(
                        Op::At,
                        Box::new((list, number(1 + 2 * self.below(2) as i64))),
                    );
                }
                let (carry, item) = (slots, slots + 1);
                Code::Fold(Box::new(Fold { list, first, carry, item, body, cost }))
            }
        }
    }

    fn truth(&mut self, depth: u32, slots: u32) -> Code {
        let ops = [Op::Less, Op::AtMost, Op::Greater, Op::AtLeast, Op::Equal, Op::NotEqual];
        let op = ops[self.below(6) as usize];
        Code::Binary(op, Box::new((self.number(depth, slots), self.number(depth, slots))))
    }
}

#[test]
fn what_is_left_in_the_end_is_the_value() {
    let mut tape = Tape(7);
    let (mut compared, mut met) = (0, 0);
    for _ in 0..400 {
        let parts = (0..3).map(|_| tape.number(3, 3)).collect();
        let code = Code::List(parts);
        let mut store = Store::new();
        let ranges: Rc<[_]> = [Some((0, 2)); 3].into();
        let mut weave = Weave::new(Open::new(ranges), 64, Vec::new());
        for slot in 0..3 {
            let open = weave.expressions().open(slot).unwrap();
            weave.set(slot as usize, open);
        }
        let Some((mut open, root)) = weave.woven(&code, &mut store) else { continue };
        // What is left, with the values that led there.
        let mut left = vec![(root, Vec::new())];
        for var in 0..3 {
            let mut next = Next::of(&open, var);
            let mut after = Vec::new();
            for value in 0..=2 {
                let word = Word::number(value).unwrap();
                next.set(word);
                for (id, known) in &left {
                    let known: Vec<Word> = known.iter().copied().chain([word]).collect();
                    after.push((next.left_of(*id, &mut store).unwrap(), known));
                }
            }
            open = next.into_open();
            let mut different: Vec<_> = after.iter().map(|(id, _)| *id).collect();
            different.sort_unstable();
            different.dedup();
            met += after.len() - different.len();
            left = after;
        }
        let mut runner = Runner::new(64);
        for (id, known) in left {
            runner.begin();
            known.iter().enumerate().for_each(|(slot, word)| runner.set(slot, *word));
            assert_eq!(open.as_word(id), runner.run(&code, &mut store), "{code:?} of {known:?}");
            compared += 1;
        }
    }
    assert!(compared > 5_000 && met > 500, "{compared} compared, {met} met");
}

#[test]
fn the_highest_the_lowest_and_the_sum_are_all_that_is_left() {
    let all = || (0..4).map(Code::Local).collect::<Vec<_>>();
    let sum = all().into_iter().reduce(|a, b| Code::Binary(Op::Add, Box::new((a, b)))).unwrap();
    let most = |op| Code::Operation(op, all());
    let code = Code::List(vec![most(Op::Max), most(Op::Min), sum]);
    let mut store = Store::new();
    let mut weave = Weave::new(Open::new([Some((1, 6)); 4].into()), 4, Vec::new());
    for slot in 0..4 {
        let open = weave.expressions().open(slot).unwrap();
        weave.set(slot as usize, open);
    }
    let (mut open, root) = weave.woven(&code, &mut store).unwrap();
    assert!(open.shares(root));
    let mut left = vec![root];
    for var in 0..2 {
        let mut next = Next::of(&open, var);
        let mut after = Vec::new();
        for value in 1..=6 {
            next.set(Word::number(value).unwrap());
            after.extend(left.iter().map(|id| next.left_of(*id, &mut store).unwrap()));
        }
        open = next.into_open();
        after.sort_unstable();
        after.dedup();
        left = after;
    }
    // In whichever order two dice fall, the same is left of them.
    assert_eq!(left.len(), 21);
}

#[test]
fn numbers_that_are_read_once_are_a_matter_of_laws() {
    let mut store = Store::new();
    let code = Code::Binary(Op::Max, Box::new((Code::Local(0), Code::Local(1))));
    let mut weave = Weave::new(Open::new([Some((1, 6)); 2].into()), 2, Vec::new());
    for slot in 0..2 {
        let open = weave.expressions().open(slot).unwrap();
        weave.set(slot as usize, open);
    }
    let (open, root) = weave.woven(&code, &mut store).unwrap();
    assert!(!open.shares(root));
}

#[test]
fn what_may_fail_has_no_form() {
    for op in [Op::FloorDivide, Op::Power] {
        let mut store = Store::new();
        let code = Code::Binary(op, Box::new((number(2), Code::Local(0))));
        let mut weave = Weave::new(Open::new([Some((0, 2))].into()), 1, Vec::new());
        let open = weave.expressions().open(0).unwrap();
        weave.set(0, open);
        assert!(weave.woven(&code, &mut store).is_none());
    }
}
