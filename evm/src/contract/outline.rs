//! Repeated shapes become functions.
//!
//! Before that, repeated long numbers become reads from memory, where a table brings them.
//!
//! A lookup argument differs from the others only in the places of its evaluations, and so do the
//! lanes of a hash and the limbs of a relation. The expressions of one shape for which it saves the
//! most bytes are handed to a function; then again, until nothing is saved. A function computes the
//! same expression: its value and its bounds are those of the text that it replaces.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    code::Code,
    protocol::WORD,
    yul::{Leaf, Tree},
};

/// Bytes that a function must save.
const WORTH: isize = 4;
/// Bytes of a function besides its expression.
const FRAME: usize = 8;
/// Words of stack that can be reached.
const REACH: usize = 15;
/// Least characters of a long number, with `0x`.
const LONG: usize = 50;

/// A statement: its expression, and the text before and after it.
struct Statement {
    line: usize,
    head: String,
    tree: Tree,
    tail: &'static str,
}

/// An expression of a shape.
#[derive(Clone)]
struct Instance {
    statement: usize,
    path: Vec<usize>,
    /// The places and numbers that the shape leaves open.
    open: Vec<Leaf>,
}

/// A function for expressions of one shape.
struct Candidate {
    saved: isize,
    /// Which of the open leaves are operands; the others are the same in all instances.
    operands: Vec<usize>,
    instances: Vec<Instance>,
}

/// What expressions were replaced by.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlined {
    pub(super) functions: Vec<String>,
    /// The digits of long numbers, in the order of their places.
    pub(super) numbers: Vec<String>,
}

/// Replaces, in the lines from `from` on, expressions by calls, and long numbers by words of memory, of
/// which there are `room` from `place` on.
pub(super) fn outline(code: &mut Code, from: usize, (place, room): (usize, usize)) -> Outlined {
    let mut statements: Vec<_> =
        code.lines_mut(from).enumerate().filter_map(|(line, text)| statement(line, text)).collect();
    let numbers = numbers(&mut statements, place, room);
    let mut functions = vec![];
    while let Some(best) = best(&statements) {
        let name = format!("f{}", functions.len());
        functions.push(function(&name, &statements, &best));
        for instance in &best.instances {
            let Some(tree) = statements[instance.statement].tree.at_mut(&instance.path) else {
                continue;
            };
            let handed = best.operands.iter().map(|operand| match &instance.open[*operand] {
                Leaf::Calldata(place) | Leaf::Memory(place) => {
                    Leaf::Number(format!("{place:#04x}"))
                }
                leaf => leaf.clone(),
            });
            let names = names(tree).into_iter().map(Leaf::Name);
            let operands = handed.chain(names).map(Tree::Leaf).collect();
            *tree = Tree::Call(name.clone(), operands);
        }
    }
    let mut lines: Vec<_> = code.lines_mut(from).collect();
    for Statement { line, head, tree, tail } in statements {
        *lines[line] = format!("{head}{tree}{tail}");
    }
    Outlined { functions, numbers }
}

/// Replaces long numbers by reads from memory, the most frequent first.
fn numbers(statements: &mut [Statement], place: usize, room: usize) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for Statement { tree, .. } in &mut *statements {
        tree.leaves_mut(&mut |leaf| match leaf {
            Leaf::Number(digits) if digits.len() >= LONG => {
                *counts.entry(digits.clone()).or_default() += 1;
            }
            _ => {}
        });
    }
    let mut numbers: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    numbers.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let numbers: Vec<_> = numbers.into_iter().take(room).map(|(digits, _)| digits).collect();
    let places: BTreeMap<_, _> = numbers
        .iter()
        .enumerate()
        .map(|(number, digits)| (digits, place + WORD * number))
        .collect();
    for Statement { tree, .. } in statements {
        tree.leaves_mut(&mut |leaf| {
            if let Leaf::Number(digits) = leaf
                && let Some(place) = places.get(digits)
            {
                *leaf = Leaf::Memory(*place);
            }
        });
    }
    numbers
}

