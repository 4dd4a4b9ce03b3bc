//! The constraints at x, and what the quotient must be there.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::{
    super::{
        code::{calldata, constant, load, product, Code},
        emit::{powers, Emitter},
        graph::{Graph, Leaf},
        group::Group,
        memory::Memory,
        protocol::{Protocol, PROOF, WORD},
    },
    inverses::{horner, monic, Denominator, Inverses},
};

/// Rows whose Lagrange polynomials the public inputs are multiplied with.
pub(super) fn instance_rows(rotation: i32) -> Vec<i32> {
    (0..(PROOF / WORD) as i32).map(|input| input - rotation).collect()
}

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
    for leaf in leaves {
        if let Leaf::Lagrange(rows) = leaf {
            lagrange(protocol, rows, inverses, code);
            code.store(memory.leaf(leaf), product("f", "v"));
        }
    }
    for leaf in leaves {
        if let Leaf::Evaluation(query) = leaf {
            if query.poly == protocol.instance() {
                code.remark("The polynomial of the public inputs.");
                let rows = instance_rows(query.rotation).into_iter().enumerate();
                let sum = rows.map(|(input, row)| {
                    let basis = load(memory.leaf(&Leaf::Lagrange(vec![row])));
                    product(calldata(WORD * input), basis)
                });
                let sum = sum.reduce(|sum, next| format!("add({next}, {sum})"));
                code.store(memory.leaf(leaf), format!("mod({}, r)", sum.unwrap_or_default()));
            }
        }
    }
}

/// v becomes the sum of ω^row / (x − ω^row), as one fraction.
fn lagrange(protocol: &Protocol, rows: &[i32], inverses: &Inverses, code: &mut Code) {
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

/// The sum of all constraints, falling powers of alpha before them, over x^n − 1.
pub(super) fn numerator(
    protocol: &Protocol,
    graph: &Graph,
    groups: &[Group],
    inverses: &Inverses,
    memory: &mut Memory,
    code: &mut Code,
) {
    let roots = groups
        .iter()
        .flat_map(|group| group.members.iter().map(|(_, term)| term.id).chain(group.factor));
    let mut emitter = Emitter::new(protocol, graph, roots);
    let alpha = memory.leaf(&Leaf::Alpha(1));
    let steps =
        |members: Vec<usize>| members.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    let within = groups
        .iter()
        .flat_map(|group| steps(group.members.iter().map(|(number, _)| *number).collect()));
    let mut exponents: Vec<_> =
        within.chain(steps(groups.iter().map(Group::last).collect())).collect();
    exponents.sort_unstable();
    exponents.dedup();
    code.remark("Powers of alpha.");
    let alphas = powers(code, memory, alpha, &exponents);
    code.line("let all");
    code.line("let part");
    let mut last = None;
    for group in groups {
        let mut before: Option<usize> = None;
        for (number, term) in &group.members {
            code.remark(format!("{number}: {}", protocol.constraints[*number].name));
            let value = match before {
                None => emitter.term(code, memory, *term),
                Some(before) => {
                    let sum = product("part", load(alphas[&(number - before)]));
                    emitter.add_to(code, memory, &sum, *term)
                }
            };
            code.line(format!("part := {value}"));
            before = Some(*number);
        }
        let factor = group.factor.map(|factor| {
            let term = super::super::graph::Term { id: factor, minus: false };
            emitter.term(code, memory, term)
        });
        let part = match factor {
            Some(factor) => product("part", factor),
            None => "part".to_owned(),
        };
        code.line(match last {
            None => format!("all := {part}"),
            Some(last) => {
                let shifted = product("all", load(alphas[&(group.last() - last)]));
                // Both are reduced or small: no sum of a product and a part leaves its word.
                format!("all := addmod({part}, {shifted}, r)")
            }
        });
        last = Some(group.last());
    }
    let rest = protocol.constraints.len() - 1 - last.unwrap_or_default();
    assert_eq!(rest, 0, "the last constraint ends the last group");
    let inverse = load(inverses[&Denominator::Vanishing].inverse);
    let quotient = Leaf::Evaluation(protocol.quotient());
    code.store(memory.leaf(&quotient), product("all", inverse));
}
