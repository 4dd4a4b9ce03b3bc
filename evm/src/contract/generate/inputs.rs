//! The polynomial of the public inputs at x: the sum of inputᵢ·ωⁱ/(x − ωⁱ) over their rows i, times (xⁿ − 1)/n.
//!
//! A few public inputs are multiplied by the Lagrange polynomials of their rows, line by line. For more of them, such
//! as the words of a mask, a loop makes one fraction: its denominator is the product of all x − ωⁱ, so whatever their
//! number, one more value is inverted, and a sum is reduced at each step.

use super::{
    super::{
        code::{calldata, constant, hex, load, product, Code},
        graph::Leaf,
        memory::Memory,
        protocol::{Protocol, Query, WORD},
    },
    denominator::{Denominator, Inverses},
};

/// Most public inputs that are added up before the sum is reduced: the sum of this many products modulo r stays below
/// 2^256, and with one more it would not.
pub(crate) const MOST_ADDED: usize = 5;

/// Whether they are too many to be added up line by line.
pub(super) fn are_looped(protocol: &Protocol) -> bool {
    protocol.public_inputs > MOST_ADDED
}

/// Rotations at which constraints read the public inputs.
pub(super) fn rotations(protocol: &Protocol, leaves: &[Leaf]) -> Vec<i32> {
    let rotation = |leaf: &Leaf| match leaf {
        Leaf::Evaluation(query) if query.poly == protocol.instance() => Some(query.rotation),
        _ => None,
    };
    leaves.iter().filter_map(rotation).collect()
}

/// Rows whose Lagrange polynomials are multiplied by public inputs.
pub(super) fn rows(protocol: &Protocol, rotation: i32) -> Vec<i32> {
    let added = if are_looped(protocol) { 0 } else { protocol.public_inputs as i32 };
    (0..added).map(|input| input - rotation).collect()
}

/// Evaluates the polynomial; f is (xⁿ − 1)/n.
pub(super) fn evaluate(
    protocol: &Protocol,
    rotation: i32,
    inverses: &Inverses,
    memory: &mut Memory,
    code: &mut Code,
) {
    let place = place(protocol, rotation, memory);
    if are_looped(protocol) {
        let inverse = inverses[&Denominator::Inputs(rotation)].inverse;
        code.store(place, product(product("f", load(place)), load(inverse)));
        return;
    }
    // The sum is reduced only at its end.
    let count = protocol.public_inputs;
    assert!(count <= MOST_ADDED, "{count} public inputs");
    let products = rows(protocol, rotation).into_iter().enumerate().map(|(input, row)| {
        let basis = load(memory.leaf(&Leaf::Lagrange(vec![row])));
        product(calldata(WORD * input), basis)
    });
    let sum = products.reduce(|sum, next| format!("add({next}, {sum})"));
    code.store(place, format!("mod({}, r)", sum.unwrap_or_default()));
}

/// v becomes the denominator of the fraction; the numerator is stored where the value belongs. Both are below r, as is
/// everything that they are made of.
pub(super) fn fraction(protocol: &Protocol, rotation: i32, memory: &mut Memory, code: &mut Code) {
    let count = protocol.public_inputs;
    assert!(count < 1 << protocol.k, "{count} public inputs, each in a row of its own");
    code.remark("The public inputs as one fraction: its denominator is v, its numerator a.");
    code.line("v := 1");
    code.block("", |code| {
        code.line("let a := 0");
        code.line(format!("let w := {}", constant(&protocol.omega(-rotation))));
        code.line(format!("let step := {}", constant(&protocol.omega(1))));
        code.block(&each(protocol), |code| {
            code.line("let d := addmod(x, sub(r, w), r)");
            let term = product(product("calldataload(i)", "w"), "v");
            code.line(format!("a := addmod({}, {term}, r)", product("a", "d")));
            code.line(format!("v := {}", product("v", "d")));
            code.line(format!("w := {}", product("w", "step")));
        });
        code.store(place(protocol, rotation, memory), "a");
    });
}

/// The head of a loop over the public inputs.
pub(super) fn each(protocol: &Protocol) -> String {
    let end = hex(protocol.proof());
    format!("for {{ let i := 0 }} lt(i, {end}) {{ i := add(i, 0x20) }}")
}

fn place(protocol: &Protocol, rotation: i32, memory: &mut Memory) -> usize {
    memory.leaf(&Leaf::Evaluation(Query { poly: protocol.instance(), rotation }))
}
