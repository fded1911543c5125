//! The functions that the checker types itself.

use astragal_syntax::span::Span;

use super::call::{Given, Supplied};
use super::dice::FRESH;
use super::expression::settle;
use super::operator::operation;
use super::{Checker, Step, Typed, after, constant, unknown};
use crate::builtin::Builtin;
use crate::core::{Branch, Expr as Core, Kind, Measure, Op, Reading, Value};
use crate::errors;
use crate::scope::{FunctionValue, Variable};
use crate::types::{PoolType, Type};
use crate::walk::children;
use crate::want::{Asker, Want, fills, has_unknown, join};

/// How often the body of a fold or a walk is written before its type is given up.
const ATTEMPTS: usize = 8;

impl<'t> Checker<'t> {
    /// A call of a builtin.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        supplied: Vec<Supplied<'t>>,
        span: Span,
    ) -> Typed {
        let name = builtin.name();
        if let Some(named) = supplied.iter().find_map(|argument| argument.name) {
            return self.wrong(errors::unnamed_only(named.span, name, &builtin.usage()));
        }
        let given = supplied.len();
        let mut arguments = supplied.into_iter();
        match (builtin, arguments.next(), arguments.next(), arguments.next(), given) {
            (Builtin::Floor, Some(x), None, ..) => self.rounding(Op::Floor, name, x, span),
            (Builtin::Ceil, Some(x), None, ..) => self.rounding(Op::Ceil, name, x, span),
            (Builtin::Round, Some(x), None, ..) => self.rounding(Op::Round, name, x, span),
            (Builtin::Abs, Some(x), None, ..) => self.rounding(Op::Abs, name, x, span),
            (Builtin::Min, Some(a), b, c, _) => {
                let all = [Some(a), b, c].into_iter().flatten().chain(arguments).collect();
                self.extreme(Op::Min, name, all, span)
            }
            (Builtin::Max, Some(a), b, c, _) => {
                let all = [Some(a), b, c].into_iter().flatten().chain(arguments).collect();
                self.extreme(Op::Max, name, all, span)
            }
            (Builtin::Length, Some(list), None, ..) => self.length(list, span),
            (Builtin::At, Some(list), Some(place), None, _) => self.item_at(list, place, span),
            (Builtin::Append, Some(list), Some(item), None, _) => self.append(list, item, span),
            (Builtin::Sort, Some(list), None, ..) => self.sort(list, span),
            (Builtin::Reverse, Some(list), None, ..) => self.reverse(list, span),
            (Builtin::Word, Some(text), Some(known), None, _) => self.word(text, known, span),
            (Builtin::Fold, Some(list), Some(first), Some(step), 3) => {
                self.fold(list, first, step, span)
            }
            (Builtin::Walk | Builtin::WalkDown, Some(a), Some(b), Some(c), _) => {
                let all = [a, b, c].into_iter().chain(arguments).collect();
                self.walk(builtin, all, span)
            }
            (Builtin::NthHighest, Some(pool), n @ Some(_), None, _)
            | (Builtin::NthLowest, Some(pool), n @ Some(_), None, _)
            | (Builtin::Median, Some(pool), n @ None, ..) => self.read_off(builtin, pool, n, span),
            (Builtin::Times, Some(count), Some(roll), None, _) => self.times(count, roll, span),
            (Builtin::Mean, Some(roll), None, ..) => {
                self.measure(Measure::Mean, name, roll, None, span)
            }
            (Builtin::Variance, Some(roll), None, ..) => {
                self.measure(Measure::Variance, name, roll, None, span)
            }
            (Builtin::Deviation, Some(roll), None, ..) => {
                self.measure(Measure::Deviation, name, roll, None, span)
            }
            (Builtin::Chance, Some(condition), None, ..) => self.chance(condition, span),
            (Builtin::Percentile, Some(roll), percent @ Some(_), None, _) => {
                self.measure(Measure::Percentile, name, roll, percent, span)
            }
            _ => self.wrong(errors::wrong_number(span, name, given, &builtin.usage())),
        }
    }

    // A program nests in the arguments of its calls, and each level takes the room of all frames on its way. So what a
    // builtin does with its own arguments stays out of the frame of them all.

    fn argument(&mut self, argument: Supplied<'t>, want: Option<&Want<'t>>) -> Typed {
        match argument.value {
            Given::Ready(typed) => *typed,
            Given::Tree { expr, scope } => self.expression(&scope, expr, want),
        }
    }

    fn number_argument(&mut self, name: &str, argument: Supplied<'t>) -> Core {
        let span = argument.span;
        let typed = self.argument(argument, None);
        self.coerce(typed, &Want::Plain(Type::Number), span, Asker::Named(name)).expr
    }

    fn list_argument(&mut self, name: &str, argument: Supplied<'t>) -> (Core, Type) {
        let span = argument.span;
        let typed = self.argument(argument, None);
        match typed.ty {
            Type::List(item) => (typed.expr, *item),
            Type::Unknown => (typed.expr, Type::Unknown),
            other => {
                let wanted = Type::List(Box::new(Type::Unknown));
                self.report(errors::mismatch(span, Asker::Named(name), &wanted, &other));
                (typed.expr, Type::Unknown)
            }
        }
    }

    fn pool_argument(&mut self, name: &str, argument: Supplied<'t>) -> Core {
        let span = argument.span;
        let typed = self.argument(argument, None);
        match typed.ty {
            Type::Pool(_) | Type::Unknown => {}
            other => self.report(errors::needs_pool(span, name, &other)),
        }
        typed.expr
    }

    #[inline(never)]
    fn rounding(&mut self, op: Op, name: &str, x: Supplied<'t>, span: Span) -> Typed {
        let number = self.number_argument(name, x);
        operation(op, vec![number], Type::Number, span)
    }

    /// `min(a, b)`, or the least of one list.
    #[inline(never)]
    fn extreme(&mut self, op: Op, name: &str, all: Vec<Supplied<'t>>, span: Span) -> Typed {
        let single = all.len() == 1;
        let mut operands = Vec::new();
        for argument in all {
            let place = argument.span;
            let typed = settle(self.argument(argument, None));
            if single && matches!(typed.ty, Type::List(_)) {
                return self.extreme_of_list(op, name, typed, span);
            }
            let want = Want::Plain(Type::Number);
            operands.push(self.coerce(typed, &want, place, Asker::Named(name)).expr);
        }
        operation(op, operands, Type::Number, span)
    }

    fn extreme_of_list(&mut self, op: Op, name: &str, list: Typed, span: Span) -> Typed {
        let want = Want::List(Box::new(Want::Plain(Type::Number)));
        let list = self.coerce(list, &want, span, Asker::Named(name));
        let mut steps = Vec::new();
        let list = self.keep(list, None, &mut steps).expr;
        let (carry, item) = (self.local(None, Type::Number), self.local(None, Type::Number));
        let one = constant(Value::whole(1), span);
        let first = operation(Op::At, vec![list.clone(), one], Type::Number, span).expr;
        let pair = [&carry, &item].map(|variable| Core { kind: Kind::Local(variable.id), span });
        let body = operation(op, pair.into(), Type::Number, span).expr;
        let fold = folded(list, first, &carry, &item, body, span);
        Typed { expr: after(steps, fold), ty: Type::Number }
    }

    #[inline(never)]
    fn append(&mut self, list: Supplied<'t>, item: Supplied<'t>, span: Span) -> Typed {
        let places = [list.span, item.span];
        let (list, of) = self.list_argument("append", list);
        let guide = Want::of(&of);
        let item = settle(self.argument(item, Some(&guide).filter(|want| !want.is_unknown())));
        match join(&of, &item.ty) {
            Some(ty) => {
                let whole = Type::List(Box::new(ty.clone()));
                let list = Typed { expr: list, ty: Type::List(Box::new(of)) };
                let list =
                    self.coerce(list, &Want::of(&whole), places[0], Asker::Named("append")).expr;
                let item =
                    self.coerce(item, &Want::of(&ty), places[1], Asker::Named("append")).expr;
                operation(Op::Append, vec![list, item], whole, span)
            }
            None => self.wrong(errors::mixed_list(places[1], &item.ty, &of)),
        }
    }

    /// `sort(xs)`, of numbers or of texts.
    #[inline(never)]
    fn length(&mut self, list: Supplied<'t>, span: Span) -> Typed {
        let (list, _) = self.list_argument("length", list);
        operation(Op::Length, vec![list], Type::Number, span)
    }

    #[inline(never)]
    fn item_at(&mut self, list: Supplied<'t>, place: Supplied<'t>, span: Span) -> Typed {
        let (list, item) = self.list_argument("at", list);
        let place = self.number_argument("at", place);
        operation(Op::At, vec![list, place], item, span)
    }

    #[inline(never)]
    fn reverse(&mut self, list: Supplied<'t>, span: Span) -> Typed {
        let (list, item) = self.list_argument("reverse", list);
        operation(Op::Reverse, vec![list], Type::List(Box::new(item)), span)
    }

    /// The middle of a pool's dice, or one by its rank.
    #[inline(never)]
    fn read_off(
        &mut self,
        builtin: Builtin,
        pool: Supplied<'t>,
        rank: Option<Supplied<'t>>,
        span: Span,
    ) -> Typed {
        let pool = self.pool_argument(builtin.name(), pool);
        let Some(rank) = rank else { return reading(pool, Reading::Median, span) };
        let rank = Box::new(self.number_argument(builtin.name(), rank));
        let highest = matches!(builtin, Builtin::NthHighest);
        let read = if highest { Reading::NthHighest } else { Reading::NthLowest };
        reading(pool, read(rank), span)
    }

    #[inline(never)]
    fn sort(&mut self, list: Supplied<'t>, span: Span) -> Typed {
        let place = list.span;
        let (list, item) = self.list_argument("sort", list);
        let items = if item == Type::Text { Type::Text } else { Type::Number };
        let list = Typed { expr: list, ty: Type::List(Box::new(item)) };
        let want = Want::List(Box::new(Want::Plain(items.clone())));
        let list = self.coerce(list, &want, place, Asker::Named("sort")).expr;
        operation(Op::Sort, vec![list], Type::List(Box::new(items)), span)
    }

    /// `word(text, ["armor", "dodge"])`
    #[inline(never)]
    fn word(&mut self, text: Supplied<'t>, known: Supplied<'t>, span: Span) -> Typed {
        let (text_place, known_place) = (text.span, known.span);
        let text_want = Want::Plain(Type::Text);
        let text = settle(self.argument(text, Some(&text_want)));
        let text = self.coerce(text, &text_want, text_place, Asker::Named("word")).expr;
        let known_want = Want::List(Box::new(text_want));
        let known = self.argument(known, Some(&known_want));
        let known = self.coerce(known, &known_want, known_place, Asker::Named("word")).expr;
        operation(Op::Word, vec![text, known], Type::Text, span)
    }

    /// `fold(xs, first, (carry, x) => …)`
    #[inline(never)]
    fn fold(
        &mut self,
        list: Supplied<'t>,
        first: Supplied<'t>,
        step: Supplied<'t>,
        span: Span,
    ) -> Typed {
        let (list, item) = self.list_argument("fold", list);
        let way = Way { name: "fold", example: "(carry, item) => …", meets: vec![item] };
        match self.carried(&way, first, step, span) {
            Ok(Carried { first, carry, met, body, ty }) => {
                let item = met.first().unwrap_or(&carry);
                Typed { expr: folded(list, first, &carry, item, body, span), ty }
            }
            Err(typed) => typed,
        }
    }

    /// `walk(mine, theirs, first, (carry, face, m, t) => …)`
    #[inline(never)]
    fn walk(&mut self, builtin: Builtin, mut supplied: Vec<Supplied<'t>>, span: Span) -> Typed {
        let (Some(step), Some(first)) = (supplied.pop(), supplied.pop()) else {
            return unknown(span);
        };
        let name = builtin.name();
        let pools: Vec<Core> =
            supplied.into_iter().map(|pool| self.walked_pool(name, pool)).collect();
        let place = step.span;
        let example = match pools.len() {
            1 => "(carry, face, count) => …",
            _ => "(carry, face, mine, theirs) => …",
        };
        let way = Way { name, example, meets: vec![Type::Number; pools.len() + 1] };
        let Carried { first, carry, met, body, ty } = match self.carried(&way, first, step, span) {
            Ok(carried) => carried,
            Err(typed) => return typed,
        };
        if self.throws(&body) {
            self.report(errors::walk_throws(place, name));
        }
        let mut met = met.iter().map(|variable| variable.id);
        let kind = Kind::Walk {
            pools,
            down: builtin == Builtin::WalkDown,
            first: Box::new(first),
            carry: carry.id,
            face: met.next().unwrap_or(carry.id),
            counts: met.collect(),
            body: Box::new(body),
        };
        Typed { expr: Core { kind, span }, ty }
    }

    fn walked_pool(&mut self, name: &str, argument: Supplied<'t>) -> Core {
        let span = argument.span;
        let typed = self.argument(argument, None);
        match typed.ty {
            Type::Pool(pool) if pool.marked => self.report(errors::walk_of_marks(span, name)),
            Type::Pool(_) | Type::Unknown => {}
            other => self.report(errors::needs_pool(span, name, &other)),
        }
        typed.expr
    }

    /// A value that is carried along what is met, by a function. An error has been reported.
    fn carried(
        &mut self,
        way: &Way,
        first: Supplied<'t>,
        step: Supplied<'t>,
        span: Span,
    ) -> Result<Carried, Typed> {
        let first_span = first.span;
        let first = settle(self.argument(first, None));
        let function = match &step.value {
            Given::Tree { expr, scope } => self.function_argument(scope, expr, None),
            Given::Ready(_) => None,
        };
        let Some(function) = function else {
            let place = step.span;
            return Err(match self.argument(step, Some(&Want::Plain(Type::Unknown))).ty {
                Type::Unknown => unknown(span),
                _ => self.wrong(errors::needs_function(place, way.name, way.example)),
            });
        };
        let mut ty = first.ty.clone();
        for _ in 0..ATTEMPTS {
            let save = self.save();
            let guesses = self.guesses;
            let carry = self.local(None, ty.clone());
            let met: Vec<Variable> =
                way.meets.iter().map(|ty| self.local(None, ty.clone())).collect();
            let next = self.step(&function, &carry, &met, step.span);
            let joined = match join(&ty, &next.ty) {
                Some(joined) => joined,
                None => {
                    let place = next.expr.span;
                    let mismatch = errors::mismatch(place, "the next carry".into(), &ty, &next.ty);
                    return Err(self.wrong(mismatch));
                }
            };
            if fills(&ty, &joined) && !has_unknown(&joined) && self.guesses == guesses {
                // What was open did not matter, so the body stands as it is written.
                ty = joined.clone();
                self.retype(&carry, &ty);
            }
            if joined == ty || self.over_budget {
                let want = Want::of(&ty);
                let first = self.coerce(first, &want, first_span, "the first carry".into()).expr;
                let body = self.coerce(next, &want, step.span, "the next carry".into()).expr;
                return Ok(Carried { first, carry, met, body, ty });
            }
            self.restore(&save);
            ty = joined;
        }
        Err(self.wrong(errors::unsettled_type(span, way.name)))
    }

    /// Corrects the type of a variable of the present frame.
    fn retype(&mut self, variable: &Variable, ty: &Type) {
        if let Some(local) = self.frame.locals.get_mut(variable.id.0 as usize) {
            local.ty = ty.clone();
        }
    }

    /// A function applied to the carried value and what is met.
    fn step(
        &mut self,
        function: &FunctionValue<'t>,
        carry: &Variable,
        met: &[Variable],
        span: Span,
    ) -> Typed {
        let supplied = [carry]
            .into_iter()
            .chain(met)
            .map(|variable| {
                let value = Given::Ready(Box::new(self.read(variable, span)));
                Supplied { name: None, value, span }
            })
            .collect();
        settle(self.apply(function, supplied, span))
    }

    /// `times(12, 3d6)`
    #[inline(never)]
    fn times(&mut self, count: Supplied<'t>, roll: Supplied<'t>, span: Span) -> Typed {
        let count = Box::new(self.number_argument("times", count));
        let each = Box::new(self.number_argument("times", roll));
        let ty = Type::Pool(PoolType { totals: true, ..FRESH });
        Typed { expr: Core { kind: Kind::Times { count, each }, span }, ty }
    }
}

