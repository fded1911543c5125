//! The first part: the module without the functions of later ones.

use std::collections::BTreeMap;

use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function, FunctionSection, Instruction, Module,
    TableSection, TypeSection,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, ExportSectionReader, FunctionSectionReader, Parser,
    TableSectionReader, TypeSectionReader,
};

use super::body::body;
use super::{Plan, name};

pub(super) fn first(module: &[u8], plan: &Plan) -> Result<Vec<u8>, String> {
    let mut told = Module::new();
    let mut writer = First::new(plan);
    let done = writer.parse_core_module(&mut told, Parser::new(0), module);
    done.map_err(|error| error.to_string())?;
    Ok(told.finish())
}

struct First<'a> {
    plan: &'a Plan,
    /// Where the functions that stay are counted now.
    places: BTreeMap<u32, u32>,
    /// The function that stands for those of later parts.
    missing: u32,
}

impl First<'_> {
    fn new(plan: &Plan) -> First<'_> {
        let stay = (0..plan.shape.imported).chain(plan.bodies(0));
        let places: BTreeMap<u32, u32> = stay.zip(0..).collect();
        First { plan, missing: places.len() as u32, places }
    }
}

impl Reencode for First<'_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error> {
        Ok(self.places.get(&function).copied().unwrap_or(self.missing))
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        utils::parse_type_section(self, types, section)?;
        // The one that is missing takes nothing and gives nothing.
        types.ty().function([], []);
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        _section: FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for function in self.plan.bodies(0) {
            functions.function(self.plan.shape.types[function as usize]);
        }
        functions.function(self.plan.shape.count_of_types);
        Ok(())
    }

    fn parse_table_section(
        &mut self,
        tables: &mut TableSection,
        section: TableSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for (at, table) in section.into_iter().enumerate() {
            let mut table = table?;
            if at == 0 {
                table.ty = self.plan.grown(table.ty);
            }
            self.parse_table(tables, table)?;
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        utils::parse_export_section(self, exports, section)?;
        let shape = &self.plan.shape;
        for at in 0..shape.memories.len() {
            exports.export(&name("m", at), ExportKind::Memory, at as u32);
        }
        for at in 0..shape.tables.len() {
            exports.export(&name("t", at), ExportKind::Table, at as u32);
        }
        for at in 0..shape.globals.len() {
            exports.export(&name("g", at), ExportKind::Global, at as u32);
        }
        for (at, function) in self.plan.lent[0].iter().enumerate() {
            exports.export(&at.to_string(), ExportKind::Func, self.function_index(*function)?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        let plan = self.plan;
        for (text, function) in section.into_iter().zip(plan.shape.imported..) {
            let text = text?;
            if plan.part_of(function) == 0 {
                code.function(&body(self, plan, 0, &text)?);
            }
        }
        let mut missing = Function::new([]);
        missing.instruction(&Instruction::Unreachable).instruction(&Instruction::End);
        code.function(&missing);
        Ok(())
    }

    /// Words of the compiler about itself.
    fn parse_custom_section(
        &mut self,
        _module: &mut Module,
        _section: CustomSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        Ok(())
    }
}
