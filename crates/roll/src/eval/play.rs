//! Programs in which somebody decides: from point to point, asking a player at each choice.

use std::ops::ControlFlow;
use std::sync::Arc;

use astragal_program::core::{Expr, FunctionId, LocalId, Who};
use astragal_program::fault::FaultKind;
use astragal_program::points::{
    Arm, GraphId, HeldOf, Laid, PlaceOf, Plays, Point, PointId, Step, WaitingOf,
};
use astragal_syntax::span::Span;
use astragal_value::{OpError, Value};

use super::datum::Datum;
use super::variable::fixed;
use super::{At, Eval, Interpreter};
use crate::limits::Measured;
use crate::player::Offer;
use crate::steps::StepKind;

/// A game under way.
pub(super) struct Playing {
    best: usize,
    /// What was known when it began.
    known: Vec<HeldOf>,
    /// The calls that wait: the graph, where it goes on, the variable, and where its variables are.
    waiting: Vec<(GraphId, PointId, LocalId, usize)>,
}

impl<'a> Interpreter<'a> {
    /// The program itself.
    pub(super) fn played(&mut self, plays: &'a Plays) -> Eval {
        self.follow(plays, GraphId(0))
    }

    /// From point to point.
    fn follow(&mut self, plays: &'a Plays, number: GraphId) -> Eval {
        let graph = &plays.graphs[number.0 as usize];
        let mut at = graph.start;
        loop {
            let point = graph.point(at);
            match self.step(plays, (number, at), point) {
                Ok(ControlFlow::Continue(next)) => at = next,
                Ok(ControlFlow::Break(datum)) => return Ok(datum),
                Err(fault) => {
                    let calls = point.calls.iter();
                    return Err(calls.fold(fault, |fault, call| Box::new(fault.called_from(*call))));
                }
            }
        }
    }

    /// What happens at a point: where it goes on, or what all comes to.
    fn step(
        &mut self,
        plays: &'a Plays,
        place: (GraphId, PointId),
        point: &'a Point,
    ) -> Eval<ControlFlow<Datum, PointId>> {
        self.meter.step(point.span)?;
        let next = match &point.step {
            Step::Let { local, value, next } => {
                let datum = self.eval(value)?;
                self.name(*local, datum, value.span);
                *next
            }
            Step::Branch { condition, then, otherwise, origin } => {
                let held = self.truth(condition)?;
                if let Some(origin) = origin {
                    self.recorder.branch(point.span, *origin, condition.span, held);
                }
                if held { *then } else { *otherwise }
            }
            Step::Choose { who, arms } => self.choose(plays, place, *who, arms, point.span)?,
            Step::Pick { who, list, local, next } => {
                let Value::List(items) = self.value(list)? else {
                    return Err(OpError::Mismatch).at(list.span);
                };
                let labels = items.iter().map(|item| item.to_string().into()).collect();
                let taken = self.ask(plays, place, *who, labels, point.span)?;
                self.name(*local, Datum::Value(items[taken].clone()), point.span);
                *next
            }
            Step::Call { function, arguments, local, next } => {
                let waiting = (place.0, *next, *local, self.base);
                let handed_on = plays.graphs[place.0.0 as usize].hands_on(*next, *local);
                let datum =
                    self.called(plays, *function, arguments, (waiting, handed_on), point.span)?;
                self.name(*local, datum, point.span);
                *next
            }
            Step::Best { best, local, next } => {
                let datum = self.best(plays, *best)?;
                self.name(*local, datum, point.span);
                *next
            }
            Step::Measure { measure, percent, of, local, next } => {
                let percent = percent.as_ref().map(|percent| self.number(percent)).transpose()?;
                let inner = &plays.graphs[of.0 as usize];
                let read = &inner.point(inner.start).needed;
                let played = Measured::Played(*measure, *of);
                let datum = self.told_of(played, percent, read, point.span)?;
                self.name(*local, datum, point.span);
                *next
            }
            Step::Require { condition, message, next } => {
                if !self.truth(condition)? {
                    let words = self.text(message)?;
                    return Err(FaultKind::Refused(words)).at(point.span);
                }
                *next
            }
            Step::Given { condition, next } => {
                if !self.truth(condition)? {
                    return Err(FaultKind::EvidenceNeverHeld(1)).at(condition.span);
                }
                *next
            }
            Step::Note { message, next } => {
                self.line(point.span, message)?;
                *next
            }
            Step::Return(value) => return Ok(ControlFlow::Break(self.eval(value)?)),
        };
        Ok(ControlFlow::Continue(next))
    }

