//! Machine code for straight-line Yul: declarations, assignments and calls of instructions, without
//! jumps.
//!
//! An expression is evaluated from right to left, so that operands lie on the stack in the order in which
//! instructions take them. A variable is a word of the stack, below whatever an expression needs.

use super::{
    protocol::WORD,
    yul::{Leaf, Tree},
};

/// Words of stack that can be reached.
const REACH: usize = 16;

const POP: u8 = 0x50;
const CALLDATALOAD: u8 = 0x35;
const MLOAD: u8 = 0x51;
/// `PUSH1`, `DUP1` and `SWAP1`.
const PUSH: u8 = 0x60;
const DUP: u8 = 0x80;
const SWAP: u8 = 0x90;

/// An instruction: its code, its operands, and whether it leaves a word.
struct Instruction {
    code: u8,
    operands: usize,
    has_value: bool,
}

/// The instructions that parts need. None of them jumps, calls, or depends on where it runs.
fn instruction(name: &str) -> Option<Instruction> {
    let (code, operands, has_value) = match name {
        "add" => (0x01, 2, true),
        "sub" => (0x03, 2, true),
        "addmod" => (0x08, 3, true),
        "mulmod" => (0x09, 3, true),
        "calldataload" => (CALLDATALOAD, 1, true),
        "mload" => (MLOAD, 1, true),
        "calldatacopy" => (0x37, 3, false),
        "mstore" => (0x52, 2, false),
        "return" => (0xf3, 2, false),
        _ => return None,
    };
    Some(Instruction { code, operands, has_value })
}

/// The code of these lines; `None` if one is of another kind, or reaches too deep into the stack.
pub(super) fn assemble<'a>(lines: impl IntoIterator<Item = &'a str>) -> Option<Vec<u8>> {
    let mut assembler = Assembler::default();
    for line in lines {
        let text = line.split("//").next().unwrap_or_default().trim();
        if !text.is_empty() {
            assembler.statement(text)?;
        }
    }
    Some(assembler.code)
}

#[derive(Default)]
struct Assembler {
    code: Vec<u8>,
    /// Variables, the lowest first.
    variables: Vec<String>,
    /// Words above them.
    above: usize,
}

impl Assembler {
    fn statement(&mut self, text: &str) -> Option<()> {
        let Some((head, value)) = text.split_once(":=") else {
            return (!self.expression(&Tree::read(text)?)?).then_some(());
        };
        if !self.expression(&Tree::read(value)?)? {
            return None;
        }
        self.above -= 1;
        match head.trim().strip_prefix("let ") {
            // A name stands for one word only.
            Some(name) if self.place(name.trim()).is_some() => return None,
            Some(name) => self.variables.push(name.trim().to_owned()),
            None => {
                let place = self.place(head.trim())?;
                let deep = self.variables.len() - place;
                (deep <= REACH).then(|| self.code.extend([SWAP + deep as u8 - 1, POP]))?;
            }
        }
        Some(())
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable == name)
    }

    /// Whether it leaves a word.
    fn expression(&mut self, tree: &Tree) -> Option<bool> {
        match tree {
            Tree::Leaf(leaf) => {
                self.leaf(leaf)?;
                Some(true)
            }
            Tree::Call(name, operands) => {
                let found = instruction(name)?;
                let with_values = operands
                    .iter()
                    .rev()
                    .try_fold(0, |count, operand| self.expression(operand)?.then_some(count + 1))?;
                if with_values != found.operands {
                    return None;
                }
                self.code.push(found.code);
                self.above = self.above - found.operands + usize::from(found.has_value);
                Some(found.has_value)
            }
        }
    }

    fn leaf(&mut self, leaf: &Leaf) -> Option<()> {
        match leaf {
            Leaf::Number(digits) => self.push(&bytes(digits)?),
            Leaf::Calldata(place) => self.load(*place, CALLDATALOAD),
            Leaf::Memory(place) => self.load(*place, MLOAD),
            Leaf::Name(name) => {
                let deep = self.variables.len() - self.place(name)? + self.above;
                (deep <= REACH).then(|| self.code.push(DUP + deep as u8 - 1))?;
            }
        }
        self.above += 1;
        Some(())
    }

    fn load(&mut self, place: usize, instruction: u8) {
        self.push(significant(&place.to_be_bytes()));
        self.code.push(instruction);
    }

    /// Pushes a number of 1 to 32 bytes.
    fn push(&mut self, bytes: &[u8]) {
        self.code.push(PUSH + bytes.len() as u8 - 1);
        self.code.extend(bytes);
    }
}

/// A number in hexadecimal digits after `0x`, or in decimal ones.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let bytes = match digits.strip_prefix("0x") {
        Some(digits) => {
            let zero = if digits.len() % 2 == 1 { "0" } else { "" };
            hex::decode(format!("{zero}{digits}")).ok()?
        }
        None => digits.parse::<u64>().ok()?.to_be_bytes().to_vec(),
    };
    let bytes = significant(&bytes);
    (1..=WORD).contains(&bytes.len()).then(|| bytes.to_vec())
}

/// Big-endian bytes from the first nonzero one on, or the last one.
fn significant(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    &bytes[zeros.min(bytes.len().saturating_sub(1))..]
}
