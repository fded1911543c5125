//! Variables: a function reads its own, then those of its caller, and so on; it writes its own.
//!
//! Each variable has a stack of values, one for each active call that gave it one, so that the last is the one that is
//! seen. One scope serves all runs of a call whose arguments are cast, so a value may last from one run to the next: it
//! carries the number of the run that gave it.

use crate::tree::Variable;
use crate::value::Value;

pub(crate) struct Scopes {
    values: Vec<Vec<Bound>>,
    calls: Vec<Call>,
    runs: u64,
}

struct Bound {
    depth: usize,
    value: Value,
    given: Given,
}

/// By what a variable got its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// As a parameter.
    Bound,
    /// By the body, in this run.
    In(u64),
}

struct Call {
    run: u64,
    variables: Vec<Variable>,
}

impl Scopes {
    pub(crate) fn new(variables: usize) -> Scopes {
        let mut values = Vec::new();
        values.resize_with(variables, Vec::new);
        Scopes { values, calls: vec![Call { run: 0, variables: Vec::new() }], runs: 0 }
    }

    /// How many calls are active.
    pub(crate) fn depth(&self) -> usize {
        self.calls.len() - 1
    }

    pub(crate) fn enter(&mut self) {
        self.calls.push(Call { run: 0, variables: Vec::new() });
    }

    pub(crate) fn leave(&mut self) {
        for variable in self.calls.pop().into_iter().flat_map(|call| call.variables) {
            self.values[variable].pop();
        }
    }

    /// The body of the innermost call begins once more.
    pub(crate) fn begin_run(&mut self) {
        self.runs += 1;
        let run = self.runs;
        if let Some(call) = self.calls.last_mut() {
            call.run = run;
        }
    }

    /// The value that is seen, and whether it is left from an earlier run.
    pub(crate) fn read(&self, variable: Variable) -> Option<(&Value, bool)> {
        let bound = self.values[variable].last()?;
        let run = self.calls[bound.depth].run;
        let stale = matches!(bound.given, Given::In(given) if given != run);
        Some((&bound.value, stale))
    }

    pub(crate) fn write(&mut self, variable: Variable, value: Value) {
        let run = self.calls.last().map_or(0, |call| call.run);
        self.put(variable, value, Given::In(run));
    }

    /// Gives a parameter its value.
    pub(crate) fn bind(&mut self, variable: Variable, value: Value) {
        self.put(variable, value, Given::Bound);
    }

    /// Gives a parameter its next value, unless the body has given it another: then that stays.
    pub(crate) fn bind_again(&mut self, variable: Variable, value: Value) {
        let last = self.values[variable].last();
        if last.is_some_and(|bound| bound.given == Given::Bound) {
            self.bind(variable, value);
        }
    }

    fn put(&mut self, variable: Variable, value: Value, given: Given) {
        let depth = self.depth();
        match self.values[variable].last_mut() {
            Some(bound) if bound.depth == depth => {
                (bound.value, bound.given) = (value, given);
            }
            _ => {
                self.values[variable].push(Bound { depth, value, given });
                if let Some(call) = self.calls.last_mut() {
                    call.variables.push(variable);
                }
            }
        }
    }
}
