//! A module that remembers which of its functions ran.
//!
//! Every function sets a mark of its own before all else. The mark of function 12 is the exported global
//! `~12`; imported functions have none. A mark needs no import, so the page's usual script starts this
//! module like any other.

use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, ExportKind, ExportSection, GlobalSection, GlobalType, Instruction,
    Module, ValType,
};
use wasmparser::{CodeSectionReader, ExportSectionReader, GlobalSectionReader, Parser};

use crate::shape::Shape;

/// The same module with marks.
pub(crate) fn watched(module: &[u8]) -> Result<Vec<u8>, String> {
    let shape = Shape::of(module)?;
    let mut told = Module::new();
    let mut watcher = Watcher { shape: &shape };
    let done = watcher.parse_core_module(&mut told, Parser::new(0), module);
    done.map_err(|error| error.to_string())?;
    Ok(told.finish())
}

struct Watcher<'a> {
    shape: &'a Shape,
}

impl Watcher<'_> {
    /// The functions that have a body, each with the global that is its mark.
    fn marks(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let first = self.shape.globals.len() as u32;
        let imported = self.shape.imported;
        (imported..self.shape.types.len() as u32)
            .map(move |function| (function, first + function - imported))
    }
}

impl Reencode for Watcher<'_> {
    type Error = std::convert::Infallible;

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        utils::parse_global_section(self, globals, section)?;
        let mark = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        for _ in self.marks() {
            globals.global(mark, &ConstExpr::i32_const(0));
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        utils::parse_export_section(self, exports, section)?;
        for (function, mark) in self.marks() {
            exports.export(&format!("~{function}"), ExportKind::Global, mark);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for (body, (_, mark)) in section.into_iter().zip(self.marks()) {
            let body = body?;
            let mut function = self.new_function_with_parsed_locals(&body)?;
            function.instruction(&Instruction::I32Const(1));
            function.instruction(&Instruction::GlobalSet(mark));
            let mut reader = body.get_operators_reader()?;
            while !reader.eof() {
                function.instruction(&self.parse_instruction(&mut reader)?);
            }
            code.function(&function);
        }
        Ok(())
    }
}
