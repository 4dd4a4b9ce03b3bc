//! The multi-scalar multiplication and the pairing.
//!
//! Within a set Horner's rule needs no scalars: one multiplication by mu and one addition for each
//! commitment. The points of a set are consecutive; the last ones go first, so that the product can
//! be written over the point that was added before, right after the one to be added next.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fr, G1Affine, G2Affine},
    ff::PrimeField,
    CurveAffine,
};

use super::{
    super::{
        code::{hex, load, Code},
        memory::{Memory, FACTOR_OF, SUM},
        protocol::{Commitment, Protocol, POINT, WORD},
    },
    points::{add, copies, multiply, Copied},
    scalars::Scalars,
    sets,
    size::has_many,
};

/// Gas for the pairing: what it costs, and a margin in case the price rises.
const GAS: usize = 140_000;

/// Consecutive points of the key.
#[derive(Clone, Debug)]
pub(super) struct KeyRun {
    pub(super) place: usize,
    pub(super) points: Vec<G1Affine>,
}

/// Where the points of the key belong in memory.
pub(super) fn key_runs(protocol: &Protocol, memory: &Memory) -> Vec<KeyRun> {
    let mut runs: Vec<KeyRun> = vec![];
    for (set, first) in protocol.sets.iter().zip(&memory.points) {
        for (number, poly) in set.polys.iter().enumerate() {
            let Commitment::Key(point) = protocol.commitment(*poly) else { continue };
            let place = first + POINT * number;
            match runs.last_mut() {
                Some(run) if run.place + POINT * run.points.len() == place => {
                    run.points.push(point);
                }
                _ => runs.push(KeyRun { place, points: vec![point] }),
            }
        }
    }
    runs
}

/// Copies the points of the proof to their sets, neighbours together.
pub(super) fn gather(protocol: &Protocol, table: Option<usize>, memory: &Memory, code: &mut Code) {
    if let Some(table) = table.filter(|_| has_many(protocol)) {
        sets::gather(protocol, table, code);
        return;
    }
    for Copied { to, from, bytes } in copies(protocol, Some(memory)) {
        code.line(format!("calldatacopy({}, {}, {})", hex(to), hex(from), hex(bytes)));
    }
}

/// Folds the pieces of the quotient with x^n, into the quotient's place.
pub(super) fn fold_quotient(protocol: &Protocol, memory: &Memory, code: &mut Code) {
    let poly = protocol.quotient().poly;
    let places = protocol.sets.iter().zip(&memory.points).flat_map(|(set, first)| {
        set.polys.iter().enumerate().map(move |(number, poly)| (*poly, first + POINT * number))
    });
    let Some((_, target)) = places.into_iter().find(|(found, _)| *found == poly) else { return };
    let pieces = protocol.quotient_pieces();
    let Some((last, others)) = pieces.split_last() else { return };
    let copy = |to: usize, from: usize| {
        format!("calldatacopy({}, {}, {})", hex(to), hex(from), hex(POINT))
    };
    code.line(copy(if others.is_empty() { target } else { 0 }, *last));
    code.store(FACTOR_OF, load(memory.x_n));
    for (number, piece) in others.iter().enumerate().rev() {
        code.line(copy(SUM, *piece));
        run(step(SUM, if number == 0 { target } else { 0 }), code);
    }
}

/// Multiplies the point at zero by its factor and adds the one at `place`; the sum goes to `to`.
fn step(place: usize, to: usize) -> [String; 2] {
    [multiply(place + POINT), add(place, to)]
}

/// Calls one after the other, in one statement: that saves some stack work at each.
fn run(calls: impl IntoIterator<Item = String>, code: &mut Code) {
    let all =
        calls.into_iter().fold("ok".to_owned(), |before, call| format!("and({call}, {before})"));
    code.line(format!("ok := {all}"));
}

/// Sums everything up at [`SUM`].
pub(super) fn sum(
    protocol: &Protocol,
    scalars: &Scalars,
    table: Option<usize>,
    memory: &Memory,
    code: &mut Code,
) {
    match table.filter(|_| has_many(protocol)) {
        Some(table) => sets::sum(protocol, scalars, table, memory, code),
        None => sum_sets(protocol, scalars, memory, code),
    }
    sum_rest(protocol, scalars, memory, code);
}

