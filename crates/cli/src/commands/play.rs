//! `astragal play cofd`: asks for each parameter of a rule, then rolls it.
//!
//! What is asked comes from the system's own file: its functions, their parameters, defaults and words.
//! Answers may come through a pipe, one a line; then they are echoed, so that the transcript reads well.

pub(crate) mod ask;
mod build;
mod short;

use std::sync::Arc;

use astragal::{Documentation, Engine, FunctionDoc, Program, RollLimits};
use astragal_assist::form::main_function;
use astragal_assist::prose::first_sentence;

use crate::arguments::{Asking, Play};
use crate::choosing::Said;
use crate::commands::odds::Question;
use crate::commands::roll::{Origin, limits, told};
use crate::commands::systems;
use crate::house;
use crate::input::no_such_system;
use crate::prospects::verdict;
use crate::repl::work::Worker;
use crate::stop::Stop;
use crate::terminal::Terminal;

use ask::Asker;
use build::Questions;

/// What to do after a roll.
enum Then {
    Roll,
    Odds,
    Change,
    Another,
    Leave,
}

pub(crate) fn run(arguments: &Play, terminal: &Terminal) -> Result<(), Stop> {
    if terminal.json {
        return Err(Stop::Usage("`play` asks and answers in words: leave out `--json`".into()));
    }
    let asker = Asker::new(terminal);
    let named_file = arguments.name.as_deref().filter(|name| house::is_path(name));
    let engine =
        named_file.map_or_else(|| Ok(Engine::new()), |path| house::engine(path.as_ref()))?;
    let (system, function) = match arguments.name.as_deref() {
        Some(name) if named_file.is_none() && name.contains('.') => {
            name.split_once('.').map_or((None, None), |(s, f)| (Some(s), Some(f)))
        }
        name => (name, arguments.function.as_deref()),
    };
    let Some(page) = page(system, &engine, &asker)? else { return Ok(()) };
    let mut game = Game { arguments, terminal, asker, worker: Worker::new(), rolls: 0 };
    let mut function = function.map(|name| named(&page, name)).transpose()?;
    // Each round plays one function; a question left without an answer ends the game.
    while let Some(chosen) = function.take().or_else(|| game.function(&page)) {
        if game.play(&engine, &page, &chosen)?.is_none() {
            break;
        }
    }
    Ok(())
}

/// The system that is named or chosen.
fn page(
    name: Option<&str>,
    engine: &Engine,
    asker: &Asker<'_>,
) -> Result<Option<Documentation>, Stop> {
    if let Some(path) = name.filter(|name| house::is_path(name)) {
        return house_page(path, engine).map(Some);
    }
    if let Some(name) = name {
        return engine.documentation(name).map(Some).ok_or_else(|| no_such_system(engine, name));
    }
    asker.say(&systems::list());
    let names: Vec<&str> = engine.systems().collect();
    let chosen = asker.choose("which system?", &names, None);
    Ok(chosen.and_then(|at| engine.documentation(names[at])))
}

/// What a file of house rules offers. Its functions are played, with a `##` line above them or without.
fn house_page(path: &str, engine: &Engine) -> Result<Documentation, Stop> {
    let page = engine.documentation_of_file(path);
    let mut page = page.map_err(|why| Stop::Usage(format!("`{path}` cannot be read: {why}")))?;
    if page.functions.is_empty() {
        let message = format!("`{path}` defines no function: there is nothing to play");
        return Err(Stop::Usage(format!(
            "{message}; write one, as in `fn attack(ac) = d20 + 5 >= ac`"
        )));
    }
    page.functions.iter_mut().for_each(|function| {
        function.doc.get_or_insert_default();
    });
    Ok(page)
}

fn named(page: &Documentation, name: &str) -> Result<FunctionDoc, Stop> {
    let found = page.functions.iter().find(|function| function.name == name);
    found.cloned().ok_or_else(|| systems::no_such_function(page, name))
}

struct Game<'a> {
    arguments: &'a Play,
    terminal: &'a Terminal,
    asker: Asker<'a>,
    worker: Worker,
    rolls: u64,
}