/// A statement that sets a variable or a word of memory to the value of an expression.
fn statement(line: usize, text: &str) -> Option<Statement> {
    let (length, tail) = match text.strip_prefix("mstore(") {
        Some(rest) => ("mstore(".len() + rest.find(", ")? + 2, ")"),
        None => (text.find(":= ")? + 3, ""),
    };
    let (head, expression) = text.split_at(length);
    let mut tree = Tree::read(expression.strip_suffix(tail)?)?;
    order(&mut tree);
    Some(Statement { line, head: head.to_owned(), tree, tail })
}

/// Puts operands that commute into a canonical order, if neither is deeper.
fn order(tree: &mut Tree) {
    let Tree::Call(name, operands) = tree else { return };
    operands.iter_mut().for_each(order);
    if matches!(name.as_str(), "add" | "addmod" | "mulmod") {
        let [first, second, ..] = &operands[..] else { return };
        let rank = |tree: &Tree| match tree {
            Tree::Leaf(Leaf::Number(_)) => (0, 0),
            Tree::Leaf(Leaf::Name(_)) => (1, 0),
            Tree::Leaf(Leaf::Memory(_)) => (2, 0),
            Tree::Leaf(Leaf::Calldata(place)) => (3, usize::MAX - place),
            Tree::Call(..) => (4, 0),
        };
        if first.depth() == second.depth() && rank(first) > rank(second) {
            operands.swap(0, 1);
        }
    }
}

/// The function that saves the most.
fn best(statements: &[Statement]) -> Option<Candidate> {
    let mut shapes: BTreeMap<String, Vec<Instance>> = BTreeMap::new();
    for (statement, Statement { tree, .. }) in statements.iter().enumerate() {
        tree.visit(&mut vec![], &mut |tree, path| {
            let mut open = vec![];
            let shape = shape(tree, &mut open);
            let instance = Instance { statement, path: path.to_vec(), open };
            shapes.entry(shape).or_default().push(instance);
        });
    }
    let candidates = shapes.into_values().filter(|instances| instances.len() > 1);
    let candidates = candidates.flat_map(|instances| candidates_of(statements, instances));
    let best = candidates.reduce(|best, next| if next.saved > best.saved { next } else { best })?;
    (best.saved >= WORTH).then_some(best)
}

/// The text of an expression with its places and numbers left open.
fn shape(tree: &Tree, open: &mut Vec<Leaf>) -> String {
    match tree {
        Tree::Leaf(leaf @ Leaf::Name(_)) => leaf.to_string(),
        Tree::Leaf(leaf) if leaf.is_small() => leaf.to_string(),
        Tree::Leaf(leaf) => {
            let number = open.iter().position(|found| found == leaf).unwrap_or_else(|| {
                open.push(leaf.clone());
                open.len() - 1
            });
            let kind = match leaf {
                Leaf::Calldata(_) => 'c',
                Leaf::Memory(_) => 'm',
                Leaf::Number(_) | Leaf::Name(_) => 'n',
            };
            format!("{kind}{number}")
        }
        Tree::Call(name, operands) => {
            let operands: Vec<_> = operands.iter().map(|operand| shape(operand, open)).collect();
            format!("{name}({})", operands.join(","))
        }
    }
}

/// A function for all instances, and functions for those that have one of the open leaves in common.
fn candidates_of(statements: &[Statement], instances: Vec<Instance>) -> Vec<Candidate> {
    let open = instances[0].open.len();
    let mut candidates = vec![];
    for number in 0..open {
        let mut parts: BTreeMap<String, Vec<Instance>> = BTreeMap::new();
        for instance in &instances {
            let key = instance.open[number].to_string();
            parts.entry(key).or_default().push(instance.clone());
        }
        if parts.len() > 1 {
            let parts = parts.into_values().filter(|part| part.len() > 1);
            candidates.extend(parts.filter_map(|part| candidate(statements, part)));
        }
    }
    candidates.extend(candidate(statements, instances));
    candidates
}

