//! What a module is made of, as far as somebody who takes it apart must know.

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::{
    BinaryReaderError, Element, ElementItems, ElementKind, Export, ExternalKind, FunctionBody,
    GlobalType, Import, MemoryType, Operator, Parser, Payload, TableType, TypeRef,
};

/// A module. Functions, tables, memories and globals are counted with the imported ones first, as the
/// format does.
#[derive(Default)]
pub(crate) struct Shape {
    /// How many functions are imported.
    pub(crate) imported: u32,
    /// The type of every function.
    pub(crate) types: Vec<u32>,
    pub(crate) count_of_types: u32,
    pub(crate) tables: Vec<TableType>,
    pub(crate) memories: Vec<MemoryType>,
    pub(crate) globals: Vec<GlobalType>,
    /// The functions in the first table, by their slots.
    pub(crate) slots: BTreeMap<u32, u32>,
    /// Functions that are known by name, or by reference: exported ones, and the one that starts the module.
    pub(crate) named: BTreeSet<u32>,
    /// The functions that each function with a body calls directly.
    pub(crate) calls: Vec<BTreeSet<u32>>,
}

/// Something that the page's module never has, so that nobody has to think of it.
fn strange(what: &str) -> String {
    format!("the module has {what}, which cannot be taken apart here")
}

impl Shape {
    pub(crate) fn of(module: &[u8]) -> Result<Shape, String> {
        let mut shape = Shape::default();
        for payload in Parser::new(0).parse_all(module) {
            shape.take(payload.map_err(|error| error.to_string())?)?;
        }
        Ok(shape)
    }

    fn take(&mut self, payload: Payload<'_>) -> Result<(), String> {
        let broken = |error: BinaryReaderError| error.to_string();
        match payload {
            Payload::TypeSection(section) => self.count_of_types = section.count(),
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    self.import(import.map_err(broken)?)?;
                }
            }
            Payload::FunctionSection(section) => {
                for ty in section {
                    self.types.push(ty.map_err(broken)?);
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    self.tables.push(table.map_err(broken)?.ty);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    self.memories.push(memory.map_err(broken)?);
                }
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    self.globals.push(global.map_err(broken)?.ty);
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    self.export(export.map_err(broken)?);
                }
            }
            Payload::StartSection { func, .. } => drop(self.named.insert(func)),
            Payload::ElementSection(section) => {
                for element in section {
                    self.element(element.map_err(broken)?)?;
                }
            }
            Payload::CodeSectionEntry(body) => {
                let calls = self.body(&body)?;
                self.calls.push(calls);
            }
            Payload::TagSection(_) => return Err(strange("exceptions")),
            _ => {}
        }
        Ok(())
    }

    fn import(&mut self, import: Import<'_>) -> Result<(), String> {
        match import.ty {
            TypeRef::Func(ty) => {
                self.imported += 1;
                self.types.push(ty);
            }
            TypeRef::Table(table) => self.tables.push(table),
            TypeRef::Memory(memory) => self.memories.push(memory),
            TypeRef::Global(global) => self.globals.push(global),
            _ => return Err(strange("an import of a new kind")),
        }
        Ok(())
    }

    fn export(&mut self, export: Export<'_>) {
        if export.kind == ExternalKind::Func {
            self.named.insert(export.index);
        }
    }

    /// A piece of a table. Only the first table is called through.
    fn element(&mut self, element: Element<'_>) -> Result<(), String> {
        let ElementItems::Functions(functions) = element.items else {
            return Err(strange("a table of references"));
        };
        let functions: Vec<u32> =
            functions.into_iter().collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let ElementKind::Active { table_index: None | Some(0), offset_expr } = element.kind else {
            // A reference that is only declared is a name like any other.
            self.named.extend(functions);
            return Ok(());
        };
        let offset =
            offset_expr.get_operators_reader().read().map_err(|error| error.to_string())?;
        let Operator::I32Const { value } = offset else {
            return Err(strange("a table that is filled from elsewhere"));
        };
        self.slots.extend((value as u32..).zip(functions));
        Ok(())
    }

    fn body(&mut self, body: &FunctionBody<'_>) -> Result<BTreeSet<u32>, String> {
        let mut calls = BTreeSet::new();
        let reader = body.get_operators_reader().map_err(|error| error.to_string())?;
        for operator in reader {
            match operator.map_err(|error| error.to_string())? {
                Operator::Call { function_index } => drop(calls.insert(function_index)),
                Operator::RefFunc { function_index } => drop(self.named.insert(function_index)),
                Operator::ReturnCall { .. } => return Err(strange("tail calls")),
                Operator::MemoryInit { .. } | Operator::DataDrop { .. } => {
                    return Err(strange("data that is copied when it is needed"));
                }
                _ => {}
            }
        }
        Ok(calls)
    }
}