impl Game<'_> {
    fn function(&self, page: &Documentation) -> Option<FunctionDoc> {
        let offered: Vec<&FunctionDoc> =
            page.functions.iter().filter(|f| f.doc.is_some()).collect();
        let names: Vec<&str> = offered.iter().map(|function| function.name.as_str()).collect();
        let widest = names.iter().map(|name| name.len()).max().unwrap_or(0);
        for (at, function) in offered.iter().enumerate() {
            let doc = function.doc.as_deref().unwrap_or_default();
            let about = first_sentence(doc, self.terminal.width.saturating_sub(widest + 6));
            self.asker.say(&format!("{:3} {:widest$}  {about}", at + 1, function.name));
        }
        let at = self.asker.choose("which one?", &names, main_function(&offered))?;
        Some(offered[at].clone())
    }

    /// Plays one function until another is wanted; none ends the game.
    fn play(
        &mut self,
        engine: &Engine,
        page: &Documentation,
        function: &FunctionDoc,
    ) -> Result<Option<()>, Stop> {
        let mut call = Questions::new(engine, page, function);
        loop {
            if !call.ask(&self.asker) {
                return Ok(None);
            }
            let program = engine.compile(&call.text())?;
            self.asker.say(&format!("\n{}", call.text()));
            self.in_short(&program);
            self.roll(&program);
            loop {
                match self.then() {
                    Some(Then::Roll) => self.roll(&program),
                    Some(Then::Odds) => self.odds(&program),
                    Some(Then::Change) => break,
                    Some(Then::Another) => return Ok(Some(())),
                    Some(Then::Leave) | None => return Ok(None),
                }
            }
        }
    }

    fn then(&self) -> Option<Then> {
        loop {
            let answer =
                self.asker.ask("\nr(oll again), o(dds), c(hange), f(unction), q(uit) [r]: ")?;
            return Some(match answer.to_lowercase().as_str() {
                "" | "r" | "roll" => Then::Roll,
                "o" | "odds" => Then::Odds,
                "c" | "change" => Then::Change,
                "f" | "function" => Then::Another,
                "q" | "quit" => Then::Leave,
                other => {
                    self.asker.say(&format!("`{other}` is none of r, o, c, f, q"));
                    continue;
                }
            });
        }
    }

    /// Rolls; what goes wrong is told, and the game goes on.
    fn roll(&mut self, program: &Program) {
        let throwing = &self.arguments.throwing;
        let (limits, number, full) = (limits(throwing), self.rolls, throwing.full);
        let (terminal, program) = (self.terminal.clone(), Arc::new(program.clone()));
        let told = Origin::of(throwing).and_then(|source| {
            let source = Arc::new(source);
            let said = self.said(&limits, &program, &source)?;
            let Some(said) = said else { return Ok(None) };
            self.worker.answer(self.terminal, move |flag| {
                let limits = said.within(&limits.with_cancel(flag), &program);
                let roll = program.roll_within(&mut *source.faces(number), &limits)?;
                let said = verdict(&program, &roll.value, &terminal);
                let said = said.map(|line| format!("{line}\n")).unwrap_or_default();
                Ok(said + &told(&program, &roll, full, &terminal))
            })
        });
        self.rolls += u64::from(throwing.seed.is_some());
        self.tell(told);
    }

    /// What is chosen in the next roll; none if nobody answers.
    fn said(
        &self,
        limits: &RollLimits,
        program: &Arc<Program>,
        source: &Arc<Origin>,
    ) -> Result<Option<Said>, Stop> {
        let number = self.rolls;
        Said::by_hand(&self.arguments.throwing, program, self.terminal, &mut |player| {
            let (program, source) = (Arc::clone(program), Arc::clone(source));
            let limits = limits.clone().with_player(player);
            self.worker.answer(self.terminal, move |flag| {
                let limits = limits.with_cancel(flag);
                Ok(program.roll_within(&mut *source.faces(number), &limits).map(drop))
            })
        })
    }

    fn in_short(&self, program: &Program) {
        let (steps, asked) = (self.arguments.throwing.steps, program.clone());
        self.tell(self.worker.answer(self.terminal, move |flag| short::odds(&asked, steps, flag)));
    }

    fn odds(&self, program: &Program) {
        let throwing = &self.arguments.throwing;
        let whole = Asking::default();
        let (terminal, program) = (self.terminal.clone(), program.clone());
        let told = Question::of(&whole, throwing.steps, throwing.full).and_then(|question| {
            self.worker.answer(self.terminal, move |flag| {
                question.stopped_by(flag).told(&program, None, &terminal)
            })
        });
        self.tell(told.map(|told| told.map(|(text, _)| text)));
    }

    /// Says an answer, or why there is none; an interrupt has told itself.
    fn tell(&self, told: Result<Option<String>, Stop>) {
        match told {
            Ok(text) => text.iter().for_each(|text| self.terminal.say_folded(text)),
            Err(stop) => drop(stop.report(self.terminal)),
        }
    }
}
