//! SHPLONK (ePrint 2020/081, section 4): all openings become one.
//!
//! A set of polynomials is opened at the points x·ω^rotation of its rotations. With Z the product
//! of u − x·ω^rotation over a set, and Z₀ that of the first set, the opening holds if W′ opens
//!
//! ```text
//! Σ_sets ν^set · Z₀/Z_set · Σ_polys μ^poly · (commitment − [interpolated evaluation at u]) − Z₀·W
//! ```
//!
//! at u to zero. Interpolation takes barycentric weights; those of the rotations are constants, x
//! and u come in by the inverses of x and of u − x·ω^rotation.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::{
    super::{
        code::{calldata, constant, load, product, Code},
        emit::powers,
        graph::Leaf,
        memory::Memory,
        protocol::{OpeningSet, Protocol, Query},
    },
    inverses::{Denominator, Inverses},
};

/// Where the scalars of the multi-scalar multiplication lie.
#[derive(Clone, Debug)]
pub(super) struct Scalars {
    /// The factor of each set but the first, whose factor is 1.
    pub(super) sets: Vec<Option<usize>>,
    /// Z₀.
    pub(super) z_0: usize,
    /// What the generator is subtracted times.
    pub(super) evaluation: usize,
}

/// Writes all scalars.
pub(super) fn scalars(
    protocol: &Protocol,
    inverses: &Inverses,
    memory: &mut Memory,
    code: &mut Code,
) -> Scalars {
    let inverse = |rotation: &i32| load(inverses[&Denominator::Point(*rotation)].inverse);
    let value = |rotation: &i32| load(inverses[&Denominator::Point(*rotation)].value);
    let mut exponents: Vec<_> = protocol
        .sets
        .iter()
        .map(|set| set.rotations.len() - 1)
        .filter(|power| *power > 0)
        .collect();
    exponents.sort_unstable();
    exponents.dedup();
    let mut over_x = std::collections::HashMap::new();
    if !exponents.is_empty() {
        code.remark("Powers of 1/x.");
        let base = inverses[&Denominator::X].inverse;
        over_x = powers(code, memory, base, &exponents);
    }
    code.remark("Z of the first set.");
    let z_0 = memory.word();
    let first = &protocol.sets[0].rotations;
    code.line("let e := 1");
    multiply(first.iter().map(value), code);
    code.store(z_0, "e");
    code.line(format!("let mu := {}", load(memory.mu)));
    code.line(format!("let nu := {}", load(memory.nu)));
    code.line("let all");
    code.line("let part");
    for (number, set) in protocol.sets.iter().enumerate().rev() {
        code.remark(format!("Set {number}: {}.", describe(set)));
        for (place, rotation) in set.rotations.iter().enumerate() {
            combine(protocol, set, *rotation, memory, code);
            let weight = match weight(protocol, set, place) {
                Fr::ONE => inverse(rotation),
                weight => product(inverse(rotation), constant(&weight)),
            };
            code.line(match place {
                0 => format!("part := {}", product("e", weight)),
                // Not reduced each time: a word holds five values.
                place if place % 4 == 0 => {
                    format!("part := addmod({}, part, r)", product("e", weight))
                }
                _ => format!("part := add({}, part)", product("e", weight)),
            });
        }
        let part = match set.rotations.len() - 1 {
            0 => "part".to_owned(),
            power => product("part", load(over_x[&power])),
        };
        code.line(match number + 1 == protocol.sets.len() {
            true => format!("all := {part}"),
            false => format!("all := add({part}, {})", product("all", "nu")),
        });
    }
    let evaluation = memory.word();
    code.store(evaluation, product("all", load(z_0)));
    code.remark("nu^set Z_0 / Z of the other sets.");
    code.line("part := nu");
    let mut sets = vec![None];
    for (number, set) in protocol.sets.iter().enumerate().skip(1) {
        let others = first.iter().filter(|rotation| !set.rotations.contains(rotation)).map(value);
        let own = set.rotations.iter().filter(|rotation| !first.contains(rotation)).map(inverse);
        let place = memory.word();
        code.line("e := part");
        multiply(others.chain(own), code);
        code.store(place, "e");
        sets.push(Some(place));
        if number + 1 < protocol.sets.len() {
            code.line(format!("part := {}", product("part", "nu")));
        }
    }
    Scalars { sets, z_0, evaluation }
}

/// Multiplies e with values.
fn multiply(values: impl Iterator<Item = String>, code: &mut Code) {
    values.for_each(|value| code.line(format!("e := {}", product("e", value))));
}

/// e becomes the sum of a set's evaluations at a rotation, rising powers of mu before them.
fn combine(
    protocol: &Protocol,
    set: &OpeningSet,
    rotation: i32,
    memory: &mut Memory,
    code: &mut Code,
) {
    let mut evaluation = |poly: usize| {
        let query = Query { poly, rotation };
        let place = protocol.evaluation(query).map(calldata);
        place.unwrap_or_else(|| load(memory.leaf(&Leaf::Evaluation(query))))
    };
    let mut polys = set.polys.iter().rev();
    if let Some(last) = polys.next() {
        code.line(format!("e := {}", evaluation(*last)));
    }
    for poly in polys {
        code.line(format!("e := add({}, {})", product("e", "mu"), evaluation(*poly)));
    }
}

/// 1 over the product of ω^rotation − ω^other over the others.
fn weight(protocol: &Protocol, set: &OpeningSet, place: usize) -> Fr {
    let own = protocol.omega(set.rotations[place]);
    let others = set.rotations.iter().enumerate().filter(|(other, _)| *other != place);
    let product =
        others.fold(Fr::ONE, |product, (_, rotation)| product * (own - protocol.omega(*rotation)));
    // Rotations differ, and by less than the number of rows.
    product.invert().expect("distinct powers of a generator")
}

fn describe(set: &OpeningSet) -> String {
    let rotations: Vec<_> = set.rotations.iter().map(i32::to_string).collect();
    format!("{} polynomials at {}", set.polys.len(), rotations.join(", "))
}