/// What is known of a number before it is thrown.
impl<'t> Checker<'t> {
    /// `mean(d6 + x)`, `percentile(3d6, 90)`
    #[inline(never)]
    fn measure(
        &mut self,
        measure: Measure,
        name: &str,
        roll: Supplied<'t>,
        percent: Option<Supplied<'t>>,
        span: Span,
    ) -> Typed {
        let percent = percent.map(|percent| Box::new(self.number_argument(name, percent)));
        let outside = self.frame.locals.len();
        let of = self.number_argument(name, roll);
        self.measured((measure, name), percent, of, outside, span)
    }

    /// `chance(d20 >= 11)`: the mean of 1 where it holds and 0 where it does not.
    #[inline(never)]
    fn chance(&mut self, condition: Supplied<'t>, span: Span) -> Typed {
        let (name, place) = (Builtin::Chance.name(), condition.span);
        let outside = self.frame.locals.len();
        let typed = self.argument(condition, None);
        let condition =
            Box::new(self.coerce(typed, &Want::Plain(Type::Bool), place, Asker::Named(name)).expr);
        let number = |n| Box::new(constant(Value::whole(n), place));
        let (then, otherwise) = (number(1), number(0));
        let kind = Kind::If { condition, then, otherwise, origin: Branch::Logic };
        self.measured((Measure::Mean, name), None, Core { kind, span: place }, outside, span)
    }

