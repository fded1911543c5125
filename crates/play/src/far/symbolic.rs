//! Following a game in which one number is a letter.
//!
//! What does not depend on the letter is done as ever. What does is followed only as far as it is made of sums, multiples,
//! comparisons and branches; whatever else is met, nothing is known.

use std::cmp::Ordering;
use std::rc::Rc;

use astragal_odds::Failure;
use astragal_odds::known::{Held, Told};
use astragal_prob::Rational;
use astragal_program::core::{Expr, Function, FunctionId, Kind, LocalId, Op, Who};
use astragal_program::points::{Arm, GraphId, PointId, Step};
use astragal_value::{Value, Word};

use super::Proof;
use super::line::Line;
use crate::game::{Variables, slot};

/// So many points may be passed on one path, and so many forms be inside each other.
const LONGEST_PATH: usize = 300;
const DEEPEST: usize = 100;

/// What a variable holds, perhaps in terms of the letter.
#[derive(Clone, Debug)]
pub(crate) enum Sym {
    /// Nothing of the letter.
    Held(Held),
    /// A number.
    Line(Line),
    /// A record.
    Record(Vec<Sym>),
}

/// A call that waits.
#[derive(Clone)]
struct Call {
    graph: GraphId,
    point: PointId,
    local: LocalId,
    variables: Vec<Sym>,
}

/// What a path comes to, if that is known.
type Found<T> = Result<Option<T>, Failure>;

/// A path through a game.
#[derive(Clone)]
pub(super) struct Symbolic {
    graph: GraphId,
    point: PointId,
    variables: Vec<Sym>,
    calls: Vec<Call>,
    /// Whether nothing may be chosen any more.
    ending: bool,
    passed: usize,
    /// So many variables of the first expression of the point are bound.
    bound: usize,
}

impl Symbolic {
    /// What a game is worth from here on, if it ends without another choice.
    pub(super) fn ending(
        proof: &mut Proof<'_, '_, '_>,
        graph: GraphId,
        point: PointId,
        variables: Vec<Sym>,
    ) -> Found<Line> {
        Symbolic { graph, point, variables, calls: Vec::new(), ending: true, passed: 0, bound: 0 }
            .follow(proof)
    }

    /// What a game is worth from here on, if what is claimed holds.
    pub(super) fn value(
        proof: &mut Proof<'_, '_, '_>,
        graph: GraphId,
        point: PointId,
        variables: Vec<Sym>,
    ) -> Found<Line> {
        Symbolic { graph, point, variables, calls: Vec::new(), ending: false, passed: 0, bound: 0 }
            .follow(proof)
    }

    /// Whether a condition holds beyond the horizon.
    pub(super) fn truth(
        proof: &mut Proof<'_, '_, '_>,
        graph: GraphId,
        condition: &Expr,
        variables: &[Sym],
    ) -> Found<bool> {
        let _ = graph;
        let found = evaluate(proof, condition, &mut variables.to_vec(), 0)?;
        Ok(found.and_then(|found| as_truth(&found)))
    }

    fn follow(mut self, proof: &mut Proof<'_, '_, '_>) -> Found<Line> {
        loop {
            self.passed += 1;
            let point = proof.game.point(self.graph, self.point);
            proof.game.pay(100, point.span)?;
            if self.passed > LONGEST_PATH {
                return Ok(None);
            }
            match &point.step {
                Step::Note { next, .. } => self.go_to(*next),
                Step::Let { local, value, next } => {
                    match self.known(proof, value)? {
                        Some(found) => self.variables[slot(*local)] = found,
                        None => return self.thrown(proof),
                    }
                    self.go_to(*next);
                }
                Step::Branch { condition, then, otherwise, .. } => {
                    let Some(found) = self.known(proof, condition)? else {
                        return self.thrown(proof);
                    };
                    let Some(truth) = as_truth(&found) else { return Ok(None) };
                    self.go_to(if truth { *then } else { *otherwise });
                }
                Step::Require { condition, next, .. } => {
                    let found = self.known(proof, condition)?;
                    if found.and_then(|found| as_truth(&found)) != Some(true) {
                        return Ok(None);
                    }
                    self.go_to(*next);
                }
                Step::Return(value) => {
                    let Some(found) = self.known(proof, value)? else { return self.thrown(proof) };
                    match self.come_back(found) {
                        Ok(next) => self = next,
                        Err(found) => return worth(proof, found),
                    }
                }
                Step::Call { function, arguments, local, next } => {
                    if self.call(proof, *function, arguments, (*local, *next))?.is_none() {
                        return Ok(None);
                    }
                }
                Step::Choose { .. } | Step::Pick { .. } if self.ending => return Ok(None),
                Step::Choose { who, arms } => return self.arms(proof, *who, arms),
                Step::Pick { who, list, local, next } => {
                    return self.items(proof, *who, list, (*local, *next));
                }
                Step::Best { .. } | Step::Measure { .. } | Step::Given { .. } => return Ok(None),
            }
        }
    }

