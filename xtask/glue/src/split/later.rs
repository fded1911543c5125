//! A later part: functions alone. The modules that it imports from are called by the numbers of the parts.

use std::collections::BTreeMap;

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection,
    FunctionSection, ImportSection, Module, TypeSection,
};
use wasmparser::{Parser, Payload};

use super::body::body;
use super::{Plan, name};

/// The name of the first part.
const FIRST: &str = "0";

pub(super) fn later(module: &[u8], plan: &Plan, part: usize) -> Result<Vec<u8>, String> {
    Later::new(plan, part).write(module).map_err(|error| error.to_string())
}

struct Later<'a> {
    plan: &'a Plan,
    part: usize,
    /// Functions of earlier parts: the part, the name there, the function.
    borrowed: Vec<(usize, usize, u32)>,
    /// Where functions are counted here: the borrowed ones, then our own.
    places: BTreeMap<u32, u32>,
}

impl Later<'_> {
    fn new(plan: &Plan, part: usize) -> Later<'_> {
        let called = plan.called(|from, to| from == part && to < part);
        let borrow = |function: u32| {
            let owner = plan.part_of(function);
            let at = plan.lent[owner].binary_search(&function).unwrap_or_default();
            (owner, at, function)
        };
        let borrowed: Vec<_> = called.iter().map(|function| borrow(*function)).collect();
        let places = called.into_iter().chain(plan.bodies(part)).zip(0..).collect();
        Later { plan, part, borrowed, places }
    }

    fn write(&mut self, module: &[u8]) -> Result<Vec<u8>, reencode::Error> {
        let mut types = TypeSection::new();
        let mut code = CodeSection::new();
        let mut functions = self.plan.shape.imported..;
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(section) => self.parse_type_section(&mut types, section)?,
                Payload::CodeSectionEntry(text) => {
                    let own =
                        functions.next().is_some_and(|one| self.plan.part_of(one) == self.part);
                    if own {
                        let (plan, part) = (self.plan, self.part);
                        code.function(&body(self, plan, part, &text)?);
                    }
                }
                _ => {}
            }
        }
        let mut told = Module::new();
        told.section(&types).section(&self.imports()?).section(&self.functions());
        told.section(&self.exports()?).section(&self.elements()?).section(&code);
        Ok(told.finish())
    }

    fn imports(&mut self) -> Result<ImportSection, reencode::Error> {
        let shape = &self.plan.shape;
        let mut imports = ImportSection::new();
        for (at, memory) in shape.memories.iter().enumerate() {
            imports.import(FIRST, &name("m", at), EntityType::Memory(self.memory_type(*memory)?));
        }
        for (at, table) in shape.tables.iter().enumerate() {
            let table = if at == 0 { self.plan.grown(*table) } else { *table };
            imports.import(FIRST, &name("t", at), EntityType::Table(self.table_type(table)?));
        }
        for (at, global) in shape.globals.iter().enumerate() {
            imports.import(FIRST, &name("g", at), EntityType::Global(self.global_type(*global)?));
        }
        for (owner, at, function) in &self.borrowed {
            let ty = EntityType::Function(shape.types[*function as usize]);
            imports.import(&owner.to_string(), &at.to_string(), ty);
        }
        Ok(imports)
    }

    fn functions(&self) -> FunctionSection {
        let mut functions = FunctionSection::new();
        for function in self.plan.bodies(self.part) {
            functions.function(self.plan.shape.types[function as usize]);
        }
        functions
    }

    fn exports(&mut self) -> Result<ExportSection, reencode::Error> {
        let mut exports = ExportSection::new();
        for (at, function) in self.plan.lent[self.part].iter().enumerate() {
            exports.export(&at.to_string(), ExportKind::Func, self.function_index(*function)?);
        }
        Ok(exports)
    }

    /// Our functions in the common table, a piece for each row of slots side by side.
    fn elements(&mut self) -> Result<ElementSection, reencode::Error> {
        let new = self.plan.slots.iter().map(|(function, slot)| (*slot, *function));
        let old = self.plan.shape.slots.iter().map(|(slot, function)| (*slot, *function));
        let own = old.chain(new).filter(|(_, function)| self.plan.part_of(*function) == self.part);
        let filled: BTreeMap<u32, u32> = own.collect();
        let mut pieces: Vec<(u32, Vec<u32>)> = Vec::new();
        for (slot, function) in filled {
            let place = self.function_index(function)?;
            match pieces.last_mut() {
                Some((start, row)) if *start + row.len() as u32 == slot => row.push(place),
                _ => pieces.push((slot, vec![place])),
            }
        }
        let mut elements = ElementSection::new();
        for (start, row) in pieces {
            elements.active(
                None,
                &ConstExpr::i32_const(start as i32),
                Elements::Functions(row.into()),
            );
        }
        Ok(elements)
    }
}

impl Reencode for Later<'_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error> {
        // Every function that is met here is our own or borrowed.
        Ok(self.places[&function])
    }
}