/// Sums the sets up, commitment by commitment.
fn sum_sets(protocol: &Protocol, scalars: &Scalars, memory: &Memory, code: &mut Code) {
    let mut empty = true;
    // The first set comes last: its factor is one.
    let order = (1..protocol.sets.len()).chain([0]);
    for number in order {
        let (set, first) = (&protocol.sets[number], memory.points[number]);
        code.remark(format!("Set {number}: {} commitments.", set.polys.len()));
        let target = if empty { SUM } else { SUM + POINT };
        let last = first + POINT * (set.polys.len() - 1);
        let direct = scalars.sets[number].is_none();
        let end = if direct { target } else { 0 };
        let start = if set.polys.len() == 1 { end } else { 0 };
        code.store(start, load(last));
        code.store(start + WORD, load(last + WORD));
        if set.polys.len() > 1 {
            code.store(FACTOR_OF, load(memory.mu));
        }
        let steps = (0..set.polys.len() - 1).rev();
        let mut calls: Vec<_> = steps
            .flat_map(|poly| step(first + POINT * poly, if poly == 0 { end } else { 0 }))
            .collect();
        if let Some(factor) = scalars.sets[number] {
            if !calls.is_empty() {
                run(calls.drain(..), code);
            }
            code.store(FACTOR_OF, load(factor));
            calls.push(multiply(target));
        }
        if !empty {
            calls.push(add(SUM, SUM));
        }
        if !calls.is_empty() {
            run(calls, code);
        }
        empty = false;
    }
}

/// Adds the points that are not commitments of a set.
fn sum_rest(protocol: &Protocol, scalars: &Scalars, memory: &Memory, code: &mut Code) {
    let opening = protocol.opening();
    let copy = |from: usize| format!("calldatacopy(0x00, {}, {})", hex(from), hex(POINT));
    let step = |factor: String, code: &mut Code| {
        code.store(FACTOR_OF, factor);
        run([multiply(SUM + POINT), add(SUM, SUM)], code);
    };
    code.remark("Less the evaluations.");
    code.store(0, "1");
    code.store(WORD, "2");
    step(format!("sub(r, {})", load(scalars.evaluation)), code);
    code.remark("Less Z_0 W.");
    code.line(copy(opening));
    step(format!("sub(r, {})", load(scalars.z_0)), code);
    code.remark("And u W'.");
    code.line(copy(opening + POINT));
    step(load(memory.u), code);
}

/// The pairing of the sum with the generator, and of W′ with minus tau.
pub(super) fn pairing(
    protocol: &Protocol,
    g2: &[G2Affine; 2],
    memory: &mut Memory,
    code: &mut Code,
) {
    let place = memory.take(12 * WORD);
    let word = |number: usize| place + WORD * number;
    code.store(word(0), load(SUM));
    code.store(word(1), load(SUM + WORD));
    code.remark("The generator of G2.");
    store_g2(&g2[0], word(2), code);
    let (w, bytes) = (hex(protocol.opening() + POINT), hex(POINT));
    code.line(format!("calldatacopy({}, {w}, {bytes})", hex(word(6))));
    code.remark("Minus tau in G2.");
    store_g2(&g2[1], word(8), code);
    code.remark("Where there is no such precompile, the answer stays zero.");
    code.store(0, "0");
    let (place, input) = (hex(place), hex(12 * WORD));
    code.line(format!("ok := and(staticcall({}, 8, {place}, {input}, 0x00, 0x20), ok)", GAS));
    code.line("ok := and(eq(mload(0x00), 1), ok)");
}

/// EIP-197 has the imaginary part first.
fn store_g2(point: &G2Affine, place: usize, code: &mut Code) {
    let coordinates = point.coordinates().expect("a point of G2 that is not the identity");
    let (x, y) = (coordinates.x(), coordinates.y());
    for (number, part) in [x.c1, x.c0, y.c1, y.c0].iter().enumerate() {
        let mut bytes = part.to_repr();
        bytes.reverse();
        code.store(place + WORD * number, format!("0x{}", hex::encode(bytes)));
    }
}

/// Checks the points of the proof that no opening is about: they must be on the curve all the same.
pub(super) fn check_others(protocol: &Protocol, code: &mut Code) {
    let polys = protocol.sets.iter().flat_map(|set| &set.polys);
    let opened: Vec<_> = polys.map(|poly| protocol.commitment(*poly)).collect();
    let others = protocol
        .witnesses()
        .into_iter()
        .filter(|place| !opened.contains(&Commitment::Proof(*place)));
    for place in others {
        code.line(format!("calldatacopy(0x00, {}, {})", hex(place), hex(POINT)));
        code.store(0x40, "0");
        code.store(0x60, "0");
        run([add(0, 0)], code);
    }
}

/// The scalar modulus.
pub(super) fn modulus() -> &'static str {
    Fr::MODULUS
}