    /// Enters a function; none if one of its arguments is not known.
    fn call(
        &mut self,
        proof: &mut Proof<'_, '_, '_>,
        function: FunctionId,
        arguments: &[Expr],
        (local, next): (LocalId, PointId),
    ) -> Found<()> {
        let Some(graph) = proof.game.plays.functions[function.0 as usize] else {
            return Ok(None);
        };
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match evaluate(proof, argument, &mut self.variables, 0)? {
                Some(found) => given.push(found),
                None => return Ok(None),
            }
        }
        if !proof.game.graph(self.graph).hands_on(next, local) {
            let variables = self.variables.clone();
            self.calls.push(Call { graph: self.graph, point: next, local, variables });
        }
        for (slot, found) in self.variables.iter_mut().zip(given) {
            *slot = found;
        }
        self.graph = graph;
        self.go_to(proof.game.graph(graph).start);
        Ok(Some(()))
    }

    /// The best of the arms that are open, unless it is claimed what this choice is worth.
    fn arms(self, proof: &mut Proof<'_, '_, '_>, who: Who, arms: &[Arm]) -> Found<Line> {
        if self.calls.is_empty() {
            let claimed = proof.claimed(self.graph, self.point, &self.variables)?;
            if claimed.is_some() {
                return Ok(claimed);
            }
        }
        let mut options = Vec::new();
        for arm in arms {
            let open = match &arm.open {
                None => Some(true),
                Some(open) => Symbolic::truth(proof, self.graph, open, &self.variables)?,
            };
            match open {
                Some(true) => {
                    options.push(Symbolic { point: arm.next, bound: 0, ..self.clone() });
                }
                Some(false) => {}
                None => return Ok(None),
            }
        }
        best(proof, who, options)
    }

    /// The best of the items of a list.
    fn items(
        mut self,
        proof: &mut Proof<'_, '_, '_>,
        who: Who,
        list: &Expr,
        (local, next): (LocalId, PointId),
    ) -> Found<Line> {
        let Some(Sym::Held(Held::Value(word))) = self.known(proof, list)? else {
            return Ok(None);
        };
        let Some(list) = word.as_list() else { return Ok(None) };
        let mut items = Vec::new();
        proof.game.asker.store.items(list, &mut items);
        let option = |item: Word| {
            let mut option = Symbolic { point: next, bound: 0, ..self.clone() };
            option.variables[slot(local)] = Sym::Held(Held::Value(item));
            option
        };
        best(proof, who, items.into_iter().map(option).collect())
    }

    /// What the first expression of the point comes to without chance. Where it binds variables, they are bound one by one,
    /// and `self.bound` says how many are.
    fn known(&mut self, proof: &mut Proof<'_, '_, '_>, expr: &Expr) -> Found<Sym> {
        let mut rest = rest_of(expr, self.bound);
        loop {
            let (value, local) = match &rest.kind {
                Kind::Let { local, value, .. } => (&**value, Some(*local)),
                _ => (rest, None),
            };
            let found = match self.told(proof)? {
                // Where the letter is not looked at, the odds know.
                Some(told) => match told.outcomes.as_slice() {
                    [(held, _)] if told.aside.is_nothing() => Some(Sym::Held(*held)),
                    _ => None,
                },
                None => evaluate(proof, value, &mut self.variables.clone(), 0)?,
            };
            let (Some(found), Some(local)) = (found.clone(), local) else { return Ok(found) };
            self.variables[slot(local)] = found;
            self.bound += 1;
            rest = rest_of(rest, 1);
        }
    }

    /// What is next in the first expression of the point may come to this; none if it looks at the letter.
    fn told(&self, proof: &mut Proof<'_, '_, '_>) -> Found<Rc<Told>> {
        let inside = proof.game.inside(self.graph, self.point, self.bound);
        let part = inside.unwrap_or_else(|| proof.game.part(self.graph, self.point, 0));
        let mut variables: Variables = proof.game.nothing();
        for local in proof.game.reads(part) {
            match &self.variables[slot(*local)] {
                Sym::Held(held) => variables[slot(*local)] = *held,
                Sym::Line(_) | Sym::Record(..) => return Ok(None),
            }
        }
        proof.game.tell(part, &variables).map(Some)
    }

    /// Something is thrown that does not depend on the letter.
    fn thrown(self, proof: &mut Proof<'_, '_, '_>) -> Found<Line> {
        let Some(told) = self.told(proof)? else { return Ok(None) };
        if !told.aside.is_nothing() {
            return Ok(None);
        }
        let mut mean = Line::constant(Rational::ZERO);
        for (held, chance) in &told.outcomes {
            let Some(next) = self.clone().with(proof, *held) else { return Ok(None) };
            let line = match next {
                Ok(next) => next.follow(proof)?,
                Err(found) => worth(proof, found)?,
            };
            let Some(line) = line else { return Ok(None) };
            mean = mean.plus(&line.times(chance));
        }
        Ok(Some(mean))
    }

    /// Goes on where what was thrown is known; or the game is over.
    fn with(mut self, proof: &Proof<'_, '_, '_>, held: Held) -> Option<Result<Symbolic, Sym>> {
        let step = &proof.game.point(self.graph, self.point).step;
        let first = step.expressions().into_iter().next();
        if let Some(Kind::Let { local, .. }) = first.map(|first| &rest_of(first, self.bound).kind) {
            self.variables[slot(*local)] = Sym::Held(held);
            self.bound += 1;
            return Some(Ok(self));
        }
        self.bound = 0;
        match step {
            Step::Let { local, next, .. } => {
                self.variables[slot(*local)] = Sym::Held(held);
                self.point = *next;
                Some(Ok(self))
            }
            Step::Branch { then, otherwise, .. } => {
                self.point = if as_truth(&Sym::Held(held))? { *then } else { *otherwise };
                Some(Ok(self))
            }
            Step::Return(_) => Some(self.come_back(Sym::Held(held))),
            _ => None,
        }
    }

    fn go_to(&mut self, point: PointId) {
        (self.point, self.bound) = (point, 0);
    }

    /// Goes on in the function that called, or ends.
    fn come_back(&mut self, found: Sym) -> Result<Symbolic, Sym> {
        let Some(Call { graph, point, local, mut variables }) = self.calls.pop() else {
            return Err(found);
        };
        variables[slot(local)] = found;
        let (calls, ending, passed) = (std::mem::take(&mut self.calls), self.ending, self.passed);
        Ok(Symbolic { graph, point, variables, calls, ending, passed, bound: 0 })
    }
}

