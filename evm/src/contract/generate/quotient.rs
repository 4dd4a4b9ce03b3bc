//! What the constraints at x are made of: Lagrange polynomials, and the public inputs.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::{
    super::{
        code::{constant, load, product, Code},
        graph::Leaf,
        memory::Memory,
        protocol::Protocol,
    },
    denominator::{Denominator, Inverses},
    inputs, interpolate,
    inverses::{horner, monic},
    sets,
};

/// Evaluates Lagrange polynomials and the polynomial of the public inputs.
pub(super) fn common(
    protocol: &Protocol,
    leaves: &[Leaf],
    inverses: &Inverses,
    memory: &mut Memory,
    code: &mut Code,
) {
    let vanishing = inverses[&Denominator::Vanishing].value;
    let shared = product(load(vanishing), constant(&protocol.n_inv));
    code.line(format!("let x := {}", load(memory.x)));
    code.line("let v");
    code.remark("(x^n - 1) / n, a factor of all of them.");
    code.line(format!("let f := {shared}"));
    let looped = match memory.omega {
        Some(omega) => sets::first_rows(leaves, inverses, omega, memory, code),
        None => 0,
    };
    for leaf in leaves {
        if let Leaf::Lagrange(rows) = leaf {
            if matches!(rows[..], [row] if (0..looped).contains(&row)) {
                continue;
            }
            lagrange(protocol, rows, inverses, memory, code);
            code.store(memory.leaf(leaf), product("f", "v"));
        }
    }
    for rotation in inputs::rotations(protocol, leaves) {
        code.remark("The polynomial of the public inputs.");
        inputs::evaluate(protocol, rotation, inverses, memory, code);
    }
}

/// v becomes the sum of ω^row / (x − ω^row), as one fraction.
fn lagrange(
    protocol: &Protocol,
    rows: &[i32],
    inverses: &Inverses,
    memory: &Memory,
    code: &mut Code,
) {
    if interpolate::are_looped(protocol, rows) {
        interpolate::lagrange(protocol, rows, inverses, memory, code);
        return;
    }
    let inverse = load(inverses[&Denominator::Rows(rows.to_vec())].inverse);
    let roots: Vec<_> = rows.iter().map(|row| protocol.omega(*row)).collect();
    code.remark(match rows {
        [row] => format!("Row {row}."),
        rows => format!("Rows {} to {}, together.", rows[0], rows[rows.len() - 1]),
    });
    if let [Fr::ONE] = roots[..] {
        code.line(format!("v := {inverse}"));
        return;
    }
    let mut numerator = vec![Fr::ZERO; roots.len()];
    for (place, root) in roots.iter().enumerate() {
        let others = [&roots[..place], &roots[place + 1..]].concat();
        for (sum, coefficient) in numerator.iter_mut().zip(monic(&others)) {
            *sum += coefficient * root;
        }
    }
    match &numerator[..] {
        [single] => code.line(format!("v := {}", product(inverse, constant(single)))),
        several => {
            horner(several, code);
            code.line(format!("v := {}", product("v", inverse)));
        }
    }
}
