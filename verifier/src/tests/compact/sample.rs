//! The sample's circuit with packs, and keys whose commitments are known.

use std::collections::BTreeMap;

use crate::{
    tests::sample::{g2_bytes, multiple, numbers, point_bytes, protocol, TAU},
    CompactKeyParts, Key, Packing, Polynomial, Protocol, Round, Scalar,
};
use ark_bn254::G2Affine;
use ark_ec::{AffineRepr, CurveGroup};

/// The numbers of the polynomials of each round, in order.
pub(crate) fn rounds(protocol: &Protocol) -> [Vec<usize>; 3] {
    let mut rounds: [Vec<usize>; 3] = Default::default();
    for (number, opened) in protocol.arrangement().polynomials().iter().enumerate() {
        use Polynomial::*;
        let round = match opened.polynomial {
            Fixed(_) | Sigma(_) => 0,
            Advice(_) | Multiplicity(_) => 1,
            Helper(_) | Sum | Product | Difference(_) => 2,
            Quotient => continue,
        };
        rounds[round].push(number);
    }
    rounds
}

/// Packs that are filled in order.
pub(crate) fn packed(protocol: Protocol, stride: u32) -> Packing {
    let packs = rounds(&protocol).into_iter().flat_map(|round| {
        let packs = round.chunks(stride as usize).map(<[usize]>::to_vec);
        packs.collect::<Vec<_>>()
    });
    let packs = packs.collect();
    Packing::new(protocol, stride, packs).expect("it obeys the rules")
}

/// The sample, four to a pack: columns of several rotations stand beside others of one.
pub(crate) fn packing() -> Packing {
    packed(protocol(), 4)
}

/// Parts of a key whose commitments are to numbers that its description says.
pub(crate) fn key_parts(packing: Packing, description: &str) -> CompactKeyParts {
    let mut next = numbers(description);
    let tau = (G2Affine::generator() * Scalar::from(TAU)).into_affine();
    let packs = packing.count(Round::Key);
    CompactKeyParts {
        packing,
        description: description.as_bytes().to_vec(),
        is_ceremony: false,
        tau_g2: g2_bytes(&tau),
        packs: (0..packs).map(|_| point_bytes(&multiple(next()))).collect(),
        decider: point_bytes(&multiple(next())),
    }
}

pub(crate) fn key() -> Key {
    Key::compact(key_parts(packing(), "compact")).expect("it obeys the rules")
}

/// A number for each polynomial and rotation, always the same for a seed.
pub(crate) fn values(packing: &Packing, seed: &str) -> BTreeMap<(usize, i32), Scalar> {
    let mut next = numbers(seed);
    let mut values = BTreeMap::new();
    for pack in packing.packs() {
        for &polynomial in &pack.polynomials {
            values.extend(pack.rotations.iter().map(|&it| ((polynomial, it), next())));
        }
    }
    values
}