    /// The player takes one of the arms that are open.
    fn choose(
        &mut self,
        plays: &'a Plays,
        place: (GraphId, PointId),
        who: Who,
        arms: &'a [Arm],
        span: Span,
    ) -> Eval<PointId> {
        let mut open = Vec::with_capacity(arms.len());
        for arm in arms {
            let is_open = match &arm.open {
                Some(condition) => self.truth(condition)?,
                None => true,
            };
            if is_open {
                open.push(arm);
            }
        }
        let labels = open.iter().map(|arm| arm.label.clone()).collect();
        let taken = self.ask(plays, place, who, labels, span)?;
        Ok(open[taken].next)
    }

    fn called(
        &mut self,
        plays: &'a Plays,
        function: FunctionId,
        arguments: &'a [Expr],
        (waiting, handed_on): ((GraphId, PointId, LocalId, usize), bool),
        span: Span,
    ) -> Eval {
        let Some(graph) = plays.functions[function.0 as usize] else {
            return Err(OpError::Mismatch).at(span);
        };
        if let Some(playing) = self.playing.as_mut().filter(|_| !handed_on) {
            playing.waiting.push(waiting);
        }
        let result = self.inside(span, function, arguments, |it| it.follow(plays, graph));
        if let Some(playing) = self.playing.as_mut().filter(|_| !handed_on) {
            playing.waiting.pop();
        }
        result
    }

    /// A game begins.
    fn best(&mut self, plays: &'a Plays, best: usize) -> Eval {
        let played = &plays.bests[best];
        let known = played.known.iter().map(|local| self.held(*local, self.base)).collect();
        let game = Playing { best, known, waiting: Vec::new() };
        let outer = self.playing.replace(game);
        let value = self.follow(plays, played.graph);
        self.playing = outer;
        value
    }

    /// Asks the player.
    fn ask(
        &mut self,
        plays: &'a Plays,
        (graph, point): (GraphId, PointId),
        who: Who,
        options: Vec<Arc<str>>,
        span: Span,
    ) -> Eval<usize> {
        if options.is_empty() {
            return Err(FaultKind::NothingToChoose).at(span);
        }
        let Some(player) = self.meter.player() else {
            return Err(FaultKind::NobodyChooses).at(span);
        };
        let needed = &plays.graphs[graph.0 as usize].point(point).needed;
        let values = needed.iter().map(|local| self.held(*local, self.base)).collect();
        let Some(playing) = &self.playing else { return Err(FaultKind::NobodyChooses).at(span) };
        let waiting = playing.waiting.iter().map(|(graph, point, local, base)| {
            let needed = &plays.graphs[graph.0 as usize].point(*point).needed;
            let values = needed.iter().filter(|needed| *needed != local);
            let values = values.map(|needed| self.held(*needed, *base)).collect();
            WaitingOf { graph: *graph, point: *point, local: *local, values }
        });
        let place = PlaceOf { graph, point, values, waiting: waiting.collect() };
        let offer = Offer {
            program: self.program,
            inputs: self.inputs,
            best: playing.best,
            known: &playing.known,
            place,
            who,
            options,
            span,
            steps: self.meter.steps_left(),
            cancel: self.meter.cancel(),
        };
        let chosen = player.choose(&offer).map_err(Box::new)?;
        let options = offer.options;
        let taken = chosen.option.min(options.len() - 1);
        self.meter.items(usize::try_from(chosen.steps).unwrap_or(usize::MAX), span)?;
        let (worth, is_chance, mut best) = (chosen.worth, chosen.is_chance, chosen.best);
        // What is worth as much as the best is best too: nobody has made a mistake.
        if let (Some(worth), Some(known)) = (&worth, best)
            && worth.get(taken).is_some_and(|own| worth.get(known) == Some(own))
        {
            best = Some(taken);
        }
        self.recorder.step(span, || StepKind::Chosen {
            who,
            taken,
            options,
            worth,
            is_chance,
            best,
        });
        Ok(taken)
    }

    /// What a variable holds, as a place of a game names it.
    fn held(&self, local: LocalId, base: usize) -> HeldOf {
        match &self.locals[base + local.0 as usize] {
            Datum::Pool(pool) => {
                let dice = pool.dice.list(self.recorder.dice());
                let dice = dice.iter().map(|die| (die.shows.clone(), die.marks));
                HeldOf::Dice(Laid::new(dice, pool.marked))
            }
            datum => HeldOf::Value(datum.to_value().unwrap_or(Value::None)),
        }
    }

    /// Binds a variable and says so.
    fn name(&mut self, local: LocalId, datum: Datum, span: Span) {
        let name = self.named(local, &datum, span);
        self.set(local, fixed(datum, name));
    }
}