    /// Dice that lie on the table, those of the variables that are there before, are certain inside. Their totals are
    /// bound before: a total is a far smaller thing to know than the dice.
    fn measured(
        &mut self,
        (measure, name): (Measure, &str),
        percent: Option<Box<Core>>,
        mut of: Core,
        outside: usize,
        span: Span,
    ) -> Typed {
        let mut steps = Vec::new();
        self.bind_totals(&mut of, name, outside, &mut steps);
        let kind = Kind::Measure { measure, percent, of: Box::new(of) };
        Typed { expr: after(steps, Core { kind, span }), ty: Type::Number }
    }

    /// Binds the totals of such dice before. What marks dice have is told by their total alone.
    fn bind_totals(
        &mut self,
        expr: &mut Core,
        name: &str,
        outside: usize,
        steps: &mut Vec<(Step, Span)>,
    ) {
        let span = expr.span;
        let lying = |checker: &Self, part: &Core| {
            let Kind::Local(local) = part.kind else { return None };
            let known = checker.frame.locals.get(..outside)?.get(local.0 as usize)?;
            let Type::Pool(pool) = known.ty else { return None };
            Some((known.name.clone().unwrap_or_else(|| "it".into()), pool.marked))
        };
        if let Kind::Read { pool, reading: Reading::Total } = &expr.kind
            && lying(self, pool).is_some()
        {
            let total = Typed { expr: expr.clone(), ty: Type::Number };
            let variable = self.variable(total, None, steps);
            *expr = self.read(&variable, span).expr;
        } else if let Some((pool, true)) = lying(self, expr) {
            self.report(errors::known_marks(span, name, &pool));
        } else {
            children(expr, &mut |part| self.bind_totals(part, name, outside, steps));
        }
    }
}

/// Something that a value is carried along.
struct Way {
    name: &'static str,
    example: &'static str,
    /// The types of what the function is given beside the carried value.
    meets: Vec<Type>,
}

/// A value that is carried along: its first value, its variables, how it goes on, its type.
struct Carried {
    first: Core,
    carry: Variable,
    met: Vec<Variable>,
    body: Core,
    ty: Type,
}

fn reading(pool: Core, reading: Reading, span: Span) -> Typed {
    let kind = Kind::Read { pool: Box::new(pool), reading };
    Typed { expr: Core { kind, span }, ty: Type::Number }
}

fn folded(
    list: Core,
    first: Core,
    carry: &Variable,
    item: &Variable,
    body: Core,
    span: Span,
) -> Core {
    let kind = Kind::Fold {
        list: Box::new(list),
        first: Box::new(first),
        carry: carry.id,
        item: item.id,
        body: Box::new(body),
    };
    Core { kind, span }
}