/// What is left of an expression when so many variables are bound.
fn rest_of(mut expr: &Expr, bound: usize) -> &Expr {
    for _ in 0..bound {
        match &expr.kind {
            Kind::Let { body, .. } => expr = body,
            _ => return expr,
        }
    }
    expr
}

/// The best of several options in the long run; only the player's own are followed.
fn best(proof: &mut Proof<'_, '_, '_>, who: Who, options: Vec<Symbolic>) -> Found<Line> {
    if who == Who::Opponent {
        return Ok(None);
    }
    let mut best: Option<Line> = None;
    for option in options {
        let Some(line) = option.follow(proof)? else { return Ok(None) };
        best = Some(match best {
            Some(known) if proof.beats(&known, &line, false) => known,
            _ => line,
        });
    }
    Ok(best)
}

/// What counts of a value.
fn worth(proof: &mut Proof<'_, '_, '_>, value: Sym) -> Found<Line> {
    let (best, known) = proof.aim;
    let played = &proof.game.plays.bests[best];
    let mut variables: Vec<Sym> = proof.game.nothing().into_iter().map(Sym::Held).collect();
    for (local, held) in played.known.iter().zip(known) {
        variables[slot(*local)] = Sym::Held(*held);
    }
    variables[slot(played.aim.0)] = value;
    let found = evaluate(proof, &played.aim.1, &mut variables, 0)?;
    Ok(match found {
        Some(Sym::Held(Held::Value(word))) if word.as_bool().is_some() => {
            Some(Line::constant(Rational::from(u8::from(word.as_bool() == Some(true)))))
        }
        Some(found) => as_line(proof, &found),
        None => None,
    })
}

