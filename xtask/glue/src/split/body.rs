//! The body of a function in its part.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{Function, Instruction};
use wasmparser::{FunctionBody, Operator};

use super::Plan;

/// The same body, with functions as `writer` counts them; what is in a later part is called through the table.
pub(super) fn body<W: Reencode<Error = Infallible>>(
    writer: &mut W,
    plan: &Plan,
    part: usize,
    body: &FunctionBody<'_>,
) -> Result<Function, Error> {
    let mut function = writer.new_function_with_parsed_locals(body)?;
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::Call { function_index } if plan.part_of(function_index) > part => {
                let type_index = plan.shape.types[function_index as usize];
                let slot = plan.slots[&function_index];
                function.instruction(&Instruction::I32Const(slot as i32));
                function.instruction(&Instruction::CallIndirect { type_index, table_index: 0 });
            }
            other => drop(function.instruction(&writer.instruction(other)?)),
        }
    }
    Ok(function)
}
