//! Statements in our words: carried out where everything is known, said as an expression inside functions.

use std::collections::BTreeSet;
use std::rc::Rc;

use astragal_prob::Integer;
use astragal_syntax::span::Span;

use super::shape::{Shape, Text, sides};
use super::{Naming, Said, Scope, Speaker};
use crate::tree::{Expr, Function, Setting, Statement, StatementKind, Variable};
use crate::value::sum;

/// Shorter texts are written where they are used; longer ones get a name.
const SHORT: usize = 24;

/// What is still to be said of a body, the next at the end.
#[derive(Clone)]
enum Todo<'s> {
    Statement(&'s Statement),
    Bind(Variable, Shape),
}

impl Speaker<'_> {
    /// Statements outside functions.
    pub(super) fn carry_out(&mut self, statements: &[Statement], scope: &mut Scope) -> Said<()> {
        for statement in statements {
            self.step(statement.span)?;
            match &statement.kind {
                StatementKind::Assign(variable, value) => {
                    let value = self.expr(value, scope)?;
                    scope.values.insert(*variable, value);
                }
                StatementKind::Output(value, _) => self.output(value, scope)?,
                StatementKind::Set(setting) => self.set(setting, scope)?,
                StatementKind::Function(function) => {
                    self.functions.insert(function.signature, Rc::clone(function));
                }
                StatementKind::Loop { variable, over, body } => {
                    for item in self.items(over, scope)? {
                        scope.values.insert(*variable, item);
                        self.carry_out(body, scope)?;
                    }
                }
                StatementKind::If { condition, then, otherwise } => {
                    let holds = match self.expr(condition, scope)? {
                        Shape::Number(number) => !number.is_zero(),
                        _ => return self.refuse("a condition that is not known", condition.span),
                    };
                    self.carry_out(if holds { then } else { otherwise }, scope)?;
                }
                StatementKind::Result(value) => return self.refuse("a result here", value.span),
            }
        }
        Ok(())
    }

    fn output(&mut self, value: &Expr, scope: &Scope) -> Said<()> {
        let text = match self.expr(value, scope)? {
            Shape::Sequence(items) => match sides(&items) {
                Some(sides) => format!("d{sides}"),
                None => return self.refuse("an output without outcomes", value.span),
            },
            Shape::Empty => return self.refuse("an output without outcomes", value.span),
            shape => shape.total().plain().to_owned(),
        };
        let text = self.short(text, value.span)?;
        self.outputs.push(text);
        Ok(())
    }

    fn set(&mut self, setting: &Setting, scope: &Scope) -> Said<()> {
        let (Setting::ExplodeDepth(value) | Setting::FunctionDepth(value)) = setting else {
            self.lowest_first = matches!(setting, Setting::LowestFirst(true));
            return Ok(());
        };
        let number = match self.expr(value, scope)? {
            Shape::Number(number) => number,
            Shape::Sequence(items) => sum(&items),
            _ => return self.refuse("a setting that is not known", value.span),
        };
        let depth = u64::try_from(&number).unwrap_or(u64::MAX);
        match setting {
            Setting::ExplodeDepth(_) => self.explode_depth = depth,
            _ => self.function_depth = depth,
        }
        Ok(())
    }

    /// What a loop goes over, item by item.
    fn items(&mut self, over: &Expr, scope: &Scope) -> Said<Vec<Shape>> {
        Ok(match self.expr(over, scope)? {
            Shape::Number(number) => vec![Shape::Number(number)],
            Shape::Sequence(items) => items.iter().cloned().map(Shape::Number).collect(),
            Shape::List(items) => {
                let mut all = Vec::new();
                items.iter().for_each(|item| all.extend(self.dice_of(item)));
                all
            }
            hand @ Shape::Hand { .. } => self.dice_of(&hand),
            _ => return self.refuse("a loop over what is not known", over.span),
        })
    }

    /// The dice of a hand one by one; anything else is one item.
    fn dice_of(&self, item: &Shape) -> Vec<Shape> {
        match item {
            Shape::Hand { name, count: 1 } => vec![Shape::Bound(Text::whole(name.to_string()))],
            Shape::Hand { name, count } => {
                let nth = if self.lowest_first { "nth_lowest" } else { "nth_highest" };
                let die = |at: u64| Shape::Bound(Text::whole(format!("{nth}({name}, {at})")));
                (1..=*count).map(die).collect()
            }
            other => vec![other.clone()],
        }
    }

    /// What a function's body comes to.
    pub(super) fn body(&mut self, function: &Function, scope: Scope, span: Span) -> Said<Shape> {
        let todo = function.body.iter().rev().map(Todo::Statement).collect();
        self.rest(todo, scope, span)
    }

    fn rest(&mut self, mut todo: Vec<Todo<'_>>, mut scope: Scope, span: Span) -> Said<Shape> {
        self.step(span)?;
        let statement = match todo.pop() {
            // A body that ends without a result yields the empty die.
            None => return Ok(Shape::Empty),
            Some(Todo::Bind(variable, value)) => {
                scope.values.insert(variable, value);
                return self.rest(todo, scope, span);
            }
            Some(Todo::Statement(statement)) => statement,
        };
        match &statement.kind {
            StatementKind::Assign(variable, value) => {
                let value = self.expr(value, &scope)?;
                self.assigned(*variable, value, todo, scope, span)
            }
            StatementKind::Result(value) => self.expr(value, &scope),
            StatementKind::Loop { variable, over, body } => {
                let items = self.items(over, &scope)?;
                for item in items.into_iter().rev() {
                    self.step(span)?;
                    todo.extend(body.iter().rev().map(Todo::Statement));
                    todo.push(Todo::Bind(*variable, item));
                }
                self.rest(todo, scope, span)
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.expr(condition, &scope)?;
                if let Shape::Number(number) = &condition {
                    let branch = if number.is_zero() { otherwise } else { then };
                    todo.extend(branch.iter().rev().map(Todo::Statement));
                    return self.rest(todo, scope, span);
                }
                if let Some(merged) = self.merged(&condition, [then, otherwise], &scope)? {
                    return self.assigned_all(merged, todo, scope, span);
                }
                let mut said = Vec::new();
                for branch in [then, otherwise] {
                    let mut todo = todo.clone();
                    todo.extend(branch.iter().rev().map(Todo::Statement));
                    said.push(self.rest(todo, scope.clone(), span)?);
                }
                let thrown = said.iter().chain([&condition]).any(Shape::is_thrown);
                let (yes, no) = (said[0].total(), said[1].total());
                let text = format!(
                    "if {} then {} else {}",
                    condition.truth().plain(),
                    yes.inside(),
                    no.plain()
                );
                Ok(Shape::number(Text::open(self.short(text, span)?), thrown))
            }
            StatementKind::Output(..) | StatementKind::Set(_) | StatementKind::Function(_) => {
                self.refuse("this inside a function", statement.span)
            }
        }
    }

    /// Where both branches of a condition only give numbers to variables: what each variable is behind it.
    fn merged(
        &mut self,
        condition: &Shape,
        branches: [&[Statement]; 2],
        scope: &Scope,
    ) -> Said<Option<Vec<(Variable, Shape)>>> {
        if condition.is_thrown() {
            return Ok(None);
        }
        let mut scopes = [scope.clone(), scope.clone()];
        let mut variables = BTreeSet::new();
        for (branch, scope) in branches.into_iter().zip(&mut scopes) {
            for statement in branch {
                let StatementKind::Assign(variable, value) = &statement.kind else {
                    return Ok(None);
                };
                let value = self.expr(value, scope)?;
                if !matches!(value, Shape::Number(_) | Shape::Bound(_)) {
                    return Ok(None);
                }
                scope.values.insert(*variable, value);
                variables.insert(*variable);
            }
        }
        let mut merged = Vec::new();
        for variable in variables {
            let [yes, no] = scopes.each_ref().map(|scope| scope.values.get(&variable));
            let (Some(yes), Some(no)) = (yes, no) else { return Ok(None) };
            if !matches!(no, Shape::Number(_) | Shape::Bound(_)) {
                return Ok(None);
            }
            let (test, yes, no) = (condition.truth(), yes.total(), no.total());
            let text = format!("if {} then {} else {}", test.plain(), yes.inside(), no.plain());
            merged.push((variable, Shape::Bound(Text::open(text))));
        }
        Ok(Some(merged))
    }

    /// Several variables that get values at once.
    fn assigned_all(
        &mut self,
        values: Vec<(Variable, Shape)>,
        mut todo: Vec<Todo<'_>>,
        scope: Scope,
        span: Span,
    ) -> Said<Shape> {
        let mut values = values.into_iter();
        let Some((variable, value)) = values.next() else { return self.rest(todo, scope, span) };
        let others: Vec<(Variable, Shape)> = values.collect();
        if others.is_empty() {
            return self.assigned(variable, value, todo, scope, span);
        }
        // They do not see each other: the texts are those of before.
        todo.extend(others.into_iter().rev().map(|(variable, value)| Todo::Bind(variable, value)));
        self.assigned(variable, value, todo, scope, span)
    }

    /// A variable that gets a value; a long one is named.
    fn assigned(
        &mut self,
        variable: Variable,
        value: Shape,
        todo: Vec<Todo<'_>>,
        mut scope: Scope,
        span: Span,
    ) -> Said<Shape> {
        let long = match &value {
            Shape::Bound(text) if self.naming == Naming::All => !text.is_name(),
            Shape::Bound(text) => text.plain().len() > SHORT,
            _ => false,
        };
        if !long {
            scope.values.insert(variable, value);
            return self.rest(todo, scope, span);
        }
        let name = self.fresh(variable);
        let before = format!("let {name} = {}", value.total().plain());
        scope.values.insert(variable, Shape::Bound(Text::whole(name)));
        let rest = self.rest(todo, scope, span)?;
        if rest == Shape::Empty {
            return self.refuse("a result that drops out", span);
        }
        let after = rest.total();
        let after = after.plain();
        // A block at the end of a block is its end.
        let inner = after.strip_prefix("do\n").and_then(|text| text.strip_suffix("\nend"));
        let text = self.short(format!("do\n{before}\n{}\nend", inner.unwrap_or(after)), span)?;
        Ok(Shape::number(Text::whole(text), rest.is_thrown()))
    }

    /// A name of ours for a variable that is not yet in use.
    pub(super) fn fresh(&mut self, variable: Variable) -> String {
        let name = ours(&self.program.variables[variable]);
        let used = self.names.entry(name.clone()).or_insert(1);
        *used += 1;
        format!("{name}_{used}")
    }
}

/// A variable's name in small letters, if that is no word of ours.
pub(super) fn ours(name: &str) -> String {
    const TAKEN: [&str; 51] = [
        "d", "do", "if", "or", "and", "not", "let", "fn", "end", "use", "then", "else", "show",
        "true", "max", "min", "abs", "sum", "len", "map", "kh", "kl", "dh", "dl", "cs", "cf", "r",
        "rr", "ro", "u", "ie", "up", "to", "in", "next", "with", "until", "given", "none", "match",
        "enum", "param", "require", "note", "as", "repeat", "false", "maximise", "minimise",
        "choose", "oppose",
    ];
    let name = name.to_lowercase().trim_matches('_').to_owned();
    match name.is_empty() || TAKEN.contains(&name.as_str()) {
        true => format!("{name}x"),
        false => name,
    }
}

/// A number that is known, for a parameter that wants one.
pub(super) fn known_number(shape: &Shape) -> Option<Integer> {
    match shape {
        Shape::Number(number) => Some(number.clone()),
        Shape::Sequence(items) => Some(sum(items)),
        _ => None,
    }
}
