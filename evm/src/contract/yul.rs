//! Expressions of Yul as trees: read from text, measured, written.

use std::fmt;

/// A leaf of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A word of calldata, by its place.
    Calldata(usize),
    /// A word of memory, by its place.
    Memory(usize),
    /// A number, in the digits of the text.
    Number(String),
    /// A variable.
    Name(String),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    Leaf(Leaf),
    Call(String, Vec<Tree>),
}

impl Tree {
    /// Reads an expression; `None` if the text is something else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (tree, rest) = read(text.trim())?;
        rest.is_empty().then_some(tree)
    }

    /// Bytes of its code, about.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Leaf(leaf) => leaf.size(),
            Self::Call(name, operands) => {
                let own = if is_instruction(name) { 1 } else { CALL };
                own + operands.iter().map(Self::size).sum::<usize>()
            }
        }
    }

    /// Words of stack that evaluation takes: operands are evaluated from right to left.
    pub(super) fn depth(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::Call(name, operands) => {
                // A function has its return address below its operands.
                let below = usize::from(!is_instruction(name));
                let each = operands.iter().rev().enumerate();
                below + each.map(|(waiting, tree)| waiting + tree.depth()).max().unwrap_or(1)
            }
        }
    }

    /// The part at the end of a path.
    pub(super) fn at(&self, path: &[usize]) -> Option<&Self> {
        match (self, path) {
            (_, []) => Some(self),
            (Self::Call(_, operands), [first, rest @ ..]) => operands.get(*first)?.at(rest),
            _ => None,
        }
    }

    /// As [`Self::at`].
    pub(super) fn at_mut(&mut self, path: &[usize]) -> Option<&mut Self> {
        match (self, path) {
            (tree, []) => Some(tree),
            (Self::Call(_, operands), [first, rest @ ..]) => operands.get_mut(*first)?.at_mut(rest),
            _ => None,
        }
    }

    /// Calls `change` with all leaves.
    pub(super) fn leaves_mut(&mut self, change: &mut impl FnMut(&mut Leaf)) {
        match self {
            Self::Leaf(leaf) => change(leaf),
            Self::Call(_, operands) => {
                operands.iter_mut().for_each(|operand| operand.leaves_mut(change));
            }
        }
    }

    /// Calls `visit` with all calls in it and their paths.
    pub(super) fn visit(&self, path: &mut Vec<usize>, visit: &mut impl FnMut(&Self, &[usize])) {
        let Self::Call(_, operands) = self else { return };
        visit(self, path);
        for (place, operand) in operands.iter().enumerate() {
            path.push(place);
            operand.visit(path, visit);
            path.pop();
        }
    }
}

/// Bytes of a function call: the return address, the function's address, the jump.
pub(super) const CALL: usize = 8;

impl Leaf {
    /// Bytes of its code, about.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Calldata(_) | Self::Memory(_) => 1 + self.handed_over(),
            Self::Number(_) | Self::Name(_) => self.handed_over(),
        }
    }

    /// Bytes of the code that hands it to a function; for a word, its place is handed over.
    pub(super) fn handed_over(&self) -> usize {
        match self {
            Self::Calldata(place) | Self::Memory(place) => {
                if *place < 0x100 {
                    2
                } else {
                    3
                }
            }
            Self::Number(digits) => {
                let digits = digits.trim_start_matches("0x").trim_start_matches('0');
                // Zeros at the end are shifted in.
                let short = digits.trim_end_matches('0').len().div_ceil(2) + 5;
                1 + digits.len().div_ceil(2).max(1).min(short)
            }
            Self::Name(_) => 1,
        }
    }

    /// A number so small that it costs no more than its place among operands.
    pub(super) fn is_small(&self) -> bool {
        matches!(self, Self::Number(_)) && self.handed_over() <= 2
    }
}

fn is_instruction(name: &str) -> bool {
    matches!(name, "add" | "sub" | "mul" | "mod" | "addmod" | "mulmod" | "mload" | "calldataload")
}

fn read(text: &str) -> Option<(Tree, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    if name.is_empty() {
        return None;
    }
    let Some(operands) = rest.strip_prefix('(') else {
        let leaf = if name.starts_with(|c: char| c.is_ascii_digit()) {
            Leaf::Number(name.to_owned())
        } else {
            Leaf::Name(name.to_owned())
        };
        return Some((Tree::Leaf(leaf), rest));
    };
    rest = operands;
    let mut operands = vec![];
    loop {
        let (operand, after) = read(rest)?;
        operands.push(operand);
        match after.strip_prefix(", ") {
            Some(more) => rest = more,
            None => break rest = after.strip_prefix(')')?,
        }
    }
    let place = match &operands[..] {
        [Tree::Leaf(Leaf::Number(digits))] => {
            usize::from_str_radix(digits.trim_start_matches("0x"), 16).ok()
        }
        _ => None,
    };
    let tree = match (name, place) {
        ("calldataload", Some(place)) => Tree::Leaf(Leaf::Calldata(place)),
        ("mload", Some(place)) => Tree::Leaf(Leaf::Memory(place)),
        _ => Tree::Call(name.to_owned(), operands),
    };
    Some((tree, rest))
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Calldata(place) => write!(f, "calldataload({place:#04x})"),
            Self::Memory(place) => write!(f, "mload({place:#04x})"),
            Self::Number(digits) => f.write_str(digits),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(leaf) => leaf.fmt(f),
            Self::Call(name, operands) => {
                write!(f, "{name}(")?;
                for (place, operand) in operands.iter().enumerate() {
                    let comma = if place == 0 { "" } else { ", " };
                    write!(f, "{comma}{operand}")?;
                }
                f.write_str(")")
            }
        }
    }
}