/// The value of an expression without chance; none if it is thrown, fails, or is too much.
fn evaluate(
    proof: &mut Proof<'_, '_, '_>,
    expr: &Expr,
    variables: &mut Vec<Sym>,
    depth: usize,
) -> Found<Sym> {
    if depth > DEEPEST {
        return Ok(None);
    }
    proof.game.pay(20, expr.span)?;
    Ok(match &expr.kind {
        Kind::Constant(value) => Some(Sym::Held(Held::Value(proof.game.asker.store.word(value)))),
        Kind::Local(local) => Some(variables[slot(*local)].clone()),
        Kind::Let { local, value, body } => {
            let Some(found) = evaluate(proof, value, variables, depth + 1)? else {
                return Ok(None);
            };
            variables[slot(*local)] = found;
            evaluate(proof, body, variables, depth + 1)?
        }
        Kind::If { condition, then, otherwise, .. } => {
            let found = evaluate(proof, condition, variables, depth + 1)?;
            match found.and_then(|found| as_truth(&found)) {
                Some(true) => evaluate(proof, then, variables, depth + 1)?,
                Some(false) => evaluate(proof, otherwise, variables, depth + 1)?,
                None => None,
            }
        }
        Kind::Enter { body, .. } | Kind::Labelled { value: body, .. } | Kind::Note { body, .. } => {
            evaluate(proof, body, variables, depth + 1)?
        }
        Kind::Record { fields, .. } => {
            evaluate_all(proof, fields, variables, depth + 1)?.map(Sym::Record)
        }
        Kind::Field { record, index } => match evaluate(proof, record, variables, depth + 1)? {
            Some(Sym::Record(fields)) => fields.get(*index).cloned(),
            Some(Sym::Held(Held::Value(word))) => {
                let field = proof.game.asker.store.field(word, *index);
                field.map(|field| Sym::Held(Held::Value(field)))
            }
            _ => None,
        },
        Kind::Operation { op, operands } => {
            let given = evaluate_all(proof, operands, variables, depth + 1)?;
            given.and_then(|given| operation(proof, *op, &given))
        }
        Kind::List(items) => {
            let items = evaluate_all(proof, items, variables, depth + 1)?;
            let word = |item: &Sym| match item {
                Sym::Held(Held::Value(word)) => Some(*word),
                Sym::Held(Held::Dice(_)) | Sym::Line(_) | Sym::Record(_) => None,
            };
            let words = items.and_then(|items| items.iter().map(word).collect::<Option<Vec<_>>>());
            let empty = Word::EMPTY.as_list().unwrap_or(0);
            words.map(|words| Sym::Held(Held::Value(proof.game.asker.store.list(&words, empty))))
        }
        Kind::Call { function, arguments } => {
            let Some(called) = proof.game.function(*function) else { return Ok(None) };
            let called: &Function = called;
            let mut inner: Vec<Sym> = proof.game.nothing().into_iter().map(Sym::Held).collect();
            let Some(given) = evaluate_all(proof, arguments, variables, depth + 1)? else {
                return Ok(None);
            };
            inner.iter_mut().zip(given).for_each(|(slot, found)| *slot = found);
            evaluate(proof, &called.body, &mut inner, depth + 1)?
        }
        Kind::Fold { .. } => folded(proof, &expr.kind, variables, depth)?,
        Kind::Walk { .. }
        | Kind::Repeat { .. }
        | Kind::Require { .. }
        | Kind::Given { .. }
        | Kind::Input { .. }
        | Kind::Dice { .. }
        | Kind::Symbols { .. }
        | Kind::Tally { .. }
        | Kind::Drawn { .. }
        | Kind::Gather(_)
        | Kind::Merge(_)
        | Kind::Times { .. }
        | Kind::Suffixed { .. }
        | Kind::Measure { .. }
        | Kind::Best(_)
        | Kind::Choose { .. }
        | Kind::Pick { .. }
        | Kind::Read { .. } => None,
    })
}

