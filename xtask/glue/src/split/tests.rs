//! A module of five functions in three parts.

use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, ExportKind, ExportSection, Function,
    FunctionSection, GlobalSection, GlobalType, Instruction, MemorySection, MemoryType, Module,
    RefType, TableSection, TableType, TypeSection, ValType,
};

use super::split;
use crate::shape::Shape;
use crate::watch::watched;

/// Function 0 is exported and calls 1 and 2; 1 calls 3; 2 calls 1; 3 calls 0; 4 is only in the table, at slot 1.
fn module() -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], [ValType::I32]);
    let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
    for calls in [vec![1, 2], vec![3], vec![1], vec![0], vec![]] {
        functions.function(0);
        let mut function = Function::new([]);
        for callee in calls {
            function.instruction(&Instruction::Call(callee)).instruction(&Instruction::Drop);
        }
        function.instruction(&Instruction::I32Const(7)).instruction(&Instruction::End);
        code.function(&function);
    }
    let mut tables = TableSection::new();
    let (minimum, maximum) = (2, Some(2));
    tables.table(TableType {
        element_type: RefType::FUNCREF,
        table64: false,
        minimum,
        maximum,
        shared: false,
    });
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = GlobalSection::new();
    let stack = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    globals.global(stack, &ConstExpr::i32_const(0));
    let mut exports = ExportSection::new();
    exports.export("answer", ExportKind::Func, 0);
    let mut elements = ElementSection::new();
    elements.active(None, &ConstExpr::i32_const(1), Elements::Functions(vec![4].into()));
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&tables).section(&memories);
    module.section(&globals).section(&exports).section(&elements).section(&code);
    module.finish()
}

fn shapes(lists: &[Vec<u32>]) -> Vec<Shape> {
    let parts = split(&module(), lists).expect("the module is split");
    for part in &parts {
        wasmparser::validate(part).expect("each part is valid");
    }
    parts.iter().map(|part| Shape::of(part).expect("a part is a module")).collect()
}

#[test]
fn each_part_has_its_functions_and_borrows_what_came_before() {
    let [first, often, last] = shapes(&[vec![0], vec![0, 1]]).try_into().ok().expect("three parts");
    // The one that is missing stands for the others.
    assert_eq!((first.imported, first.calls.len()), (0, 2));
    assert_eq!((often.imported, often.calls.len()), (0, 1));
    // 2 calls 1, 3 calls 0: both lie before it.
    assert_eq!((last.imported, last.calls.len()), (2, 3));
}

#[test]
fn what_comes_later_is_called_through_the_table() {
    let [first, often, last] = shapes(&[vec![0], vec![0, 1]]).try_into().ok().expect("three parts");
    assert!(
        first.calls[0].is_empty() && often.calls[0].is_empty(),
        "no direct call of a later part"
    );
    // Three new slots, for 1 and 2, which 0 calls, and for 3, which 1 calls.
    assert_eq!(first.tables[0].initial, 5);
    assert_eq!(often.slots.keys().copied().collect::<Vec<_>>(), [2]);
    assert_eq!(last.slots.keys().copied().collect::<Vec<_>>(), [1, 3, 4]);
}

#[test]
fn what_is_known_by_name_is_in_the_first_part() {
    let parts = shapes(&[vec![], vec![]]);
    assert_eq!(parts[0].calls.len(), 2, "the exported function, and the one that is missing");
    assert!(parts[0].named.contains(&0));
}

#[test]
fn a_watched_module_marks_each_function() {
    let watched = watched(&module()).expect("the module is watched");
    wasmparser::validate(&watched).expect("it is valid");
    assert_eq!(Shape::of(&watched).expect("a module").globals.len(), 6);
}