fn candidate(statements: &[Statement], instances: Vec<Instance>) -> Option<Candidate> {
    let first = &instances[0];
    let differs = |number: &usize| {
        instances.iter().any(|instance| instance.open[*number] != first.open[*number])
    };
    let operands: Vec<_> = (0..first.open.len()).filter(differs).collect();
    let tree = statements[first.statement].tree.at(&first.path)?;
    let names = names(tree).len();
    let words = operands.len() + names;
    // The operands, the return address, the value.
    if words + 2 + tree.depth() > REACH {
        return None;
    }
    let named: Vec<_> =
        operands.iter().map(|number| (&first.open[*number], String::new())).collect();
    let body = with_operands(tree, &named).size();
    let handed = |instance: &Instance| -> usize {
        operands.iter().map(|number| instance.open[*number].handed_over()).sum()
    };
    let calls: usize =
        instances.iter().map(|instance| super::yul::CALL + names + handed(instance)).sum();
    let inline: usize = instances
        .iter()
        .filter_map(|instance| statements[instance.statement].tree.at(&instance.path))
        .map(Tree::size)
        .sum();
    let function = body + FRAME + words;
    let saved = inline as isize - (calls + function) as isize;
    Some(Candidate { saved, operands, instances })
}

/// The variables of an expression, in order.
fn names(tree: &Tree) -> BTreeSet<String> {
    match tree {
        Tree::Leaf(Leaf::Name(name)) => [name.clone()].into(),
        Tree::Leaf(_) => BTreeSet::new(),
        Tree::Call(_, operands) => operands.iter().flat_map(names).collect(),
    }
}

/// The text of a function.
fn function(name: &str, statements: &[Statement], candidate: &Candidate) -> String {
    let first = &candidate.instances[0];
    let tree = statements[first.statement].tree.at(&first.path);
    let tree = tree.cloned().unwrap_or_else(|| Tree::Leaf(Leaf::Number("0".into())));
    let operand = |number: usize| format!("a{number}");
    let open: Vec<_> = candidate
        .operands
        .iter()
        .enumerate()
        .map(|(number, place)| (&first.open[*place], operand(number)))
        .collect();
    let names = names(&tree);
    let operands = open.iter().map(|(_, name)| name.clone());
    let operands: Vec<_> = operands.chain(names.iter().map(|name| inner(name))).collect();
    let body = with_operands(&tree, &open);
    format!("function {name}({}) -> v {{ v := {body} }}", operands.join(", "))
}

/// Functions see only their own variables, whose names must be different.
fn inner(name: &str) -> String {
    if name == "r" {
        "q".to_owned()
    } else {
        format!("{name}x")
    }
}

fn with_operands(tree: &Tree, open: &[(&Leaf, String)]) -> Tree {
    let leaf = |name: &str| Tree::Leaf(Leaf::Name(name.to_owned()));
    match tree {
        Tree::Leaf(Leaf::Name(name)) => leaf(&inner(name)),
        Tree::Leaf(found) => {
            let operand = open.iter().find(|(leaf, _)| *leaf == found);
            let Some((_, name)) = operand else { return tree.clone() };
            match found {
                Leaf::Calldata(_) => Tree::Call("calldataload".into(), vec![leaf(name)]),
                Leaf::Memory(_) => Tree::Call("mload".into(), vec![leaf(name)]),
                Leaf::Number(_) | Leaf::Name(_) => leaf(name),
            }
        }
        Tree::Call(name, operands) => {
            let operands = operands.iter().map(|operand| with_operands(operand, open)).collect();
            Tree::Call(name.clone(), operands)
        }
    }
}
