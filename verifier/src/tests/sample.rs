//! A small circuit that has everything: gates, inputs at two rotations, three tables, three chunks
//! of copies.

use ark_bn254::{Fq, Fq2, G1Affine, G1Projective, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField};

use crate::{Column, Key, KeyParts, Node, Protocol, ProtocolParts, Scalar, Table, Transcript};

/// What the tests' SRS is made of.
pub(crate) const TAU: u64 = 0x1234_5678_9abc_def1;

/// Numbers that look random, always the same for a seed.
pub(crate) fn numbers(seed: &str) -> impl FnMut() -> Scalar {
    let mut transcript = Transcript::new();
    transcript.absorb(seed.as_bytes());
    move || transcript.squeeze()
}

pub(crate) fn cell(column: Column, rotation: i32) -> Node {
    Node::Cell { column, rotation }
}

/// Fixed: where products hold, the numbers 0 to 9, where an input is shown. Advice: the products
/// `a`, small `b`, an address `c`, what `b` has at the address `d`, and `e`, which is only copied.
pub(crate) fn parts() -> ProtocolParts {
    use Column::{Advice, Fixed, Inputs};
    ProtocolParts {
        k: 4,
        usable: 10,
        fixed: 3,
        advice: 5,
        inputs: 2,
        nodes: vec![
            cell(Fixed(0), 0),
            cell(Advice(0), 0),
            cell(Advice(1), 0),
            Node::Product(1, 2),
            cell(Advice(0), 1),
            Node::Constant(-Scalar::from(1)),
            Node::Product(4, 5),
            Node::Sum(3, 6),
            // 8: the products.
            Node::Product(0, 7),
            // 9: numbers. 10: the small one where products hold.
            cell(Fixed(1), 0),
            Node::Product(0, 2),
            cell(Advice(2), 0),
            cell(Advice(3), 0),
            // 13: the input of the row before. 16: is shown.
            cell(Inputs, -1),
            Node::Product(13, 5),
            Node::Sum(2, 14),
            cell(Fixed(2), 0),
            Node::Product(15, 16),
            // 18: half of a constraint that is 0 when inputs stand below `usable`.
            cell(Inputs, 0),
            Node::Constant(Scalar::from(0)),
            Node::Product(18, 19),
        ],
        constraints: vec![8, 17, 20],
        tables: vec![
            Table { expressions: vec![9], inputs: vec![vec![11], vec![10], vec![2]] },
            Table { expressions: vec![9, 2], inputs: vec![vec![11, 12], vec![9, 2]] },
            Table { expressions: vec![9], inputs: vec![vec![10]] },
        ],
        copied: vec![
            Advice(0),
            Advice(1),
            Inputs,
            Fixed(1),
            Advice(2),
            Advice(4),
            Fixed(0),
            Advice(3),
            Fixed(2),
        ],
    }
}

pub(crate) fn protocol() -> Protocol {
    Protocol::new(parts()).expect("it obeys the rules")
}

fn coordinate(number: Fq) -> Vec<u8> {
    number.into_bigint().to_bytes_be()
}

/// The bytes of a point that is not the identity.
pub(crate) fn point_bytes(point: &G1Affine) -> [u8; 64] {
    [coordinate(point.x), coordinate(point.y)].concat().try_into().expect("two numbers")
}

/// A point of G2 in the order of EIP-197.
pub(crate) fn g2_bytes(point: &G2Affine) -> [u8; 128] {
    let Fq2 { c0: x0, c1: x1, .. } = point.x;
    let Fq2 { c0: y0, c1: y1, .. } = point.y;
    let bytes = [x1, x0, y1, y0].map(coordinate).concat();
    bytes.try_into().expect("four numbers")
}

/// The bytes of a point in a proof.
pub(crate) fn compressed(point: &G1Affine) -> [u8; 32] {
    let mut bytes: [u8; 32] = coordinate(point.x).try_into().expect("a number");
    bytes[0] |= u8::from(point.y.into_bigint().is_odd()) << 7;
    bytes
}

/// `[scalar]₁`, which is not the identity.
pub(crate) fn multiple(scalar: Scalar) -> G1Affine {
    let point: G1Projective = G1Affine::generator() * scalar;
    point.into_affine()
}

/// The same as a proof has it.
pub(crate) fn commit(scalar: Scalar) -> [u8; 32] {
    compressed(&multiple(scalar))
}

/// The logarithms of a key's commitments, if [`key_parts`] made those that are not the identity.
pub(crate) fn logarithms(key: &Key) -> Vec<Scalar> {
    let description = String::from_utf8(key.description().to_vec()).expect("it is a text");
    let mut next = numbers(&description);
    let commitments = key.fixed().iter().chain(key.sigma());
    let logarithm = |commitment: &[u8; 64]| match (next(), commitment) {
        (_, [0, rest @ ..]) if rest.iter().all(|&byte| byte == 0) => Scalar::ZERO,
        (number, _) => number,
    };
    commitments.map(logarithm).collect()
}

/// Parts of a key whose commitments are to numbers that its description says.
pub(crate) fn key_parts(protocol: Protocol, description: &str) -> KeyParts {
    let mut next = numbers(description);
    let tau = (G2Affine::generator() * Scalar::from(TAU)).into_affine();
    KeyParts {
        description: description.as_bytes().to_vec(),
        is_ceremony: false,
        tau_g2: g2_bytes(&tau),
        fixed: (0..protocol.fixed()).map(|_| point_bytes(&multiple(next()))).collect(),
        sigma: protocol.copied().iter().map(|_| point_bytes(&multiple(next()))).collect(),
        protocol,
    }
}

pub(crate) fn key() -> Key {
    Key::new(key_parts(protocol(), "sample")).expect("it obeys the rules")
}