/// All of some expressions; none if one of them is not known.
fn evaluate_all(
    proof: &mut Proof<'_, '_, '_>,
    exprs: &[Expr],
    variables: &mut Vec<Sym>,
    depth: usize,
) -> Found<Vec<Sym>> {
    let mut all = Vec::with_capacity(exprs.len());
    for expr in exprs {
        match evaluate(proof, expr, variables, depth)? {
            Some(found) => all.push(found),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}

/// What comes of going through a list that is known.
fn folded(
    proof: &mut Proof<'_, '_, '_>,
    fold: &Kind,
    variables: &mut Vec<Sym>,
    depth: usize,
) -> Found<Sym> {
    let Kind::Fold { list, first, carry, item, body } = fold else { return Ok(None) };
    let list = evaluate(proof, list, variables, depth + 1)?;
    let Some(Sym::Held(Held::Value(word))) = list else { return Ok(None) };
    let Some(list) = word.as_list() else { return Ok(None) };
    let mut items = Vec::new();
    proof.game.asker.store.items(list, &mut items);
    let Some(mut carried) = evaluate(proof, first, variables, depth + 1)? else {
        return Ok(None);
    };
    for next in items {
        variables[slot(*carry)] = carried;
        variables[slot(*item)] = Sym::Held(Held::Value(next));
        match evaluate(proof, body, variables, depth + 1)? {
            Some(found) => carried = found,
            None => return Ok(None),
        }
    }
    Ok(Some(carried))
}

fn operation(proof: &mut Proof<'_, '_, '_>, op: Op, given: &[Sym]) -> Option<Sym> {
    let held: Option<Vec<Value>> = given
        .iter()
        .map(|found| match found {
            Sym::Held(Held::Value(word)) => Some(proof.game.asker.store.value(*word)),
            _ => None,
        })
        .collect();
    if let Some(values) = held {
        let value = astragal_value::apply(op, &values).ok()?;
        return Some(Sym::Held(Held::Value(proof.game.asker.store.word(&value))));
    }
    let lines: Vec<Line> =
        given.iter().map(|found| as_line(proof, found)).collect::<Option<_>>()?;
    let (a, b) = (lines.first()?, lines.get(1));
    let truth = |truth: bool| Some(Sym::Held(Held::Value(Word::bool(truth))));
    let mut sign = |strictly: bool| Some(proof.sign(&a.minus(b?), strictly));
    Some(match op {
        Op::Add => Sym::Line(a.plus(b?)),
        Op::Subtract => Sym::Line(a.minus(b?)),
        Op::Negate => Sym::Line(a.times(&-Rational::ONE)),
        Op::Multiply => match (a.as_constant(), b?.as_constant()) {
            (Some(factor), _) => Sym::Line(b?.times(factor)),
            (_, Some(factor)) => Sym::Line(a.times(factor)),
            _ => return None,
        },
        Op::Divide => {
            let by = b?.as_constant().filter(|by| !by.is_zero())?;
            Sym::Line(a.times(&(Rational::ONE / by)))
        }
        Op::Equal => return truth(sign(true)? == Ordering::Equal),
        Op::NotEqual => return truth(sign(true)? != Ordering::Equal),
        Op::Less => return truth(sign(true)? == Ordering::Less),
        Op::AtMost => return truth(sign(true)? != Ordering::Greater),
        Op::Greater => return truth(sign(true)? == Ordering::Greater),
        Op::AtLeast => return truth(sign(true)? != Ordering::Less),
        Op::Min | Op::Max => {
            let mut found = a.clone();
            for line in &lines[1..] {
                let larger = proof.sign(&line.minus(&found), true) == Ordering::Greater;
                if larger == (op == Op::Max) {
                    found = line.clone();
                }
            }
            Sym::Line(found)
        }
        _ => return None,
    })
}

fn as_truth(found: &Sym) -> Option<bool> {
    match found {
        Sym::Held(Held::Value(word)) => word.as_bool(),
        _ => None,
    }
}

fn as_line(proof: &Proof<'_, '_, '_>, found: &Sym) -> Option<Line> {
    match found {
        Sym::Line(line) => Some(line.clone()),
        Sym::Held(Held::Value(word)) => match proof.game.asker.store.value(*word) {
            Value::Number(number) => Some(Line::constant(number.to_rational())),
            _ => None,
        },
        Sym::Held(Held::Dice(_)) | Sym::Record(..) => None,
    }
}
